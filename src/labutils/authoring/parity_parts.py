"""Parts of a model on their own, computed: each layer of the book against the one in PyTorch or HuggingFace's library,
and the tokenizers against HuggingFace's on fresh stories.
"""

from collections.abc import Callable, Iterator

import torch
import transformers
from torch import Tensor, nn
from torch.nn import functional

from labutils.authoring.parity_page import short
from labutils.checkpoints import load
from labutils.checkpoints.loader import HERE
from labutils.layers import (
    BatchNorm,
    GRUCell,
    LayerNorm,
    LSTMCell,
    MultiHeadAttention,
    RMSNorm,
    RNNCell,
    attention,
    causal_mask,
    run,
    t5_buckets,
)
from labutils.layers.feed_forward import ACTIVATIONS
from labutils.world import World

SEED, ROUNDING, STORIES = 0, 1e-10, 200
SIZES = (3, 7, 12)  # texts, tokens, width
Pair = tuple[str, str, Callable[[], tuple[Tensor, Tensor]]]  # a part, what it is compared with, both outputs


def drawn(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64)


def parts() -> Iterator[Pair]:
    yield "scaled dot-product attention, causal", "PyTorch", _attention
    yield "multi-head attention, causal", "PyTorch", _multi_head
    for ours, theirs in ((LayerNorm, nn.LayerNorm), (RMSNorm, nn.RMSNorm), (BatchNorm, nn.BatchNorm1d)):
        yield ours.__name__, "PyTorch", lambda ours=ours, theirs=theirs: _norm(ours, theirs)
    for name, library in {
        "relu": functional.relu,
        "gelu": functional.gelu,
        "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
        "silu": functional.silu,
    }.items():
        yield name, "PyTorch", lambda name=name, library=library: _same_input(ACTIVATIONS[name], library)
    for ours, theirs in ((RNNCell, nn.RNN), (LSTMCell, nn.LSTM), (GRUCell, nn.GRU)):
        yield f"{ours.__name__}, seven steps", "PyTorch", lambda ours=ours, theirs=theirs: _cell(ours, theirs)
    yield "T5’s buckets of distances", "HuggingFace", _buckets


def _same_input(ours: Callable, theirs: Callable) -> tuple[Tensor, Tensor]:
    x = drawn(*SIZES)
    return ours(x), theirs(x)


def _attention() -> tuple[Tensor, Tensor]:
    q, k, v = (drawn(*SIZES) for _ in range(3))
    return attention(q, k, v, causal_mask(7))[0], functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def _multi_head() -> tuple[Tensor, Tensor]:
    ours, theirs = MultiHeadAttention(12, 3).double(), nn.MultiheadAttention(12, 3, batch_first=True).double()
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    x = drawn(*SIZES)
    return ours(x, causal_mask(7)), theirs(x, x, x, attn_mask=~causal_mask(7), need_weights=False)[0]


def _norm(ours: type[nn.Module], theirs: type[nn.Module]) -> tuple[Tensor, Tensor]:
    mine, library = ours(12, eps=1e-5).double(), theirs(12, eps=1e-5).double()
    with torch.no_grad():
        for a, b in zip(mine.parameters(), library.parameters(), strict=True):
            b.copy_(a.copy_(drawn(12)))
    x = 3 * drawn(*SIZES) + 1
    return mine(x), library(x.flatten(0, 1)).view(x.shape)


def _cell(ours: type[nn.Module], theirs: type[nn.Module]) -> tuple[Tensor, Tensor]:
    library, cell = theirs(12, 5, batch_first=True).double(), ours(12, 5).double()
    for mine, name in ((cell.from_input, "ih_l0"), (cell.from_state, "hh_l0")):
        mine.load_state_dict({part: getattr(library, f"{part}_{name}").detach() for part in ("weight", "bias")})
    x = drawn(*SIZES)
    return run(cell, x)[0], library(x)[0]


def _buckets() -> tuple[Tensor, Tensor]:
    places, theirs = torch.arange(-1500, 1501), transformers.models.t5.modeling_t5.T5Attention
    return t5_buckets(places, 32, 128, True), theirs._relative_position_bucket(places, True, 32, 128)


def measured() -> list[tuple[str, str, float]]:
    """Each part, what it was compared with, and the largest difference.

    Raises:
        ValueError: a part differs. A site that claims parity is not built without it.
    """
    rows = []
    for name, library, compute in parts():
        with torch.random.fork_rng(), torch.no_grad():
            torch.manual_seed(SEED)
            found, right = compute()
        difference = float((found - right).abs().max())
        if found.shape != right.shape or not difference <= ROUNDING:
            raise ValueError(f"{name} differs from that of {library} by {difference}.")
        rows.append((name, library, difference))
    return rows


def tokenizers() -> list[tuple[str, int, int, int]]:
    """Each shipped tokenizer, how many stories it cut, into how many tokens, and how many otherwise than HuggingFace's.

    Raises:
        ValueError: a story is cut in another way.
    """
    rows, stories = [], [str(story) for story in World().stories(STORIES, SEED)]
    for name in ("little-gpt2", "little-bert"):
        ours, theirs = load(name).tokenizer, transformers.AutoTokenizer.from_pretrained(HERE / name)
        found = [ours.encode(story).ids for story in stories]
        other = [story for story, ids in zip(stories, found) if ids != theirs(story)["input_ids"]]
        if other:
            raise ValueError(f"The tokenizer of {name} differs from HuggingFace’s on {other[0]!r}.")
        rows.append((name, len(stories), sum(map(len, found)), len(other)))
    return rows


def page() -> str:
    """Markdown: the layers, then the tokenizers."""
    layers = "".join(f"| {name} | {library} | {short(difference)} |\n" for name, library, difference in measured())
    cut = "".join(f"| {name} | {stories:,} | {tokens:,} | {other} |\n" for name, stories, tokens, other in tokenizers())
    shape = " × ".join(map(str, SIZES))
    return (
        f"Inputs of {shape} (texts, tokens, width) in float64, drawn with seed {SEED}, as are the parameters.\n\n"
        f"| Part | Beside that of | Largest difference |\n|---|---|--:|\n{layers}\n"
        f"| Tokenizer | Fresh stories | Tokens | Cut in another way than by HuggingFace’s |\n|---|--:|--:|--:|\n{cut}"
    )
