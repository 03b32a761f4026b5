"""An answer may come in any form that its check takes, and is handed only what its card promises: what students see and
the hidden tests agree about both.
"""

import contextlib
import io
from collections.abc import Callable, Iterable
from math import log
from types import FunctionType

import pytest
import torch
from exercises.test_answers import ALL, SOURCES
from torch import Tensor

from labutils.authoring.grading.assignment import Exercise, exercises
from labutils.exercises import checking
from labutils.exercises.ch10.diagnose import STATES, curves
from labutils.exercises.drawing import Draw
from labutils.exercises.returned import returning_plainly


def deep(form: Callable) -> Callable:
    """The form, also of what stands in lists, tuples and dictionaries."""

    def formed(value):
        if type(value) in (list, tuple):
            return type(value)(map(formed, value))
        return {key: formed(item) for key, item in value.items()} if type(value) is dict else form(value)

    return formed


def of_tensors(form: Callable) -> Callable:
    return deep(lambda value: form(value) if isinstance(value, Tensor) else value)


def swapped(value):
    """Lists for tuples, tuples for lists."""
    if type(value) is dict:
        return {key: swapped(item) for key, item in value.items()}
    other = {list: tuple, tuple: list}.get(type(value))
    return other(map(swapped, value)) if other else value


FORMS = {
    "in double precision": of_tensors(lambda x: x.double() if x.is_floating_point() else x),
    "as arrays": of_tensors(lambda x: x.detach().numpy()),
    "as lists": of_tensors(Tensor.tolist),
    "as a list of rows": of_tensors(lambda x: list(x) if x.ndim else x),
    "a whole number where it is one": deep(lambda x: int(x) if isinstance(x, float) and x.is_integer() else x),
    "a tensor for a number": deep(lambda x: torch.tensor(x) if type(x) in (int, float, bool) else x),
    "lists for tuples": swapped,
    "names in another order": lambda x: dict(reversed(x.items())) if type(x) is dict else x,
}


def solved(exercise: str) -> tuple[Exercise, dict]:
    """An exercise with its tests, and what its cells define with the book's own solution."""
    source, names = SOURCES[exercise[:2]], {}
    [graded] = [one for one in exercises(source) if one.name == exercise]
    for cell in source.cells:
        own = cell.id.startswith(exercise) and "nbgrader" in cell.metadata and not cell.id.endswith("-check")
        if own or cell.id == "imports":
            exec(cell.source, names)
    return graded, names


def in_form(names: dict, asked: Iterable[str], form: Callable) -> dict:
    """The names, of which the functions that are asked for give what they gave, in this form."""
    functions = {name: names[name] for name in asked if isinstance(names[name], FunctionType)}
    return names | {name: _in_form(returning_plainly(function), form) for name, function in functions.items()}


def _in_form(function: Callable, form: Callable) -> Callable:
    return lambda *given, **named: form(function(*given, **named))


def passes(test: str, names: dict) -> bool:
    try:
        exec(test, names)
    except Exception:
        return False
    return True


@pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad=True", "ignore:__array_wrap__")
@pytest.mark.parametrize("exercise", ALL)
def test_what_the_check_takes_the_hidden_tests_take(exercise, monkeypatch):
    monkeypatch.setattr(checking, "new_seed", lambda: 7)
    with contextlib.redirect_stdout(io.StringIO()):
        graded, names = solved(exercise)
        formed = {name: in_form(names, graded.asked, form) for name, form in FORMS.items()}
        refused = [name for name, given in formed.items() if not passes(graded.hidden, given)]
        assert [name for name in refused if passes(graded.check, formed[name])] == []


@pytest.mark.parametrize("state", [*STATES, "leaks on both", "memorised at once", "memorised a little"])
@pytest.mark.parametrize("V", [2, 1000, 50_257])
def test_no_loss_that_is_to_be_diagnosed_is_0_or_less(state, V):
    for seed in range(50):
        assert min(map(min, curves(Draw(seed), state, log(V)))) > 0
