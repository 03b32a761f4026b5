"""Speculative decoding draws from the large model, exactly, whatever the small one drafts; and the other two ways to
choose.
"""

import itertools

import pytest
import torch
from generation.pairs import chance_of_more, random_pair

from labutils.generation import accept, contrastive_search, speculative, write
from labutils.models import paper_model

LESS = 1e-4  # a fair draw misses by more once in ten thousand seeds; the seeds are fixed
IDS = [0, 1, 2]
DRAFTS = {
    "even": torch.full((5,), 0.2, dtype=torch.float64),
    "sure of the wrong word": torch.tensor([0.9, 0.1, 0, 0, 0], dtype=torch.float64),
}


def exact(model, n=2):
    """The odds of all n-token continuations."""
    odds = torch.zeros(5**n, dtype=torch.float64)
    for i, more in enumerate(itertools.product(range(5), repeat=n)):
        rows = model(torch.tensor([[*IDS, *more]])).logits[0].double().softmax(-1)
        odds[i] = torch.stack([rows[2 + k, token] for k, token in enumerate(more)]).prod()
    return odds.detach()


@pytest.mark.parametrize("name", DRAFTS)
def test_what_comes_out_is_drawn_from_the_large_model(name):
    model = paper_model()
    odds, counts = exact(model), torch.zeros(25)
    for seed in range(2500):
        told, passes = speculative(model, lambda ids: DRAFTS[name], IDS, most=2, ahead=1, seed=seed)
        assert passes <= 2
        counts[5 * told[0] + told[1]] += 1
    assert chance_of_more(counts, odds) > LESS


def test_accepting_alone_would_be_wrong():
    """Drawing again from the large model, instead of from what was given too little, does not give its odds."""
    large, small = torch.tensor([[0.5, 0.3, 0.2]]).expand(2, 3), torch.tensor([[0.1, 0.1, 0.8]])
    generator = torch.Generator().manual_seed(0)
    drafts = torch.multinomial(small[0], 20_000, replacement=True, generator=generator).tolist()
    first = [accept(large, small, [x], generator)[0] for x in drafts]
    assert chance_of_more(torch.bincount(torch.tensor(first), minlength=3), large[0]) > LESS
    kept = torch.rand(20_000, generator=generator) < (large[0] / small[0])[drafts]
    naive = torch.where(kept, torch.tensor(drafts), torch.multinomial(large[0], 20_000, True, generator=generator))
    assert chance_of_more(torch.bincount(naive, minlength=3), large[0]) < LESS


def test_a_draft_of_the_model_itself_is_always_accepted():
    ours, _ = random_pair()
    itself = lambda ids: ours(torch.tensor([ids])).logits[0, -1].softmax(-1)
    told, passes = speculative(ours, itself, [1], most=12, ahead=3)
    assert len(told) == 12 and passes == 3


def test_it_stops_at_the_end_sign():
    model = paper_model()
    told, _ = speculative(model, lambda ids: DRAFTS["even"], IDS, most=3, end=3, seed=1)
    assert 3 not in told[:-1]


def test_contrastive_search_by_brute_force():
    ours, _ = random_pair(2)
    ids, alpha, k = [1, 2, 3], 0.6, 4
    for token in contrastive_search(ours, ids, most=6, k=k, alpha=alpha):
        odds = ours(torch.tensor([ids])).logits[0, -1].softmax(-1)
        scores = {}
        for v in odds.topk(k).indices.tolist():
            states = ours(torch.tensor([[*ids, v]])).hidden_states[-1][0]
            alike = torch.nn.functional.cosine_similarity(states[-1:], states[:-1]).max()
            scores[v] = float((1 - alpha) * odds[v] - alpha * alike)
        assert token == max(scores, key=scores.get)
        ids = [*ids, token]


def test_with_alpha_0_it_is_greedy():
    ours, _ = random_pair()
    assert contrastive_search(ours, [1, 2], 8, k=5, alpha=0) == write(ours, [[1, 2]], 8)[0]
    with pytest.raises(ValueError, match="alpha from 0 to 1"):
        contrastive_search(ours, [1], 1, alpha=2)
