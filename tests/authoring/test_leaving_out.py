"""A copy of code that leaves a parameter out: what is handed on goes, what is shown stays."""

import pytest
import torch

from labutils.authoring.leaving_out import without
from labutils.authoring.sync import cell_text
from labutils.layers import recurrent

CODE = '''def step(
    x: float, h: float = 0.0, see: See = unseen
) -> float:
    """One step.

    h: the state before. see: is shown
    the sum. Returns the state.
    """
    total, more = see("total", x + h), see("more", see("x", x))
    x = see("again", x)
    return inner(total, see=see) + inner(more, at_step(see, 1), 2)'''


def test_what_is_shown_stays_and_what_is_handed_on_goes():
    text = without(CODE, "see")
    assert text.startswith("def step(x: float, h: float = 0.0) -> float:\n")
    assert "    total, more = x + h, x\n    return inner(total) + inner(more, 2)" in text
    assert "see" not in text and "Returns the state." in text


@pytest.mark.parametrize("code", ["def f(x):\n    return x", "def f(x, see):\n    return see.seen"])
def test_what_cannot_be_left_out_is_refused(code):
    with pytest.raises(ValueError, match="see"):
        without(code, "see")


def test_the_shorter_cells_compute_the_same():
    names = dict(vars(recurrent))
    exec(cell_text("labutils.layers.recurrent:Cell, RNNCell, LSTMCell, GRUCell, run (without see)"), names)
    x = torch.randn(2, 5, 3)
    for name in ("RNNCell", "LSTMCell", "GRUCell"):
        torch.manual_seed(0)
        ours = recurrent.run(getattr(recurrent, name)(3, 4), x)[0]
        torch.manual_seed(0)
        assert torch.equal(names["run"](names[name](3, 4), x)[0], ours)
