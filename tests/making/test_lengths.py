"""The stored results on texts longer than in training: a short run comes out as it did, and they say what they say."""

import pytest
import torch

from labutils.checkpoints import load
from labutils.making import lengths
from labutils.world import World


@pytest.fixture(scope="module")
def told():
    """The first stories of the training and of the test, as texts."""
    world, tokenizer = World(), load("little-gpt2").tokenizer
    few = lengths.texts(lengths.stream(world, tokenizer, "training", lengths.FEW), lengths.TRAINED)
    return few, lengths.texts(lengths.stream(world, tokenizer, "test", 200), lengths.LONGEST)


@pytest.mark.parametrize("scheme", lengths.SCHEMES)
def test_a_short_run_repeats_what_is_stored(told, scheme):
    assert lengths.rehearsed(scheme, *told) == pytest.approx(lengths.stored()["rehearsal"][scheme], abs=0.02)


def test_what_is_stored_is_whole():
    stored = lengths.stored()
    for kind in ("read", "cut"):
        assert set(stored[kind]) == set(lengths.SCHEMES)
        assert all(len(seeds) == len(lengths.SEEDS) for seeds in stored[kind].values())
    assert stored["read"]["learned"][0][1:] == [None, None]


@pytest.mark.parametrize("scheme", lengths.SCHEMES)
def test_only_the_positions_differ_at_the_start(scheme):
    models = []
    for name in ("none", scheme):
        torch.manual_seed(0)
        models.append(lengths.SmallModel(name, 50))
    one, other = (dict(model.named_parameters()) for model in models)
    assert all(torch.equal(p, other[n]) for n, p in one.items())


@pytest.mark.parametrize("scheme", ["RoPE", "ALiBi", "T5", "none"])
def test_what_depends_on_distances_alone_may_be_moved(scheme):
    """The first row of a text is alone; two rows that follow it see the same wherever their places begin."""
    torch.manual_seed(0)
    model = lengths.SmallModel(scheme, 50).eval()
    x = torch.randn(1, 4, 5, 16)
    if scheme == "RoPE":
        scores = lambda shift: model.turned("q", _padded(x, shift)) @ model.turned("k", _padded(x, shift)).mT
        torch.testing.assert_close(scores(0), scores(7)[..., 7:, 7:], rtol=1e-4, atol=1e-4)
    elif scheme != "none":
        torch.testing.assert_close(model.bias(5), model.bias(12)[..., 7:, 7:])
    else:
        assert model.bias(5) is None


def _padded(x: torch.Tensor, shift: int) -> torch.Tensor:
    return torch.nn.functional.pad(x, (0, 0, shift, 0))


def test_a_learned_table_ends():
    model = lengths.SmallModel("learned", 50).eval()
    with pytest.raises(ValueError, match="positions 0 to 31"):
        model(torch.zeros(1, 33, dtype=torch.long))
