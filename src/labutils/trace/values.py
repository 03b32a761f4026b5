"""What a trace holds: one forward pass over one text, every intermediate by name."""

from dataclasses import dataclass

from jaxtyping import Float, Integer
from torch import Tensor


@dataclass(frozen=True)
class LayerTrace:
    """One block. n tokens, d model width, H heads, d_k = d / H, f feed-forward width."""

    input: Float[Tensor, "n d"]
    attention_input: Float[Tensor, "n d"]       # what q, k, v are made of: the input, normalised first in GPT-2
    q: Float[Tensor, "H n d_k"]
    k: Float[Tensor, "H n d_k"]
    v: Float[Tensor, "H n d_k"]
    scores: Float[Tensor, "H n n"]              # divided by √d_k; -inf where the key may not be seen
    weights: Float[Tensor, "H n n"]
    context: Float[Tensor, "n d"]               # the mixed values, heads side by side
    attention_output: Float[Tensor, "n d"]
    attention_stream: Float[Tensor, "n d"]      # after the first addition, in BERT after its LayerNorm too
    ffn_input: Float[Tensor, "n d"]             # the stream, normalised first in GPT-2
    ffn_hidden: Float[Tensor, "n f"]            # before the activation
    ffn_activated: Float[Tensor, "n f"]
    ffn_output: Float[Tensor, "n d"]
    output: Float[Tensor, "n d"]


@dataclass(frozen=True)
class Trace:
    """One text through one model. Tensors are detached and lie on the CPU, in the model's precision."""

    kind: str                                   # "gpt2" or "bert"
    tokens: list[str]
    ids: Integer[Tensor, "n"]
    embeddings: dict[str, Float[Tensor, "n d"]]     # "token", "position", and in BERT "segment"
    embedding_sum: Float[Tensor, "n d"]
    layers: list[LayerTrace]
    final: Float[Tensor, "n d"]                 # what the head reads: in GPT-2 after the last LayerNorm
    logits: Float[Tensor, "n V"]
    embedding_norm: Float[Tensor, "n d"] | None = None      # BERT
    mlm_transform: Float[Tensor, "n d"] | None = None       # BERT: inside its head, before the token table
    pooled: Float[Tensor, "d"] | None = None                # BERT with its next-sentence head, unless padding stood first
    nsp_logits: Float[Tensor, "2"] | None = None

    def __repr__(self) -> str:
        heads, n, _ = self.layers[0].weights.shape
        return f"Trace({self.kind}, {n} tokens, {len(self.layers)} layers, {heads} heads, width {self.final.shape[-1]})"
