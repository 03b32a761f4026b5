"""Exercise 9.1: the row of the last token that is no padding, where the padding's id may also stand inside a text."""

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes


def check_last_rows(last_rows, seed: int | None = None) -> None:
    """Check `last_rows`: x (B, n, d), ids (B, n) and the id of padding -> (B, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        last_rows,
        passes_over_padding_on_the_left,
        passes_over_padding_on_the_right,
        takes_full_texts,
        keeps_a_sign_inside_a_text,
        does_it_by_itself,
        repeat="check_last_rows(last_rows, seed={seed})",
        seed=seed,
    )


def last_rows(x, ids, pad):
    places = torch.arange(ids.shape[1])
    last = (places * (ids != pad)).argmax(-1)
    return x[torch.arange(len(x)), last]


RIGHT = (last_rows,)
# fmt: off
MISTAKES = (
    ("the last column", "That is the last column, and there padding stands.", "[torch.arange(len(x)), last]",
     "[:, -1]"),
    ("the length as a place", "The length was taken as a place: n tokens stand in the places 0 to n − 1.",
     "last = (places * (ids != pad)).argmax(-1)", "last = (ids != pad).sum(-1).clamp(max=ids.shape[1] - 1)"),
    ("the first padding", "That is the row of the first padding, one too far.",
     "last = (places * (ids != pad)).argmax(-1)",
     "last = (ids == pad).int().argmax(-1)"),
    ("before the first padding", "That is the row before the first padding: in a text without any it is the last by"
     " luck, and with padding inside it is another.", "last = (places * (ids != pad)).argmax(-1)",
     "last = (ids == pad).int().argmax(-1) - 1"),
    ("counts the tokens", "The real tokens were counted: the last stands there only if all padding is behind it.",
     "last = (places * (ids != pad)).argmax(-1)", "last = (ids != pad).sum(-1) - 1"),
    ("the first token", "That is the first real token.", "last = (places * (ids != pad)).argmax(-1)",
     "last = (ids != pad).int().argmax(-1)"),
)
REFUSED = (
    ("all rows", "returned the shape", "return x[torch.arange(len(x)), last]", "return x[:, last]"),
)
# fmt: on


def texts(draw: Draw, left: int, right: int, inside: bool = False) -> tuple[Tensor, Tensor, int]:
    """Rows and ids of two to four texts: the first has this much padding, the others none or one less."""
    B, own, pad = draw.between(2, 4), draw.between(3, 6), draw.between(0, 9)
    n = left + own + right
    ids = torch.tensor([[draw.choice([i for i in range(10) if i != pad]) for _ in range(n)] for _ in range(B)])
    for b in range(B):
        few = b % 2
        ids[b, : max(0, left - few)] = pad
        ids[b, n - max(0, right - few) :] = pad
        if inside:
            ids[b, left + 1] = pad
    return draw.normal(B, n, draw.between(1, 4)), ids, pad


def expect(answer, x: Tensor, ids: Tensor, pad: int) -> None:
    found, right = call(answer, x, ids, pad), last_rows(x, ids, pad)
    expect_tensor(found, tuple(right.shape), "last_rows")
    for b in range(len(x)):
        if not fair.alike(found[b], right[b]):
            cause = likely(found, outcomes(MISTAKES, last_rows, x, ids, pad))
            raise NotYet(f"Text {b} has the ids {ids[b].tolist()}, padding is {pad}: another row was expected.{cause}")


def takes_full_texts(answer, draw: Draw):
    """Without padding it is the last row."""
    expect(answer, *texts(draw, 0, 0))


def passes_over_padding_on_the_right(answer, draw: Draw):
    """Padding behind a text is passed over."""
    expect(answer, *texts(draw, 0, draw.between(1, 3)))


def passes_over_padding_on_the_left(answer, draw: Draw):
    """Padding in front moves the text, not its end."""
    expect(answer, *texts(draw, draw.between(2, 3), 0))


def keeps_a_sign_inside_a_text(answer, draw: Draw):
    """The same id inside a text is part of it."""
    expect(answer, *texts(draw, 0, draw.between(1, 3), inside=True))


def does_it_by_itself(answer, draw: Draw):
    """The package's own function does not do it."""
    refuse(ran(answer, *texts(draw, 0, 1)), "PyTorch alone is enough")
