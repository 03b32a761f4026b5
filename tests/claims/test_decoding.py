"""Chapter 12: claims in print about choosing the next token."""

import torch
from generation.pairs import little_pair

from labutils.generation import Settings, beam_search, processed, temperature, top_p
from labutils.models import paper_model

ODDS = torch.tensor([0.5, 0.3, 0.1, 0.06, 0.04], dtype=torch.float64)


def test_c287_the_ends_of_the_temperature():
    cold, own, hot = (temperature(ODDS.log(), tau).softmax(-1) for tau in (0.01, 1, 1e4))
    torch.testing.assert_close(cold, torch.eye(5, dtype=torch.float64)[0])
    torch.testing.assert_close(own, ODDS)
    torch.testing.assert_close(hot, torch.full_like(ODDS, 0.2), atol=1e-4, rtol=0)
    assert temperature(torch.tensor([1.0, 1.0]), 0).softmax(-1).tolist() == [1, 0]  # a tie is cut, not shared


def test_c291_the_sum_has_to_reach_p_and_not_the_other_way_round():
    sums = ODDS.cumsum(-1)
    for p in (0.4, 0.7, 0.85):
        kept = top_p(ODDS.log(), p).isfinite()
        assert float(ODDS[kept].sum()) >= p and not torch.equal(kept, sums <= p)
        assert float(ODDS[kept][:-1].sum()) < p  # and no smaller set does


def test_c293_one_p_keeps_few_tokens_or_many():
    checkpoint, _, _ = little_pair()
    ids = torch.tensor([checkpoint.tokenizer.encode("The cat sat on the mat. It was sleepy. A").ids])
    with torch.no_grad():
        logits = checkpoint.model(ids).logits[0]
    for p in (0.9, 0.95):
        many = top_p(logits, p).isfinite().sum(-1)
        assert many.min() == 1 and many.max() > 15


def test_c295_a_search_draws_nothing():
    found = set()
    for seed in range(3):
        torch.manual_seed(seed)
        found.add(beam_search(paper_model(), [4, 1, 4], 2, 2)[0].ids)
    assert found == {(3, 0)}


def test_c296_the_last_position_is_enough_for_the_next_token_alone():
    checkpoint, theirs, _ = little_pair()
    ids = torch.tensor([checkpoint.tokenizer.encode("The cat sat on the mat.").ids])
    with torch.no_grad():
        whole, last = theirs(ids).logits, theirs(ids, logits_to_keep=1).logits
        torch.testing.assert_close(last[:, -1], whole[:, -1])
    loss = torch.nn.functional.cross_entropy(checkpoint.model(ids).logits[0, :-1], ids[0, 1:], reduction="none")
    assert len(loss) == ids.shape[1] - 1 and bool((loss > 0).all())  # in training each position is asked
    assert processed(whole[:, -1], Settings(top_k=1)).isfinite().sum() == 1
