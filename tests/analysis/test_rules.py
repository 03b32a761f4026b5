"""Rules that need no model, each by hand on a few places."""

from dataclasses import dataclass

import pytest

from labutils.analysis.rules import KINDS, OFFSETS, RULES, SUBJECTS, First, Nearest, Offset, kinds_of


@dataclass(frozen=True)
class Word:
    upos: str
    lemma: str = "x"
    deprel: str = "dep"
    sentence: int = 0


PLACES = {"NOUN": [1, 3, 5, 7], "START": [0, 4]}


@pytest.mark.parametrize(
    "step, k, place, found",
    [
        (-1, 1, 5, 3),  # the word that asks is not its own nearest
        (1, 1, 5, 7),
        (-1, 1, 6, 5),
        (1, 1, 6, 7),
        (-1, 2, 6, 3),
        (-1, 3, 6, 1),
        (1, 2, 2, 5),
        (1, 3, 2, 7),
        (1, 3, 1, 7),
        (-1, 1, 1, -1),  # there is none
        (-1, 3, 5, -1),
        (1, 1, 7, -1),
        (1, 2, 6, -1),
        (1, 1, 8, -1),
    ],
)
def test_the_nearest_words_of_a_kind_are_counted_from_the_one_that_asks(step, k, place, found):
    assert Nearest("NOUN", step, k)(PLACES, place) == found


@pytest.mark.parametrize("place, found", [(1, -1), (2, 1), (4, 1), (5, 1), (6, 5), (8, 5)])
def test_the_first_of_its_sentence_is_looked_for_where_the_nearest_to_the_left_stands(place, found):
    assert First("NOUN")(PLACES, place) == found


def test_a_distance_is_counted_from_the_word_that_asks():
    assert [Offset(by)(PLACES, 4) for by in (-8, -1, 1)] == [-4, 3, 5]


def test_each_rule_is_told_in_words():
    assert [str(Offset(by)) for by in (-8, -1, 1)] == ["8 back", "1 back", "1 on"]
    assert [str(Nearest("NOUN", step, k)) for step, k in ((-1, 1), (1, 2), (-1, 3))] == [
        "noun to the left",
        "2nd noun to the right",
        "3rd noun to the left",
    ]
    assert str(First("BEING")) == "first noun, name or pronoun of the sentence"


def test_all_rules_are_tried_once_and_those_of_subjects_for_pronouns_alone():
    assert [one.by for one in OFFSETS] == [*range(-8, 0), *range(1, 9)]
    near = {(kind, step, k) for kind in KINDS for step in (-1, 1) for k in (1, 2, 3)}
    assert {(one.kind, one.step, one.k) for one in RULES if isinstance(one, Nearest)} == near
    assert {one.kind for one in RULES if isinstance(one, First)} == set(KINDS) and "SUBJECT" not in KINDS
    assert len(RULES) == len(set(RULES)) == 7 * len(KINDS)
    assert SUBJECTS == [First("SUBJECT"), *(Nearest("SUBJECT", -1, k) for k in (1, 2, 3))]


def test_a_word_is_of_its_kind_and_of_the_groups_that_hold_it():
    upos = "NOUN PROPN PRON VERB ADJ ADV ADP PART PART SCONJ".split()
    words = [Word(one, deprel="case", sentence=i // 4) for i, one in enumerate(upos)]
    words[1] = Word("PROPN", deprel="nsubj")
    words[4] = Word("ADJ", deprel="nsubj:pass", sentence=1)
    words[6:9] = [Word("ADP", "to", sentence=1), Word("PART", "to", sentence=1), Word("PART", "not", sentence=2)]
    kinds = kinds_of(words)
    assert kinds["NOUN"] == [0] and kinds["ADP"] == [6] and kinds["PART"] == [7, 8] and kinds["AUX"] == []
    assert kinds["NOMINAL"] == [0, 1] and kinds["BEING"] == [0, 1, 2]
    assert kinds["CONTENT"] == [0, 1, 3, 4] and kinds["PREDICATE"] == [3, 4]
    assert kinds["MARKER"] == [7, 9] and kinds["SUBJECT"] == [1, 4] and kinds["START"] == [0, 4, 8]
    assert set(kinds) == {*KINDS, "SUBJECT", "START"}
