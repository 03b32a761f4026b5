"""The stream as steps: by hand on the paper model, before and after a norm, and where a sub-layer adds nothing."""

import pytest
import torch

from labutils.analysis.stream import step, steps, streams
from labutils.checkpoints import load
from labutils.layers import LayerNorm
from labutils.trace import trace

LAYERS = 6  # of the little BERT
TEXT = "The cat sat on the mat. It was tired."


def read(name, text=TEXT):
    model = load(name, dtype=torch.float64)
    return trace(model.model, text, model.tokenizer)


def test_row_sat_of_the_paper_model():
    """(4, 2, 0, −2) on (3, −1, −1, 3), then 2 · (−5, 2, 2, 1) on (7, 1, −1, 1): 4.90 on 4.47 and 11.66 on 7.21."""
    attention, network = steps(read("paper-gpt2", "the cat sat"))
    assert (attention.layer, attention.part, network.part) == (0, "attention", "feed_forward")
    found = [f"{float(x[2]):.2f}" for one in (attention, network) for x in (one.stream, one.added, one.after)]
    assert found == ["4.47", "4.90", "7.21", "7.21", "11.66", "7.21"]


@pytest.mark.parametrize("name", ["paper-gpt2", "little-gpt2"])
def test_before_the_norm_what_is_added_is_how_far_a_row_moves(name):
    for one in steps(read(name, "the cat sat" if name == "paper-gpt2" else TEXT)):
        torch.testing.assert_close(one.added, one.moved)
        torch.testing.assert_close(one.added_share, one.moved_share)


def test_with_the_norm_after_the_sum_the_two_ratios_differ():
    found = steps(read("little-bert"))
    assert len(found) == 2 * LAYERS and all(((one.added - one.moved).abs() > 1e-3).all() for one in found)


def test_the_streams_are_those_that_the_steps_lead_to():
    t = read("little-bert")
    places = streams(t)
    assert places.shape == (2 * LAYERS + 1, len(t.tokens), 128)
    for i, one in enumerate(steps(t)):
        torch.testing.assert_close(places[i].norm(dim=-1), one.stream)
        torch.testing.assert_close(places[i + 1].norm(dim=-1), one.after)
        torch.testing.assert_close(torch.cosine_similarity(places[i], places[i + 1], dim=-1), one.cosine)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("n, d", [(1, 1), (5, 7), (0, 3)])
def test_odd_sizes(n, d, dtype):
    x, f = (torch.randn(n, d, generator=torch.Generator().manual_seed(i), dtype=dtype) for i in (0, 1))
    one = step(2, "attention", x, f, x + f)
    assert one.stream.shape == one.cosine.shape == (n,) and one.moved.dtype == dtype
    torch.testing.assert_close(one.moved, f.square().sum(-1).sqrt(), rtol=1e-4, atol=1e-5)


def test_c215_a_sub_layer_that_adds_nothing_still_moves_a_row_when_the_norm_comes_after():
    torch.manual_seed(0)
    norm = LayerNorm(128)
    with torch.no_grad():
        norm.gain.normal_()
    x, nothing = torch.randn(6, 128), torch.zeros(6, 128)
    with torch.no_grad():
        one = step(0, "attention", x, nothing, norm(x + nothing))
    assert (one.added_share == 0).all() and (one.moved_share > 0.5).all()


def test_shapes_that_differ_are_refused():
    with pytest.raises(ValueError, match=r"\(2, 3\), \(2, 4\), \(2, 3\)"):
        step(0, "attention", torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 3))
