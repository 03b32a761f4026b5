"""Exercise 3.5: the gradient at the rows that were looked up, collected into the table they came from."""

from collections.abc import Callable
from itertools import combinations

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, ran, refuse
from labutils.exercises.mistakes import outcomes, seeded
from labutils.exercises.showing import rounded

Collect = Callable[[Tensor, Tensor, int, int | None], Tensor]


def check_collect(collect: Collect, seed: int | None = None) -> None:
    """Check `collect`: ids (B, n), the gradient at their rows (B, n, d), V, the id of padding or None -> (V, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        collect,
        gives_each_row_its_own,
        adds_up_what_is_repeated,
        adds_up_over_texts,
        leaves_padding_out,
        agrees_with_pytorch,
        does_it_by_itself,
        repeat="check_collect(collect, seed={seed})",
        seed=seed,
    )


def collect(ids, grad, V, padding):
    table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype)
    table.index_add_(0, ids.flatten(), grad.flatten(0, 1))
    if padding is not None:
        table[padding] = 0
    return table


RIGHT = (collect,)
ADD, ALL = "table.index_add_(0, ids.flatten(), grad.flatten(0, 1))", "zip(ids.flatten(), grad.flatten(0, 1))"
EXACT = 1e-9  # how far apart numbers of float64 may be
ONE = "gradient was kept: `table[ids] = …` overwrites, and so does `+=`."
# fmt: off
MISTAKES = (
    ("assignment keeps the last", f"Where an id is repeated only its last {ONE}", ADD,
     f"for i, row in {ALL}:\n        table[i] = row"),
    ("assignment keeps the first", f"Where an id is repeated only its first {ONE}", ADD,
     f"for i, row in reversed([*{ALL}]):\n        table[i] = row"),
    ("mean", "Where an id is repeated this is the mean of its gradients. They add up.", "return table",
     "return table / ids.flatten().bincount(minlength=V).clamp(min=1)[:, None]"),
    ("mean over the texts", "This is the mean over the texts. Their gradients add up.", "return table",
     "return table / len(ids)"),
    ("one text", "Only the first text was collected.", "ids.flatten(), grad.flatten(0, 1)", "ids[0], grad[0]"),
    ("last text", "Only the last text was collected.", "ids.flatten(), grad.flatten(0, 1)", "ids[-1], grad[-1]"),
    ("if padding, so 0 is collected",
     "Padding was collected as well. Here its id is 0, which `if padding` takes for no padding.", "padding is not None",
     "padding"),
    ("padding too", "Padding was collected as well.", "padding is not None", "False"),
    ("None taken for 0", "Id 0 was left out, but there is no padding here.",
     "if padding is not None:\n        table[padding] = 0", "table[padding or 0] = 0"),
    ("sign", "The sign is turned round: this is what a step would subtract.", "return table", "return -table"),
)
REFUSED = (
    ("mean over the texts, where all repeats are across two", "This is the mean over the texts", "return table",
     "return table / len(ids)", "def collect", seeded(59) + "def collect"),
    ("one text, where the first text has what is repeated", "Only the first text was collected",
     "ids.flatten(), grad.flatten(0, 1)", "ids[0], grad[0]", "def collect", seeded(44) + "def collect"),
    ("None taken for 0, where 0 stands in the other texts alone", "Id 0 was left out",
     "if padding is not None:\n        table[padding] = 0", "table[padding or 0] = 0", "def collect",
     seeded(123) + "def collect"),
    ("V ignored, where all draws use the last id", "collect returned the shape", "table = torch",
     "V = int(ids.max()) + 1\n    table = torch", "def collect", seeded(3) + "def collect"),
    ("float32 for float64", "float64 agree", ", dtype=grad.dtype", "", "grad.flatten(0, 1)",
     "grad.float().flatten(0, 1)"),
    ("adds in place by index", r"only its last gradient was kept: .* overwrites, and so does `\+=`", ADD,
     "table[ids] += grad"),
    ("autograd", "`torch.autograd.* ran in your function", """
        def collect(ids, grad, V, padding):
            with torch.enable_grad():
                table = torch.zeros(V, grad.shape[-1], dtype=grad.dtype, requires_grad=True)
                (found,) = torch.autograd.grad(table[ids], table, grad)
            if padding is not None:
                found[padding] = 0
            return found"""),
)
# fmt: on


def expect(answer, ids: Tensor, grad: Tensor, V: int, padding: int | None = None) -> None:
    """Raises NotYet where a row of the table is wrong."""
    found, given = call(answer, ids, grad, V, padding), (ids, grad.double(), V, padding)
    expect_tensor(found, (V, grad.shape[-1]), "collect")
    found, right = found.detach().double(), collect(*given)
    if fair.alike(found, right):
        return
    row = int((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).any(-1).nonzero()[0])
    often = int((ids == row).sum())
    raise NotYet(
        f"Id {row} occurs {often} time{'s' * (often != 1)} in the texts{' and is padding' * (row == padding)}. Its row"
        f" of the gradient is {rounded(found[row])}, expected {rounded(right[row])}."
        f"{likely(found, outcomes(MISTAKES, collect, *given))}"
    )


def inputs(draw: Draw, texts: int, n: int, V: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor, int]:
    ids = torch.tensor([draw.choices(range(V), n) for _ in range(texts)])
    return ids, draw.normal(texts, n, draw.between(1, 4), dtype=dtype), V


def telling(draw: Draw, texts: int, n: int, V: int, padding: int | None = None, ends: int | None = None) -> tuple:
    """What `collect` is given, where each mistake that shows at all gives a table of its own, so that the one that is
    named is the one that was made. The last two ids of each text are `ends`, and with these each id occurs.
    """
    rows = [row for row in MISTAKES if padding != 0 or row[0] != "padding too"]  # of padding 0, `if padding` is named
    while True:
        ids, grad, _ = inputs(draw, texts, n, V)
        if ends is not None:
            ids[:, -2:] = ends
        given = ids, grad, V, padding
        tables = [collect(*given), *(table for _, table in outcomes(rows, collect, *given))]
        wrong = [table for table in tables[1:] if not fair.alike(table, tables[0])]
        apart = not any(fair.alike(one, other) for one, other in combinations(wrong, 2))
        if apart and (ends is None or len(ids.unique()) == V):
            return given


def gives_each_row_its_own(answer, draw: Draw):
    """Ids that occur once each"""
    V = draw.between(5, 9)
    ids = torch.tensor([draw.sample(range(V - 1), 3)])  # the last row stays unused, and the table has it all the same
    expect(answer, ids, draw.normal(1, 3, 2), V)


def adds_up_what_is_repeated(answer, draw: Draw):
    """An id that occurs several times gets the sum."""
    a, b = draw.sample(range(5), 2)
    expect(answer, torch.tensor([[a, b, a, a]]), draw.normal(1, 4, draw.between(1, 3)), 5)


def adds_up_over_texts(answer, draw: Draw):
    """Several texts add up too."""
    expect(answer, *telling(draw, draw.between(2, 4), draw.between(2, 6), draw.between(3, 6)))


def leaves_padding_out(answer, draw: Draw):
    """Padding gets no gradient, whatever its id; None leaves nothing out."""
    V = draw.between(4, 7)
    for padding in (draw.between(1, V - 2), 0):  # 0 is an id too, though `if padding` takes it for none
        expect(answer, *telling(draw, 3, 5, V, padding, ends=padding))
    expect(answer, *telling(draw, 3, 5, V, None, ends=0))


def agrees_with_pytorch(answer, draw: Draw):
    """Odd shapes in float64 agree with PyTorch’s own table."""
    for texts, n, V in ((1, 1, 1), (1, 7, 3), (5, 1, 9), (3, 11, draw.between(20, 60))):
        ids, grad, V = inputs(draw, texts, n, V, torch.float64)
        with torch.enable_grad():
            table = torch.zeros(V, grad.shape[-1], dtype=torch.float64, requires_grad=True)
            (right,) = torch.autograd.grad(torch.nn.functional.embedding(ids, table), table, grad)
        found = call(answer, ids, grad, V, None)
        if not fair.alike(found, right, EXACT):
            raise NotYet(f"For {texts} texts of {n} ids out of {V} the table is not the one that PyTorch finds.")


def does_it_by_itself(answer, draw: Draw):
    """Nothing else takes the derivative."""
    seen = ran(answer, *inputs(draw, 2, 4, 5), None)
    refuse(seen, "adding rows up is enough", operations=("embedding",), functions=AUTOGRAD)
