"""Exercise 1.5: what a writer hears in training, and which places of a padded text count."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw


def check_mended(mended: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]], seed: int | None = None) -> None:
    """Check `mended`: targets (B, n) padded with 0 and their lengths (B,) -> what is heard, and which places count.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        mended,
        returns_two_tables,
        hears_what_came_before,
        begins_with_nothing,
        counts_what_is_text,
        takes_one_symbol,
        repeat="check_mended(mended, seed={seed})",
        seed=seed,
    )


HEARD = "torch.cat([torch.zeros_like(target[:, :1]), target[:, :-1]], 1)"
COUNTED = "places[None] < lengths[:, None]"
# fmt: off
REFUSED = (
    ("keeps the leak", "These are the last symbols of the same texts: the answer leaks.", HEARD,
     "torch.roll(target, 1, dims=1)"),
    ("rolls the whole table", "the last symbols of the texts before", HEARD, "torch.roll(target, 1)"),
    ("shifts the other way", "Each hears the symbol that comes after it.", HEARD,
     "torch.cat([target[:, 1:], torch.zeros_like(target[:, :1])], 1)"),
    ("does not shift at all", "Each hears the symbol it has to write.", HEARD, "target"),
    ("drops the last symbol wherever it stands", r"In a text .* heard is .*, expected \[0, ", HEARD,
     "torch.roll(target, 1, dims=1) * (torch.roll(target, 1, dims=1) != target[:, -1:])"),
    ("counts in whole numbers", "should hold True and False, and these are torch.int64", COUNTED,
     f"({COUNTED}).long()"),
    ("counts a place of padding", "Each text that is not full counts a place of padding as well.", "] < len",
     "] <= len"),
    ("counts what is heard", "A heard 0 stands at the first place too, and that counts.", COUNTED, "heard != 0"),
    ("exchanges True and False", "True and False are exchanged: True is what counts.", "] < len", "] >= len"),
    ("hears the first symbol twice", "These are the first symbols, which have yet to be written: the answer leaks.",
     "torch.zeros_like(target[:, :1])", "target[:, :1]"),
    ("is one place longer", r"returned the shape \(3, 6\), expected \(3, 5\)", "target[:, :-1]]", "target]"),
    ("counts in decimals", "The second table should hold True and False.", COUNTED, f"({COUNTED}).float()"),
    ("hears decimals", "What is heard are symbols, whole numbers", "return heard", "return heard.float()"),
)
# fmt: on


def texts(draw: Draw, B: int, n: int) -> tuple[Tensor, Tensor]:
    """Targets (B, n) and their lengths: one is n, one is less. The last symbol of a text of n stands earlier too."""
    lengths = [n, draw.between(1, n - 1), *(draw.between(1, n) for _ in range(B - 2))]
    lengths = torch.tensor(draw.sample(lengths, B))
    target = torch.tensor([draw.choices(range(1, 10), n - 1) for _ in range(B)])
    target = torch.cat([target, target[:, [draw.between(0, n - 3)]]], 1)
    return target * up_to(lengths, n), lengths


def up_to(lengths: Tensor, n: int) -> Tensor:
    """(B, n), True for as many places of each row."""
    return torch.arange(n)[None] < lengths[:, None]


def both(mended, target: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """The reader's two tables. Raises NotYet where they are none."""
    found = call(mended, target, lengths)
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise NotYet("mended should return two tensors: what is heard, and which places count.")
    for table in found:
        expect_tensor(table, tuple(target.shape), "mended")
    if found[0].dtype == torch.bool or found[0].is_floating_point():
        raise NotYet(f"What is heard are symbols, whole numbers, and these are {found[0].dtype}.")
    return tuple(found)


def returns_two_tables(mended, draw: Draw):
    """Two tables, with a place for each symbol."""
    both(mended, *texts(draw, 3, 5))


def hears_what_came_before(mended, draw: Draw):
    """From the second place on the symbol before is heard."""
    for B, n in ((3, 5), (2, 7)):
        target, lengths = texts(draw, B, n)
        heard, _ = both(mended, target, lengths)
        for found, text, length in zip(*map(fair.plain, (heard, target, lengths)), strict=True):
            found, text = found[:length], text[:length]
            if found[1:] != text[:-1]:
                mistakes = (
                    ("Each hears the symbol that comes after it.", [*text[1:], *found[-1:]]),
                    ("Each hears the symbol it has to write.", text),
                )
                raise NotYet(f"In a text {text} heard is {found}, expected {[0, *text[:-1]]}.{likely(found, mistakes)}")


def begins_with_nothing(mended, draw: Draw):
    """At the first place nothing is heard: a 0."""
    target, lengths = texts(draw, 4, 5)
    heard, _ = both(mended, target, lengths)
    first, last = fair.plain(heard[:, 0]), target[:, -1]
    if any(first):
        mistakes = (
            ("These are the last symbols of the same texts: the answer leaks.", last),
            ("These are the last symbols of the texts before: without dims= the table is one row.", last.roll(1)),
            ("These are the first symbols, which have yet to be written: the answer leaks.", target[:, 0]),
        )
        raise NotYet(f"The first places hear {first}, expected {[0] * 4}.{likely(first, mistakes)}")


def counts_what_is_text(mended, draw: Draw):
    """As many places count as the text has symbols."""
    target, lengths = texts(draw, 6, 8)
    heard, counted = both(mended, target, lengths)
    if counted.dtype != torch.bool:
        raise NotYet(f"The second table should hold True and False, and these are {counted.dtype}.")
    if not torch.equal(counted, up_to(lengths, 8)):
        found, cause = fair.plain(counted.sum(1)), likely(counted, miscounts(heard, lengths))
        raise NotYet(f"Texts of the lengths {fair.plain(lengths)} count {found} places.{cause}")


def miscounts(heard: Tensor, lengths: Tensor) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and which places count by each."""
    n = heard.shape[1]
    yield "Each text that is not full counts a place of padding as well.", up_to(lengths + 1, n)
    yield "A heard 0 stands at the first place too, and that counts.", heard != 0
    yield "True and False are exchanged: True is what counts.", ~up_to(lengths, n)


def takes_one_symbol(mended, draw: Draw):
    """A text of one symbol, and a batch of one."""
    symbol = draw.between(1, 9)
    heard, counted = map(fair.plain, both(mended, torch.tensor([[symbol]]), torch.tensor([1])))
    if heard != [[0]] or counted != [[1]]:
        raise NotYet(f"The text {symbol} hears {heard} and counts {counted}, expected [[0]] and [[True]].")
