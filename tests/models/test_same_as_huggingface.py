"""Ours and HuggingFace's: every stage and the gradient of every parameter, on drawn weights without a zero."""

import pytest
import torch
from twins import (
    BIG,
    SHAPES,
    TOLERANCE,
    check_forward,
    check_gradients,
    check_stages,
    equal,
    inputs,
    run_ours,
    run_theirs,
    small_twins,
    twins,
)

from labutils.parity import compare
from labutils.trace import trace

SMALL = ["paper", *SHAPES]
DTYPES = pytest.mark.parametrize("dtype", TOLERANCE, ids=["float32", "float64"])


@DTYPES
@pytest.mark.parametrize("padding", ["none", "left", "right", "both"])
@pytest.mark.parametrize("name", SMALL)
def test_outputs(name, padding, dtype):
    ours, theirs = small_twins(name, dtype)
    check_forward(ours, theirs, *inputs(ours, padding), TOLERANCE[dtype])


@DTYPES
@pytest.mark.parametrize("padding", ["none", "left", "right", "both"])
@pytest.mark.parametrize("name", SMALL)
def test_every_stage(name, padding, dtype):
    ours, theirs = small_twins(name, dtype)
    check_stages(ours, theirs, *inputs(ours, padding), TOLERANCE[dtype])


@DTYPES
@pytest.mark.parametrize("padding", ["none", "left", "right", "both"])
@pytest.mark.parametrize("name", SMALL)
def test_gradient_of_every_parameter(name, padding, dtype):
    ours, theirs = small_twins(name, dtype)
    check_gradients(ours, theirs, *inputs(ours, padding), TOLERANCE[dtype])


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradients_compared_are_no_zeros(name):
    """A comparison of numbers near 0 would prove nothing: all gradients are large, but a key's bias, which has none."""
    ours, theirs = small_twins(name, torch.float64)
    check_gradients(ours, theirs, *inputs(ours), 1e-10)
    for parameter, p in theirs.named_parameters():
        size = float(p.grad.abs().max())
        assert size < 1e-10 if parameter.endswith("key.bias") else size > 1e-2, (parameter, size)


@pytest.mark.parametrize("length", ["one", "all"])
@pytest.mark.parametrize("name", SMALL)
def test_shortest_and_longest_text(name, length):
    ours, theirs = small_twins(name, torch.float64)
    n = 1 if length == "one" else ours.config.n_positions
    given = inputs(ours, batch=2, length=n)
    check_forward(ours, theirs, *given, 1e-10)
    check_gradients(ours, theirs, *given, 1e-10)
    assert compare(trace(ours, given[0][0]), trace(theirs, given[0][0]), 1e-10).equal


@pytest.mark.parametrize("name", SHAPES)
def test_dropout_stands_in_the_same_places(name):
    """With one seed both draw the same noise, if it is drawn in the same order for the same shapes."""
    ours, theirs = twins(name, torch.float64)
    ids, mask, types = inputs(ours)
    ours.train(), theirs.train()
    torch.manual_seed(3)
    a = run_ours(ours, ids, mask, types).logits
    torch.manual_seed(3)
    b = run_theirs(theirs, ids, mask, types)[0]
    assert equal(a, b, 1e-10)
    assert not equal(a, run_ours(ours.eval(), ids, mask, types).logits, 1e-3)  # it was there at all


@pytest.mark.parametrize("name", BIG)
def test_real_shapes(name):
    """The shapes of gpt2 and bert-base with drawn weights, two blocks of them: full length, then every stage and
    gradient in both precisions.
    """
    ours, theirs = twins(name)
    check_forward(ours, theirs, *inputs(ours, batch=1, length=ours.config.n_positions), 0.0)
    given = inputs(ours, "both", batch=2, length=7)
    for dtype, tol in TOLERANCE.items():
        ours.to(dtype), theirs.to(dtype)
        check_stages(ours, theirs, *given, tol)
        check_gradients(ours, theirs, *given, tol)
        ours.zero_grad(), theirs.zero_grad()
