"""The measuring code on cases whose answer is known beforehand."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from labutils.analysis.estimates import ratio, share, share_by
from labutils.analysis.gold_words import each_story, read
from labutils.analysis.passes import passes
from labutils.analysis.relations import TO_DEPENDENT, TO_HEAD, TO_MENTION, pointed, queries_of
from labutils.analysis.rules import First, Nearest, Offset, kinds_of
from labutils.checkpoints import load
from labutils.making import cards_heads
from labutils.making.copying import LENGTH, LONG, copying_card, random_blocks
from labutils.making.drawn import draw, drawn_card, step, why_not
from labutils.making.heads import first_token, full_stops, offsets
from labutils.making.leaning import beside, leaning_card
from labutils.making.skills import Case, _offered, cases_of, scores
from labutils.world import World

TEXT = "The cat sat on the mat. It was tired."


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def world():
    return World()


@pytest.fixture(scope="module")
def models():
    return {"gpt2": load("little-gpt2"), "bert": load("little-bert")}


class Copier:
    """In place of a GPT-2: its only head looks at the token after the earlier copy of the present one, and says that
    token.
    """

    config = SimpleNamespace(n_layers=1, n_heads=1)

    def __init__(self, size):
        self.size = size

    def __call__(self, ids, attention_mask=None, see=None):
        B, n = ids.shape
        weights, logits = torch.zeros(B, 1, n, n), torch.zeros(B, n, self.size)
        for b in range(B):
            for i in range(n):
                earlier = [j for j in range(i) if ids[b, j] == ids[b, i]]
                there = earlier[-1] + 1 if earlier else max(i - 1, 0)
                weights[b, 0, i, there] = 1.0
                logits[b, i, ids[b, there]] = 9.0
        if see:
            see("layer 0 weights", weights)
        return SimpleNamespace(logits=logits)


def test_a_model_that_copies_is_measured_as_one(world, models):
    tokenizer = models["gpt2"].tokenizer
    card = copying_card(Copier(len(tokenizer)), tokenizer, world.stories(3, seed=1), 4, random.Random(0))
    assert card["accuracy"] == 1 and card["induction"]["weight"] == 1
    assert card["previous_in_blocks"]["weight"] == pytest.approx(
        (LENGTH + 1) / (2 * LENGTH), abs=0.03
    )  # the first telling alone
    row = random_blocks(tokenizer, 1, random.Random(0))[0]
    assert row[1 : LENGTH + 1] == row[LENGTH + 1 :] and len(set(row)) == LENGTH + 1
    assert card["long"] == {"blocks": 1, "length": LONG, "accuracy": 1, "error": 0}
    assert len(random_blocks(tokenizer, 1, random.Random(0), LONG)[0]) == 2 * LONG + 1


def test_a_step_with_kept_keys_is_the_whole_pass(models):
    model, ids = models["gpt2"].model, torch.tensor([models["gpt2"].tokenizer.encode(TEXT).ids])
    kept = [None] * len(model.blocks)
    for place in range(ids.shape[1]):
        with torch.no_grad():
            logits, kept = step(model, ids[:, place], place, kept)
            torch.testing.assert_close(logits[0], model(ids[:, : place + 1]).logits[0, -1], rtol=0, atol=1e-4)


def test_stories_are_drawn_as_the_model_says(world, models):
    """The share of each first token is its probability, and a story that the grammar refuses is reported with the
    reason.
    """
    c = models["gpt2"]
    end = c.tokenizer.token_to_id("<|endoftext|>")
    rows = draw(c.model, end, 400, torch.Generator().manual_seed(0), most=1)
    p = c.model(torch.tensor([[end]])).logits[0, 0].detach().softmax(-1)
    for token in p.topk(3).indices.tolist():
        assert sum(row == [token] for row in rows) / 400 == pytest.approx(float(p[token]), abs=0.1)
    card = drawn_card(c.model, c.tokenizer, world, 20, seed=1)
    assert card == drawn_card(c.model, c.tokenizer, world, 20, seed=1)
    assert all(row["why"] for row in card["rejected"]) and len(card["rejected"]) <= round(20 * (1 - card["accepted"]))
    assert why_not(world, TEXT) == "" and "tired" in why_not(world, "The cat sat on the tired. It was tired.")


def test_what_is_asked_of_a_story(world):
    words = world.parse(TEXT).words  # The0 cat1 sat2 on3 the4 mat5 .6 It7 was8 tired9 .10
    asked = {(q.name, q.place): q.right for q in queries_of(words, causal=False)}
    assert asked[("nsubj", TO_HEAD), 1] == 2 and asked[("nsubj", TO_DEPENDENT), 2] == 1
    assert asked[("pronoun", TO_MENTION), 7] == 1 and not any(name[0] in ("punct", "root") for name, _ in asked)
    left = {(q.name, q.place) for q in queries_of(words, causal=True)}
    assert (("nsubj", TO_DEPENDENT), 2) in left and (("nsubj", TO_HEAD), 1) not in left
    kinds = kinds_of(words)
    assert Offset(-1)(kinds, 2) == 1 and Nearest("NOUN", -1, 1)(kinds, 7) == 5 and Nearest("NOUN", -1, 2)(kinds, 7) == 1
    assert Nearest("NOUN", 1, 1)(kinds, 1) == 5 and Nearest("NOUN", 1, 1)(kinds, 5) == -1 == Nearest("VERB", -1, 1)(
        kinds, 2
    )
    assert First("NOUN")(kinds, 7) == 1 and First("SUBJECT")(kinds, 7) == 1 and First("NOUN")(kinds, 1) == -1


@pytest.mark.parametrize("kind", ["gpt2", "bert"])
def test_tokens_become_words(kind, world, models):
    c, told = models[kind], world.stories(8, seed=3)
    for story in told:
        ids, tokens = read(c.tokenizer, story)
        assert sorted(t for pieces in tokens for t in pieces) == list(range(1, len(ids) - (kind == "bert")))
    for i, weights in each_story(c.model, c.tokenizer, told):
        assert (
            weights.shape[-2:] == (len(told[i].words),) * 2 and weights.min() >= 0 and weights.sum(-1).max() < 1 + 1e-5
        )


def test_a_head_points_from_the_word_or_from_where_it_is_predicted():
    weights = torch.tensor([[0.0, 0, 0], [0.3, 0.7, 0], [0.2, 0.3, 0.5]])[None, None]
    assert pointed(weights, causal=False).tolist()[0][1:] == [0, 1]
    assert pointed(weights, causal=True).tolist()[1][1:] == [
        0,
        1,
    ]  # word 2 is predicted at word 1, which looks at itself


def test_passes_do_not_depend_on_the_batch(world, models):
    for c in models.values():
        rows = [c.tokenizer.encode(story.text).ids for story in world.stories(5, seed=8)]
        for i, made in passes(c.model, rows, weights=True):
            torch.testing.assert_close(made.logits, c.model(torch.tensor([rows[i]])).logits[0], rtol=0, atol=1e-3)
            torch.testing.assert_close(made.weights.sum(-1), torch.ones(made.weights.shape[:-1]))


def test_where_heads_look():
    n = 12
    first = torch.zeros(1, 1, n, n)
    first[..., 0] = 1.0
    assert (
        first_token(first, causal=True)[0] == 1
        and first_token(torch.full((1, 1, n, n), 1 / n), causal=False)[1] == 1 / n
    )
    assert offsets(torch.eye(n).roll(-1, 0).tril(-1)[None, None])[0, 0, 8].item() == 0
    back = torch.eye(n).roll(-1, 1).tril(-1)[None, None]
    assert offsets(back)[0, 0].argmax() == 7 and offsets(back)[0, 0, 7] == 1
    stop = torch.zeros(1, 1, n, n)
    stop[..., 4] = 1.0
    assert full_stops(stop, [4], causal=True)[0] == 1


def test_bond_adds_up_one_distribution(world, models):
    """BERT is asked only about words of as many pieces, and what it gives them is at most 1."""
    c = models["bert"]
    cases = [case for story in world.stories(40, seed=2) for case in cases_of(story) if case.skill == "bond"]
    pieces = lambda word: len(c.tokenizer.encode(word, add_special_tokens=False).ids)
    assert all({pieces(word) for word in _offered(c.tokenizer, case)} == {pieces(case.answers[0])} for case in cases)
    assert max(scores(c.model, c.tokenizer, cases)) <= 1 + 1e-6
    every = Case(
        "bond", TEXT, 4, 7, 1, tuple(c.tokenizer.vocab)
    )  # the whole vocabulary for one hidden place: at most all of it
    assert sum(scores(c.model, c.tokenizer, [every])) <= 1 + 1e-4


def test_leaning_of_a_model_is_measured_against_the_grammar(world, models):
    c = models["gpt2"]
    card = leaning_card(c.model, c.tokenizer, world, random.Random(3), 120)
    assert (
        card["cases"]
        == sum(row["cases"] for row in card["occupations"])
        == sum(row["cases"] for row in card["templates"])
        == sum(row["cases"] for row in card["beside"])
        > 10
    )
    assert all(
        0 <= row["model"] <= 1 and row["largest_absolute"] >= row["mean_absolute"] >= abs(row["difference"])
        for row in card["occupations"]
    )


def test_who_else_is_there(world):
    """Anna and queens are “she”, Tom and kings “he”, each alone; several, and other occupations, decide nothing."""
    words = world.parse("A young nurse and Tom live in the town. Then Tom sees the young nurse. He goes home.").words
    nurse, tom = 2, 4
    assert (words[nurse].text, words[tom].text) == ("nurse", "Tom")
    assert beside(words, nurse, len(words)) == "he" and beside(words, nurse, until=tom) == "nobody"
    assert beside(words, tom, len(words)) == "nobody"  # he himself is not beside himself, and a nurse may be either
    anna = [
        replace(word, lemma="Anna", text="Anna") if word.sentence and word.text == "Tom" else word for word in words
    ]
    assert beside([*words[: tom + 1], *(replace(w, chain=9) for w in anna[tom + 1 :])], nurse, len(words)) == "both"
    kings = [replace(word, lemma="king", text="kings") if word.text == "Tom" else word for word in words]
    assert beside(kings, nurse, len(words)) == "nobody"


def test_errors():
    assert share([1] * 1000)[1] > 0 and share([1, 0] * 200)[1] == pytest.approx(0.025, rel=0.01)
    told = [1, 1, 1, 0, 0, 0]
    assert share_by(told, [1, 1, 1, 2, 2, 2])[1] > 1.5 * share_by(told, [1, 2, 3, 1, 2, 3])[1]  # two stories, or none
    assert ratio([2, 4, 6], [1, 2, 3]) == (2, 0)  # always twice as much: the stories differ, their ratio does not


def test_the_page_says_what_is_there(models):
    """A head that crosses the threshold turns its sentence round; nothing else decides it."""
    card = models["gpt2"].card
    for name in ("induction", "previous_in_blocks"):
        for weight, found in ((0.9, True), (0.1, False)):
            changed = card | {
                "copying": card["copying"] | {name: {"layer": 3, "head": 3, "weight": weight, "error": 0.01}}
            }
            lines = [line for line in cards_heads.findings(changed) if f"{weight:.2f} ± 0.01 (3.3)" in line]
            assert len(lines) == 1 and lines[0].startswith(
                ("In random blocks head 3.3", "In random blocks a head", "In random blocks and stories")
                if found
                else ("In random blocks no head", "No head", "In stories")
            )
