"""Parts of a model on their own, computed: each layer of the book against the one in PyTorch or HuggingFace's library,
and the tokenizers against HuggingFace's on fresh stories.
"""

from collections.abc import Callable, Iterator

import torch
import transformers
from torch import Tensor, nn
from torch.nn import functional

from labutils.authoring.pages.parity import short
from labutils.checkpoints import load, load_tokenizer
from labutils.checkpoints.loader import HERE
from labutils.layers import (
    BatchNorm,
    FeedForward,
    GRUCell,
    LayerNorm,
    LSTMCell,
    MultiHeadAttention,
    PostNormBlock,
    PreNormBlock,
    RMSNorm,
    RNNCell,
    ShawPositions,
    T5Bias,
    attention,
    causal_mask,
    merge_heads,
    run,
    split_heads,
    t5_buckets,
)
from labutils.layers.feed_forward import ACTIVATIONS
from labutils.making.vocabularies import VOCABULARIES
from labutils.text import ByteLevelBPE, WordPiece
from labutils.world import World

SEED, STORIES = 0, 200
ROUNDING = {torch.float32: 1e-5, torch.float64: 1e-10}  # the precisions, and what counts as rounding in each
SIZES = (3, 7, 12)  # texts, tokens, width
Pair = tuple[str, str, Callable[[], tuple[Tensor, Tensor]]]  # a part, what it is compared with, both outputs


def drawn(*shape: int) -> Tensor:
    """In the precision that `measured` has set."""
    return torch.randn(*shape)


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
    yield "feed-forward network", "HuggingFace", _feed_forward
    for block in (PreNormBlock, PostNormBlock):
        yield block.__name__, "PyTorch", lambda block=block: _block(block)
    yield "Shaw’s positions, in attention", "HuggingFace", _shaw
    yield "T5’s buckets of distances", "HuggingFace", _buckets
    yield "T5’s bias", "HuggingFace", _t5_bias


def _same_input(ours: Callable, theirs: Callable) -> tuple[Tensor, Tensor]:
    x = drawn(*SIZES)
    return ours(x), theirs(x)


