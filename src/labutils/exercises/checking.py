"""What all checkers share: trying a reader's function on inputs, and naming what is wrong.

A property is a function of the reader's answer and a `Draw`. The first line of its docstring is its name; it raises
`NotYet` where it does not hold.
"""

import traceback
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.drawing import Draw, new_seed
from labutils.exercises.returned import Decides, plainly
from labutils.exercises.showing import LONGEST, cut, kind, show, shown_call
from labutils.world import Word

PACKAGE = Path(__file__).resolve().parents[1]


class NotYet(AssertionError):
    """An answer lacks a property. A notebook shows the sentence alone, without the way through the checker."""

    def _render_traceback_(self) -> list[str]:
        return [f"Not yet. {self}"]


def check(answer: object, *properties: Callable[[object, Draw], None], repeat: str, seed: int | None = None) -> None:
    """Try properties in order, each with a Draw of its own, and print the name of each that holds, then that all do.

    Args:
        answer: what the properties are given: the reader's function, or several things in one.
        repeat: the call of the checker that draws the same again, with {seed} in it.
        seed: that of the run to repeat; without it one is drawn.

    Raises:
        NotYet: a property does not hold. Its name stands in front, the call that repeats the run behind.
    """
    seed = new_seed() if seed is None else seed
    for i, holds in enumerate(properties):
        name = holds.__doc__.splitlines()[0].rstrip(".")
        try:
            holds(answer, Draw(100 * seed + i, run=seed))
        except NotYet as error:
            if isinstance(error.__cause__, NotImplementedError):
                raise  # no property failed: there is nothing yet
            again = repeat.format(seed=seed)
            raise NotYet(f"✗ {name}\n  {error}\n  The same again: {again}") from error.__cause__
        print(f"✓ {name}")
    hold = f"All {len(properties)} properties hold" if len(properties) > 1 else "It holds"
    print(f"{hold}: the check passes.")


def call(function: Callable, *arguments):
    """What the reader's function returns, without classes of the reader's own: these could decide how it is compared.

    Raises NotYet where there is no function, where it is not written yet, where it raises, and where it changes
    what it was given.
    """
    if not callable(function):
        raise NotYet(f"A function was expected here, and this is {kind(function)}: {show(function)}.")
    name = getattr(function, "__name__", "Your function")
    given = deepcopy(arguments, {id(one): one for one in arguments if _is_words(one)})
    try:
        value = function(*given)
    except NotYet as error:
        if _is_checkers(error):
            raise  # what the checker handed over has found something by itself
        raise NotYet(f"{shown_call(name, arguments)} raised {_what_happened(error)}") from error
    except NotImplementedError as error:
        raise NotYet(f"{name} is not written yet: your code takes the place of the line that raises.") from error
    except (Exception, SystemExit) as error:
        raise NotYet(f"{shown_call(name, arguments)} raised {_what_happened(error)}") from error
    if not all(map(_same, given, arguments)):
        raise NotYet(f"{name} changed what it was given, and others may still need that. Work on a copy.")
    try:
        return plainly(value)
    except Decides as error:
        raise NotYet(f"{name} returned {error}") from None


def _is_words(value: object) -> bool:
    """Whether it is a tuple of words, in which nothing can change: a rule is handed a whole story for each of them."""
    return type(value) is tuple and {*map(type, value)} == {Word}


def _is_checkers(error: NotYet) -> bool:
    """Whether it was not the reader's own code that said so."""
    return not _is_readers(traceback.extract_tb(error.__traceback__)[-1].filename)


def _what_happened(error: BaseException) -> str:
    """The error in one line, and the last line of the reader's own code on the way to it."""
    said = cut(str(error)) or "no message"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_readers(frame.filename)]
    at = f' It happened at "{cut(own[-1].line)}".' if own and own[-1].line else ""
    return f"{cut(type(error).__name__, LONGEST)}: {said.removesuffix('.')}.{at}"


def _is_readers(filename: str) -> bool:
    return "site-packages" not in filename and PACKAGE not in Path(filename).parents


def _same(one, other) -> bool:
    """Whether two values are equal, tensors included; nan counts as equal to itself."""
    if one is other:  # so is the copy of a story's words, of which nothing can change
        return True
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        alike_kind = one.shape == other.shape and one.dtype == other.dtype
        return alike_kind and torch.equal(one.nan_to_num(7.5), other.nan_to_num(7.5))
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(map(_same, one.values(), other.values()))
    return bool(one == other)


def likely(found, mistakes: Iterable[tuple[str, object]], within: float = 1e-4) -> str:
    """What to say about a wrong value: the sentence of the first mistake that gives this very value.

    Args:
        mistakes: pairs of a sentence and what comes out if that goes wrong.
        within: how far apart numbers with decimals may be.

    Returns:
        The sentence with a space in front, or nothing where no mistake fits: a guess would send the reader astray.
    """
    return next((f" {sentence}" for sentence, gives in mistakes if fair.alike(found, gives, within)), "")


def fitting(found: int, mistakes: Iterable[tuple[str, int]]) -> str:
    """What to say about a wrong count: all sentences whose mistakes give it, for several can give the same number."""
    fits = dict.fromkeys(said for said, wrong in mistakes if found == wrong)
    return f" {' Or: '.join(fits)}" if fits else ""


def expect_type(value, wanted: type | tuple, name: str, said: str) -> None:
    """Raises NotYet unless `name` returned a value of the type, which `said` names in words."""
    if not isinstance(value, wanted):
        raise NotYet(f"{name} should return {said}, and it returned {kind(value)}.")


def expect_tensor(value, shape: tuple[int, ...], name: str) -> None:
    """Raises NotYet unless `name` returned a tensor of this shape."""
    expect_type(value, Tensor, name, "a tensor")
    if tuple(value.shape) != tuple(shape):
        raise NotYet(f"{name} returned the shape {tuple(value.shape)}, expected {tuple(shape)}.")


def expect_place(value, size: int, name: str) -> int:
    """The place that the reader named, of `size` that there are; raises NotYet for others."""
    place = fair.whole(value)
    if place is None or not 0 <= place < size:
        raise NotYet(f"The {name} is {show(value)}: give a whole number from 0 to {size - 1}.")
    return place


def expect_list(value, name: str, said: str) -> list:
    """What `name` returned as a list, if it is one, a tuple, a tensor or an array; raises NotYet for others."""
    found = fair.plain(value)
    expect_type(found if isinstance(found, list) else value, list, name, said)
    return found
