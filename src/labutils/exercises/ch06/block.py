"""Exercise 6.2: one block whose norms may stand in three places."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import Mistake, outcomes
from labutils.exercises.showing import rounded

PLACES = ("before", "after", "inside")
Row = Callable[[Tensor], Tensor]


class Parts(NamedTuple):
    norm1: Row
    attention: Row
    norm2: Row
    network: Row


def check_block(block: Callable[..., Tensor], seed: int | None = None) -> None:
    """Check `block`: x (n, d), norm1, attention, norm2, network, place -> (n, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        block,
        norms_before,
        norms_after,
        norms_inside,
        hands_on_where_nothing_is_added,
        asks_each_part_once,
        refuses_another_place,
        repeat="check_block(block, seed={seed})",
        seed=seed,
    )


def block(x, norm1, attention, norm2, network, place):
    def half(x, norm, part):
        if place == "before":
            return x + part(norm(x))
        if place == "after":
            return norm(x + part(x))
        if place == "inside":
            return x + norm(part(x))
        raise ValueError(f"There is no place {place!r}.")

    return half(half(x, norm1, attention), norm2, network)


RIGHT = (block,)
BOTH = "half(half(x, norm1, attention), norm2, network)"
HALF = {"before": "x + part(norm(x))", "after": "norm(x + part(x))", "inside": "x + norm(part(x))"}
# fmt: off


def _taken(place: str, other: str, name: str) -> Mistake:
    return name, f"That is what comes out for {other!r}.", HALF[place], HALF[other]


def _second_half(place: str, other: str, name: str) -> Mistake:
    return (name, f"The second half is done as for {other!r}.", f"return {BOTH}", "y = half(x, norm1, attention)\n"
            f"    place = {other!r} if place == {place!r} else place\n    return half(y, norm2, network)")


MISTAKES = (
    _taken("before", "after", "norms after the sum for before"),
    _second_half("before", "after", "norms the second sum for before"),
    _taken("before", "inside", "norms what is added for before"),
    _second_half("before", "inside", "norms what the second half adds for before"),
    _taken("after", "before", "norms what is read for after"),
    _second_half("after", "before", "norms what the second half reads for after"),
    _taken("after", "inside", "norms what is added for after"),
    _second_half("after", "inside", "norms only the first sum"),
    _taken("inside", "before", "norms what is read for inside"),
    _second_half("inside", "before", "norms what the second half reads for inside"),
    _taken("inside", "after", "norms the sum for inside"),
    _second_half("inside", "after", "norms the second sum for inside"),
    ("uses one norm twice", "One norm was used twice: each half has its own.", "norm2, network)", "norm1, network)"),
    ("uses the other norm twice", "One norm was used twice: each half has its own.", "half(x, norm1, attention)",
     "half(x, norm2, attention)"),
    ("swaps the norms", "The two norms are swapped.", BOTH, "half(half(x, norm2, attention), norm1, network)"),
    ("lets the network come first", "The network comes before attention.", BOTH,
     "half(half(x, norm2, network), norm1, attention)"),
    ("replaces the stream by its norm", "The stream itself was replaced by its norm: norm(x) + F(norm(x)).",
     HALF["before"], "norm(x) + part(norm(x))"),
    ("forgets the second sum", "The sum of the second half is missing.", f"return {BOTH}",
     "y = half(x, norm1, attention)\n    return network(norm2(y)) if place == 'before' else norm2(network(y))"),
    ("lets the network read the sum before its norm", "The network reads the sum before it is normed.",
     f"return {BOTH}", "if place == 'after':\n        y = x + attention(x)\n        return norm2(norm1(y) + network(y))"
     f"\n    return {BOTH}"),
    ("norms twice for inside", "There is a norm before each half as well: only what it returns is normed.",
     HALF["inside"], "x + norm(part(norm(x)))"),
    ("norms the row and what is added", "The row is normed too, norm(x) + norm(F(x)): only what is added is normed.",
     HALF["inside"], "norm(x) + norm(part(x))"),
    ("norms the result for before",
     "The result was normed once more: with 'before' no sum is normed, not even the last.", f"return {BOTH}",
     f"y = {BOTH}\n    return norm2(y) if place == 'before' else y"),
    ("norms the result by the first norm for before",
     "The result was normed once more: with 'before' no sum is normed, not even the last.", f"return {BOTH}",
     f"y = {BOTH}\n    return norm1(y) if place == 'before' else y"),
    ("lets both halves read what came in",
     "Both halves read the row that came in: the second has to read what the first hands on.", BOTH,
     "half(x, norm1, attention) + half(x, norm2, network) - x"),
)
REFUSED = (
    ("forgets to refuse", "nothing was raised", 'raise ValueError(f"There is no place {place!r}.")', "pass"),
    ("looks for the place in a text", "For the place 'in' nothing was raised", 'if place == "inside"',
     'if place in "before after inside"'),
    ("asks a part twice", "attention was asked 2 times", f"return {BOTH}", f"attention(x)\n    return {BOTH}"),
)
# fmt: on


