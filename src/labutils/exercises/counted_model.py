"""Exercise 6.3: the parameters of a GPT from its configuration."""

from collections.abc import Callable, Iterator

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.showing import kind, show

SMALL = {"vocab": 50257, "positions": 1024, "width": 768, "layers": 12, "inner": 3072, "tied": True}


def check_count(count: Callable[[dict], int], seed: int | None = None) -> None:
    """Check `count`: a configuration -> how many parameters the model has.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        count,
        counts_without_blocks,
        counts_one_block,
        counts_a_head_of_its_own,
        counts_any_model,
        does_it_by_itself,
        counts_gpt2,
        repeat="check_count(count, seed={seed})",
        seed=seed,
    )


def total(c: dict, bias: int = 1, norms: int = 1, last: int = 1, positions: int = 1, head=None) -> int:
    """The count, and what it becomes when something is left out."""
    d, f = c["width"], c["inner"]
    matrices, biases = 4 * d * d + 2 * d * f, 4 * d + f + d
    own_head = (not c["tied"]) if head is None else head
    return (
        c["vocab"] * d * (1 + own_head)
        + positions * c["positions"] * d
        + c["layers"] * (matrices + bias * biases + norms * 4 * d)
        + last * 2 * d
    )


def mistakes(c: dict) -> Iterator[tuple[str, int]]:
    """What is said of the usual mistakes, and what each gives."""
    d, f = c["width"], c["inner"]
    yield "The biases of the matrices are missing.", total(c, bias=0)
    if c["layers"]:
        yield "The LayerNorms are missing, the last one too.", total(c, norms=0, last=0)
    yield "The LayerNorms of the blocks are missing.", total(c, norms=0)
    yield "The LayerNorm behind the last block is missing.", total(c, last=0)
    yield "A LayerNorm has a gain and an offset, two numbers for each column.", total(c) - c["layers"] * 2 * d - d
    yield "The biases and the LayerNorms are missing.", total(c, bias=0, norms=0, last=0)
    yield "The table of positions is missing.", total(c, positions=0)
    yield "A tied head is the token table itself: it has no numbers of its own.", total(c, head=True)
    yield "A head that is not tied has a matrix of its own.", total(c, head=False)
    yield "Such a head has no bias.", total(c) + c["vocab"]
    yield "The inner width is given: it need not be four times the width.", total(c | {"inner": 4 * d})
    yield "The network has one matrix too few: one leads there, one back.", total(c) - c["layers"] * d * f
    yield "Attention has four matrices: the one behind the heads is missing.", total(c) - c["layers"] * (d * d + d)


def expect(count, c: dict) -> None:
    found = fair.whole(given := call(count, dict(c)))
    if found is None:
        raise NotYet(
            f"count should return a whole number, and it returned {kind(given) if given is None else show(given)}."
        )
    if found != total(c):
        raise NotYet(f"count({c}) gave {found:,}, expected {total(c):,}.{likely(found, mistakes(c), 0)}")


def drawn(draw: Draw, **fixed) -> dict:
    d = draw.between(2, 9)
    return {
        "vocab": draw.between(20, 99),
        "positions": draw.between(5, 40),
        "width": d,
        "layers": draw.between(2, 5),
        "inner": draw.between(2, 6) * d + 1,
        "tied": True,
    } | fixed


def counts_without_blocks(count, draw: Draw):
    """A model without blocks has its tables and the last LayerNorm."""
    expect(count, drawn(draw, layers=0))


def counts_one_block(count, draw: Draw):
    """One block has matrices, biases and two LayerNorms."""
    expect(count, drawn(draw, layers=1))


def counts_a_head_of_its_own(count, draw: Draw):
    """A head that is not tied counts."""
    expect(count, drawn(draw, tied=False))


def counts_any_model(count, draw: Draw):
    """Any sizes, one of each too."""
    for c in (drawn(draw), drawn(draw, tied=False), dict.fromkeys(SMALL, 1) | {"tied": True}):
        expect(count, c)


def counts_gpt2(count, draw: Draw):
    """GPT-2 small has 124,439,808."""
    expect(count, SMALL)


def does_it_by_itself(count, draw: Draw):
    """It is computed from the numbers of the configuration."""
    refuse(ran(count, drawn(draw)), "sums and products of the sizes are enough")
