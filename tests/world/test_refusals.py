"""What is no text, no place, no number: one sentence each, from the World itself."""

import random

import pytest

from labutils.world import RUNNING_TEXT, World

NO_TEXTS = (None, 3, b"The cat sat on the mat.", ["The", "cat"], 0, False)


@pytest.mark.parametrize(
    "bias",
    ["x", None, True, 2, -0.1, float("nan"), [0.5], {"nurse": "x"}, {"nurse": True}, {1: 0.5}, {"king": 0.5}],
    ids=repr,
)
def test_a_bias_that_is_no_probability(bias):
    with pytest.raises(ValueError, match="bias"):
        World(bias)


@pytest.mark.parametrize("method", ["parse", "log_prob", "next_word"])
@pytest.mark.parametrize("text", NO_TEXTS, ids=repr)
def test_what_is_no_text(world, method, text):
    with pytest.raises(TypeError, match=f"A story of the little world is text .str., not {type(text).__name__}"):
        getattr(world, method)(text)


@pytest.mark.parametrize("method", ["fill", "swaps", "swap"])
def test_what_is_no_story_or_no_place_in_one(world, method):
    rest = ("puppy",) if method == "swap" else ()
    for story in NO_TEXTS:
        with pytest.raises(TypeError, match="A story of the little world is text"):
            getattr(world, method)(story, 1, *rest)
    for place in ("x", 1.0, None):
        with pytest.raises(ValueError, match="A place in a story is a whole number"):
            getattr(world, method)(RUNNING_TEXT, place, *rest)
    for place in (99, -99):
        with pytest.raises(ValueError, match=f"Place {place} is outside the story"):
            getattr(world, method)(RUNNING_TEXT, place, *rest)


@pytest.mark.parametrize("n", ["3", -1, 2.0, None], ids=repr)
def test_a_number_of_stories(world, n):
    with pytest.raises(ValueError, match="The number of stories must be a whole number from 0 on, not"):
        world.stories(n, seed=1)
    assert world.stories(0, seed=1) == []


@pytest.mark.parametrize("rng", [None, 3, random])
def test_what_draws_numbers(world, rng):
    if rng is random:
        assert world.story(rng).text  # the module draws as well
        return
    with pytest.raises(TypeError, match=f"drawn with a random.Random, not with {type(rng).__name__}"):
        world.story(rng)


def test_what_counts_tokens(world):
    for ask in (world.mean_tokens, world.entropy_per_token):
        with pytest.raises(TypeError, match="count must be a function of a word"):
            ask(3)
