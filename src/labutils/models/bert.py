"""BERT: embeddings with segments, L blocks that see both sides, and two heads: the
hidden word and the next sentence.

Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers"; the forward
pass is HuggingFace's `BertForPreTraining`, stage by stage.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from labutils.layers import (
    BertEmbeddings,
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNormBlock,
    See,
    count_positions,
    in_layer,
    padding_mask,
    unseen,
)

from . import weight_maps
from .configuration import Sizes, complete, from_entries, refuse, to_entries
from .heads import MaskedLanguageHead, Pooler
from .initial import initialise
from .inputs import check_attention_mask, check_ids, check_rows, register_output
from .records import Family
from .weight_maps import Same, of_linear, of_norm

# our name -> HuggingFace's
ENTRIES = {
    "vocab_size": "vocab_size",
    "n_positions": "max_position_embeddings",
    "n_segments": "type_vocab_size",
    "d_model": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "d_ff": "intermediate_size",
    "activation": "hidden_act",
    "layer_norm_eps": "layer_norm_eps",
    "hidden_dropout": "hidden_dropout_prob",
    "attention_dropout": "attention_probs_dropout_prob",
    "initializer_range": "initializer_range",
    "pad_id": "pad_token_id",
}


@dataclass(frozen=True)
class BertConfig(Sizes):
    """The shape of a BERT. The defaults are BERT base, uncased: Devlin et al. 2019,
    section 3. d_ff = None means 4 · d_model.

    pad_id: the row of the token table that gets no gradient from a look-up.
    nsp: has a pooler and the next-sentence head on it; False for a checkpoint of
    BertForMaskedLM, which has neither.
    """

    vocab_size: int = 30522
    n_positions: int = 512
    n_segments: int = 2
    d_model: int = 768
    n_layers: int = 12
    n_heads: int = 12
    d_ff: int | None = None
    activation: str = "gelu"
    layer_norm_eps: float = 1e-12
    hidden_dropout: float = 0.1
    attention_dropout: float = 0.1
    initializer_range: float = 0.02
    pad_id: int | None = 0
    nsp: bool = True

    def __post_init__(self):
        complete(self)

    @classmethod
    def from_hf(cls, config: dict, nsp: bool = True) -> "BertConfig":
        """Read the content of a config.json. Absent entries take BERT's defaults.
        config.json does not say `nsp`.

        Raises ValueError for a model that `Bert` does not compute: another model type,
        another activation, a decoder, cross-attention, relative positions, an output
        head of its own.
        """
        refuse(
            config,
            "bert",
            {
                "is_decoder": False,
                "add_cross_attention": False,
                "position_embedding_type": "absolute",
                "tie_word_embeddings": True,
            },
        )
        return cls(**from_entries(config, ENTRIES), nsp=nsp)

    def to_hf(self) -> dict:
        """The content of a config.json that HuggingFace reads as the same model.
        Special token ids are the caller's to add.
        """
        name = "BertForPreTraining" if self.nsp else "BertForMaskedLM"
        return {
            "model_type": "bert",
            "architectures": [name],
            "tie_word_embeddings": True,
        } | to_entries(self, ENTRIES)


@register_output
@dataclass(frozen=True)
class BertOutput:
    """logits (B, n, V): which token stands here. nsp_logits (B, 2): index 0 means "B
    follows A". pooled (B, d).

    hidden_states: L + 1 times (B, n, d), the embeddings first. Without the
    next-sentence head, nsp_logits and pooled are None.
    """

    logits: Float[Tensor, "B n V"]
    nsp_logits: Float[Tensor, "B 2"] | None
    pooled: Float[Tensor, "B d"] | None
    hidden_states: tuple[Float[Tensor, "B n d"], ...]


class Bert(weight_maps.Exported, nn.Module):
    """A complete BERT with both heads of its pre-training. Fresh weights are random; it
    starts in eval mode, without dropout.
    """

    def __init__(self, config: BertConfig):
        super().__init__()
        self.config = c = config
        # at first: sizes = c.vocab_size, c.n_positions, c.n_segments, c.d_model
        # at first: self.embeddings = BertEmbeddings(*sizes, c.layer_norm_eps)
        self.embeddings = BertEmbeddings(
            c.vocab_size,
            c.n_positions,
            c.n_segments,
            c.d_model,
            c.layer_norm_eps,
            c.pad_id,
            c.hidden_dropout,
        )
        self.blocks = nn.ModuleList(_block(c) for _ in range(c.n_layers))
        self.mlm = MaskedLanguageHead(
            c.d_model, c.vocab_size, c.activation, c.layer_norm_eps
        )
        self.pooler = Pooler(c.d_model) if c.nsp else None  # later
        self.nsp = nn.Linear(c.d_model, 2) if c.nsp else None  # later
        initialise(self, c.initializer_range)  # later
        self.eval()

    def forward(
        self,
        ids: Integer[Tensor, "B n"],
        attention_mask: Integer[Tensor, "B n"] | None = None,  # later
        position_ids: Integer[Tensor, "B n"] | None = None,  # later
        type_ids: Integer[Tensor, "B n"] | None = None,  # later
        *,  # later
        see: See = unseen,
    ) -> BertOutput:
        """Row i of the logits is about token i, which it sees as well.

        attention_mask: 1 for a token, 0 for padding. position_ids: 0 … n - 1 if not
        given. type_ids: the segment of each token, 0 if not given.

        `see` is shown every stage and says what the model goes on with. Raises
        ValueError for ids, masks, segments or positions that the model cannot read.
        Rows of padding hold finite numbers without a meaning.
        """
        check_ids(ids, self.config.vocab_size, self.config.n_positions)  # later
        check_attention_mask(attention_mask, ids)  # later
        check_rows(  # later
            position_ids,
            ids,
            self.config.n_positions,
            "position_ids",
            "the table of positions",
        )
        check_rows(  # later
            type_ids, ids, self.config.n_segments, "type_ids", "the table of segments"
        )
        # at first: positions = torch.arange(ids.shape[1]).expand_as(ids)
        positions = count_positions(ids) if position_ids is None else position_ids
        # at first: segments = torch.zeros_like(ids)
        segments = torch.zeros_like(ids) if type_ids is None else type_ids
        # later: (B, 1, 1, n); None: everyone sees everyone
        mask = None if attention_mask is None else padding_mask(attention_mask)  # later

        x = self.embeddings(ids, positions, segments, see)  # (B, n) -> (B, n, d)
        hidden_states = [x]
        for i, block in enumerate(self.blocks):
            # at first: x = block(x, see=in_layer(see, i))
            x = block(x, mask, in_layer(see, i))
            hidden_states.append(x)
        x = hidden_states[-1] = see("final", x)
        # (B, n, d) -> (B, n, V)
        logits = see("logits", self.mlm(x, self.embeddings.token.weight, see))
        # later: (B, n, d) -> (B, d)
        pooled = see("pooled", self.pooler(x)) if self.pooler else None  # later
        # later: (B, d) -> (B, 2)
        nsp_logits = see("nsp_logits", self.nsp(pooled)) if self.nsp else None  # later
        # at first: return BertOutput(logits, None, None, tuple(hidden_states))
        return BertOutput(logits, nsp_logits, pooled, tuple(hidden_states))

    # later
    def load_hf_state_dict(self, state_dict: dict[str, Tensor]) -> None:
        """Take over the weights of HuggingFace's BertForPreTraining, or of
        BertForMaskedLM if the config says nsp=False.

        Names without the prefix `bert.`, and LayerNorms with gamma and beta, are read
        as well. A pooler that no head reads is left out. Raises ValueError that names
        every tensor that is missing, unexpected, of the wrong shape, or not tied.
        """
        tied = {
            "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
            "cls.predictions.decoder.bias": "cls.predictions.bias",
        }
        pooler = [f"bert.pooler.dense.{name}" for name in ("weight", "bias")]
        unused = () if self.config.nsp else pooler
        weight_maps.load(self, self._map(), bert_names(state_dict), tied, unused)

    # later
    def _map(self):
        return bert_map(self.config.n_layers, self.config.nsp)


def _block(c: BertConfig) -> PostNormBlock:
    norm = lambda: LayerNorm(c.d_model, c.layer_norm_eps)
    # at first: attention = MultiHeadAttention(c.d_model, c.n_heads)
    attention = MultiHeadAttention(c.d_model, c.n_heads, c.attention_dropout)
    # at first: network = FeedForward(c.d_model, c.d_ff, c.activation)
    # at first: return PostNormBlock(attention, norm(), network, norm())
    return PostNormBlock(
        attention,
        norm(),
        FeedForward(c.d_model, c.d_ff, c.activation),
        norm(),
        c.hidden_dropout,
    )


def _heads(names: Collection[str]) -> tuple[dict[str, Any], str]:
    if not any(name.startswith("cls.predictions.") for name in names):
        raise ValueError(
            "is a BERT without its head for hidden words (no tensor is named"
            " cls.predictions.…), so it gives no logits: take a checkpoint of"
            " BertForPreTraining or BertForMaskedLM."
        )
    nsp = "cls.seq_relationship.weight" in names
    return {"nsp": nsp}, "BertForPreTraining" if nsp else "BertForMaskedLM"


def bert_map(n_layers: int, nsp: bool) -> list[Same]:
    """Names as in BertForPreTraining, or without `nsp` as in BertForMaskedLM."""
    pairs = [
        Same("bert.embeddings.word_embeddings.weight", ("embeddings.token.weight",)),
        Same(
            "bert.embeddings.position_embeddings.weight",
            ("embeddings.position.table.weight",),
        ),
        Same(
            "bert.embeddings.token_type_embeddings.weight",
            ("embeddings.segment.weight",),
        ),
    ]
    pairs += of_norm("bert.embeddings.LayerNorm", "embeddings.norm")
    for i in range(n_layers):
        theirs, ours = f"bert.encoder.layer.{i}", f"blocks.{i}"
        for name in ("query", "key", "value"):
            pairs += of_linear(
                f"{theirs}.attention.self.{name}", f"{ours}.attention.{name}"
            )
        pairs += of_linear(
            f"{theirs}.attention.output.dense", f"{ours}.attention.output"
        )
        pairs += of_norm(f"{theirs}.attention.output.LayerNorm", f"{ours}.norm1")
        pairs += of_linear(
            f"{theirs}.intermediate.dense", f"{ours}.feed_forward.expand"
        )
        pairs += of_linear(f"{theirs}.output.dense", f"{ours}.feed_forward.contract")
        pairs += of_norm(f"{theirs}.output.LayerNorm", f"{ours}.norm2")
    pairs += of_linear("cls.predictions.transform.dense", "mlm.transform")
    pairs += of_norm("cls.predictions.transform.LayerNorm", "mlm.norm") + [
        Same("cls.predictions.bias", ("mlm.bias",))
    ]
    if nsp:
        pairs += of_linear("bert.pooler.dense", "pooler.dense") + of_linear(
            "cls.seq_relationship", "nsp"
        )
    return pairs


def bert_names(state_dict: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a BERT under today's names, whatever the file calls them.

    A file of a BertModel has no prefix `bert.`; the first published ones call the
    parameters of a LayerNorm gamma and beta.

    >>> list(bert_names(dict.fromkeys(["embeddings.LayerNorm.gamma", "cls.x"])))
    ['bert.embeddings.LayerNorm.weight', 'cls.x']
    """
    bare = not any(name.startswith("bert.") for name in state_dict)
    prefix = lambda name: (
        f"bert.{name}" if bare and not name.startswith("cls.") else name
    )
    modern = lambda name: name.replace("LayerNorm.gamma", "LayerNorm.weight").replace(
        "LayerNorm.beta", "LayerNorm.bias"
    )
    return {prefix(modern(name)): tensor for name, tensor in state_dict.items()}


