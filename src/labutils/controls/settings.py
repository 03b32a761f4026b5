"""What may be said about a control, each thing in one line in the body of its class.

    class Steps(KernelSource, Control):
        layer: int = setting(default=0)
        step: int = setting(default=5, least=1, most=5)
        plays: bool = fixed(default=False)

A `setting` is what the reader changes afterwards, `fixed` is what the author alone says. From the line come the
argument of the class with its type and its default, its check, the trait that holds it, and what a page knows of it: a
link may set it, and to what. An editor reads the lines as it reads those of a dataclass.
"""

import operator
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from inspect import Parameter, Signature, get_annotations
from numbers import Real
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Union, get_args, get_origin

import traitlets as t

REQUIRED = Parameter.empty
TRAITS = {int: t.Int, float: t.Float, bool: t.Bool, str: t.Unicode}
WORDS = {int: "whole number", float: "number", bool: "truth value", str: "text"}


@dataclass(frozen=True)
class Line:
    """What a line says; `type` is its annotation."""

    default: Any
    reader: bool
    kept: t.TraitType | bool = True
    least: float | None = None
    most: float | None = None
    choices: tuple = ()
    init: bool = True
    kw_only: bool = False
    type: Any = Parameter.empty

    @property
    def kind(self) -> type | None:
        """int, float, bool or str, where the annotation is one of these, with None or without."""
        either = get_origin(self.type) in (Union, UnionType)
        kinds = [one for one in (get_args(self.type) if either else (self.type,)) if one is not NoneType]
        return kinds[0] if len(kinds) == 1 and kinds[0] in TRAITS else None

    def trait(self) -> t.TraitType | None:
        """What holds it; None if nothing does."""
        if not self.kept or (self.kept is True and not self.kind):
            return None
        trait = TRAITS[self.kind]() if self.kept is True else copy(self.kept)
        if self.kept is True and self.default not in (None, REQUIRED):
            trait.default_value = self.default
        if isinstance(trait, t.Int | t.Float):
            trait.min, trait.max = self.least, self.most
        return trait.tag(sync=True)

    def told(self) -> dict[str, Any]:
        """What a page knows of it."""
        ends = {"least": self.least, "most": self.most}
        known = {name: value for name, value in ends.items() if value is not None}
        return known | ({"choices": list(self.choices)} if self.choices else {})


def setting(
    *,
    default: Any = REQUIRED,
    kept: t.TraitType | bool = True,
    least: float | None = None,
    most: float | None = None,
    choices: tuple = (),
    init: bool = True,
    kw_only: bool = False,
) -> Any:
    """What the reader changes.

    Args:
        default: without it the argument has to be given. None stands for what the control works out.
        kept: the trait, where the control keeps something else than what it is given: the place of a word, say.
        least, most: the range of a number, both ends included; where one is missing there is no end.
        choices: all that it may be.
        init: False for what is no argument.
        kw_only: whether the argument is given by its name only.
    """
    return Line(default, True, kept, least, most, choices, init, kw_only)


def fixed(*, default: Any = REQUIRED, kept: t.TraitType | bool = True, kw_only: bool = False) -> Any:
    """What the author alone says. A number, a truth value and a text are kept in a trait of the same name, anything
    else if `kept` is its trait; False keeps nothing.
    """
    return Line(default, False, kept, kw_only=kw_only)


def declare(cls: type) -> None:
    """Make of the lines of a class, and of those that every control has, its traits and its signature. The lines stay
    readable as ``cls.lines``.
    """
    known, fresh = getattr(cls, "lines", {}), {}
    for base in cls.__mro__:
        types = get_annotations(base)
        for name, line in vars(base).items():
            if isinstance(line, Line) and name not in fresh and (base is cls or name not in known):
                fresh[name] = replace(line, type=types[name])
    for name, line in fresh.items():
        trait = line.trait()
        setattr(cls, name, trait)
        if trait:
            trait.class_init(cls, name)
    if fresh:
        cls.lines = fresh | {name: line for name, line in known.items() if name not in fresh}
        cls.__signature__ = _signature(cls.lines)


def _signature(lines: Mapping[str, Line]) -> Signature:
    kinds = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
    arguments = [
        Parameter(name, kinds[one.kw_only], default=one.default, annotation=one.type)
        for name, one in lines.items()
        if one.init
    ]
    return Signature(sorted(arguments, key=lambda argument: argument.kind))


def arguments(
    cls: type, args: tuple, named: Mapping[str, Any], taken: Callable[[str, Any], Any] = lambda name, value: value
) -> SimpleNamespace:
    """What was said, as it is `taken`, checked, and for the rest the defaults.

    Raises:
        TypeError: there is no such argument, or one is missing, as for any function of Python.
        ValueError: a value of another type, outside of its range or not among its choices; one sentence.
    """
    try:
        bound = cls.__signature__.bind(*args, **named)
    except TypeError as error:
        raise TypeError(f"{cls.__name__}: {error}.") from None
    bound.apply_defaults()
    return SimpleNamespace(
        **{name: checked(name, taken(name, value), cls.lines[name]) for name, value in bound.arguments.items()}
    )


def checked(name: str, value: Any, line: Line) -> Any:
    """The value, as a number or a truth value of Python's own.

    >>> checked("layer", 3.5, Line(0, True, type=int))
    Traceback (most recent call last):
    ValueError: layer=3.5 is no whole number.
    >>> checked("step", 6, Line(5, True, least=1, most=5, type=int))
    Traceback (most recent call last):
    ValueError: step=6 is outside 1 to 5.
    >>> checked("part", "rows", Line("row", True, choices=("row", "column"), type=str))
    Traceback (most recent call last):
    ValueError: part='rows' is not known: choose 'row' or 'column'.
    """
    if line.default is None and value is None:
        return None
    if line.kind:
        value = _typed(name, value, line.kind)
    if line.choices and value not in line.choices:
        raise ValueError(f"{name}={value!r} is not known: choose {_either(line.choices)}.")
    low, high = line.least, line.most
    if not ((low is None or value >= low) and (high is None or value <= high)):  # nan is nowhere
        raise ValueError(f"{name}={value} is outside {low} to {high}.")
    return value


def _typed(name: str, value: Any, kind: type) -> Any:
    try:
        if kind is int:
            return operator.index(value)
        if (kind is str and isinstance(value, str)) or (kind is float and isinstance(value, Real)):
            return kind(value)
        if kind is bool and value in (False, True):
            return bool(value)
    except TypeError:
        pass
    raise ValueError(f"{name}={value!r} is no {WORDS[kind]}.")


def _either(choices: tuple) -> str:
    *others, last = map(repr, choices)
    return f"{', '.join(others)} or {last}"
