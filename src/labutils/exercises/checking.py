"""What all checkers share: trying a reader's function on inputs, and saying in one sentence what is wrong.

A property is a function of the reader's answer. The first line of its docstring is its name; it raises `NotYet`
where it does not hold.
"""

import traceback
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor

PACKAGE = Path(__file__).resolve().parents[1]


class NotYet(AssertionError):
    """An answer lacks a property. A notebook shows the sentence alone, without the way through the checker."""

    def _render_traceback_(self) -> list[str]:
        return [f"Not yet. {self}"]


def check(answer: object, *properties: Callable) -> None:
    """Try properties in order and print the name of each that holds.

    Raises NotYet at the first that does not, with its name in front.
    """
    for holds in properties:
        name = holds.__doc__.splitlines()[0].rstrip(".")
        try:
            holds(answer)
        except NotYet as error:
            if isinstance(error.__cause__, NotImplementedError):
                raise  # no property failed: there is nothing yet
            raise NotYet(f"✗ {name}\n  {error}") from error.__cause__
        print(f"✓ {name}")


def call(function: Callable, *arguments):
    """What the reader's function returns.

    Raises NotYet where there is no function, where it is not written yet, where it raises, and where it changes
    what it was given.
    """
    if not callable(function):
        raise NotYet(f"A function was expected here, and this is {kind(function)}: {show(function)}.")
    name = getattr(function, "__name__", "Your function")
    given = deepcopy(arguments)
    try:
        value = function(*given)
    except NotImplementedError as error:
        raise NotYet(f"{name} is not written yet: your code takes the place of the line that raises.") from error
    except (Exception, SystemExit) as error:
        raise NotYet(f"{shown_call(name, arguments)} raised {_what_happened(error)}") from error
    if not all(map(same, given, arguments)):
        raise NotYet(f"{name} changed what it was given, and others may still need that. Work on a copy.")
    return value


def _what_happened(error: BaseException) -> str:
    """The error in one line, and the last line of the reader's own code on the way to it."""
    said = str(error).strip().splitlines()
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        frame
        for frame in frames
        if "site-packages" not in frame.filename and PACKAGE not in Path(frame.filename).parents
    ]
    at = f' It happened at "{own[-1].line}".' if own and own[-1].line else ""
    return (
        f"{type(error).__name__}:"
        f" {said[0] if said else 'no message'}{'' if said and said[0].endswith('.') else '.'}{at}"
    )


def same(one, other) -> bool:
    """Whether two values are equal, tensors included; nan counts as equal to itself."""
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return (
            one.shape == other.shape
            and one.dtype == other.dtype
            and torch.equal(one.nan_to_num(7.5), other.nan_to_num(7.5))
        )
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other or bool(one == other)


def shown_call(name: str, arguments: tuple) -> str:
    return f"{name}({', '.join(map(show, arguments))})"


def show(value) -> str:
    """A value in at most 60 characters, a tensor by its shape unless it is small."""
    if isinstance(value, Tensor):
        small = value.numel() <= 6
        return str(rounded(value)) if small else f"a tensor of shape {tuple(value.shape)}"
    try:
        text = repr(value)
    except Exception:  # a class of the reader's with a broken __repr__
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def rounded(tensor: Tensor) -> list | float:
    """A tensor as (nested) lists with at most four decimals."""

    def short(x):
        return [short(y) for y in x] if isinstance(x, list) else round(x, 4) if isinstance(x, float) else x

    return short(tensor.detach().tolist())


def kind(value) -> str:
    """A type in words: "a list", "None"."""
    if value is None:
        return "None (is there a return at the end?)"
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def expect_type(value, wanted: type | tuple, name: str, said: str) -> None:
    """Raises NotYet unless `name` returned a value of the type, which `said` names in words."""
    if not isinstance(value, wanted):
        raise NotYet(f"{name} should return {said}, and it returned {kind(value)}.")


def expect_tensor(value, shape: tuple[int, ...], name: str, dtype: torch.dtype | None = None) -> None:
    """Raises NotYet unless `name` returned a tensor of this shape (and dtype)."""
    expect_type(value, Tensor, name, "a tensor")
    if tuple(value.shape) != tuple(shape):
        raise NotYet(f"{name} returned the shape {tuple(value.shape)}, expected {tuple(shape)}.")
    if dtype is not None and value.dtype != dtype:
        raise NotYet(
            f"{name} got {_dtype(dtype)} and returned {_dtype(value.dtype)}: the type of the numbers should stay."
        )


def _dtype(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def fresh_generator() -> torch.Generator:
    """A generator with a new seed, so that each run of a checker tries others; the reader's own is left alone."""
    generator = torch.Generator()
    generator.seed()
    return generator
