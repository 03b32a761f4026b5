"""A bar for work that takes long: which of how many steps is done, and what is left."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
WIDE = 24  # signs of the bar
STORED = (
    "ITT_STORED"  # where it is 1, what is printed is stored or compared: nobody watches
)


def watched(
    steps: Iterable[T],
    total: int,
    after: float = 4.0,
    out: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[T]:
    """The same steps. If they take longer than `after` seconds, a bar says how far they
    are, five times a second at most, and goes when they end.

    total: how many steps there are at most. out: where it is drawn, usually stderr; and
    there not while a notebook is run to be stored or compared, since how long a step
    takes is the machine's affair.

    >>> list(watched("abc", 3))
    ['a', 'b', 'c']
    """
    if out is None and os.environ.get(STORED) == "1":
        yield from steps
        return
    out, began, last, drawn = out or sys.stderr, clock(), 0.0, ""
    try:
        for i, step in enumerate(steps, 1):
            yield step
            now = clock()
            if now - began >= after and now - last >= 0.2:
                last, left = now, (now - began) * (total - i) / i
                bar = "#" * (WIDE * i // total)
                drawn = f"{i} of {total} [{bar:{WIDE}}] at most {left:.0f} s left "
                out.write(f"\r{drawn}")
                out.flush()
    finally:
        if drawn:
            out.write(f"\r{' ' * len(drawn)}\r")
            out.flush()
