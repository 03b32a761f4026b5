"""Exercise 4.2: attention for any number of heads and texts, with any mask, and the mask that hides the future."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, fresh_generator, rounded
from labutils.layers import attention


def check_causal(causal: Callable[[int], Tensor]) -> None:
    """Check `causal`: n -> (n, n), True where a row may look.

    Raises NotYet with the property that does not hold.
    """
    check(causal, hides_what_comes_later)


def check_attention(attend: Callable) -> None:
    """Check `attend`: q, k, v and a mask (or none) -> the mixed values and the weights.

    Raises NotYet with the property that does not hold.
    """
    check(
        attend,
        takes_the_only_value,
        divides_by_the_root,
        takes_true_for_visible,
        shares_out_everything,
        does_not_hear_what_is_hidden,
        works_on_many_heads,
        stretches_a_mask,
        takes_nothing_where_nothing_is_seen,
        agrees_on_random_input,
    )


def hides_what_comes_later(causal):
    """Row i sees columns 0 to i."""
    for n in (1, 2, 5):
        mask = call(causal, n)
        expect_tensor(mask, (n, n), "causal", torch.bool)
        for i in range(n):
            seen = mask[i].nonzero().flatten().tolist()
            if not mask[i, i]:
                raise NotYet(
                    f"For n = {n} row {i} sees the columns {seen}, expected {list(range(i + 1))}: each row sees "
                    "at least itself. Is the diagonal missing, or the mask upside down?"
                )
            if any(j > i for j in seen):
                raise NotYet(
                    f"For n = {n} row {i} sees the columns {seen}, expected {list(range(i + 1))}: "
                    f"column {i + 1} is the word that comes next, and the row is to guess it."
                )
            if seen != list(range(i + 1)):
                raise NotYet(
                    f"For n = {n} row {i} sees the columns {seen}, expected {list(range(i + 1))}: it may look back all"
                    " the way."
                )


def attended(attend, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The reader's mixed values and weights. Raises NotYet where the shapes are wrong."""
    result = call(attend, q, k, v, *([] if mask is None else [mask]))
    expect_type(result, tuple, "attend", "two tensors: the mixed values, the weights")
    if len(result) != 2:
        raise NotYet(
            f"attend should return two tensors, the mixed values and the weights, and it returned {len(result)} things."
        )
    expect_tensor(result[1], (*q.shape[:-1], k.shape[-2]), "attend (weights)", q.dtype)
    expect_tensor(result[0], (*q.shape[:-1], v.shape[-1]), "attend (mixed values)", q.dtype)
    return result


def some(*shape: int, dtype=torch.float32) -> Tensor:
    return torch.randn(shape, generator=fresh_generator(), dtype=dtype)


def takes_the_only_value(attend):
    """One query with one key takes its value."""
    v = some(1, 3)
    context, weights = attended(attend, some(1, 2), some(1, 2), v)
    if not (torch.allclose(weights, torch.ones(1, 1)) and torch.allclose(context, v)):
        raise NotYet(
            f"The weight is {rounded(weights)}, expected [[1.0]], and the value {rounded(v)} became {rounded(context)}."
        )


