"""A GPT-2 laid out for writing: the same forward pass in as few calls as it takes, with
each weight where the product reads it.
"""

import copy
import warnings
from collections.abc import Callable
from functools import partial

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn
from torch.nn import functional as F

from labutils.layers import (
    Cache,
    FeedForward,
    GPT2Embeddings,
    LayerNorm,
    LearnedPositions,
    MultiHeadAttention,
    PreNormBlock,
    all_or_nothing,
    attention,
    merge_heads,
    places_and_mask,
)

from .gpt2 import GPT2, GPT2Output
from .inputs import check_attention_mask, check_ids, check_rows
from .products import WAYS, Exact, way_for

ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
    "silu": F.silu,
}
PARTS = (  # those that are known here
    (GPT2, GPT2Embeddings, LearnedPositions, PreNormBlock, LayerNorm)
    + (MultiHeadAttention, FeedForward)
    + (nn.ModuleList, nn.Embedding, nn.Linear, nn.Dropout)
)


class Quick(nn.Module):
    """What `for_writing` makes of a GPT-2. numbers: what its products are kept as."""

    def __init__(self, model: GPT2, product: Callable, numbers: str, last: int | None):
        super().__init__()
        self.config, self.numbers, self.last = model.config, numbers, last
        tables = model.embeddings.token, model.embeddings.position.table
        self.token, self.position = (t.weight.detach().clone() for t in tables)
        self.blocks = [_Block(block, product) for block in model.blocks]
        self.final_norm = _norm(model.final_norm)
        table = self.token if model.head is None else model.head.weight
        self.head = product(table, again=False)  # its logits go to others

    @torch.no_grad()
    def forward(
        self,
        ids: Integer[Tensor, "B n"],
        attention_mask: Integer[Tensor, "B n"] | None = None,
        position_ids: Integer[Tensor, "B n"] | None = None,
        *,
        cache: Cache | None = None,
    ) -> GPT2Output:
        """As `GPT2.forward`, but of the states only those after the last LayerNorm, and
        logits of the last rows alone, if so many were asked for.
        """
        c, past = self.config, 0 if cache is None else len(cache)
        check_ids(ids, c.vocab_size, c.n_positions, past)
        check_attention_mask(attention_mask, ids, cached=cache is not None)
        table = "position_ids", "the table of positions"
        check_rows(position_ids, ids, c.n_positions, *table)
        places, mask = places_and_mask(cache, ids, attention_mask, position_ids)
        check_rows(places, ids, c.n_positions, *table)
        if ids.shape[1] == 1 and mask.all():
            mask = None  # a last row that sees all

        x = self.token[ids] + self.position[places]  # (B, n, d)
        for i, block in enumerate(self.blocks):
            block(x, mask, None if cache is None else cache.layer(i))
        x = self.final_norm(x)
        rows = x if self.last is None else x[:, -self.last :]
        logits = self.head(rows.flatten(0, 1)).view(*rows.shape[:2], -1)
        return GPT2Output(logits, (x,))


# as GPT2 does
Quick.forward = all_or_nothing(Quick.forward)


class _Block:
    """A block with one product for queries, keys and values together."""

    def __init__(self, block: PreNormBlock, product: Callable):
        a, f = block.attention, block.feed_forward
        three = a.query, a.key, a.value
        self.n_heads, self.activation = a.n_heads, ACTIVATIONS[f.activation]
        self.norm1, self.norm2 = _norm(block.norm1), _norm(block.norm2)
        self.three = product(
            torch.cat([one.weight for one in three]),  # (3 d, d)
            torch.cat([one.bias for one in three]).detach(),
        )
        self.output, self.expand, self.contract = (
            product(one.weight, one.bias.detach().clone())
            for one in (a.output, f.expand, f.contract)
        )

    def __call__(self, x: Float[Tensor, "B n d"], mask, cache) -> None:
        """x becomes what comes out."""
        B, n, d = x.shape
        rows = x.view(B * n, d)
        three = self.three(self.norm1(rows)).view(B, n, 3, self.n_heads, -1)
        q, k, v = three.permute(2, 0, 3, 1, 4)  # (B, H, n, d_k) each
        k, v = (k, v) if cache is None else cache(k, v)
        if mask is None:
            mixed = F.scaled_dot_product_attention(q, k, v)
        else:
            mixed, _ = attention(q, k, v, mask)
        rows += self.output(merge_heads(mixed).flatten(0, 1))
        hidden = self.activation(self.expand(self.norm2(rows)))
        rows += self.contract(hidden)


def for_writing(
    model: nn.Module, numbers: str | None = None, last: int | None = None
) -> nn.Module:
    """A copy of a GPT-2 for `model(ids, cache=Cache(capacity))`, a token at a time.

    numbers: what the weights of the products are kept as. None takes them as they are
    and "float32" rounds nothing more; "bfloat16" has half the bytes of that and "int8"
    a quarter, while norms, sums, attention, keys and values stay float32. Where the
    processor is faster with float16 weights than with bfloat16 it takes those, which
    round less. Where it is fastest with float32, a warning says so and that is used.
    last: of how many of the last rows logits are computed, None for all.

    The copy is for writing alone: it has no gradients, its weights cannot be saved,
    and later changes of the model do not reach it. A copy comes back as it is, and so
    does a model that is no GPT-2 of ours on the processor, one that is training, and
    one with a hook or a part of another kind. Raises ValueError for other numbers.

    >>> from labutils.models import paper_model
    >>> quick = for_writing(paper_model())
    >>> quick(torch.tensor([[0, 1, 2]])).logits[0, -1].argmax()  # the cat sat: on
    tensor(3)
    """
    if numbers not in (None, "float32", *WAYS):
        raise ValueError(f"Weights can be float32, {', '.join(WAYS)}, not {numbers!r}.")
    if not is_plain(model):
        return model
    if numbers and any(p.dtype != torch.float32 for p in model.parameters()):
        model = copy.deepcopy(model).float()
    way = Exact
    if numbers in WAYS:
        way = way_for(numbers)
        if way is None:
            warnings.warn(
                f"On this processor a product in {numbers} takes longer than in"
                " float32, so float32 is used.",
                stacklevel=2,
            )
            way, numbers = Exact, "float32"
    return Quick(model, way, numbers, last)


def _norm(norm: LayerNorm) -> Callable:
    """LayerNorm in one call instead of seven."""
    gain, bias = norm.gain.detach().clone(), norm.bias.detach().clone()
    return partial(
        F.layer_norm, normalized_shape=gain.shape, weight=gain, bias=bias, eps=norm.eps
    )


def is_plain(model: nn.Module) -> bool:
    """Whether nothing happens in this model but what `Quick` does."""
    kinds = {p.dtype for p in model.parameters()}
    return (
        type(model) is GPT2
        and not model.training
        and kinds <= {torch.float32, torch.float64}
        and len(kinds) == 1
        and all(p.device.type == "cpu" for p in model.parameters())
        and all(map(_untouched, model.modules()))
    )


def _untouched(part: nn.Module) -> bool:
    """Whether it is a part of those that are known, as it was made."""
    hooks = part._forward_hooks or part._forward_pre_hooks or "forward" in vars(part)
    if isinstance(part, MultiHeadAttention) and part.n_key_heads != part.n_heads:
        return False
    if isinstance(part, MultiHeadAttention | FeedForward) and any(
        getattr(one, "bias", 0) is None for one in part.children()
    ):
        return False
    return type(part) in PARTS and not hooks
