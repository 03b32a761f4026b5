"""Exercise 11.4: attention with kept keys, in which the first pass is right and all later ones are not."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show


def check_attend(attend: Callable[..., tuple[Tensor, tuple]], seed: int | None = None) -> None:
    """Check `attend`: q, k, v (H, n, d_k) of new rows, kept keys and values or None -> their mixture (H, n, d_k), all
    keys and values.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        attend,
        reads_a_prompt,
        keeps_all,
        shows_one_row_everything,
        hides_the_future_of_several,
        goes_on_as_if_at_once,
        stands_large_scores,
        repeat="check_attend(attend, seed={seed})",
        seed=seed,
    )


def attend(q, k, v, kept):
    past = 0 if kept is None else kept[0].shape[1]
    if past:
        k, v = torch.cat([kept[0], k], 1), torch.cat([kept[1], v], 1)
    n, m = q.shape[1], k.shape[1]
    visible = torch.ones(n, m, dtype=torch.bool).tril(past)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~visible, -torch.inf)
    return scores.softmax(-1) @ v, (k, v)


RIGHT = (attend,)
TRIL, MASK, CAT = (
    ".tril(past)",
    ".masked_fill(~visible, -torch.inf)",
    "torch.cat([kept[0], k], 1), torch.cat([kept[1], v], 1)",
)
# fmt: off
MISTAKES = (
    ("leaves the triangle where it was", "The first new row sees key 0 alone: the triangle has to begin behind the"
     " past.", TRIL, ".tril()"),
    ("hides its own key", "No row sees itself.", TRIL, ".tril(past - 1)"),
    ("moves the triangle the wrong way", "nan: a row sees no key at all. The triangle was moved the wrong way.", TRIL,
     ".tril(-past)"),
    ("sees one row ahead", "Each row sees one row of its future.", TRIL, ".tril(past + 1)"),
    ("hides nothing", "Nothing is hidden: of several new rows the first sees the later ones.", MASK, ""),
    ("hides nothing once there is a past", "Nothing is hidden: of several new rows the first sees the later"
     " ones.", TRIL, ".tril(past if not past else m)"),
    ("a wall of -100", "A hidden key was set to a number that visible ones may fall below: minus infinity is below"
     " all.",
     "-torch.inf", "-100.0"),
    ("hides after the softmax", "What is hidden has taken its share: it is hidden before the softmax, so that the rest"
     " adds up to 1.", "scores.softmax(-1) @ v", "(scores.softmax(-1) * visible) @ v", MASK, ""),
    ("divides by all keys", "The scores are divided by the root of how many keys there are, not of d_k.",
     "q.shape[-1] ** 0.5", "m ** 0.5"),
)
REFUSED = (
    ("hands back the new keys alone", "keys", "@ v, (k, v)", "@ v, (k[:, -n:], v[:, -n:])"),
    ("takes exponents of what may be large", "nan", "scores.softmax(-1)",
     "(scores.exp() / scores.exp().sum(-1, keepdim=True))"),
    ("puts the past behind", "the kept ones with the new ones behind", CAT,
     "torch.cat([k, kept[0]], 1), torch.cat([v, kept[1]], 1)"),
)
# fmt: on


def expect(answer, q, k, v, kept, told: str) -> tuple[Tensor, Tensor]:
    found, wanted = call(answer, q, k, v, kept), attend(q, k, v, kept)
    expect_type(found, (tuple, list), "attend", "a pair: the mixture, and all keys and values")
    if len(found) != 2 or not isinstance(found[1], tuple | list) or len(found[1]) != 2:
        raise NotYet("attend should return a pair: the mixture, and a pair of all keys and all values.")
    expect_tensor(found[0], tuple(wanted[0].shape), "attend")
    if not fair.alike(found[0], wanted[0], 1e-4):
        row = int((found[0] - wanted[0]).abs().sum((0, 2)).argmax())
        made = ((said, pair[0]) for said, pair in outcomes(MISTAKES, attend, q, k, v, kept))
        raise NotYet(
            f"{told}, new row {row} is {show(found[0][0, row])} in head 0, expected {show(wanted[0][0, row])}."
            f"{likely(found[0], made)}"
        )
    for name, one, right in zip(("keys", "values"), found[1], wanted[1], strict=True):
        if not isinstance(one, Tensor) or one.shape != right.shape or not fair.alike(one, right, 1e-6):
            shape = tuple(one.shape) if isinstance(one, Tensor) else one
            raise NotYet(
                f"{told}, the {name} handed back are not the kept ones with the new ones behind: they have the shape"
                f" {shape}, expected {tuple(right.shape)}."
            )
    return wanted[1]


def rows(draw: Draw, H: int, n: int, d_k: int) -> list[Tensor]:
    return [draw.normal(H, n, d_k) for _ in range(3)]


def reads_a_prompt(answer, draw: Draw):
    """Without a past, no row sees a later one."""
    expect(answer, *rows(draw, 2, draw.between(3, 5), 4), None, "Without a past")


def keeps_all(answer, draw: Draw):
    """All keys and values come back, the kept ones in front."""
    expect(answer, *rows(draw, 1, 1, 3), None, "For one row without a past")


def shows_one_row_everything(answer, draw: Draw):
    """One new row sees every key that is kept, and its own."""
    past = draw.between(2, 5)
    kept = (draw.normal(2, past, 3), draw.normal(2, past, 3))
    expect(answer, *rows(draw, 2, 1, 3), kept, f"With {past} keys kept")


def hides_the_future_of_several(answer, draw: Draw):
    """Of several new rows each sees the past, itself, and nothing later."""
    past, n = draw.between(2, 4), draw.between(3, 5)
    kept = (draw.normal(2, past, 3), draw.normal(2, past, 3))
    expect(answer, *rows(draw, 2, n, 3), kept, f"With {past} keys kept and {n} new rows")


def goes_on_as_if_at_once(answer, draw: Draw):
    """A text that is read in parts comes out as if it were read at once."""
    kept = None
    for n in (draw.between(2, 4), 1, draw.between(2, 3), 1):
        kept = expect(answer, *rows(draw, 3, n, 2), kept, "In parts")


def stands_large_scores(answer, draw: Draw):
    """Scores may be large, and what is visible may score far below what is hidden."""
    whole = [(40 * one).round() for one in rows(draw, 2, 5, 4)]  # their products are exact in float32
    whole[1][:, 0], whole[0][:, 0] = -40 * whole[0][:, 0].sign(), whole[0][:, 0].sign() * 40
    expect(answer, *whole, None, "With large scores")
