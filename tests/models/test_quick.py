"""The model that is laid out for writing says what the model says, as far as its numbers are kept."""

import pytest
import torch

from labutils.checkpoints import load
from labutils.layers import Cache
from labutils.models import GPT2, GPT2Config, for_writing
from labutils.training import next_token_loss, pad
from labutils.world import World

LEAST = {"bfloat16": 0.01, "int8": 0.01}  # nats a token that rounding may cost


@pytest.fixture(autouse=True)
def _as_fast_as_it_may_be(monkeypatch):
    monkeypatch.setattr("labutils.models.quick.times_as_long", lambda numbers: 0.5)


def odd(**changes):
    torch.manual_seed(3)
    model = GPT2(GPT2Config(97, 32, d_model=40, n_layers=3, n_heads=5, d_ff=72, **changes))
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.3)
    return model


IDS = torch.tensor([[5, 8, 2, 96, 0, 7, 1], [3, 3, 9, 4, 11, 60, 2]])


@pytest.mark.parametrize("tied", [True, False])
def test_in_float32_it_is_the_model_at_every_step(tied):
    model = odd(tied=tied)
    quick, cache = for_writing(model), Cache()
    wanted = model(IDS)
    out = [quick(IDS[:, :3], cache=cache), *(quick(IDS[:, i : i + 1], cache=cache) for i in range(3, 7))]
    torch.testing.assert_close(torch.cat([one.logits for one in out], 1), wanted.logits, rtol=1e-4, atol=1e-4)
    for level, wanted_state in enumerate(wanted.hidden_states):
        states = torch.cat([one.hidden_states[level] for one in out], 1)
        torch.testing.assert_close(states, wanted_state, rtol=1e-4, atol=1e-4)


def test_the_weights_lie_column_by_column_and_the_model_is_left_alone():
    model = odd()
    quick = for_writing(model)
    weights = [
        part.weight for part in quick.modules() if hasattr(part, "weight") and part is not quick.embeddings.token
    ]
    laid_out = [w for w in weights if w.stride() == (1, len(w))]
    assert len(laid_out) == 3 * 6 + 1
    assert model.head is None and all(p.requires_grad and p.is_contiguous() for p in model.parameters())


def rounded(model, numbers):
    """The same model with its matrices rounded, written another way."""
    model = odd()
    head = torch.nn.Linear(40, 97, bias=False)
    head.weight.data = model.embeddings.token.weight.data.clone()
    for part in [*model.modules(), head]:
        if isinstance(part, torch.nn.Linear):
            w = part.weight.data
            if numbers == "bfloat16":
                part.weight.data = w.to(torch.bfloat16).float()
            else:
                for row in w:
                    step = row.abs().max() / 127
                    row.copy_(torch.round(row / step) * step)
    model.head = head
    return model


@pytest.mark.parametrize("numbers", ["bfloat16", "int8"])
def test_rounded_weights_are_those_of_the_model_rounded_by_hand(numbers):
    found, wanted = for_writing(odd(), numbers)(IDS).logits, rounded(odd(), numbers)(IDS).logits
    size = wanted.detach().std()
    assert float((found - wanted).detach().abs().mean() / size) < 0.02  # the rows that come in are rounded too
    assert 0 < float((found - odd()(IDS).logits).detach().abs().mean() / size) < 0.05


@pytest.mark.parametrize("numbers", ["bfloat16", "int8"])
def test_rounding_costs_the_little_model_hardly_anything(numbers):
    little = load("little-gpt2")
    ids = pad([little.tokenizer.encode(story.text).ids for story in World().stories(30, seed=12)], 0)
    with torch.no_grad():
        exact, found = (
            float(next_token_loss(one(ids).logits, ids, ids > 0))
            for one in (little.model, for_writing(little.model, numbers))
        )
    assert 0 < abs(found - exact) < LEAST[numbers]


def test_where_small_numbers_are_slow_float32_is_taken(monkeypatch):
    monkeypatch.setattr("labutils.models.quick.times_as_long", lambda numbers: 1.7)
    with pytest.warns(UserWarning, match="bfloat16 takes 1.7 times as long as in float32, so float32 is used"):
        quick = for_writing(odd(), "bfloat16")
    torch.testing.assert_close(quick(IDS).logits, odd()(IDS).logits, rtol=1e-4, atol=1e-4)


def test_other_numbers_are_refused():
    with pytest.raises(ValueError, match="Weights can be float32, bfloat16, int8, not 'int4'"):
        for_writing(odd(), "int4")
