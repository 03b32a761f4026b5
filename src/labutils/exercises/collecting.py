"""Exercise 3.4: the gradient at the rows that were looked up, collected into the table they came from."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import AUTOGRAD, ran, refuse
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


def by_hand(ids: Tensor, grad: Tensor, V: int, padding: int | None) -> Tensor:
    table = torch.zeros(V, grad.shape[-1], dtype=torch.float64)
    for i, row in zip(ids.flatten().tolist(), grad.flatten(0, 1).double()):
        if i != padding:
            table[i] += row
    return table


def mistakes(ids: Tensor, grad: Tensor, V: int, padding: int | None) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    right = by_hand(ids, grad, V, padding)
    last, first = torch.zeros_like(right), torch.zeros_like(right)
    pairs = [(i, row) for i, row in zip(ids.flatten().tolist(), grad.flatten(0, 1).double()) if i != padding]
    for i, row in pairs:
        last[i] = row
    for i, row in reversed(pairs):
        first[i] = row
    for kept, which in ((last, "last"), (first, "first")):
        said = f"Where an id is repeated only its {which} gradient was kept"
        yield f"{said}: `table[ids] = …` overwrites, and so does `+=`.", kept
    times = torch.zeros(V, 1, dtype=torch.float64)
    for i, _ in pairs:
        times[i] += 1
    yield "Where an id is repeated this is the mean of its gradients. They add up.", right / times.clamp(min=1)
    if len(ids) > 1:
        yield "This is the mean over the texts. Their gradients add up.", right / len(ids)
    yield "Only the first text was collected.", by_hand(ids[:1], grad[:1], V, padding)
    also = by_hand(ids, grad, V, None)
    if padding == 0:
        yield "Padding was collected as well. Here its id is 0, which `if padding` takes for no padding.", also
    yield "Padding was collected as well.", also
    if padding is None:
        yield "Id 0 was left out, but there is no padding here.", by_hand(ids, grad, V, 0)
    yield "The sign is turned round: this is what a step would subtract.", -right


def expect(collect, ids: Tensor, grad: Tensor, V: int, padding: int | None = None) -> None:
    """Raises NotYet where a row of the table is wrong."""
    found = call(collect, ids, grad, V, padding)
    expect_tensor(found, (V, grad.shape[-1]), "collect")
    found, right = found.detach().double(), by_hand(ids, grad, V, padding)
    if fair.alike(found, right):
        return
    row = int((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).any(-1).nonzero()[0])
    often = int((ids == row).sum())
    raise NotYet(
        f"Id {row} occurs {often} time{'s' * (often != 1)} in the texts{' and is padding' * (row == padding)}. Its row"
        f" of the gradient is {rounded(found[row])}, expected {rounded(right[row])}."
        f"{likely(found, mistakes(ids, grad, V, padding))}"
    )


def inputs(draw: Draw, texts: int, n: int, V: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor, int]:
    ids = torch.tensor([draw.choices(range(V), n) for _ in range(texts)])
    return ids, draw.normal(texts, n, draw.between(1, 4), dtype=dtype), V


def gives_each_row_its_own(collect, draw: Draw):
    """Ids that occur once each"""
    V = draw.between(5, 9)
    ids = torch.tensor([draw.sample(range(V - 1), 3)])  # the last row stays unused, and the table has it all the same
    expect(collect, ids, draw.normal(1, 3, 2), V)


def adds_up_what_is_repeated(collect, draw: Draw):
    """An id that occurs several times gets the sum."""
    a, b = draw.sample(range(5), 2)
    expect(collect, torch.tensor([[a, b, a, a]]), draw.normal(1, 4, draw.between(1, 3)), 5)


def adds_up_over_texts(collect, draw: Draw):
    """Several texts add up too."""
    expect(collect, *inputs(draw, draw.between(2, 4), draw.between(2, 6), draw.between(3, 6)))


def leaves_padding_out(collect, draw: Draw):
    """Padding gets no gradient, whatever its id; None leaves nothing out."""
    V = draw.between(4, 7)
    ids, grad, _ = inputs(draw, 3, 5, V)
    for padding in (draw.between(1, V - 1), 0):  # 0 is an id too, though `if padding` takes it for none
        ids[:, -2:] = padding
        expect(collect, ids, grad, V, padding)
    ids[:, -2:] = 0
    expect(collect, ids, grad, V, None)


def agrees_with_pytorch(collect, draw: Draw):
    """Odd shapes in float64 agree with PyTorch’s own table."""
    for texts, n, V in ((1, 1, 1), (1, 7, 3), (5, 1, 9), (3, 11, draw.between(20, 60))):
        ids, grad, V = inputs(draw, texts, n, V, torch.float64)
        with torch.enable_grad():
            table = torch.zeros(V, grad.shape[-1], dtype=torch.float64, requires_grad=True)
            (right,) = torch.autograd.grad(torch.nn.functional.embedding(ids, table), table, grad)
        found = call(collect, ids, grad, V, None)
        if not fair.alike(found, right):
            raise NotYet(f"For {texts} texts of {n} ids out of {V} the table is not the one that PyTorch finds.")


def does_it_by_itself(collect, draw: Draw):
    """Nothing else takes the derivative."""
    seen = ran(collect, *inputs(draw, 2, 4, 5), None)
    refuse(seen, "adding rows up is enough", operations=("embedding",), functions=AUTOGRAD)
