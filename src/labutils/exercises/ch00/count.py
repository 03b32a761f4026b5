"""Exercise 0.2: how many parameters a GPT-2 has, counted before it is built."""

from collections.abc import Callable, Iterator

import torch

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, fitting
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.showing import show
from labutils.models import GPT2, GPT2Config


def check_parameters(parameters: Callable[..., int], seed: int | None = None) -> None:
    """Check `parameters`: V, P, d, L, f -> how many parameters such a GPT-2 has.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        parameters,
        counts_one_block,
        counts_many_blocks,
        counts_the_paper_model,
        counts_and_does_not_build,  # before the real ones: the largest would take 6 GB
        counts_the_real_ones,
        repeat="check_parameters(parameters, seed={seed})",
        seed=seed,
    )


LAST = "+ d + d"
# fmt: off
REFUSED = (
    ("the head again", "That is with the table of words", LAST, f"{LAST} + V * d"),
    ("no norms", "all LayerNorms have as many", LAST, f"{LAST} - (2 * L + 1) * 2 * d"),
    ("no biases of the products", "The biases of the matrices are missing", LAST, f"{LAST} - L * (5 * d + f)"),
    ("no bias at all", "All biases are missing", LAST, f"{LAST} - L * (5 * d + f) - (2 * L + 1) * d"),
    ("gains only", r"a bias besides its gain\.(?! Or)", LAST, f"{LAST} - (2 * L + 1) * d"),
    ("no last norm", r"The last LayerNorm, after all blocks, is missing\.(?! Or)", LAST, f"{LAST} - 2 * d"),
    ("one norm in a block", "In each block 2 · d are missing: it has two LayerNorms", LAST, f"{LAST} - L * 2 * d"),
    ("one norm, of many blocks", "Any number of blocks\n.*In each block 2 · d are missing: it has two LayerNorms", LAST,
     f"{LAST} - (L * 2 * d if L > 1 else 0)"),
    ("no norm in a block", "as many as its two LayerNorms", LAST, f"{LAST} - L * 4 * d"),
    ("a last gain only", r"The last LayerNorm, too, has a gain and a bias\.(?! Or)", LAST, f"{LAST} - d"),
    ("f biases twice", "first matrix has f biases, its second d", LAST, f"{LAST} + L * (f - d)"),
    ("d biases twice", "first matrix has f biases, its second d", LAST, f"{LAST} - L * (f - d)"),
    ("a bias of the head", "The logits have no bias of their own", LAST, f"{LAST} + V"),
    ("no bias inside", "f numbers in each block", LAST, f"{LAST} - L * f"),
    ("five biases of six", "The bias of one matrix in each block", LAST, f"{LAST} - L * d"),
    ("no places", "The table of places is missing", LAST, f"{LAST} - P * d"),
    ("no words", "The table of words is missing", LAST, f"{LAST} - V * d"),
    ("three matrices", "the fourth maps the heads back", LAST, f"{LAST} - L * (d * d + d)"),
    ("one way only", "two matrices, there and back", LAST, f"{LAST} - L * (d * f + d)"),
    ("one block for all", "Any number of blocks\n.*That is with one block", "L * (attention", "(attention"),
    ("not whole", r"a whole number, and it returned \d+\.5", LAST, f"{LAST} + 0.5"),
    ("a bias at the last of attention’s matrices alone", r"each of attention’s four matrices has a bias\.(?! Or)", LAST,
     f"{LAST} - L * 3 * d"),
    ("no biases in attention, no last norm", "attention’s four biases with the last LayerNorm", LAST,
     f"{LAST} - L * 4 * d - 2 * d"),
    ("builds it", "ran in your function, and the card does without it", """
        from labutils.models import GPT2, GPT2Config

        def parameters(V, P, d, L, f):
            model = GPT2(GPT2Config(vocab_size=V, n_positions=P, d_model=d, n_layers=L, n_heads=1, d_ff=f))
            return sum(p.numel() for p in model.parameters())"""),
    ("makes tensors of the shapes", "A tensor of 36 numbers was made in your function", """
        import torch

        def parameters(V, P, d, L, f):
            shapes = [(V, d), (P, d), (d,), (d,)]
            shapes += L * (4 * [(d, d), (d,)] + [(d, f), (f,), (f, d)] + 5 * [(d,)])
            return sum(torch.empty(shape, device="meta").numel() for shape in shapes)"""),
    ("builds it of modules", "`torch.nn.modules.linear.Linear` ran in your function", """
        from torch import nn

        def parameters(V, P, d, L, f):
            parts = [nn.Embedding(V, d), nn.Embedding(P, d), nn.LayerNorm(d)]
            for _ in range(L):
                parts += [nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, f), nn.Linear(f, d)]
                parts += [nn.LayerNorm(d), nn.LayerNorm(d)]
            return sum(p.numel() for part in parts for p in part.parameters())"""),
)
# fmt: on


def counted(V: int, P: int, d: int, L: int, f: int) -> int:
    """Asked from the model itself, which is built without numbers."""
    with torch.device("meta"):
        model = GPT2(GPT2Config(vocab_size=V, n_positions=P, d_model=d, n_layers=L, n_heads=1, d_ff=f))
    return sum(p.numel() for p in model.parameters())


def mistakes(V: int, P: int, d: int, L: int, f: int) -> Iterator[tuple[str, int]]:
    """What is said of the usual mistakes, and what each gives. Two that always give the same share a sentence: the
    number alone cannot tell which it was.
    """
    right, norms, block_biases = counted(V, P, d, L, f), (2 * L + 1) * 2 * d, L * (5 * d + f)
    yield "That is with the table of words a second time: the head uses the same one.", right + V * d
    yield (
        (
            "In each block 4 · d are missing, and 2 · d after the last: all LayerNorms have as many, each a gain and a"
            " bias; so have attention’s four biases with the last LayerNorm."
        ),
        right - norms,
    )
    yield "Each LayerNorm has a bias besides its gain.", right - norms // 2
    yield "The last LayerNorm, after all blocks, is missing.", right - 2 * d
    yield "The last LayerNorm, too, has a gain and a bias.", right - d
    yield (
        (
            "In each block 2 · d are missing: it has two LayerNorms, and each has a gain and a bias; or two biases of"
            " its six matrices."
        ),
        right - L * 2 * d,
    )
    yield "The biases of the matrices are missing: every matrix in a block has one.", right - block_biases
    yield "All biases are missing, those of the matrices and of the LayerNorms.", right - block_biases - norms // 2
    yield "The bias of one matrix in each block is missing; there are six matrices.", right - L * d
    yield "In each block 3 · d are missing: each of attention’s four matrices has a bias.", right - L * 3 * d
    yield (
        ("In each block 4 · d are missing: as many as attention’s four biases, and as many as its two LayerNorms."),
        right - L * 4 * d,
    )
    yield "The biases of the network are missing.", right - L * (f + d)
    biases = "The network’s first matrix has f biases, its second d."
    yield biases, right + L * (f - d)
    yield biases, right + L * (d - f)
    yield "The logits have no bias of their own.", right + V
    yield "The bias inside the network is missing: f numbers in each block.", right - L * f
    yield "The table of places is missing.", right - P * d
    yield "The table of words is missing.", right - V * d
    yield "Attention has four matrices: the fourth maps the heads back to rows.", right - L * (d * d + d)
    yield "The feed-forward network has two matrices, there and back.", right - L * (d * f + d)
    if L > 1:
        blocks = right - (V + P) * d - 2 * d
        yield "That is with one block; there are L of them.", right - blocks + blocks // L


def fits(parameters, found: int, *sizes: int) -> str:
    """What to say about a wrong count. What fits only these sizes by chance is told apart by others: in one block,
    three LayerNorms have as many biases as three of attention’s matrices.
    """
    V, P, d, L, f = sizes
    others = (V + 3, P + 5, d + 2, L + 2, f + 7)
    usual, again = list(mistakes(*sizes)), fair.whole(call(parameters, *others))
    lasting = {said for said, wrong in mistakes(*others) if wrong == again}
    there_too = [(said, wrong) for said, wrong in usual if said in lasting]
    return fitting(found, there_too) or fitting(found, usual)


def expect(parameters, *sizes: int) -> None:
    found, right = fair.whole(given := call(parameters, *sizes)), counted(*sizes)
    if found is None:
        raise NotYet(f"parameters should return a whole number, and it returned {show(given)}.")
    if found != right:
        call_ = ", ".join(f"{name}={size}" for name, size in zip("VPdLf", sizes))
        raise NotYet(f"parameters({call_}) gave {found:,}, expected {right:,}.{fits(parameters, found, *sizes)}")


def counts_one_block(parameters, draw: Draw):
    """Any model of one block."""
    for _ in range(5):
        expect(parameters, draw.between(10, 99), draw.between(5, 60), draw.between(3, 40), 1, draw.between(3, 90))


def counts_many_blocks(parameters, draw: Draw):
    """Any number of blocks."""
    for _ in range(5):
        expect(
            parameters,
            draw.between(10, 99),
            draw.between(5, 60),
            draw.between(3, 40),
            draw.between(2, 9),
            draw.between(3, 90),
        )


def counts_the_paper_model(parameters, draw: Draw):
    """The paper model has 170."""
    expect(parameters, 5, 6, 4, 1, 2)


def counts_the_real_ones(parameters, draw: Draw):
    """The four sizes that were published."""
    for d, L in ((768, 12), (1024, 24), (1280, 36), (1600, 48)):
        expect(parameters, 50257, 1024, d, L, 4 * d)


def counts_and_does_not_build(parameters, draw: Draw):
    """No model is built"""
    refuse(ran(parameters, 9, 8, 4, 2, 6), "a sum of products will do", functions=["torch.nn"], largest=1)
