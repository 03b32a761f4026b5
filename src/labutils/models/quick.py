"""A GPT-2 laid out for writing: the same forward pass, with parts that a single row
passes sooner.

Whoever writes one token at a time multiplies one row with every matrix of the model, so
that each weight is read from memory and used once. Then two things count: in what order
the weights lie there, and how many bytes they take. Int8 weights have one scale for
each row of a matrix, its largest number at 127 (Dettmers et al. 2022, "LLM.int8()",
section 2.1).
"""

import copy
import time
import warnings

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from labutils.layers import LayerNorm

from .gpt2 import GPT2


def for_writing(model: GPT2, numbers: str = "float32") -> GPT2:
    """A copy of a model for `model(ids, cache=Cache(capacity))`, a token at a time.

    numbers: what the weights of the products are kept as. "float32" rounds nothing,
    "bfloat16" has half the bytes and "int8" a quarter; norms, sums, attention, keys and
    values stay float32. Where the processor multiplies these numbers more slowly than
    float32, a warning says so and float32 is used. The copy is for writing alone: it
    has no gradients, and its weights cannot be saved. Raises ValueError for other
    numbers.

    >>> from labutils.models import paper_model
    >>> quick = for_writing(paper_model())
    >>> quick(torch.tensor([[0, 1, 2]])).logits[0, -1].argmax()  # the cat sat: on
    tensor(3)
    """
    if numbers not in PRODUCTS:
        raise ValueError(f"Weights can be {', '.join(PRODUCTS)}, not {numbers!r}.")
    if numbers != "float32" and (longer := times_as_long(numbers)) > 1:
        warnings.warn(
            f"On this processor a product in {numbers} takes {longer:.1f} times as long"
            " as in float32, so float32 is used.",
            stacklevel=2,
        )
        numbers = "float32"
    quick = copy.deepcopy(model).float().requires_grad_(False)
    if quick.head is None:  # the table a second time, since rounding needs its own
        table = quick.embeddings.token.weight
        quick.head = nn.Linear(*table.mT.shape, bias=False, device="meta")
        quick.head.weight = table
    for part in list(quick.modules()):
        for name, old in list(part.named_children()):
            setattr(part, name, _quick(old, numbers))
    return quick


def times_as_long(numbers: str, d_in: int = 768, d_out: int = 16_384) -> float:
    """How long one row takes through a matrix of these numbers, if float32 takes 1:
    measured here and now, the shortest of twenty runs each, in turns. The matrix is
    too large for the caches of most processors, as those of a model are.
    """
    with torch.no_grad():
        linear, row = nn.Linear(d_in, d_out), torch.randn(1, d_in)
        parts = [_quick(copy.deepcopy(linear), name) for name in ("float32", numbers)]
        taken = [[], []]
        for _ in range(20):
            for part, times in zip(parts, taken):
                start = time.perf_counter()
                part(row)
                times.append(time.perf_counter() - start)
    return min(taken[1]) / min(taken[0])


def _quick(part: nn.Module, numbers: str) -> nn.Module:
    """What takes the place of a part: a product, a norm, or the part itself."""
    if isinstance(part, LayerNorm):
        return _OneStepNorm(part)
    if isinstance(part, nn.Linear):
        return PRODUCTS[numbers](part)
    return part


class _OneStepNorm(nn.Module):
    """LayerNorm in one call instead of seven."""

    def __init__(self, norm: LayerNorm):
        super().__init__()
        self.gain, self.bias, self.eps = norm.gain, norm.bias, norm.eps

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        return F.layer_norm(x, x.shape[-1:], self.gain, self.bias, self.eps)


class _Float32(nn.Module):
    """x W + b with the weights column by column, so that a row becomes a sum of columns
    and memory is read once, from beginning to end. The bias comes after: in one call
    with the product it takes longer.
    """

    def __init__(self, linear: nn.Linear):
        super().__init__()
        self.weight, self.bias = linear.weight.mT.contiguous().mT, linear.bias

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... f"]:
        product = self.product(x)
        return product if self.bias is None else product + self.bias

    def product(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... f"]:
        return F.linear(x, self.weight)


class _BFloat16(_Float32):
    """The same with W and x in bfloat16: eight bits of each number."""

    def __init__(self, linear: nn.Linear):
        nn.Module.__init__(self)
        self.weight, self.bias = linear.weight.bfloat16(), linear.bias

    def product(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... f"]:
        return F.linear(x.bfloat16(), self.weight).float()


class _Int8(_Float32):
    """The same with W in whole numbers from -127 to 127, each row times its scale."""

    def __init__(self, linear: nn.Linear):
        nn.Module.__init__(self)
        scale = linear.weight.abs().amax(-1).clamp(min=1e-12) / 127  # (f,)
        weight = (linear.weight / scale[:, None]).round().to(torch.int8)
        # The product reads 16 columns at a time and would read past the end of a row
        self.missing = -weight.shape[1] % 64
        self.weight = F.pad(weight, (0, self.missing))
        self.scale, self.bias = scale.bfloat16(), linear.bias

    def product(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... f"]:
        rows = x.reshape(-1, x.shape[-1]).bfloat16()  # the product takes no other
        if self.missing:
            rows = F.pad(rows, (0, self.missing))
        # torch has no public name for it yet
        product = torch._weight_int8pack_mm(rows, self.weight, self.scale)
        return product.float().view(*x.shape[:-1], -1)


PRODUCTS = {"float32": _Float32, "bfloat16": _BFloat16, "int8": _Int8}
