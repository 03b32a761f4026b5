"""Exercise 6.3: from how many tokens on attention takes more operations than the network."""

from collections.abc import Callable

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, fitting
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import kind, show

KNOWN = (  # width, inner width, gated, the answer: a small width, LLaMA 7B, the paper model
    (64, 256, False, 129),
    (4096, 11008, True, 8321),
    (4, 2, False, 1),
)


def check_overtakes(overtakes: Callable[[int, int, bool], int], seed: int | None = None) -> None:
    """Check `overtakes`: width d, inner width f, gated -> the least n at which attention takes more operations.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        overtakes,
        counts_two_matrices,
        counts_a_gate,
        begins_with_one_token,
        knows_three_models,
        does_it_by_itself,
        repeat="check_overtakes(overtakes, seed={seed})",
        seed=seed,
    )


def overtakes(d, f, gated):
    matrices = 3 if gated else 2
    return max(1, matrices * f // 2 - 2 * d + 1)


RIGHT = (overtakes,)
RULE = "matrices * f // 2 - 2 * d + 1"
# fmt: off
MISTAKES = (
    ("copies the chapter", "That is right for f = 4 d alone: f is given, and need not be four times the width.", RULE,
     "2 * d + 1"),
    ("stops where both take the same", "There both take the same: attention takes more from one token later on.", RULE,
     "(matrices * f + 1) // 2 - 2 * d"),
    ("leaves the projections out", "Attention’s four projections are missing: they take operations too.", RULE,
     "matrices * f // 2 + 1"),
    ("counts three projections", "Attention has four projections: the one after the heads is missing.", RULE,
     "(2 * matrices * f - 6 * d) // 4 + 1"),
    ("compares and does not mix", "Comparing and mixing both count, each with the whole map: half of this is missing.",
     RULE, "matrices * f - 4 * d + 1"),
    ("forgets the gate", "A gated network has three matrices: two that widen, and one that leads back.",
     "3 if gated else 2", "2"),
    ("gives every network a gate", "Without a gate the network has two matrices.", "3 if gated else 2", "3"),
    ("makes the gate two networks", "A gated network has three matrices, not four: the two share the way back.",
     "3 if gated else 2", "4 if gated else 2"),
    ("counts one matrix", "The network has a way there and a way back.", "3 if gated else 2", "2 if gated else 1"),
    ("starts below one", "A text has at least one token: there attention takes more from the first on.",
     f"max(1, {RULE})", RULE),
    ("starts at zero", "A text has at least one token: there attention takes more from the first on.", "max(1",
     "max(0"),
)
REFUSED = (
    ("returns a number with a decimal point", r"a whole number, and it returned \d+\.0", RULE, f"{RULE} + 0.0"),
    ("returns nothing", "a whole number, and it returned None", "return max", "max"),
    ("multiplies tensors", r"A tensor of \d+ numbers was made in your function", "matrices = 3",
     "import torch\n    torch.zeros(d, f)\n    matrices = 3"),
    ("asks the package", "the card does without it", "matrices = 3",
     "from labutils.layers import operations\n    operations(1, d, 1, f)\n    matrices = 3"),
)
# fmt: on


def expect(answer, d: int, f: int, gated: bool) -> None:
    found = fair.whole(given := call(answer, d, f, gated))
    if found is None:
        raise NotYet(
            f"overtakes should return a whole number, and it returned {kind(given) if given is None else show(given)}."
        )
    if found != (right := overtakes(d, f, gated)):
        raise NotYet(
            f"overtakes({d}, {f}, {gated}) gave {found:,}, expected {right:,}."
            f"{fitting(found, outcomes(MISTAKES, overtakes, d, f, gated))}"
        )


def sizes(draw: Draw) -> tuple[int, int]:
    """A width, and an inner width at which attention is overtaken late: no multiple of the width."""
    d = draw.between(5, 40)
    return d, 5 * d + draw.between(1, d - 1)


def counts_two_matrices(answer, draw: Draw):
    """Without a gate it compares attention with two matrices."""
    expect(answer, *sizes(draw), False)


def counts_a_gate(answer, draw: Draw):
    """With a gate it compares attention with three."""
    d, f = sizes(draw)
    expect(answer, d, f + f % 2, True)  # even: both take the same somewhere
    expect(answer, d, f - 1 + f % 2, True)  # odd: nowhere


def begins_with_one_token(answer, draw: Draw):
    """Where attention takes more from the beginning, it says 1."""
    d = draw.between(5, 40)
    for f in (1, d, 2 * d):
        expect(answer, d, f, False)


def knows_three_models(answer, draw: Draw):
    """It is right for a width of 64, for LLaMA 7B and for the paper model."""
    for d, f, gated, right in KNOWN:
        assert overtakes(d, f, gated) == right
        expect(answer, d, f, gated)


def does_it_by_itself(answer, draw: Draw):
    """It is computed from the sizes."""
    refuse(ran(answer, *sizes(draw), False), "sums and products of the sizes are enough", largest=0)
