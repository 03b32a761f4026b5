"""Exercise 6.2: one block whose norms may stand in three places."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
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


def half(x: Tensor, norm: Row, part: Row, place: str) -> Tensor:
    if place == "before":
        return x + part(norm(x))
    return norm(x + part(x)) if place == "after" else x + norm(part(x))


def whole(x: Tensor, parts: Parts, place: str) -> Tensor:
    return half(half(x, parts.norm1, parts.attention, place), parts.norm2, parts.network, place)


def mistakes(x: Tensor, p: Parts, place: str) -> Iterator[tuple[str, Tensor]]:
    """What is said of the usual mistakes, and what each gives."""
    for other in PLACES:
        if other != place:
            yield f"That is what comes out for {other!r}.", whole(x, p, other)
            y = half(x, p.norm1, p.attention, place)
            yield f"The second half is done as for {other!r}.", half(y, p.norm2, p.network, other)
    for twice in (p.norm1, p.norm2):
        yield "One norm was used twice: each half has its own.", whole(x, p._replace(norm1=twice, norm2=twice), place)
    swapped = p._replace(norm1=p.norm2, norm2=p.norm1)
    yield "The two norms are swapped.", whole(x, swapped, place)
    yield "The network comes before attention.", whole(x, Parts(p.norm2, p.network, p.norm1, p.attention), place)
    read = p.norm1(x)
    y = read + p.attention(read)
    read = p.norm2(y)
    yield "The stream itself was replaced by its norm: norm(x) + F(norm(x)).", read + p.network(read)
    y = x + p.attention(p.norm1(x)) if place == "before" else half(x, p.norm1, p.attention, place)
    alone = {"before": p.network(p.norm2(y)), "after": p.norm2(p.network(y)), "inside": p.norm2(p.network(y))}
    yield "The sum of the second half is missing.", alone[place]
    if place == "after":
        y = x + p.attention(x)
        yield "The network reads the sum before it is normed.", p.norm2(p.norm1(y) + p.network(y))
    if place == "inside":
        y = x + p.norm1(p.attention(p.norm1(x)))
        twice = y + p.norm2(p.network(p.norm2(y)))
        yield "There is a norm before each half as well: only what it returns is normed.", twice
        y = p.norm1(x) + p.norm1(p.attention(x))
        both = p.norm2(y) + p.norm2(p.network(y))
        yield "The row is normed too, norm(x) + norm(F(x)): only what is added is normed.", both
    yield (
        "Both halves read the row that came in: the second has to read what the first hands on.",
        (half(x, p.norm1, p.attention, place) + half(x, p.norm2, p.network, place) - x),
    )


def drawn(draw: Draw, d: int) -> Parts:
    """Four functions of rows that can be told apart; attention mixes rows, the others do not."""
    W, V = draw.normal(d, d, dtype=torch.float64), draw.normal(d, d, dtype=torch.float64)

    def norm() -> Row:
        gain, bias = draw.normal(d, dtype=torch.float64) + 2, draw.normal(d, dtype=torch.float64)
        return lambda x: gain * x / (1 + x.abs().mean(-1, keepdim=True)) + bias

    return Parts(norm(), lambda x: torch.tanh(x @ W) + x.mean(0, keepdim=True), norm(), lambda x: torch.relu(x @ V))


def expect(block, x: Tensor, parts: Parts, place: str) -> None:
    found = call(block, x, *parts, place)
    expect_tensor(found, tuple(x.shape), "block")
    right = whole(x, parts, place)
    if not fair.alike(found, right, 1e-8):
        apart = (found.double() - right).abs()
        i, j = divmod(int(apart.argmax()), x.shape[1])  # where it shows most
        raise NotYet(
            f"For {place!r} and x of shape {tuple(x.shape)} x[{i}, {j}] becomes {rounded(found[i, j])}, expected"
            f" {rounded(right[i, j])}.{likely(found, mistakes(x, parts, place), 1e-8)}"
        )


def in_place(block, draw: Draw, place: str) -> None:
    for n, d in ((draw.between(2, 5), draw.between(3, 6)), (1, 1)):
        expect(block, draw.normal(n, d, dtype=torch.float64), drawn(draw, d), place)


def norms_before(block, draw: Draw):
    """“before” norms what each half reads."""
    in_place(block, draw, "before")


def norms_after(block, draw: Draw):
    """“after” norms each sum."""
    in_place(block, draw, "after")


def norms_inside(block, draw: Draw):
    """“inside” norms what each half adds."""
    in_place(block, draw, "inside")


def hands_on_where_nothing_is_added(block, draw: Draw):
    """Where both halves give zeros and the norms keep them, “before” and “inside” hand the row on."""
    x, nothing = draw.normal(3, 4, dtype=torch.float64), torch.zeros_like
    for place in ("before", "inside"):
        expect(block, x, Parts(lambda rows: rows, nothing, lambda rows: rows, nothing), place)


def asks_each_part_once(block, draw: Draw):
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
        call(block, draw.normal(3, d, dtype=torch.float64), *(counted(*one) for one in parts._asdict().items()), place)
        for name in parts._fields:
            if asked.count(name) != 1:
                raise NotYet(f"For {place!r} {name} was asked {asked.count(name)} times, expected once.")


def refuses_another_place(block, draw: Draw):
    """Another place raises ValueError."""
    x, parts = draw.normal(2, 3, dtype=torch.float64), drawn(draw, 3)
    for place in ("behind", "in", ""):  # the last two stand in a text that names all three
        try:
            block(x.clone(), *parts, place)
        except ValueError:
            continue
        except Exception as error:
            raise NotYet(f"For the place {place!r} it raised {type(error).__name__}, expected ValueError.") from error
        raise NotYet(f"For the place {place!r} nothing was raised, expected ValueError.")
