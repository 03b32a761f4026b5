"""Words of a typed text that no story of a model has: they are named in one sentence, as data."""

import pytest
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls import Story, Walk, Way
from labutils.controls.script import call
from labutils.controls.whole_words import known_words

STILL = {"reduced_motion": "reduce"}
READ = "in none of the stories that this model has read."
KNOWN = ["The", "the", "cat", "sat", "sleepy", "Tom"]

FOUND = [
    ("The cat sat", False, []),
    ("The dog sat. The dog, the Dog!", False, ["dog", "Dog"]),
    ("the THE Cat sat", False, ["THE", "Cat"]),
    ("the THE Cat sat", True, []),  # of a model that reads no capitals
    ("The cat was sl", False, ["was"]),  # it may become "sleepy"
    ("The cat was sl ", False, ["was", "sl"]),
    ("The cat [MASK]<|endoftext|>", False, []),
    ("été, кошка, 42 <b>", False, ["été", "кошка", "b"]),
]


@pytest.mark.parametrize("text, lower, words", FOUND)
def test_words_that_are_not_known_are_found_once_and_one_that_is_being_typed_waits(text, lower, words):
    assert told(text, lower=lower) == sentence(words)


def told(text, known=KNOWN, lower=False):
    return call("look/unread.js", "told", text, known, lower)


def sentence(words):
    if not words:
        return ""
    named = [f"“{word}”" for word in words]
    return f"{' and '.join([', '.join(named[:-1]), named[-1]] if named[1:] else named)} {'are' if named[1:] else 'is'} {READ}"


def test_of_many_words_three_are_named_and_where_no_story_is_known_none():
    assert told("a b c d e ") == f"“a”, “b”, “c” and 2 more words are {READ}"
    assert told("a b c d ") == f"“a”, “b”, “c” and 1 more word are {READ}"
    assert told("a b c ", known=[]) == ""


@pytest.mark.parametrize(
    "control, field",
    [
        (Way("The cat sat"), "Your own words"),
        (Story("The cat sat"), "Your own beginning"),
        (Walk("The cat sat"), "Your text"),
    ],
)
def test_a_control_says_which_typed_words_its_model_has_never_read(open_page, control, field):
    opened = open_page(control, width=1280, **STILL)
    root = opened.control()
    note = root.locator(".itt-note").first
    assert not {"computer", "My", "b"} & known_words(load("little-gpt2"))
    for text, words in (
        ("My computer is", "“My” and “computer” are"),
        ("The <b>king</b> was", "“b” is"),
        ("The king was", None),
    ):
        root.get_by_label(field).fill(text)
        expect(note).to_have_text(f"{words} {READ}" if words else "")
    assert root.locator(".itt-note b").count() == 0 and opened.complaints == []