_LAYER = "bert.encoder.layer.{i}"
FAMILY = Family(
    "bert",
    "BERT",
    BertConfig,
    Bert,
    ("BertForPreTraining", "BertForMaskedLM"),
    causal=False,
    segments=True,
    blocks={"": _LAYER},
    places={
        "token": "bert.embeddings.word_embeddings>",
        "position": "bert.embeddings.position_embeddings>",
        "segment": "bert.embeddings.token_type_embeddings>",
        "embedding_sum": ">bert.embeddings.LayerNorm",
        "embedding_norm": "bert.embeddings.LayerNorm>",
        "input": f">{_LAYER}",
        "q": f"{_LAYER}.attention.self.query>",
        "k": f"{_LAYER}.attention.self.key>",
        "v": f"{_LAYER}.attention.self.value>",
        "attention": f"{_LAYER}.attention.self",
        "context": f">{_LAYER}.attention.output.dense",
        "attention_output": f"{_LAYER}.attention.output.dense>",
        "attention_stream": f"{_LAYER}.attention.output.LayerNorm>",
        "ffn_hidden": f"{_LAYER}.intermediate.dense>",
        "ffn_activated": f">{_LAYER}.output.dense",
        "ffn_output": f"{_LAYER}.output.dense>",
        "output": f"{_LAYER}.output.LayerNorm>",
        "final": "bert.encoder>",
        "mlm_transform": "cls.predictions.transform>",
        "logits": "cls.predictions>",
        "pooled": "bert.pooler>",
        "nsp_logits": "cls.seq_relationship>",
    },
    entries=ENTRIES,
    heads=_heads,
    idle=r"(bert\.)?pooler\.dense\.(weight|bias)",
    layout="post-norm, both directions, tied head",
    tokenizer="WordPiece",
    begins="[CLS]",
    # nothing stands between them: it normalises later
    same={"attention_input": "input", "ffn_input": "attention_stream"},
)