def drawn(draw: Draw, d: int) -> Parts:
    """Four functions of rows that can be told apart; attention mixes rows, the others do not."""
    W, V = draw.normal(d, d, dtype=torch.float64), draw.normal(d, d, dtype=torch.float64)

    def norm() -> Row:
        gain, bias = draw.normal(d, dtype=torch.float64) + 2, draw.normal(d, dtype=torch.float64)
        return lambda x: gain * x / (1 + x.abs().mean(-1, keepdim=True)) + bias

    return Parts(norm(), lambda x: torch.tanh(x @ W) + x.mean(0, keepdim=True), norm(), lambda x: torch.relu(x @ V))


def expect(answer, x: Tensor, parts: Parts, place: str) -> None:
    found = call(answer, x, *parts, place)
    expect_tensor(found, tuple(x.shape), "block")
    right = block(x, *parts, place)
    if not fair.alike(found, right, 1e-8):
        apart = (found.double() - right).abs()
        i, j = divmod(int(apart.argmax()), x.shape[1])  # where it shows most
        raise NotYet(
            f"For {place!r} and x of shape {tuple(x.shape)} x[{i}, {j}] becomes {rounded(found[i, j])}, expected"
            f" {rounded(right[i, j])}.{likely(found, outcomes(MISTAKES, block, x, *parts, place), 1e-8)}"
        )


def in_place(answer, draw: Draw, place: str) -> None:
    for n, d in ((draw.between(2, 5), draw.between(3, 6)), (1, 1)):
        expect(answer, draw.normal(n, d, dtype=torch.float64), drawn(draw, d), place)


def norms_before(answer, draw: Draw):
    """“before” norms what each half reads."""
    in_place(answer, draw, "before")


def norms_after(answer, draw: Draw):
    """“after” norms each sum."""
    in_place(answer, draw, "after")


def norms_inside(answer, draw: Draw):
    """“inside” norms what each half adds."""
    in_place(answer, draw, "inside")


def hands_on_where_nothing_is_added(answer, draw: Draw):
    """Where both halves give zeros and the norms keep them, “before” and “inside” hand the row on."""
    x, nothing = draw.normal(3, 4, dtype=torch.float64), torch.zeros_like
    for place in ("before", "inside"):
        expect(answer, x, Parts(lambda rows: rows, nothing, lambda rows: rows, nothing), place)


def asks_each_part_once(answer, draw: Draw):
    """Each part is asked once."""
    d = 4
    parts, asked = drawn(draw, d), []

    def counted(name: str, part: Row) -> Row:
        def ask(rows: Tensor) -> Tensor:
            asked.append(name)
            return part(rows)

        return ask

    for place in PLACES:
        asked.clear()
        call(answer, draw.normal(3, d, dtype=torch.float64), *(counted(*one) for one in parts._asdict().items()), place)
        for name in parts._fields:
            if asked.count(name) != 1:
                raise NotYet(f"For {place!r} {name} was asked {asked.count(name)} times, expected once.")


def refuses_another_place(answer, draw: Draw):
    """Another place raises ValueError."""
    x, parts = draw.normal(2, 3, dtype=torch.float64), drawn(draw, 3)
    for place in ("behind", "in", ""):  # the last two stand in a text that names all three
        try:
            answer(x.clone(), *parts, place)
        except ValueError:
            continue
        except Exception as error:
            raise NotYet(f"For the place {place!r} it raised {type(error).__name__}, expected ValueError.") from error
        raise NotYet(f"For the place {place!r} nothing was raised, expected ValueError.")
