"""Whether what compares still tells right from wrong: asked after each test, whatever an answer has changed."""

import contextlib
import io
from collections.abc import Callable, Iterator

import numpy as np
import torch

from labutils.exercises import checking, fair, forbidden
from labutils.exercises.checking import NotYet


def judges_wrongly() -> str:
    """What says that something wrong is right, in words; empty where nothing does."""
    for what, holds in _questions():
        try:
            right = holds()
        except BaseException:  # whatever has been put in its place
            right = False
        if right is not True:
            return what
    return ""


def _questions() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is asked, and a function that gives True where the answer is right."""
    zeros, ones = torch.zeros(2), torch.ones(2)
    yield "how numbers and texts are compared", _plain_ones
    yield "how tensors are compared", lambda: not bool((zeros == ones).any()) and bool((zeros < ones).all())
    yield "how tensors are compared", lambda: not bool((zeros != zeros).any()) and not bool((ones <= zeros).any())
    yield "how tensors are compared", lambda: not torch.equal(zeros, ones) and not torch.allclose(zeros, ones)
    yield "what PyTorch computes", lambda: (ones - 3 * ones).abs().tolist() == [2.0, 2.0]
    yield "what PyTorch computes", lambda: (ones.sum().item(), float(ones.max())) == (2.0, 1.0)
    yield "how tests compare", lambda: _asserts(torch.testing.assert_close, zeros, ones)
    yield "how tests compare", lambda: _asserts(np.testing.assert_allclose, np.zeros(2), np.ones(2))
    yield "how checks compare", lambda: fair.alike(zeros, zeros) and not fair.alike(zeros, ones)
    yield "how checks compare", lambda: not fair.alike(1.0, 2.0) and not fair.alike([1], [2])
    yield "how checks find a mistake", _refuses
    yield "how checks find what is borrowed", _finds


def _plain_ones() -> bool:
    one, two = 1.0, 2.0
    pairs = (one, two), (1, 2), ("a", "b"), ([1], [2]), ((1,), (2,)), ({1: 2}, {1: 3}), (True, False), (None, 0)
    return not any(first == second for first, second in pairs) and not two < one and abs(one - two) == 1


def _asserts(alike: Callable[[object, object], object], one: object, other: object) -> bool:
    try:
        alike(one, other)
    except AssertionError:
        return True
    return False


def _refuses() -> bool:
    def fails(answer: object, draw: object) -> None:
        """It fails."""
        raise NotYet("It fails.")

    with contextlib.redirect_stdout(io.StringIO()) as said:
        try:
            checking.check(None, fails, repeat="", seed=1)
        except NotYet:
            return not said.getvalue() and checking.call(lambda: 3) == 3
    return False


def _finds() -> bool:
    try:
        forbidden.refuse(forbidden.Ran(borrowed={"labutils.layers.softmax"}))
    except NotYet:
        return True
    return False
