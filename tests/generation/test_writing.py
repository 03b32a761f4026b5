"""What is written: greedy token by token as HuggingFace's, drawn tokens as often as their odds say, padded on the left
as if alone.
"""

import pytest
import torch
from generation.pairs import chance_of_more, little_pair, random_pair

from labutils.generation import GREEDY, Settings, draw, generate, processed
from labutils.generation.writing import chosen
from labutils.models import paper_model

LESS = 1e-4  # a fair draw misses by more once in ten thousand seeds; the seed is fixed


def generated(theirs, texts, most, end):
    """HuggingFace's greedy tokens for texts of different lengths, padded on the left."""
    longest = max(map(len, texts))
    ids = torch.tensor([[end] * (longest - len(text)) + text for text in texts])
    mask = torch.tensor([[0] * (longest - len(text)) + [1] * len(text) for text in texts])
    out = theirs.generate(ids, attention_mask=mask, do_sample=False, max_new_tokens=most)[:, longest:].tolist()
    return [row[: row.index(end) + 1] if end in row else row for row in out]


def test_a_batch_padded_on_the_left_is_written_as_huggingface_writes_it_and_as_if_alone():
    checkpoint, theirs, end = little_pair()
    starts = ("The cat sat on the mat. It was", "One day, a small mouse", "Tom")
    texts = [checkpoint.tokenizer.encode(start).ids for start in starts]
    together = generate(checkpoint.model, texts, 40, end)
    assert together == generated(theirs, texts, 40, end)
    assert together == [generate(checkpoint.model, [text], 40, end)[0] for text in texts]


def test_random_weights_too():
    ours, theirs = random_pair()
    texts = [[1, 2, 3, 4], [5], [7, 7]]
    assert generate(ours, texts, 12, 16) == generated(theirs, texts, 12, 16)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings(temperature=2, top_k=4),
        Settings(temperature=0.8, top_p=0.7),
        Settings(min_p=0.2),
        Settings(typical=0.9, frequency=0.4),
        Settings(penalty=1.4, forbidden=(0,)),
    ],
)
def test_drawn_as_often_as_the_odds_say(settings):
    model, ids = paper_model(), [0, 1, 2]
    text = torch.tensor([ids])
    odds = processed(model(text).logits[:, -1], settings, text).softmax(-1)[0].detach()
    told = generate(model, [ids] * 20_000, 1, how=settings, seed=3)
    counts = torch.bincount(torch.tensor(told).flatten(), minlength=5)
    assert chance_of_more(counts, odds) > LESS
    assert chance_of_more(counts, odds.roll(1) * 0.2 + odds * 0.8 if settings.top_k == 0 else odds**2) < LESS


def test_the_same_seed_writes_the_same_and_another_does_not():
    ours, _ = random_pair()
    first, again, other = (generate(ours, [[1, 2]], 15, how=Settings(temperature=3), seed=s) for s in (0, 0, 1))
    assert first == again != other


def test_what_has_no_chance_is_never_drawn():
    odds = torch.tensor([[0.0, 0.3, 0.0, 0.7, 0.0]]).expand(5000, -1)
    assert set(draw(odds, torch.Generator().manual_seed(0)).tolist()) == {1, 3}


def test_a_text_without_a_token_or_without_room_is_refused():
    with pytest.raises(ValueError, match="token that can be continued"):
        generate(paper_model(), [[0], []], 1)
    with pytest.raises(ValueError, match="room for 4 more"):
        generate(paper_model(), [[0, 1, 2]], 5)
    assert len(generate(paper_model(), [[0, 1, 2]], 4)[0]) == 4


def test_at_temperature_0_the_best_that_the_rules_leave_is_taken_and_nothing_is_drawn():
    logits, dice = torch.tensor([[1.0, 3.0, 3.0, 2.0], [0.0, 9.0, 1.0, 4.0]]), torch.Generator().manual_seed(0)
    before = dice.get_state()
    assert chosen(logits, GREEDY, dice).tolist() == [1, 1]
    assert chosen(logits, Settings(temperature=0, forbidden=(1,)), dice).tolist() == [2, 3]
    assert torch.equal(dice.get_state(), before)
    chosen(logits, Settings(), dice)
    assert not torch.equal(dice.get_state(), before)
