"""Equal names: which are asked about, and what a model is said to have written."""

import random
from types import SimpleNamespace

import pytest

from labutils.checkpoints import load
from labutils.making.cards_measured import _names
from labutils.making.naming import first_choices, naming_card, right_names, twins
from labutils.world import World

PEOPLE = {"Ada", "Emma", "Leo"}


def story(text: str):
    """A text as a story: words with their places, names for those of PEOPLE."""
    words, at = [], 0
    for word in text.split():
        bare = word.rstrip(".")
        start = text.index(word, at)
        at = start + len(word)
        words.append(
            SimpleNamespace(text=bare, upos="PROPN" if bare in PEOPLE else "X", start=start, end=start + len(bare))
        )
    return SimpleNamespace(text=text, words=words)


TWICE = story("Leo saw Ada and Emma come. Then Ada and Emma saw Leo.")


def test_one_of_the_later_names_is_asked():
    asked = {twins([TWICE], random.Random(i))[0][1].place for i in range(40)}
    assert asked == {7, 9, 11}  # Ada, Emma and Leo once more


def test_of_pairs_only_what_stands_together_again():
    asked = {twins([TWICE], random.Random(i), pairs=True)[0][1].place for i in range(40)}
    assert asked == {7, 9}
    assert twins([story("Ada and Emma come. Then Emma and Ada go.")], random.Random(0), pairs=True) == []
    assert twins([story("Ada came. Emma saw Leo.")], random.Random(0)) == []


@pytest.fixture(scope="module")
def bert():
    return load("little-bert")


def test_a_name_of_the_story_and_one_that_it_lacks(bert, monkeypatch):
    asked = twins([TWICE], random.Random(0), pairs=True)
    known = {name.lower() for name in PEOPLE} | {"otto"}
    for said, right, absent in ((asked[0][1].answers[0].lower(), 1, 0), ("otto", 0, 1), ("leo", 0, 0), ("the", 0, 0)):
        monkeypatch.setattr("labutils.making.naming.first_choices", lambda *_, said=said: [said])
        found = right_names(None, None, asked, known)
        assert (found["n"], found["accuracy"], found["absent"]) == (1, right, absent)


def test_the_first_choice_is_what_stands_in_the_hole(bert):
    """*The cat sat on the mat. It was tired.* with its second word hidden is a cat; the first is read in small letters."""
    told = World().parse("The cat sat on the mat. It was tired.")
    from labutils.making.skills import case_of

    assert first_choices(bert.model, bert.tokenizer, [case_of(told, 1), case_of(told, 0)]) == ["cat", "the"]


def test_a_card_of_few_stories(bert):
    card = naming_card(bert.model, bert.tokenizer, World(), World().stories(40, seed=70), random.Random(0))
    assert set(card) == {"one", "pairs", "words", "words_error", "gap", "gap_error"}
    assert card["one"]["best_possible"] > 0.8 and card["one"]["n"] >= card["pairs"]["n"]


def test_a_kind_that_no_story_holds_is_left_out(bert):
    world = World()
    alone = [one for one in world.stories(60, seed=70) if not twins([one], random.Random(0), pairs=True)]
    card = naming_card(bert.model, bert.tokenizer, world, alone[:20], random.Random(0))
    assert "pairs" not in card and card["one"]["n"]
    assert "Where two names" not in _names({"names": card}) and "Names are" in _names({"names": card})
