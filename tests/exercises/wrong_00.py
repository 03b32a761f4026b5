"""What readers of chapter 0 get wrong: (exercise, mistake, words of the check's answer, code)."""

SHAPES = """
def shapes_of(B, n, d, H, f, V):
    rows = (B, n, d)
    right = {"ids": (B, n), "rows": rows, "query": (B, H, n, d // H), "weights": (B, H, n, n), "context": rows,
             "hidden": (B, n, f), "output": rows, "logits": (B, n, V)}
    return right | %s
"""
COUNT = """
def parameters(V, P, d, L, f):
    return %s
"""
RIGHT_COUNT = "V * d + P * d + L * (4 * (d * d + d) + 2 * d * f + f + d + 4 * d) + 2 * d"
STAY = """
def rows_that_stay(stage, n, j, causal):
    if stage == "position":
        return list(range(n))
    if stage in ("token", "q"):
        return [i for i in range(n) if i != j]
    return %s
"""
ORDER = "order = %s\n"
STEPS = [
    "look up",
    "norm the sum",
    "attend",
    "add what was heard",
    "norm after attention",
    "think",
    "add what was thought",
    "norm after the network",
]
WORDS = """
matters = ("The cat sat on the mat near the old bridge. It was", "The horse sat on the mat near the old bridge. It was")
hardly = ("The cat sat on the mat. It was tired", "The cat sat on the mat. It was happy")
%s
"""


def moved(name: str, to: int) -> str:
    """The right order with one step at another place."""
    steps = [step for step in STEPS if step != name]
    return ORDER % [*steps[:to], name, *steps[to:]]