def divides_by_the_root(attend):
    """The scores are divided by √d_k."""
    q = torch.tensor([[2.0, 0.0, 0.0, 0.0]])
    k = torch.tensor([[2 * math.log(2), 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    weights = attended(attend, q, k, k)[1][0]
    others = {1.0: "were the scores not divided at all?", 0.25: "were they divided by d_k, or by √d_k twice?"}
    if torch.allclose(weights, torch.tensor([0.8, 0.2]), atol=1e-5):
        return
    found = f"Scores of 4 bits and 0 bits in a head of width 4 give the weights {rounded(weights)}, expected [0.8, 0.2]"
    for scale, why in others.items():
        if torch.allclose(weights, (q @ k.mT * scale).softmax(-1)[0], atol=1e-5):
            raise NotYet(f"{found}: {why}")
    raise NotYet(f"{found}: divided by √4 they are 2 bits and 0, so the powers are 4 and 1.")


def takes_true_for_visible(attend):
    """True in the mask means visible."""
    weights = attended(attend, some(1, 2), some(2, 2), some(2, 2), torch.tensor([[True, False]]))[1][0]
    if weights[0] < weights[1]:
        raise NotYet(
            f"With the mask True, False the weights are {rounded(weights)}, expected [1.0, 0.0]: is the mask inverted?"
        )


def shares_out_everything(attend):
    """Under a mask each row of weights sums to 1."""
    weights = attended(attend, some(5, 4), some(5, 4), some(5, 4), torch.ones(5, 5, dtype=torch.bool).tril())[1]
    sums = weights.sum(-1)
    if not torch.allclose(sums, torch.ones(5), atol=1e-5):
        worst = float(sums[(sums - 1).abs().argmax()])
        raise NotYet(f"A row sums to {worst:.2f}, expected 1: was the mask applied after the softmax?")


def does_not_hear_what_is_hidden(attend):
    """A hidden key changes nothing, however well it fits."""
    q, k, v, mask = some(2, 4), some(3, 4), some(3, 4), torch.tensor([True, True, False]).expand(2, 3)
    loud = torch.cat([k[:2], 50 * q[:1]])
    before, after = attended(attend, q, k, v, mask)[1], attended(attend, q, loud, v, mask)[1]
    if not torch.allclose(before, after, atol=1e-5):
        gap = float((before - after).abs().max())
        raise NotYet(
            f"A weight moved by {gap:.2f} when a hidden key was changed, expected 0: the key still stands in the sum of"
            " the softmax."
        )


def works_on_many_heads(attend):
    """Texts and heads stand side by side in front."""
    q, k, v = some(2, 3, 5, 4), some(2, 3, 7, 4), some(2, 3, 7, 6)
    try:
        context, _ = attended(attend, q, k, v)
    except NotYet as error:
        raise NotYet(f"{error} Is there a .T? It reverses all axes; .mT swaps the last two.") from error
    if not torch.allclose(context, attention(q, k, v)[0], atol=1e-5):
        raise NotYet(
            "For 2 texts of 3 heads the mixed values are wrong: each head of each text is to be computed by itself."
        )


def stretches_a_mask(attend):
    """One mask serves all heads and all queries."""
    q, mask = some(2, 3, 5, 4), torch.tensor([[True] * 4 + [False]] * 2)[:, None, None, :]  # (B, 1, 1, n)
    if not torch.allclose(attended(attend, q, q, q, mask)[0], attention(q, q, q, mask)[0], atol=1e-5):
        raise NotYet(
            "With a mask of shape (2, 1, 1, 5) for weights of shape (2, 3, 5, 5) the mixed values are wrong: "
            "its axes of length 1 stand for every head and every query."
        )


def takes_nothing_where_nothing_is_seen(attend):
    """A row that sees nothing takes nothing."""
    mask = torch.tensor([[False, False], [True, True]])
    context, weights = attended(attend, some(2, 4), some(2, 4), some(2, 4), mask)
    if not (torch.equal(weights[0], torch.zeros(2)) and torch.equal(context[0], torch.zeros(4))):
        raise NotYet(
            f"A row that sees nothing has the weights {rounded(weights[0])}, expected [0.0, 0.0]. "
            "Padding in front of a text has such rows: your softmax of 4.1 knows them."
        )


def agrees_on_random_input(attend):
    """Random input in float64 comes out as in the package."""
    double = torch.float64
    q, k, v = some(2, 2, 5, 3, dtype=double), some(2, 2, 6, 3, dtype=double), some(2, 2, 6, 1, dtype=double)
    mask = some(2, 2, 5, 6) > 0
    for found, right in zip(attended(attend, q, k, v, mask), attention(q, k, v, mask)):
        if not torch.allclose(found, right):
            raise NotYet(f"A number is wrong by {float((found - right).abs().max()):.2g}.")
