"""Exercise 6.3: the parameters of a GPT from its configuration."""

from collections.abc import Callable, Iterator

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, fitting
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


def total(c: dict, head: bool | None = None) -> int:
    """The count; with a head of its own or without one, whatever the configuration says."""
    d, f = c["width"], c["inner"]
    matrices, biases, norms = 4 * d * d + 2 * d * f, 4 * d + f + d, 4 * d
    own_head = (not c["tied"]) if head is None else head
    tables = c["vocab"] * d * (1 + own_head) + c["positions"] * d
    return tables + c["layers"] * (matrices + biases + norms) + 2 * d


def mistakes(c: dict) -> Iterator[tuple[str, int]]:
    """What is said of the usual mistakes, and what each gives.

    What a model without blocks has is tried first, so it is right where there are blocks.
    """
    d, f, right = c["width"], c["inner"], total(c)
    if not c["layers"]:
        yield "With layers 0 there is no block.", total(c | {"layers": 1})
        yield "The LayerNorm after the last block is missing: it is there without blocks too.", right - 2 * d
        yield "A LayerNorm has a gain and a bias, two numbers for each column.", right - d
        yield "The table of positions is missing.", right - c["positions"] * d
        yield "A tied head is the token table itself: it has no numbers of its own.", total(c, head=True)
        yield "The table of tokens is missing.", right - c["vocab"] * d
        return
    if not c["tied"]:
        yield "A head that is not tied has a matrix of its own.", total(c, head=False)
        yield "Such a head has no bias.", right + c["vocab"]
    if c["layers"] > 1:
        yield "That is with one block: the blocks do not share their parameters.", total(c | {"layers": 1})
    yield "The inner width is given: it need not be four times the width.", total(c | {"inner": 4 * d})
    for said, missing in (
        ("The biases of the matrices are missing.", 5 * d + f),
        ("The biases and the LayerNorms of the blocks are missing.", 9 * d + f),
        ("The biases of the network are missing.", f + d),
        ("The bias inside the network is missing: it has the inner width.", f),
        ("The network’s first bias has the inner width, its second the width: here both have the width.", f - d),
        ("The network’s first bias has the inner width, its second the width: here both have the inner width.", d - f),
        ("In each block 4 · width are missing: the biases of attention, or the two LayerNorms?", 4 * d),
        ("In each block 3 · width are missing: each of attention’s four matrices has a bias.", 3 * d),
        ("In each block 2 · width are missing: one LayerNorm, or a gain or bias in both, or two biases?", 2 * d),
        ("In each block 1 · width is missing: the bias of one matrix?", d),
        ("The network has one matrix too few: one leads there, one back.", d * f),
        ("Attention has four matrices: the one after the heads is missing.", d * d),
        ("Attention has four matrices: the one after the heads is missing, and its bias.", d * d + d),
    ):
        yield said, right - c["layers"] * missing


def expect(count, c: dict) -> None:
    found = fair.whole(given := call(count, dict(c)))
    if found is None:
        raise NotYet(
            f"count should return a whole number, and it returned {kind(given) if given is None else show(given)}."
        )
    if found != total(c):
        raise NotYet(f"count({c}) gave {found:,}, expected {total(c):,}.{fitting(found, mistakes(c))}")


def drawn(draw: Draw, **fixed) -> dict:
    d = draw.between(5, 9)  # of fewer, d × d would be as many as some biases
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
    refuse(ran(count, drawn(draw)), "sums and products of the sizes are enough", functions=["torch.nn"], largest=0)
