"""Speculative decoding draws from the large model, exactly, whatever the small one drafts; and the other two ways to
choose.
"""

import itertools

import pytest
import torch
from generation.pairs import chance_of_more, random_pair
from transformers.generation.utils import _speculative_sampling

from labutils.generation import GREEDY, Settings, accept, contrastive_search, generate, processed, speculative
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


def test_huggingfaces_rule_gives_the_same_odds():
    """One pass with two drafted tokens: of each, how many stay and which comes next, in ours and in theirs."""
    large = torch.tensor([[[0.2, 0.5, 0.2, 0.1], [0.4, 0.2, 0.2, 0.2], [0.1, 0.2, 0.3, 0.4]]]).double().log()
    small = torch.tensor([[[0.5, 0.1, 0.2, 0.2], [0.2, 0.1, 0.6, 0.1]]]).double().log()
    torch.manual_seed(0)
    drafted, came = [0, 2], {"ours": torch.zeros(3, 4), "theirs": torch.zeros(3, 4)}
    generator = torch.Generator().manual_seed(1)
    for _ in range(4000):
        mine = accept(large[0].softmax(-1), list(small[0].softmax(-1)), drafted, generator)
        theirs, stayed = _speculative_sampling(torch.tensor([drafted]), small, 2, large)
        came["ours"][len(mine) - 1, mine[-1]] += 1
        came["theirs"][int(stayed), int(theirs[0, -1])] += 1
    stays = (large.softmax(-1)[0, [0, 1], drafted] / small.softmax(-1)[0, [0, 1], drafted]).clamp(max=1)
    lacking = (large[0, :2].softmax(-1) - small[0].softmax(-1)).clamp(min=0)
    then = torch.cat([lacking / lacking.sum(-1, keepdim=True).clamp(min=1e-12), large[0, 2:].softmax(-1)])
    odds = torch.stack([1 - stays[0], stays[0] * (1 - stays[1]), stays.prod()])[:, None] * then
    for counts in came.values():
        assert chance_of_more(counts, odds) > LESS


def test_without_dice_it_is_greedy_as_huggingfaces_assisted_generation():
    (ours, theirs), (other, assistant) = random_pair(0), random_pair(1)
    itself = lambda ids: other(torch.tensor([ids])).logits[0, -1].softmax(-1)
    told, passes = speculative(ours, itself, [1, 2, 3], 12, end=16, ahead=3, settings=GREEDY)
    out = theirs.generate(
        torch.tensor([[1, 2, 3]]),
        attention_mask=torch.ones(1, 3),
        assistant_model=assistant,
        do_sample=False,
        max_new_tokens=12,
    )
    assert out[0, 3:].tolist() == told == generate(ours, [[1, 2, 3]], 12, 16)[0]
    assert passes <= len(told)


def test_settings_change_what_both_models_give():
    """Drawn through a draft, tokens come as often as they would with these settings without one."""
    model, settings = paper_model(), Settings(temperature=0.8, top_p=0.9, penalty=1.3)
    text = torch.tensor([IDS])
    odds = processed(model(text).logits[:, -1].detach(), settings, text).softmax(-1)[0]
    counts = torch.zeros(5)
    for seed in range(2000):
        told, _ = speculative(model, lambda ids: DRAFTS["even"], IDS, 2, ahead=1, seed=seed, settings=settings)
        counts[told[0]] += 1
    assert chance_of_more(counts, odds) > LESS


def test_no_draft_is_refused():
    with pytest.raises(ValueError, match="At least one token is drafted"):
        speculative(paper_model(), lambda ids: DRAFTS["even"], IDS, 2, ahead=0)


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (torch.full((5,), 0.1), "a sum of 0.5"),
        (torch.full((4,), 0.25), r"shape \(4,\)"),
        (torch.tensor([1.0, 2, 3, 4, 5]), "a sum of 15"),
        (torch.tensor([1.0, -2, 3, -4, 3]), "below 0"),
        (torch.full((5,), torch.nan), "no number"),
        ([0.2] * 5, "gave a list"),
    ],
)
def test_a_draft_that_gives_no_odds_is_refused(odds, words):
    with pytest.raises(ValueError, match=f"A draft gives 5 odds.*{words}"):
        speculative(paper_model(), lambda ids: odds, IDS, 2)


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


def ranked_by_the_published_code(context, following, odds, alpha):
    """`ranking_fast` of the authors' repository, which HuggingFace's `contrastive_search` took over."""
    context = context / context.norm(dim=2, keepdim=True)
    following = following / following.norm(dim=2, keepdim=True)
    alike = torch.matmul(context, following.transpose(1, 2)).squeeze(-1)
    degeneration, _ = torch.max(alike, dim=-1)
    return (1.0 - alpha) * odds.view(-1) - alpha * degeneration


@pytest.mark.parametrize(("k", "alpha"), [(4, 0.6), (2, 0.3), (17, 0.9)])
def test_contrastive_search_is_the_published_code_on_huggingfaces_model(k, alpha):
    ours, theirs = random_pair(3)
    ids, found = [1, 2, 3], contrastive_search(ours, [1, 2, 3], most=12, k=k, alpha=alpha)
    with torch.no_grad():
        for token in found:
            odds, best = theirs(torch.tensor([ids])).logits[0, -1].softmax(-1).topk(k)
            texts = torch.tensor([[*ids, one] for one in best.tolist()])
            states = theirs(texts, output_hidden_states=True).hidden_states[-1]
            scores = ranked_by_the_published_code(states[:, :-1], states[:, -1:], odds, alpha)
            assert token == int(best[scores.argmax()])
            ids = [*ids, token]
    assert len(found) == 12


def test_with_alpha_0_it_is_greedy():
    ours, _ = random_pair()
    assert contrastive_search(ours, [1, 2], 8, k=5, alpha=0) == generate(ours, [[1, 2]], 8)[0]
    with pytest.raises(ValueError, match="alpha from 0 to 1"):
        contrastive_search(ours, [1], 1, alpha=2)
    with pytest.raises(ValueError, match="k from 1 to 17"):
        contrastive_search(ours, [1], 1, k=18)
