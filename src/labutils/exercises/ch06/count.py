"""Exercise 6.3: the parameters of a GPT from its configuration."""

from collections.abc import Callable

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, fitting
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
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


def count(config):
    d, f = config["width"], config["inner"]
    tables = (config["vocab"] + config["positions"]) * d
    attention, network, norms = 4 * (d * d + d), 2 * d * f + f + d, 2 * 2 * d
    head = 0 if config["tied"] else config["vocab"] * d
    return tables + config["layers"] * (attention + network + norms) + 2 * d + head


RIGHT = (count,)
BIASES = "The network’s first bias has the inner width, its second the width: here both have the"
FOUR = "Attention has four matrices: the one after the heads is missing"
# fmt: off
OUTSIDE = (  # what a model without blocks has is tried first, so it is right where there are blocks
    ("one block where there is none", "With layers 0 there is no block.", 'config["layers"]',
     'max(1, config["layers"])'),
    ("forgets the last LayerNorm", "The LayerNorm after the last block is missing: it is there without blocks too.",
     " + 2 * d + head", " + head"),
    ("counts one number a column for the last LayerNorm",
     "A LayerNorm has a gain and a bias, two numbers for each column.", "+ 2 * d + head", "+ d + head"),
    ("forgets the positions", "The table of positions is missing.", '(config["vocab"] + config["positions"])',
     'config["vocab"]'),
    ("counts a tied head", "A tied head is the token table itself: it has no numbers of its own.", "0 if", "0 if not"),
    ("forgets the tokens", "The table of tokens is missing.", '(config["vocab"] + config["positions"])',
     'config["positions"]'),
)
INSIDE = (
    ("leaves out a head of its own", "A head that is not tied has a matrix of its own.", 'config["vocab"] * d\n    r',
     "0\n    r"),
    ("gives a head of its own a bias", "Such a head has no bias.", 'else config["vocab"] * d',
     'else config["vocab"] * (d + 1)'),
    ("one block for all", "That is with one block: the blocks do not share their parameters.", 'config["layers"]',
     'min(1, config["layers"])'),
    ("takes four times the width", "The inner width is given: it need not be four times the width.", 'config["inner"]',
     '4 * config["width"]'),
    ("forgets the biases", "The biases of the matrices are missing.", "(d * d + d)", "d * d", " + f + d", ""),
    ("forgets the biases and the LayerNorms", "The biases and the LayerNorms of the blocks are missing.", "(d * d + d)",
     "d * d", " + f + d", "", " + norms", ""),
    ("forgets the biases of the network", "The biases of the network are missing.", " + f + d", ""),
    ("forgets the bias inside", "The bias inside the network is missing: it has the inner width.", " + f + d", " + d"),
    ("gives both biases of the network the width", f"{BIASES} width.", "+ f + d", "+ d + d"),
    ("gives both biases of the network the inner width", f"{BIASES} inner width.", "+ f + d", "+ f + f"),
    ("attention without biases", "In each block 4 · width are missing: the biases of attention, or the two LayerNorms?",
     "(d * d + d)", "d * d"),
    ("forgets the LayerNorms", "In each block 4 · width are missing: the biases of attention, or the two LayerNorms?",
     " + norms", ""),
    ("a bias at the last of attention's matrices alone",
     "In each block 3 · width are missing: each of attention’s four matrices has a bias.", "4 * (d * d + d)",
     "4 * d * d + d"),
    ("one LayerNorm in a block",
     "In each block 2 · width are missing: one LayerNorm, or a gain or bias in both, or two biases?", "2 * 2 * d",
     "2 * d"),
    ("forgets one bias", "In each block 1 · width is missing: the bias of one matrix?", " + f + d", " + f"),
    ("gives the network one matrix", "The network has one matrix too few: one leads there, one back.", "2 * d * f",
     "d * f"),
    ("forgets the last of attention's matrices", f"{FOUR}.", "4 * (d * d + d)", "3 * d * d + 4 * d"),
    ("forgets the last of attention's matrices and its bias", f"{FOUR}, and its bias.", "4 * (d", "3 * (d"),
)
MISTAKES = OUTSIDE + INSIDE
REFUSED = (
    ("builds it of modules", "`torch.nn.modules.linear.Linear` ran in your function", "head = 0",
     'with torch.device("meta"):\n        one = torch.nn.Linear(d, d)\n    head = 0'),
    ("makes tensors of the shapes", r"A tensor of \d+ numbers was made in your function", 'config["vocab"] * d\n    r',
     'torch.empty(config["vocab"], d, device="meta").numel()\n    r', '(config["vocab"] + config["positions"]) * d',
     'sum(torch.empty(config[name], d, device="meta").numel() for name in ("vocab", "positions"))'),
    ("computes with tensors of one number",
     "A tensor of one number was made in your function, and the card does without it: sums and products",
     'config["width"]', 'torch.tensor(config["width"])', "return tables", "return int(tables", "d + head", "d + head)"),
    ("returns a tensor", "A tensor of one number was made in your function", "return tables",
     "return torch.tensor(tables", "d + head", "d + head)"),
    ("returns a number with a decimal point", r"a whole number, and it returned \d+\.0", "+ 2 * d", "+ 2.0 * d"),
    ("asks the package", "the card does without it", "attention + network + norms", "sum(parameters(d, f))", "d, f =",
     "from labutils.layers import parameters\n    d, f ="),
)
# fmt: on


def expect(answer, c: dict) -> None:
    found = fair.whole(given := call(answer, dict(c)))
    if found is None:
        raise NotYet(
            f"count should return a whole number, and it returned {kind(given) if given is None else show(given)}."
        )
    if found != (right := count(c)):
        mistakes = INSIDE if c["layers"] else OUTSIDE
        raise NotYet(f"count({c}) gave {found:,}, expected {right:,}.{fitting(found, outcomes(mistakes, count, c))}")


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


def counts_without_blocks(answer, draw: Draw):
    """A model without blocks has its tables and the last LayerNorm."""
    expect(answer, drawn(draw, layers=0))


def counts_one_block(answer, draw: Draw):
    """One block has matrices, biases and two LayerNorms."""
    expect(answer, drawn(draw, layers=1))


def counts_a_head_of_its_own(answer, draw: Draw):
    """A head that is not tied counts."""
    expect(answer, drawn(draw, tied=False))


def counts_any_model(answer, draw: Draw):
    """Any sizes, one of each too."""
    for c in (drawn(draw), drawn(draw, tied=False), dict.fromkeys(SMALL, 1) | {"tied": True}):
        expect(answer, c)


def counts_gpt2(answer, draw: Draw):
    """GPT-2 small has 124,439,808."""
    expect(answer, SMALL)


def does_it_by_itself(answer, draw: Draw):
    """It is computed from the numbers of the configuration."""
    refuse(ran(answer, drawn(draw)), "sums and products of the sizes are enough", functions=["torch.nn"], largest=0)
