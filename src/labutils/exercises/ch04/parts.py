"""Exercise 4.5: a text that is read part by part must come out as if it were read at once."""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import wrong_functions


def check_read(read: Callable[[Tensor, list[int]], Tensor], seed: int | None = None) -> None:
    """Check `read`: rows (n, d) and the sizes of the parts -> what causal attention makes of the rows, (n, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        read,
        is_right_in_one_part,
        is_the_same_in_two_parts,
        is_the_same_row_by_row,
        is_the_same_in_any_parts,
        does_not_look_ahead,
        still_reads_part_by_part,
        repeat="check_read(read, seed={seed})",
        seed=seed,
    )


def by_hand(text: Tensor, sizes: list[int], mask: Callable[[int, int], Tensor]) -> Tensor:
    """What comes out with this mask: n_q rows that ask, n_k rows that can be asked -> (n_q, n_k), True for visible."""
    text, rows, done = text.double(), [], 0
    for size in sizes:
        part, known = text[done : done + size], text[: done + size]
        scores = part @ known.mT / math.sqrt(text.shape[-1])  # (n_q, n_k)
        seen = scores.masked_fill(~mask(len(part), len(known)), -torch.inf)
        rows.append(seen.softmax(-1).nan_to_num(0.0) @ known)
        done += size
    return torch.cat(rows)


def visible(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)


RIGHT = (visible,)
# fmt: off
MISTAKES = (
    ("changes nothing", "Row i of a part sees the first i + 1 rows of the text, wherever the part begins.",
     ".tril(n_k - n_q)", ".tril()"),
    ("no mask", "Each row sees its whole part, the rows after it too.", ".tril(n_k - n_q)", ""),
    ("one too many", "Each row sees one row too many, its successor.", "tril(n_k - n_q", "tril(n_k - n_q + 1"),
    ("one too few", "No row sees itself.", "tril(n_k - n_q", "tril(n_k - n_q - 1"),
    ("sees its own part only", "The rows of earlier parts are hidden.", ".tril(n_k - n_q)",
     ".tril(n_k - n_q) & (torch.arange(n_k) >= n_k - n_q)"),
    ("sees earlier parts only", "The rows of its own part are hidden, itself too.", ".tril(n_k - n_q)",
     " & (torch.arange(n_k) < n_k - n_q)"),
)
REFUSED = (
    ("forgets the earlier parts", "two parts come.*|The rows of earlier parts are hidden", """
        def read_part(part, known):
            scores = scores_between(part, part).masked_fill(~visible(len(part), len(part)), -torch.inf)
            return softmax(scores) @ part"""),
    ("returns the last part", r"read returned the shape .*, expected", """
        def read(text, sizes):
            return read_part(text[-sizes[-1]:], text)"""),
    ("reads it at once", r"rows, one to a part, was multiplied with itself at once", """
        def read(text, sizes):
            return read_part(text, text)"""),
)
# fmt: on


def expect(read, text: Tensor, sizes: list[int]) -> None:
    """Raises NotYet where reading in these parts changes a row."""
    found = call(read, text, sizes)
    expect_tensor(found, tuple(text.shape), "read")
    found, right = found.detach().double(), by_hand(text, sizes, visible)
    if fair.alike(found, right):
        return
    gaps = (found - right).abs().amax(-1)
    row = int((gaps.nan_to_num(math.inf) > 1e-4).nonzero()[0])
    mistakes = ((said, by_hand(text, sizes, mask)) for said, mask in wrong_functions(MISTAKES, visible))
    raise NotYet(
        f"{len(text)} rows in parts of {', '.join(map(str, sizes))}: row {row} is off by {float(gaps[row]):.2f}, "
        f"expected 0.00.{likely(found.nan_to_num(0.0), mistakes)}"
    )


def a_text(draw: Draw, low: int = 4, high: int = 9) -> Tensor:
    return draw.normal(draw.between(low, high), draw.between(2, 6))


def is_right_in_one_part(read, draw: Draw):
    """A text in one part comes out as before."""
    for text in (a_text(draw), a_text(draw, 1, 1)):
        expect(read, text, [len(text)])


def is_the_same_in_two_parts(read, draw: Draw):
    """A text in two parts comes out the same."""
    text = a_text(draw)
    first = draw.between(1, len(text) - 2)
    expect(read, text, [first, len(text) - first])


def is_the_same_row_by_row(read, draw: Draw):
    """A text read row by row comes out the same."""
    text = a_text(draw)
    expect(read, text, [1] * len(text))


def is_the_same_in_any_parts(read, draw: Draw):
    """So does one in parts of any size."""
    for _ in range(5):
        sizes = [draw.between(1, 5) for _ in range(draw.between(2, 5))]
        expect(read, draw.normal(sum(sizes), draw.between(1, 6)), sizes)


def does_not_look_ahead(read, draw: Draw):
    """What a later part says changes no earlier row."""
    text, more = a_text(draw), a_text(draw)
    longer = torch.cat([text, draw.normal(len(more), text.shape[1])])
    sizes = [2, len(text) - 2, len(more)]
    before, after = (call(read, rows, parts) for rows, parts in ((text, sizes[:2]), (longer, sizes)))
    if not fair.alike(before, after[: len(text)]):
        raise NotYet(f"The first {len(text)} rows change when {len(more)} more are read after them.")


class LargestProduct(TorchDispatchMode):
    """The most numbers in one matrix product that ran meanwhile."""

    found = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        value = func(*args, **(kwargs or {}))
        if func.overloadpacket in (torch.ops.aten.mm, torch.ops.aten.bmm, torch.ops.aten.mul):
            self.found = max(self.found, value.numel())
        return value


def still_reads_part_by_part(read, draw: Draw):
    """It still reads part by part."""
    n, d = draw.between(40, 60), draw.between(2, 6)
    with LargestProduct() as largest:
        call(read, draw.normal(n, d), [1] * n)
    if largest.found > n * d:  # one row with all rows has n scores
        raise NotYet(
            f"A text of {n} rows, one to a part, was multiplied with itself at once: {largest.found:,} numbers. Each"
            " part should ask by itself; mend one function and leave the way of reading as it is."
        )