WRONG = [
    (
        "00-shapes",
        "scores without heads",
        "There is a table like this for each head",
        SHAPES % '{"weights": (B, n, n)}',
    ),
    ("00-shapes", "weights like rows", "A weight stands between two tokens", SHAPES % '{"weights": (B, n, d)}'),
    ("00-shapes", "weights with one axis of tokens", "whom does a row take from", SHAPES % '{"weights": (B, H, n)}'),
    (
        "00-shapes",
        "a weight is a vector",
        "A weight is one number, not a vector",
        SHAPES % '{"weights": (B, H, n, d // H)}',
    ),
    ("00-shapes", "logits of the last row", "Only the last row is read, but", SHAPES % '{"logits": (B, V)}'),
    ("00-shapes", "logits of the last row, kept", "Only the last row is read", SHAPES % '{"logits": (B, 1, V)}'),
    ("00-shapes", "logits like rows", "compared with each of the V tokens", SHAPES % '{"logits": (B, n, d)}'),
    ("00-shapes", "one text", "The axis of the texts is missing", SHAPES % '{"ids": (n,)}'),
    ("00-shapes", "a query for all heads", "Each head has its own query", SHAPES % '{"query": (B, n, d)}'),
    ("00-shapes", "each head has all columns", "none has all of them", SHAPES % '{"query": (B, H, n, d)}'),
    (
        "00-shapes",
        "heads behind the tokens",
        "here the heads stand before the tokens",
        SHAPES % '{"query": (B, n, H, d // H)}',
    ),
    ("00-shapes", "a part of a column", "A size is a whole number", SHAPES % '{"query": (B, H, n, d / H)}'),
    ("00-shapes", "heads not joined", "have been laid side by side", SHAPES % '{"context": (B, H, n, d // H)}'),
    ("00-shapes", "no wider inside", "a row has f columns", SHAPES % '{"hidden": (B, n, d)}'),
    ("00-shapes", "rows with heads", "come whole rows", SHAPES % '{"output": (B, H, n, d // H)}'),
    ("00-shapes", "an id is a row", "it is not a row yet", SHAPES % '{"ids": (B, n, d)}'),
    ("00-shapes", "rows are numbers", "A row has a column for each", SHAPES % '{"rows": (B, n)}'),
    (
        "00-shapes",
        "a stage left out",
        "The stage 'hidden' is missing",
        "def shapes_of(B, n, d, H, f, V):\n    return {'ids': (B, n), 'rows': (B, n, d), 'query': (B, H, n, d // H),"
        " 'weights': (B, H, n, n), 'context': (B, n, d)}\n",
    ),
    ("00-shapes", "a stage too many", "nobody asked for", SHAPES % '{"key": (B, H, n, d // H)}'),
    ("00-shapes", "a list", "should return a dict", "def shapes_of(B, n, d, H, f, V):\n    return [(B, n)]\n"),
    ("00-count", "the head again", "That is with the table of words", COUNT % f"{RIGHT_COUNT} + V * d"),
    ("00-count", "no norms", "all LayerNorms have as many", COUNT % f"{RIGHT_COUNT} - (2 * L + 1) * 2 * d"),
    (
        "00-count",
        "no biases of the products",
        "The biases of the matrices are missing",
        COUNT % f"{RIGHT_COUNT} - L * (5 * d + f)",
    ),
    (
        "00-count",
        "no bias at all",
        "All biases are missing",
        COUNT % f"{RIGHT_COUNT} - L * (5 * d + f) - (2 * L + 1) * d",
    ),
    ("00-count", "gains only", r"a bias besides its gain\.(?! Or)", COUNT % f"{RIGHT_COUNT} - (2 * L + 1) * d"),
    (
        "00-count",
        "no last norm",
        r"The last LayerNorm, after all blocks, is missing\.(?! Or)",
        COUNT % f"{RIGHT_COUNT} - 2 * d",
    ),
    (
        "00-count",
        "one norm in a block",
        "In each block 2 · d are missing: it has two LayerNorms",
        COUNT % f"{RIGHT_COUNT} - L * 2 * d",
    ),
    (
        "00-count",
        "one norm, of many blocks",
        "Any number of blocks\n.*In each block 2 · d are missing: it has two LayerNorms",
        COUNT % f"{RIGHT_COUNT} - (L * 2 * d if L > 1 else 0)",
    ),
    ("00-count", "no norm in a block", "as many as its two LayerNorms", COUNT % f"{RIGHT_COUNT} - L * 4 * d"),
    (
        "00-count",
        "a last gain only",
        r"The last LayerNorm, too, has a gain and a bias\.(?! Or)",
        COUNT % f"{RIGHT_COUNT} - d",
    ),
    ("00-count", "f biases twice", "first matrix has f biases, its second d", COUNT % f"{RIGHT_COUNT} + L * (f - d)"),
    ("00-count", "d biases twice", "first matrix has f biases, its second d", COUNT % f"{RIGHT_COUNT} - L * (f - d)"),
    ("00-count", "a bias of the head", "The logits have no bias of their own", COUNT % f"{RIGHT_COUNT} + V"),
    ("00-count", "no bias inside", "f numbers in each block", COUNT % f"{RIGHT_COUNT} - L * f"),
    ("00-count", "five biases of six", "The bias of one matrix in each block", COUNT % f"{RIGHT_COUNT} - L * d"),
    ("00-count", "no places", "The table of places is missing", COUNT % f"{RIGHT_COUNT} - P * d"),
    ("00-count", "no words", "The table of words is missing", COUNT % f"{RIGHT_COUNT} - V * d"),
    ("00-count", "three matrices", "the fourth maps the heads back", COUNT % f"{RIGHT_COUNT} - L * (d * d + d)"),
    ("00-count", "one way only", "two matrices, there and back", COUNT % f"{RIGHT_COUNT} - L * (d * f + d)"),
    (
        "00-count",
        "one block for all",
        "Any number of blocks\n.*That is with one block",
        COUNT % RIGHT_COUNT.replace("L * (4", "(4"),
    ),
    ("00-count", "not whole", r"a whole number, and it returned \d+\.5", COUNT % f"{RIGHT_COUNT} + 0.5"),
    (
        "00-count",
        "builds it",
        "ran in your function, and the card does without it",
        """
from labutils.models import GPT2, GPT2Config
def parameters(V, P, d, L, f):
    model = GPT2(GPT2Config(vocab_size=V, n_positions=P, d_model=d, n_layers=L, n_heads=1, d_ff=f))
    return sum(p.numel() for p in model.parameters())
""",
    ),
    (
        "00-count",
        "makes tensors of the shapes",
        "A tensor of 36 numbers was made in your function",
        """
import math, torch
def parameters(V, P, d, L, f):
    shapes = [(V, d), (P, d), (d,), (d,)]
    shapes += L * (4 * [(d, d), (d,)] + [(d, f), (f,), (f, d)] + 5 * [(d,)])
    return sum(torch.empty(shape, device="meta").numel() for shape in shapes)
""",
    ),
    (
        "00-count",
        "builds it of modules",
        "`torch.nn.modules.linear.Linear` ran in your function",
        """
from torch import nn
def parameters(V, P, d, L, f):
    parts = [nn.Embedding(V, d), nn.Embedding(P, d), nn.LayerNorm(d)]
    for _ in range(L):
        parts += [nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, f), nn.Linear(f, d)]
        parts += [nn.LayerNorm(d), nn.LayerNorm(d)]
    return sum(p.numel() for part in parts for p in part.parameters())
""",
    ),
    (
        "00-count",
        "a bias at the last of attention’s matrices alone",
        r"each of attention’s four matrices has a bias\.(?! Or)",
        COUNT % f"{RIGHT_COUNT} - L * 3 * d",
    ),
    (
        "00-count",
        "no biases in attention, no last norm",
        "attention’s four biases with the last LayerNorm",
        COUNT % f"{RIGHT_COUNT} - L * 4 * d - 2 * d",
    ),
    (
        "00-stay",
        "only the last row of the logits",
        "Only the last row of the logits is read",
        STAY % "list(range(n - 1)) if stage == 'logits' else list(range(j)) if causal else []",
    ),
    ("00-stay", "all change", "The rows before j may not look ahead", STAY % "[]"),
    (
        "00-stay",
        "only one changes",
        "The rows after it have compared themselves with it",
        STAY % "[i for i in range(n) if i != j]",
    ),
    ("00-stay", "row j reads itself", "Row j reads itself", STAY % "list(range(j + 1)) if causal else []"),
    ("00-stay", "the other way round", "the other way round", STAY % "list(range(j + 1, n)) if causal else []"),
    ("00-stay", "BERT like GPT-2", "In BERT the rows before j see it as well", STAY % "list(range(j))"),
    (
        "00-stay",
        "BERT: only its own row",
        "In BERT every row listens to every other",
        STAY % "list(range(j)) if causal else [i for i in range(n) if i != j]",
    ),
    (
        "00-stay",
        "met too early",
        "So far no row has met another",
        (STAY % "list(range(j)) if causal else []").replace('in ("token", "q")', '== "token"'),
    ),
    (
        "00-stay",
        "a new place",
        "A place is a place",
        (STAY % "list(range(j)) if causal else []").replace("list(range(n))", "[i for i in range(n) if i != j]", 1),
    ),
    (
        "00-stay",
        "the row that changes",
        "That is the row that changes; the others stay",
        (STAY % "list(range(j)) if causal else []").replace("i != j", "i == j"),
    ),
    ("00-stay", "a number", "a list of rows", STAY % "j"),
    (
        "00-stay",
        "scores not yet",
        "The rows after it have compared themselves with it",
        (STAY % "list(range(j)) if causal else []").replace('("token", "q")', '("token", "q", "scores")'),
    ),
    ("00-order", "the sum not normalised", "the sum of the tables is normalised at once", moved("norm the sum", 7)),
    (
        "00-order",
        "as in GPT-2",
        "the sum of the tables is normalised at once",
        ORDER
        % [
            "look up",
            "norm after attention",
            "attend",
            "add what was heard",
            "norm after the network",
            "think",
            "add what was thought",
            "norm the sum",
        ],
    ),
    (
        "00-order",
        "norms in front",
        "That is GPT-2’s layout",
        ORDER
        % [
            "look up",
            "norm the sum",
            "norm after attention",
            "attend",
            "add what was heard",
            "norm after the network",
            "think",
            "add what was thought",
        ],
    ),
    ("00-order", "norm before adding", "the norm takes in what was heard", moved("norm after attention", 3)),
    (
        "00-order",
        "norm before adding, second",
        "the norm takes in what was thought",
        moved("norm after the network", 6),
    ),
    (
        "00-order",
        "thinks first",
        "First the rows listen to each other",
        ORDER
        % [
            "look up",
            "norm the sum",
            "think",
            "add what was thought",
            "norm after the network",
            "attend",
            "add what was heard",
            "norm after attention",
        ],
    ),
    (
        "00-order",
        "norm too late",
        "reads rows that have been normalised after attention",
        moved("norm after attention", 5),
    ),
    (
        "00-order",
        "adds the other branch",
        "The step 'add what was thought' needs what no step before it has made",
        ORDER % [*STEPS[:3], STEPS[6], STEPS[4], STEPS[5], STEPS[3], STEPS[7]],
    ),
    ("00-order", "norms nothing", "The step 'norm the sum' needs what no step", moved("norm the sum", 0)),
    (
        "00-order",
        "compares seven steps",
        "The step 'norm after the network' is missing",
        f"from labutils.exercises.eight_steps import compared\ncompared({STEPS[:7]})\n",
    ),
    (
        "00-order",
        "compares with a name that is none",
        "There is no step 'norm after network'",
        f"from labutils.exercises.eight_steps import compared\ncompared({[*STEPS[:7], 'norm after network']})\n",
    ),
    (
        "00-order",
        "exchanges the two norms of the block",
        "in your order, is 'layer 0 output'. The two norms inside the block are exchanged",
        ORDER % [*STEPS[:4], STEPS[7], *STEPS[5:7], STEPS[4]],
    ),
    ("00-order", "adds nothing", "needs what no step before it has made", moved("add what was heard", 1)),
    ("00-order", "seven steps", "The step 'think' is missing", ORDER % [step for step in STEPS if step != "think"]),
    ("00-order", "nine steps", "stands there 2 times", ORDER % [*STEPS, "attend"]),
    ("00-order", "another name", "There is no step 'norm'", ORDER % ["norm", *STEPS]),
    (
        "00-words",
        "too near",
        "number 8 from the end; more than 9",
        WORDS % 'matters = ("The cat sat on the mat. It was", "The horse sat on the mat. It was")',
    ),
    ("00-words", "too far", "it should be the last or the one before it", WORDS % "hardly = matters"),
    (
        "00-words",
        "two tokens",
        "differ in 2 tokens",
        WORDS % 'hardly = ("The cat sat on the mat", "The dog sat on the bench")',
    ),
    (
        "00-words",
        "a rare word",
        "so more than one differs",
        WORDS % 'hardly = ("The cat sat on the mat", "The cat sat on the xylophone")',
    ),
    (
        "00-words",
        "moves little",
        "of the odds move, expected more than 50%",
        WORDS
        % 'matters = ("The cat saw Anna in the garden. The cat was", "The horse saw Anna in the garden. The cat was")',
    ),
    (
        "00-words",
        "moves much",
        "of the odds move, expected less than 5%",
        WORDS % 'hardly = ("The cat sat on the nice", "The cat sat on the large")',
    ),
    ("00-words", "one text", "should be two texts", WORDS % 'matters = "The cat"'),
    (
        "00-words",
        "too long",
        "from 1 to 24 are allowed",
        WORDS % 'matters = tuple(f"The {a} sat on the mat. " + 8 * "It was tired. " for a in ("cat", "horse"))',
    ),
]

FAIR = [
    (
        "00-shapes",
        "lists and torch.Size",
        SHAPES % '{"weights": [B, H, n, n], "rows": __import__("torch").Size([B, n, d])}',
    ),
    ("00-count", "a tensor", f"import torch\n{COUNT % f'torch.tensor({RIGHT_COUNT})'}"),
    ("00-stay", "a tuple, in another order", STAY % "tuple(range(j - 1, -1, -1)) if causal else ()"),
    ("00-stay", "a range", STAY % "range(j) if causal else range(0)"),
    ("00-order", "a tuple", ORDER % f"tuple({STEPS})"),
    ("00-words", "lists", WORDS % "matters, hardly = list(matters), list(hardly)"),
]
