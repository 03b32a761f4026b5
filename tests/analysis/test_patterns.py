"""Detectors on heads that were planted, on a head that looks at everything alike, and against loops."""

import math

import pytest
import torch

from labutils.analysis.patterns import FAR, PATTERNS, Text, breadth, detect, even, weight_on
from labutils.analysis.planted import MAKERS, SURE, planted


def text(causal: bool, n: int = 24, seed: int = 0) -> Text:
    """Random tokens of eight kinds, every sixth of them a mark."""
    g = torch.Generator().manual_seed(seed)
    kinds = torch.randint(8, (n,), generator=g)
    kinds[5::6] = 9
    return Text(kinds, tuple(range(5, n, 6)), (kinds + 1) ** 2 * 10, causal)


def random_head(one: Text, seed: int = 0) -> torch.Tensor:
    scores = torch.randn(one.n, one.n, generator=torch.Generator().manual_seed(seed))
    return scores.masked_fill(~one.visible, -torch.inf).softmax(-1)


def sought(name: str, one: Text, i: int) -> list[int]:
    """By a loop of its own: the places in sight of row i that a head of this pattern looks at."""
    ids, n = one.ids.tolist(), one.n
    seen = [j for j in range(n) if j <= i or not one.causal]
    rare = min(int(one.counts[j]) for j in seen)
    by = {"one back": -1, "two back": -2, "itself": 0, "one on": 1, "two on": 2}
    at = {
        "first token": lambda j: j == 0,
        "separators": lambda j: j in one.stops and j != i,
        "rarest token": lambda j: int(one.counts[j]) == rare,
        "same token": lambda j: ids[j] == ids[i] and j != i,
        "after the same": lambda j: j > 0 and ids[j - 1] == ids[i] and j - 1 != i,
        "far away": lambda j: abs(i - j) > FAR,
    } | {key: (lambda j, k=k: j == i + k) for key, k in by.items()}
    return [j for j in seen if at[name](j)]


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "both sides"])
@pytest.mark.parametrize("name", PATTERNS)
def test_a_detector_adds_up_the_weights_of_rows_that_have_a_choice(name, causal):
    one = text(causal)
    weights, found = random_head(one), []
    for i in range(one.n):
        places = sought(name, one, i)
        if places and len(places) < (i + 1 if causal else one.n):
            found.append(sum(float(weights[i, j]) for j in places))
    score = float(detect(weights, one)[name])
    assert score == pytest.approx(sum(found) / len(found), abs=1e-6) if found else math.isnan(score)


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "both sides"])
@pytest.mark.parametrize("name", MAKERS)
def test_what_was_planted_is_found_and_nothing_else(name, causal):
    """The head's own detector gives more than three quarters, and of all detectors it exceeds an even look most."""
    scores, alike = {}, {}
    for seed in range(12):
        one = text(causal, seed=seed)
        for key, value in detect(planted(name, one, seed=seed), one).items():
            scores.setdefault(key, []).append(float(value))
            alike.setdefault(key, []).append(float(detect(even(one), one)[key]))
    mean = lambda values: sum(values) / len(values)
    beyond = {key: (mean(scores[key]) - mean(alike[key])) / (1 - mean(alike[key])) for key in scores}
    if causal and name in ("one on", "two on"):
        assert math.isnan(beyond[name])  # what is masked cannot be looked at
        return
    assert mean(scores[name]) > 0.75
    others = {key: value for key, value in beyond.items() if key != name and not math.isnan(value)}
    if causal and name == "far away":
        del others["first token"]  # the farthest of all that a row sees
    if name == "first token":
        del others["far away"]
    assert beyond[name] > max(others.values()) + 0.2


@pytest.mark.parametrize("name, by", [("one back", -1), ("two back", -2), ("itself", 0), ("one on", 1), ("two on", 2)])
def test_a_planted_head_without_noise_looks_where_it_should_from_every_row(name, by):
    one = text(causal=False)
    weights = planted(name, one, noise=0.0)
    rows = [i for i in range(one.n) if 0 <= i + by < one.n]
    assert weights.argmax(-1)[rows].tolist() == [i + by for i in rows]


def test_what_a_planted_head_pushes_away_and_how_it_grows():
    one = text(causal=True)
    logs = planted("same token", one, noise=0.0).log()
    i = next(i for i in range(4, one.n) if len(sought("same token", one, i)) and one.ids[i] != one.ids[0])
    same = sought("same token", one, i)[0]
    assert float(logs[i, same] - logs[i, 0]) == pytest.approx(SURE)  # the token is the same
    assert float(logs[i, same] - logs[i, i]) == pytest.approx(2 * SURE)  # itself: twice as hard
    logs = planted("far away", one, noise=0.0).log()
    assert float(logs[20, 3] - logs[20, 11]) == pytest.approx(SURE)  # one sure step for every eight tokens


def test_a_planted_head_is_drawn_with_some_noise_and_the_first_seed_unless_asked():
    one = text(causal=True)
    drawn = planted("itself", one)
    assert torch.equal(drawn, planted("itself", one, noise=1.0, seed=0))
    assert not torch.equal(drawn, planted("itself", one, seed=1))


def test_noise_drowns_what_was_planted():
    one = text(causal=False)
    clear, drowned = (float(detect(planted("one back", one, noise=noise), one)["one back"]) for noise in (0.5, 8.0))
    assert clear > 0.85 and drowned < 0.5


def test_a_pattern_that_is_not_planted():
    with pytest.raises(ValueError, match="No head 'verbs' can be planted: one back, two back"):
        planted("verbs", text(True))


def test_all_heads_at_once():
    one = text(causal=True)
    heads = torch.stack([random_head(one, seed) for seed in range(6)]).view(2, 3, one.n, one.n)
    for name, scores in detect(heads, one).items():
        assert scores.shape == (2, 3)
        torch.testing.assert_close(scores[1, 2], detect(heads[1, 2], one)[name], equal_nan=True)


@pytest.mark.parametrize("causal", [True, False], ids=["causal", "both sides"])
def test_an_even_head_has_breadth_1_and_one_that_looks_at_one_token_the_least(causal):
    one = text(causal)
    assert float(breadth(even(one), one)) == pytest.approx(1.0)
    rows = range(1, one.n) if causal else range(one.n)
    least = sum(1 / (i + 1 if causal else one.n) for i in rows) / len(rows)
    assert float(breadth(torch.eye(one.n), one)) == pytest.approx(least)


def test_no_row_has_a_choice():
    alone = Text(torch.tensor([3]), (), torch.tensor([1]), causal=True)
    assert math.isnan(float(weight_on(torch.ones(1, 1), torch.ones(1, 1, dtype=torch.bool), alone)))


def test_a_planted_head_seeks_nothing_beyond_the_ends():
    """Where there is no token one further on, all are alike."""
    one = text(causal=False)
    for pattern, row, before in (("one back", 0, 1), ("one on", -1, -2), ("two back", 1, 2), ("two on", -2, -3)):
        weights = planted(pattern, one, noise=0.0)
        torch.testing.assert_close(weights[row], torch.full((one.n,), 1 / one.n))
        assert weights[before].max() > 0.9
