"""Products of a few rows with a matrix that lies in memory as the product reads it.

Whoever writes one token at a time multiplies one row with every matrix of the model, so
that each weight is read from memory and used once. Then two things count: in what order
the weights lie there, and how many bytes they take.
"""

import time
import warnings
from collections.abc import Callable
from functools import cache

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from labutils.layers import quantise


class Exact:
    """x Wᵀ + b, nothing rounded. W lies column by column: a row becomes a sum of
    columns, and memory is read once from beginning to end.

    again: what comes out stands in a room that the next call fills again; a prompt of
    more than 64 rows, which is read once, has none.
    """

    def __init__(
        self,
        weight: Float[Tensor, "f d"],
        bias: Float[Tensor, " f"] | None = None,
        again: bool = True,
    ):
        self.weight, self.bias = weight.detach().mT.contiguous(), bias  # (d, f)
        self.again, self.room = again, weight.new_empty(0)

    def __call__(self, x: Float[Tensor, "rows d"]) -> Float[Tensor, "rows f"]:
        size = len(x), self.weight.shape[1]
        room = self.room if self.room.shape == size else x.new_empty(size)
        if self.again and len(x) <= 64:
            self.room = room
        if self.bias is None:
            return torch.mm(x, self.weight, out=room)
        return torch.addmm(self.bias, x, self.weight, out=room)


class BFloat16:
    """The same with W and x in bfloat16: eight bits of each number."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None, again: bool = True):
        self.weight, self.bias = weight.detach().bfloat16(), bias  # (f, d)

    def __call__(self, x: Float[Tensor, "rows d"]) -> Float[Tensor, "rows f"]:
        product = F.linear(x.bfloat16(), self.weight).float()
        return product if self.bias is None else product.add_(self.bias)


class Float16:
    """The same with W in float16, eleven bits of each number, and x as it is: each
    weight becomes a float32 on its way. Raises RuntimeError where torch has no such
    product.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None, again: bool = True):
        self.product = _dynamic(weight, torch.float16)
        self.product.set_weight_bias(weight.detach(), bias)

    def __call__(self, x: Float[Tensor, "rows d"]) -> Float[Tensor, "rows f"]:
        return self.product(x)


class Int8:
    """The same with W in whole numbers from -127 to 127, each row times its scale
    (Dettmers et al. 2022, "LLM.int8()", section 2.1), and x in bfloat16.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None, again: bool = True):
        whole, scale = quantise(weight.detach())  # (f, d), (f, 1)
        # The product reads 16 columns at a time and would read past the end of a row
        self.missing = -whole.shape[1] % 64
        self.weight = F.pad(whole, (0, self.missing))
        self.scale, self.bias = scale[:, 0].bfloat16(), bias

    def __call__(self, x: Float[Tensor, "rows d"]) -> Float[Tensor, "rows f"]:
        x = F.pad(x.bfloat16(), (0, self.missing)) if self.missing else x.bfloat16()
        # torch has no public name for it
        product = torch._weight_int8pack_mm(x, self.weight, self.scale).float()
        return product if self.bias is None else product.add_(self.bias)


class Int8Both:
    """The same whole numbers, and a row that comes alone in whole numbers too, of seven
    bits times a scale of its own. Several rows, as those of a prompt, stay as they are,
    so none depends on another. Raises RuntimeError where torch has no such product.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None, again: bool = True):
        whole, scale = quantise(weight.detach())  # (f, d), (f, 1)
        scales, zeros = scale[:, 0].double(), torch.zeros(len(scale), dtype=torch.long)
        self.product, self.bias = _dynamic(weight, torch.qint8), bias
        self.product.set_weight_bias(
            torch._make_per_channel_quantized_tensor(whole, scales, zeros, 0), bias
        )

    def __call__(self, x: Float[Tensor, "rows d"]) -> Float[Tensor, "rows f"]:
        if len(x) == 1:
            return self.product(x)
        return F.linear(x, self.product.weight().dequantize(), self.bias)


# the products in these numbers, of which the fastest is taken
WAYS = {"bfloat16": (BFloat16, Float16), "int8": (Int8, Int8Both)}


@cache
def way_for(numbers: str) -> Callable | None:
    """The fastest product in these numbers on this processor, or None if float32 is
    faster: measured once, at the first question.
    """
    longer, way = min((times_as_long(way), i) for i, way in enumerate(WAYS[numbers]))
    return WAYS[numbers][way] if longer < 1 else None


@torch.no_grad()
def times_as_long(way: Callable, d_in: int = 768, d_out: int = 16_384) -> float:
    """How long one row takes through a matrix by this way, if float32 takes 1: the
    shortest of twenty runs each, in turns. The matrix is too large for the caches of
    most processors, as those of a model are. Infinite where there is no such product.
    """
    weight, row = torch.randn(d_out, d_in), torch.randn(1, d_in)
    try:
        products = Exact(weight), way(weight)
        taken = [[], []]
        for _ in range(20):
            for product, times in zip(products, taken):
                start = time.perf_counter()
                product(row)
                times.append(time.perf_counter() - start)
    except (RuntimeError, AttributeError, ImportError):
        return float("inf")
    return min(taken[1]) / min(taken[0])


def _dynamic(weight: Tensor, dtype: torch.dtype):
    """An empty product of torch's own, which keeps its weights in a form of its own."""
    from torch.ao.nn.quantized.dynamic import Linear  # here: torch may drop it one day

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says so each time
        return Linear(weight.shape[1], weight.shape[0], dtype=dtype)
