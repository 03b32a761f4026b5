"""Exercise 7.5: the layer of which a probe reads most beyond what random weights give."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.analysis import fit_probe
from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

Choose = Callable[[Tensor, Tensor, Tensor], tuple[int, float, float]]


def check_choose(choose: Choose, seed: int | None = None) -> None:
    """Check `choose`: rows of a model and blank ones of random weights, both (L, 3m, d), classes (3m,) -> layer, share,
    gain.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        choose,
        chooses_the_layer_that_gains,
        is_not_dazzled,
        is_not_taken_in,
        is_not_taken_in_by_the_last,
        scores_on_the_last_third,
        takes_other_sizes,
        repeat="check_choose(choose, seed={seed})",
        seed=seed,
    )


def choose(rows, blank, classes):
    m = len(classes) // 3
    fit, pick, score = slice(0, m), slice(m, 2 * m), slice(2 * m, 3 * m)

    def share(of, layer, on):
        probe = fit_probe(of[layer, fit], classes[fit], int(classes.max()) + 1)
        return probe.accuracy(of[layer, on], classes[on])

    gains = [share(rows, i, pick) - share(blank, i, pick) for i in range(len(rows))]
    layer = gains.index(max(gains))
    best = share(rows, layer, score)
    return layer, best, best - share(blank, layer, score)


RIGHT = (choose,)
PARTS = ("layer", "share", "gain")
GAINS = "share(rows, i, pick) - share(blank, i, pick) for i"
# fmt: off
MISTAKES = (
    ("chooses without a control", "That layer has the largest share, not the largest gain over random weights.", GAINS,
     "share(rows, i, pick) for i"),
    ("chooses the smallest gain", "That layer gains least.", "gains.index(max(gains))", "gains.index(min(gains))"),
    ("chooses on the rows that give the share", "The layer was chosen with the last third: what is chosen there as the"
     " best looks better there than it is.", GAINS, "share(rows, i, score) - share(blank, i, score) for i"),
    ("chooses on the second and the last third", "The layer was chosen with the last third: what is chosen there as the"
     " best looks better there than it is.", GAINS,
     "share(rows, i, slice(m, 3 * m)) - share(blank, i, slice(m, 3 * m)) for i"),
    ("divides by the control", "The shares were divided: the gain is the difference.", GAINS,
     "share(rows, i, pick) / share(blank, i, pick) for i"),
    ("chooses on the rows that it fitted", "The layer was chosen on the third on which the probes were fitted.", GAINS,
     "share(rows, i, fit) - share(blank, i, fit) for i"),
    ("scores where it chose", "The shares are those of the third on which the layer was chosen.",
     "best = share(rows, layer, score)", "best = share(rows, layer, pick)", "share(blank, layer, score)",
     "share(blank, layer, pick)"),
    ("scores where it fitted", "The shares are those of the third on which the probe was fitted.",
     "best = share(rows, layer, score)", "best = share(rows, layer, fit)", "share(blank, layer, score)",
     "share(blank, layer, fit)"),
    ("turns the gain round", "The gain is the model’s share less that of random weights.",
     "best - share(blank, layer, score)", "share(blank, layer, score) - best"),
    ("gives the control in the place of the gain", "That is the share of random weights: the gain is the difference.",
     "best - share(blank, layer, score)", "share(blank, layer, score)"),
    ("gives no control", "The gain is the share itself: nothing was taken off.", "best - share(blank, layer, score)",
     "best"),
)
REFUSED = (
    ("gives two", "three things", "return layer, best,", "return best,"),
)
# fmt: on


def right_at(layer: object, rows: Tensor, blank: Tensor, classes: Tensor) -> tuple[int, float, float]:
    """The right answer; of layers that gain equally much, the one that was found."""
    at = fair.number(layer)
    if at in range(len(rows)):
        order = [int(at), *range(len(rows))]
        first, *scores = choose(rows[order], blank[order], classes)
        if first == 0:
            return (int(at), *scores)
    return choose(rows, blank, classes)


def expect(answer, given: tuple, parts: tuple[str, ...] = PARTS) -> None:
    found = expect_list(call(answer, *given), "choose", "three things: layer, share, gain")
    if len(found) != 3:
        raise NotYet(f"choose should return three things: layer, share and gain, and it returned {len(found)}.")
    wanted = right_at(found[0], *given)
    for name, one, right in zip(PARTS, found, wanted):
        if name not in parts:
            continue
        value = fair.number(one)
        if value is None or abs(value - right) > 0.02:
            gives = ((said, torch.tensor(other)) for said, other in outcomes(MISTAKES, choose, *given))
            why = likely([fair.number(part) or 0 for part in found], gives, 0.004)
            shown = one if value is None else f"{value:.3g}"
            raise NotYet(f"The {name} is {shown}, expected {right:.3g}.{why}")


def drawn(draw: Draw, strengths: list[float], blanks: list[float], m: int, d: int, kinds: int = 2) -> tuple:
    """Rows in which a class shows by so much, for each layer, in a model and with random weights."""
    classes = torch.tensor([draw.between(0, kinds - 1) for _ in range(3 * m)])
    shown = torch.nn.functional.one_hot(classes, d).float()
    made = lambda sizes: torch.stack([size * shown + draw.normal(3 * m, d) for size in sizes])
    return made(strengths), made(blanks), classes


def chooses_the_layer_that_gains(answer, draw: Draw):
    """It chooses the layer with the largest gain."""
    at = draw.between(1, 3)
    expect(answer, drawn(draw, [5.0 if i == at else 0.5 for i in range(5)], [0.5] * 5, 80, 6))


def is_not_dazzled(answer, draw: Draw):
    """A layer where random weights do as well is not chosen."""
    expect(answer, drawn(draw, [8.0, 3.0, 1.0], [8.0, 0.2, 0.8], 90, 5))
    expect(answer, drawn(draw, [9.0, 1.2, 0.0], [1.5, 0.0, 1.0], 150, 8, 6), ("layer",))


def is_not_taken_in(answer, draw: Draw):
    """What shows in the first third alone is not chosen."""
    rows, blank, classes = drawn(draw, [0.0, 1.5, 0.0], [0.0, 0.0, 3.0], 90, 5)
    blank[0] = blank[1]
    rows[0, :90] += 9 * torch.nn.functional.one_hot(classes[:90], 5)
    expect(answer, (rows, blank, classes))


def is_not_taken_in_by_the_last(answer, draw: Draw):
    """What shows in the last third is not chosen for it."""
    rows, blank, classes = drawn(draw, [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 3.0], 150, 6, 4)
    shown = torch.nn.functional.one_hot(classes, 6)
    rows[0, :150] += 20 * shown[:150]
    rows[1, :150] += 5 * shown[:150]
    rows[1, 300:] += 5 * shown[300:]
    expect(answer, (rows, blank, classes), ("layer",))


def scores_on_the_last_third(answer, draw: Draw):
    """Share and gain are those of the last third."""
    for _ in range(3):
        expect(answer, drawn(draw, [0.1, 0.2, 1.6], [0.1, 0.1, 0.1], 40, 12))


def takes_other_sizes(answer, draw: Draw):
    """Other sizes, and one layer."""
    expect(answer, drawn(draw, [2.0], [0.5], draw.between(30, 60), draw.between(4, 8), 3))
