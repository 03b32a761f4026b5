"""Beam search: tokens and scores equal to HuggingFace's `generate(num_beams=…)`."""

import itertools

import pytest
import torch
from generation.pairs import little_pair, random_pair

from labutils.generation import Beam, beam_search, beam_step
from labutils.models import paper_model


def generated(theirs, ids, width, most, length_penalty):
    out = theirs.generate(
        torch.tensor([ids]),
        attention_mask=torch.ones(1, len(ids)),
        do_sample=False,
        num_beams=width,
        num_return_sequences=width,
        max_new_tokens=most,
        length_penalty=length_penalty,
        return_dict_in_generate=True,
        output_scores=True,
    )
    end = theirs.config.eos_token_id
    rows = [row[len(ids) :].tolist() for row in out.sequences]
    rows = [row[: row.index(end) + 1] if end in row else row for row in rows]
    scores = out.sequences_scores if width > 1 else None
    return rows, scores


def same(ours, theirs, ids, width, most, length_penalty=1.0):
    rows, scores = generated(theirs, ids, width, most, length_penalty)
    found = beam_search(ours, ids, width, most, theirs.config.eos_token_id, length_penalty)
    assert [list(beam.ids) for beam in found] == rows
    if scores is not None:
        mine = torch.tensor([beam.score(length_penalty) for beam in found], dtype=torch.float64)
        torch.testing.assert_close(mine, scores.double(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("width, length_penalty", [(1, 1.0), (2, 1.0), (3, 0.0), (4, 1.0), (5, 2.0)])
def test_random_weights(seed, width, length_penalty):
    same(*random_pair(seed), [1, 2, 3], width, 9, length_penalty)


@pytest.mark.parametrize("width", (1, 2, 4))
def test_the_little_gpt2(width):
    checkpoint, theirs, _ = little_pair()
    same(checkpoint.model, theirs, checkpoint.tokenizer.encode("One day, a small mouse").ids, width, 30)


def test_as_wide_as_all_texts_it_finds_the_best_of_all():
    model = paper_model()
    best = beam_search(model, [4, 1, 4], width=25, most=2)[0]
    chance = {}
    for pair in itertools.product(range(5), repeat=2):
        logits = model(torch.tensor([[4, 1, 4, *pair]])).logits[0].detach().log_softmax(-1)
        chance[pair] = float(logits[2, pair[0]] + logits[3, pair[1]])
    assert best.ids == max(chance, key=chance.get) and best.log_prob == pytest.approx(chance[best.ids])


def test_one_that_ends_is_kept_and_not_continued():
    log_probs = torch.tensor([[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]]).log()
    running = (Beam((0,), -0.1), Beam((1,), -3.0))
    step = beam_step(running, log_probs, width=2, end=0)
    assert [beam.ids for beam in step.ended] == [(0, 0)]
    assert [beam.ids for beam in step.running] == [(0, 1), (0, 2)]  # both from one beam


def test_nothing_is_drawn():
    found = set()
    for seed in range(3):
        torch.manual_seed(seed)
        found.add(beam_search(paper_model(), [0, 1, 2], 3, 3)[0])
    assert len(found) == 1


def test_no_beam_is_refused():
    with pytest.raises(ValueError, match="at least one beam"):
        beam_search(paper_model(), [0], 0, 1)


@pytest.mark.parametrize("seed, length_penalty", [(8, 2.0), (15, 1.0)])
def test_it_stops_when_huggingface_stops(seed, length_penalty):
    """One step more would find a better text here, or one step less a worse one."""
    same(*random_pair(seed, std=0.3), [1, 2, 3], 2, 18, length_penalty)