def _attention() -> tuple[Tensor, Tensor]:
    q, k, v = (drawn(*SIZES) for _ in range(3))
    return attention(q, k, v, causal_mask(7))[0], functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def _multi_head() -> tuple[Tensor, Tensor]:
    ours, theirs = MultiHeadAttention(12, 3), nn.MultiheadAttention(12, 3, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    x = drawn(*SIZES)
    return ours(x, causal_mask(7)), theirs(x, x, x, attn_mask=~causal_mask(7), need_weights=False)[0]


def _norm(ours: type[nn.Module], theirs: type[nn.Module]) -> tuple[Tensor, Tensor]:
    mine, library = ours(12, eps=1e-5), theirs(12, eps=1e-5)
    with torch.no_grad():
        for a, b in zip(mine.parameters(), library.parameters(), strict=True):
            b.copy_(a.copy_(drawn(12)))
    x = 3 * drawn(*SIZES) + 1
    return mine(x), library(x.flatten(0, 1)).view(x.shape)


def _feed_forward() -> tuple[Tensor, Tensor]:
    config = transformers.GPT2Config(n_embd=12, n_inner=48, resid_pdrop=0.0)
    ours, theirs = FeedForward(12, 48, "gelu_tanh"), transformers.models.gpt2.modeling_gpt2.GPT2MLP(48, config)
    for mine, conv in ((ours.expand, theirs.c_fc), (ours.contract, theirs.c_proj)):
        conv.weight.copy_(mine.weight.T), conv.bias.copy_(mine.bias)
    x = drawn(*SIZES)
    return ours(x), theirs(x)


def _block(kind: type[nn.Module]) -> tuple[Tensor, Tensor]:
    heads, network, norms = MultiHeadAttention(12, 3), FeedForward(12, 48, "relu"), (LayerNorm(12), LayerNorm(12))
    first = kind is PreNormBlock
    theirs = nn.TransformerEncoderLayer(12, 3, 48, dropout=0.0, batch_first=True, norm_first=first)
    projections = heads.query, heads.key, heads.value
    theirs.self_attn.in_proj_weight.copy_(torch.cat([one.weight for one in projections]))
    theirs.self_attn.in_proj_bias.copy_(torch.cat([one.bias for one in projections]))
    theirs.self_attn.out_proj.load_state_dict(heads.output.state_dict())
    theirs.linear1.load_state_dict(network.expand.state_dict())
    theirs.linear2.load_state_dict(network.contract.state_dict())
    for mine, library in zip(norms, (theirs.norm1, theirs.norm2)):
        library.weight.copy_(mine.gain.copy_(drawn(12))), library.bias.copy_(mine.bias.copy_(drawn(12)))
    x = drawn(*SIZES)
    return kind(norm1=norms[0], attention=heads, norm2=norms[1], feed_forward=network)(x), theirs(x)


def _shaw() -> tuple[Tensor, Tensor]:
    """In the model of HuggingFace's library that has them."""
    config = transformers.Wav2Vec2BertConfig(
        hidden_size=12,
        num_attention_heads=3,
        position_embeddings_type="relative_key",
        left_max_position_embeddings=4,
        right_max_position_embeddings=2,
        attn_implementation="eager",
    )
    theirs = transformers.models.wav2vec2_bert.modeling_wav2vec2_bert.Wav2Vec2BertSelfAttention(config).eval()
    shaw = ShawPositions(4, 2, 4)
    shaw.table.weight.copy_(theirs.distance_embedding.weight)
    x = drawn(*SIZES)
    q, k, v = (split_heads(linear(x), 3) for linear in (theirs.linear_q, theirs.linear_k, theirs.linear_v))
    mixed, _ = attention(q, k, v, bias=shaw.to_scores(q, x.shape[1]))
    return theirs.linear_out(merge_heads(mixed)), theirs(x)[0]


def t5_twins(decoder: bool = False) -> tuple[T5Bias, nn.Module]:
    """The bias of this book and the attention of HuggingFace's T5 that has the same one."""
    config = transformers.T5Config(d_model=12, num_heads=3, d_kv=4, is_decoder=decoder)
    theirs = transformers.models.t5.modeling_t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    ours = T5Bias(3, both_ways=not decoder)
    with torch.no_grad():
        ours.table.weight.copy_(theirs.relative_attention_bias.weight)
    return ours, theirs


def _t5_bias() -> tuple[Tensor, Tensor]:
    ours, theirs = t5_twins()
    return ours(150, 150), theirs.compute_bias(150, 150)[0]


def _cell(ours: type[nn.Module], theirs: type[nn.Module]) -> tuple[Tensor, Tensor]:
    library, cell = theirs(12, 5, batch_first=True), ours(12, 5)
    for mine, name in ((cell.from_input, "ih_l0"), (cell.from_state, "hh_l0")):
        mine.load_state_dict({part: getattr(library, f"{part}_{name}").detach() for part in ("weight", "bias")})
    x = drawn(*SIZES)
    return run(cell, x)[0], library(x)[0]


def _buckets() -> tuple[Tensor, Tensor]:
    places, theirs = torch.arange(-1500, 1501), transformers.models.t5.modeling_t5.T5Attention
    return t5_buckets(places, 32, 128, True), theirs._relative_position_bucket(places, True, 32, 128)


def measured() -> list[tuple[str, str, float, float]]:
    """Each part, what it was compared with, and the largest difference in float32 and in float64.

    Raises:
        ValueError: a part differs. A site that claims parity is not built without it.
    """
    return [
        (name, library, *(_difference(name, library, compute, dtype) for dtype in ROUNDING))
        for name, library, compute in parts()
    ]


def _difference(name: str, library: str, compute: Callable[[], tuple[Tensor, Tensor]], dtype: torch.dtype) -> float:
    usual = torch.get_default_dtype()
    try:
        torch.set_default_dtype(dtype)
        with torch.random.fork_rng(), torch.no_grad():
            torch.manual_seed(SEED)
            found, right = compute()
    finally:
        torch.set_default_dtype(usual)
    difference = float((found - right).abs().max())
    if found.shape != right.shape or not difference <= ROUNDING[dtype]:
        raise ValueError(f"{name} differs from that of {library} by {difference}, in {dtype}.")
    return difference


def tokenizers() -> list[tuple[str, int, int, int]]:
    """Each tokenizer of the package, how many stories it cut, into how many tokens, and how many otherwise than
    HuggingFace's.

    Raises:
        ValueError: a story is cut in another way.
    """
    rows, stories = [], [str(story) for story in World().stories(STORIES, SEED)]
    for name, (ours, theirs) in _pairs():
        found = [ours.encode(story).ids for story in stories]
        other = [story for story, ids in zip(stories, found) if ids != theirs(story)["input_ids"]]
        if other:
            raise ValueError(f"The tokenizer of {name} differs from HuggingFace’s on {other[0]!r}.")
        rows.append((name, len(stories), sum(map(len, found)), len(other)))
    return rows


def _pairs() -> Iterator[tuple[str, tuple[ByteLevelBPE | WordPiece, transformers.PreTrainedTokenizerBase]]]:
    for name in ("little-gpt2", "little-bert"):
        yield name, (load(name).tokenizer, transformers.AutoTokenizer.from_pretrained(HERE / name))
    vocab, merges = (str(VOCABULARIES / "gpt2" / name) for name in ("vocab.json", "merges.txt"))
    yield "gpt2", (load_tokenizer("gpt2"), transformers.GPT2Tokenizer(vocab, merges))
    lines = str(VOCABULARIES / "bert-base-uncased/vocab.txt")
    yield (
        "bert-base-uncased",
        (load_tokenizer("bert-base-uncased"), transformers.BertTokenizer(lines, do_lower_case=True)),
    )


def page() -> str:
    """Markdown: the layers, then the tokenizers."""
    layers = "".join(
        f"| {name} | {library} | {short(single)} | {short(double)} |\n" for name, library, single, double in measured()
    )
    cut = "".join(f"| {name} | {stories:,} | {tokens:,} | {other} |\n" for name, stories, tokens, other in tokenizers())
    shape = " × ".join(map(str, SIZES))
    return (
        f"Inputs of {shape} (texts, tokens, width), drawn with seed {SEED}, as are the parameters.\n\n"
        f"| Part | Beside that of | Largest difference, float32 | float64 |\n|---|---|--:|--:|\n{layers}\n"
        f"| Tokenizer | Fresh stories | Tokens | Cut in another way than by HuggingFace’s |\n|---|--:|--:|--:|\n{cut}"
    )
