"""The shipped models, and any under $LABUTILS_MODELS: the same checks on trained weights and real text."""

import pytest
import torch
from twins import TOLERANCE, check_forward, check_gradients, check_stages, inputs

from labutils.checkpoints import available, load
from labutils.parity import compare
from labutils.trace import trace
from labutils.world import RUNNING_TEXT

SHIPPED = {"little-gpt2", "little-bert", "paper-gpt2"}


def test_the_shipped_models_are_here():
    assert SHIPPED <= set(available())


@pytest.mark.parametrize("dtype", TOLERANCE, ids=["float32", "float64"])
@pytest.mark.parametrize("name", available())
def test_shipped(name, dtype):
    ours, theirs = (load(name, library, dtype) for library in ("labutils", "transformers"))
    tol, longest = TOLERANCE[dtype], ours.model.config.n_positions
    text = "the cat sat" if name == "paper-gpt2" else RUNNING_TEXT
    table = compare(trace(ours.model, text, ours.tokenizer), trace(theirs.model, text, theirs.tokenizer), tol)
    assert table.equal, table.detail()
    for padding, batch, length in (
        ("none", 1, 1),
        ("left", 3, None),
        ("right", 3, None),
        ("both", 3, None),
        ("none", 1, longest),
    ):
        given = inputs(ours.model, padding, batch, length)
        check_forward(ours.model, theirs.model, *given, tol)
        check_stages(ours.model, theirs.model, *given, tol)
        check_gradients(ours.model, theirs.model, *given, tol)


@pytest.mark.parametrize("name", sorted(SHIPPED - {"paper-gpt2"}))
def test_weights_are_float16_numbers(name):
    """So that Python and the browser compute with the same weights."""
    for key, tensor in load(name).model.state_dict().items():
        assert torch.equal(tensor, tensor.half().float()), key
