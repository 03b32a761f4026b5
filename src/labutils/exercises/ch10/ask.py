"""Exercise 10.2: the loss of a model that is asked for some of its tokens only."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import kind, show


def check_ask(ask: Callable[..., Tensor], seed: int | None = None) -> None:
    """Check `ask`: logits (B, n, V), ids (B, n), asked (B, n) -> the mean surprise at the tokens that are asked for.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        ask,
        moves_the_labels_by_one,
        asks_where_it_should,
        divides_by_the_asked,
        passes_over_the_first,
        stays_finite,
        takes_other_sizes,
        repeat="check_ask(ask, seed={seed})",
        seed=seed,
    )


def ask(logits, ids, asked):
    log_p = logits[:, :-1].log_softmax(-1)
    surprise = -log_p.gather(-1, ids[:, 1:, None])[..., 0]
    kept = asked[:, 1:]
    return surprise[kept].mean()


RIGHT = (ask,)
ROWS, LABELS, KEPT, MEAN = "logits[:, :-1]", "ids[:, 1:, None]", "asked[:, 1:]", "surprise[kept].mean()"
# fmt: off
MISTAKES = (
    ("does not shift", "Each row is asked for the token that it has read: labels are moved by one.", ROWS, "logits",
     LABELS, "ids[..., None]", KEPT, "asked"),
    ("shifts twice", "The labels are moved by two.", ROWS, "logits[:, :-2]", LABELS, "ids[:, 2:, None]", KEPT,
     "asked[:, 2:]"),
    ("shifts the wrong way", "The wrong way: each row is asked for the token before its own.", ROWS,
     "logits[:, 1:]", LABELS, "ids[:, :-1, None]", KEPT, "asked[:, :-1]"),
    ("leaves asked where it was", "The labels were moved, and asked was not: it says which tokens, not which rows.",
     KEPT, "asked[:, :-1]"),
    ("divides by all", "The sum is divided by all tokens, also by those that are not asked for.", MEAN,
     "(surprise * kept).mean()"),
    ("divides by all ids", "The sum is divided by all tokens, also by those that are not asked for.", MEAN,
     "(surprise * kept).sum() / ids.numel()"),
    ("takes the mean of means", "That is the mean of the texts’ means: a text with few asked tokens counts too much.",
     MEAN, "((surprise * kept).sum(1) / kept.sum(1)).mean()"),
    ("counts the first token", "The first tokens were counted below the line: no row could be asked for them.", MEAN,
     "surprise[kept].sum() / asked.sum()"),
    ("sums", "That is the sum: divide it by how many are asked for.", MEAN, "surprise[kept].sum()"),
    ("asks for all", "All tokens are asked for: asked was not used.", MEAN, "surprise.mean()"),
    ("asks for the others", "The tokens that are not asked for were taken.", MEAN, "surprise[~kept].mean()"),
    ("takes bits", "That is in bits: take the natural logarithm.", MEAN, "surprise[kept].mean() * 1.4426950408889634"),
    ("forgets the softmax", "The logits themselves were added up: they are no logarithms of chances yet.",
     ".log_softmax(-1)", ""),
    ("forgets the sign", "The sign is missing: a surprise is positive.", "-log_p", "log_p"),
)
REFUSED = (
    ("takes the logarithm of a softmax", "is inf|is nan", "logits[:, :-1].log_softmax(-1)",
     "logits[:, :-1].softmax(-1).log()"),
)
# fmt: on


def expect(answer, logits: Tensor, ids: Tensor, asked: Tensor, where: str = "") -> None:
    value = call(answer, logits, ids, asked)
    found, wanted = fair.number(value), float(ask(logits, ids, asked))
    if found is None:
        raise NotYet(f"ask should return a number, and it returned {kind(value)}: {show(value)}.")
    if not fair.alike(found, wanted, 1e-4):
        raise NotYet(
            f"For logits of shape {tuple(logits.shape)}{where} the loss is {found:.4f}, expected {wanted:.4f}."
            f"{likely(found, outcomes(MISTAKES, ask, logits, ids, asked))}"
        )


def drawn(draw: Draw, B: int, n: int, V: int, first: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """Logits, ids, and which tokens are asked for: at least one, not all; the first only with `first`."""
    asked = draw.mask(B, n)
    asked[:, 0], asked[:, -1], asked[0, 1] = first, True, n == 2
    return 2 * draw.normal(B, n, V), torch.tensor([draw.choices(range(V), n) for _ in range(B)]), asked


def moves_the_labels_by_one(answer, draw: Draw):
    """Each row is asked for the token after its own."""
    logits, ids, asked = drawn(draw, 1, 6, 5)
    asked[:, 1:] = True
    expect(answer, logits, ids, asked)


def asks_where_it_should(answer, draw: Draw):
    """Only what is asked for counts."""
    expect(answer, *drawn(draw, 1, 9, 7))


def divides_by_the_asked(answer, draw: Draw):
    """The mean is taken over all asked tokens of the batch."""
    logits, ids, asked = drawn(draw, 3, 7, 6)
    asked[0], asked[1], asked[0, -1] = False, True, True
    asked[:, 0] = False
    expect(answer, logits, ids, asked)


def passes_over_the_first(answer, draw: Draw):
    """The first token cannot be asked for, even where asked says so."""
    expect(answer, *drawn(draw, 2, 5, 6, first=True), " where the first token is asked for too")


def stays_finite(answer, draw: Draw):
    """Large logits overflow nothing."""
    logits, ids, asked = drawn(draw, 2, 4, 5)
    expect(answer, 500 * logits, ids, asked)


def takes_other_sizes(answer, draw: Draw):
    """One text of two tokens, and other sizes."""
    expect(answer, *drawn(draw, 1, 2, 3))
    expect(answer, *drawn(draw, draw.between(2, 4), draw.between(3, 9), draw.between(2, 12)))
