"""Exercise 4.5: a text must come out the same alone and beside padding."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_tensor, fresh_generator
from labutils.layers import attention


def check_batch(attend: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check `attend`: rows (B, n, d) and what is text (B, n) -> mixed rows (B, n, d).

    Raises NotYet with the property that does not hold.
    """
    check(attend, is_right_alone, is_the_same_before_padding, is_the_same_behind_padding, takes_many_texts)


def mixed(attend, x: Tensor, seen: Tensor) -> Tensor:
    out = call(attend, x, seen)
    expect_tensor(out, tuple(x.shape), "attend", x.dtype)
    return out


def is_right_alone(attend):
    """A text without padding comes out as before."""
    x = torch.randn(1, 3, 4, generator=fresh_generator())
    out = mixed(attend, x, torch.ones(1, 3, dtype=torch.long))
    if not torch.allclose(out, attention(x, x, x)[0], atol=1e-5):
        raise NotYet("A text of 3 tokens without padding comes out changed: nothing is to be hidden there.")


def _padded(attend, front: int, behind: int) -> None:
    """Three rows of text with padding around them must be those of the text alone."""
    x = torch.randn(1, front + 3 + behind, 4, generator=fresh_generator())
    seen = torch.tensor([[0] * front + [1] * 3 + [0] * behind])
    text = slice(front, front + 3)
    alone = attention(x[:, text], x[:, text], x[:, text])[0]
    found = mixed(attend, x, seen)[:, text]
    if torch.allclose(found, alone, atol=1e-5):
        return
    gap = (
        f"Its rows move by up to {float((found - alone).abs().nan_to_num(9).max()):.2f} when padding is added,"
        " expected 0"
    )
    raise NotYet(f"{gap}: {_reason(x, seen, text, found)}")


def _reason(x: Tensor, seen: Tensor, text: slice, found: Tensor) -> str:
    """What a mistaken mask would have given: three of them are known."""
    hidden = ~seen.bool()[:, None, :]
    weights = (x @ x.mT / math.sqrt(x.shape[-1])).softmax(-1)
    if torch.allclose(found, (weights @ x)[:, text], atol=1e-5):
        return (
            "they still take from the padding, as without a mask. Rows ask, columns answer: which axis of (B, n, n) has"
            " to be hidden?"
        )
    if torch.allclose(found, attention(x, x, x, hidden)[0][:, text], atol=1e-5):
        return "they take from the padding and from nothing else. Is the mask inverted?"
    if torch.allclose(found, (weights.masked_fill(hidden, 0) @ x)[:, text], atol=1e-5):
        return "their weights do not sum to 1. Was the mask applied after the softmax?"
    return "a row of text may take from all rows of text and from nothing else."


def is_the_same_before_padding(attend):
    """Padding behind a text changes nothing in it."""
    _padded(attend, 0, 2)


def is_the_same_behind_padding(attend):
    """Padding in front changes nothing either."""
    _padded(attend, 3, 0)


def takes_many_texts(attend):
    """Three texts of different lengths come out as each alone."""
    x = torch.randn(3, 5, 4, generator=fresh_generator())
    seen = torch.tensor([[1] * n + [0] * (5 - n) for n in (1, 3, 5)])
    out = mixed(attend, x, seen)
    for row, n in enumerate((1, 3, 5)):
        alone = attention(x[row, :n], x[row, :n], x[row, :n])[0]
        if not torch.allclose(out[row, :n], alone, atol=1e-5):
            raise NotYet(f"Among three texts the one of {n} tokens comes out changed: does each have its own mask?")
