"""The mistakes of an exercise as rows of one table, from which the checker's reply and the test of it come.

A row is a tuple: what the mistake is, the words that it is told, and the code that makes it out of the right answer,
pieces of that and what stands in their place:

    ("forgets the root of 2", "The root of 2 is missing: erf counts in other units than Φ.", "x / math.sqrt(2)", "x")

In the place of the pieces one whole answer may stand. A file of an exercise has two such tables. MISTAKES are known by
what they give: each is tried on the inputs that were drawn, and its words are a sentence that the checker adds. REFUSED
holds what a property refuses by itself; its words are a regular expression, and only the tests use it.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache
from textwrap import dedent

from torch import Tensor

from labutils.exercises.checking import call, likely

Mistake = tuple[str, ...]


def written(row: Mistake, right: str) -> str:
    """The answer with the mistake, as a reader would write it.

    Args:
        right: the right answer's code.

    Raises:
        ValueError: the right answer lacks a piece that the row replaces.
    """
    name, _, *pieces = row
    if len(pieces) == 1:
        return dedent(pieces[0]).strip() + "\n"
    for old, new in zip(pieces[::2], pieces[1::2], strict=True):
        if old not in right:
            raise ValueError(f"“{name}” replaces {old!r}, and the right answer has no such piece.")
        right = right.replace(old, new)
    return right


def seeded(seed: int) -> str:
    """Lines above an answer that let its check draw what it draws with this seed."""
    return f"from labutils.exercises import checking\n\nchecking.new_seed = lambda: {seed}\n\n"


def source(*right: Callable | str) -> str:
    """The code of functions, classes and further lines, one below the other."""
    return "\n\n".join(part if isinstance(part, str) else inspect.getsource(part) for part in right)


def outcomes(rows: Iterable[Mistake], right: Callable, *arguments, part: object = None) -> Iterator[tuple[str, object]]:
    """The words of each mistake and what it gives for these arguments, of several things the one at `part`.

    Mistakes that leave this function alone, and those that raise an error here, are passed over.
    """
    for said, wrong in wrong_functions(rows, right):
        try:
            value = wrong(*deepcopy(arguments))
            value = value if part is None else value[part]
        except Exception:  # whatever a wrong answer runs into
            continue
        yield said, value


def likeliest(
    rows: Iterable[Mistake], right: Callable, answer: Callable, found: Tensor, given: tuple, other: tuple, within=1e-4
) -> str:
    """What to say about a wrong tensor, as `likely` does. Where all of it is 0, it may be a mistake that gives nothing
    here, or an answer that gives nothing ever: the answer is asked again.

    Args:
        found: what the answer gave.
        given: what it was given.
        other: what it is given the second time, for which none of the mistakes gives zeros alone.
    """
    if not found.any():
        given, found = other, call(answer, *other)
        if not isinstance(found, Tensor) or not found.any():
            return ""
    return likely(found, outcomes(rows, right, *given), within)


def wrong_functions(rows: Iterable[Mistake], right: Callable) -> Iterator[tuple[str, Callable]]:
    """The words of each mistake and the function with it; mistakes that leave this one alone are passed over."""
    for row in rows:
        if wrong := _made(row, right):
            yield row[1], wrong


@cache
def _made(row: Mistake, right: Callable) -> Callable | None:
    """The function with the mistake, or None where the mistake is in another one."""
    code = source(right)
    if len(row) > 3 and not all(old in code for old in row[2::2]):
        return None
    code = written(row, code)
    names = dict(inspect.getmodule(right).__dict__)
    exec(code, names)
    return names[right.__name__] if names[right.__name__] is not right else None
