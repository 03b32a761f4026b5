"""Exercise 2.1: count the pairs of neighbours in words that have counts."""

import random
from collections.abc import Callable, Mapping

from labutils.exercises.checking import NotYet, call, check, expect_type, show
from labutils.text import bpe_train


def check_pairs(count_pairs: Callable[[dict[str, int]], Mapping]) -> None:
    """Check `count_pairs`: words with their counts -> how often each pair of neighbours occurs.

    Raises NotYet with the property that does not hold.
    """
    check(
        count_pairs,
        counts_one_word,
        counts_a_pair_as_often_as_its_word,
        stays_inside_words,
        counts_every_place,
        adds_up_over_words,
        takes_short_words,
        agrees_on_random_words,
    )


def counted(count_pairs, words: dict[str, int]) -> dict:
    """The reader's counts as a dict. Raises NotYet where they are no counts of pairs."""
    pairs = call(count_pairs, words)
    expect_type(pairs, Mapping, "count_pairs", "a dict or a Counter")
    for pair, count in pairs.items():
        if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)):
            raise NotYet(f"A key of the result is {show(pair)}. Each key is a pair of two letters, like ('a', 't').")
        if not isinstance(count, int):
            raise NotYet(f"The count of {show(pair)} is {show(count)}. Counts are whole numbers.")
    return {pair: count for pair, count in pairs.items() if count}  # a Counter may keep zeros


def expect(count_pairs, words: dict[str, int], why: str) -> None:
    found, right = counted(count_pairs, words), expected(words)
    for pair in found.keys() - right.keys():
        raise NotYet(
            f"In {show(words)} the pair {pair} counts {found[pair]}, expected 0: no word holds it. "
            "Were the words glued together? No pair reaches from one into the next."
        )
    for pair in right:
        if found.get(pair, 0) != right.get(pair, 0):
            raise NotYet(
                f"In {show(words)} the pair {pair} counts {found.get(pair, 0)}, expected {right.get(pair, 0)}: {why}"
            )


def expected(words: dict[str, int]) -> dict:
    return dict(bpe_train.count_pairs([(list(word), count) for word, count in words.items()]))


def counts_one_word(count_pairs):
    """The pairs of one word are found."""
    expect(count_pairs, {"cat": 1}, "a pair is a letter and the letter after it.")


def counts_a_pair_as_often_as_its_word(count_pairs):
    """A pair counts as often as its word occurs."""
    expect(count_pairs, {"cat": random.randint(3, 99)}, "was the count of the word left out?")


def stays_inside_words(count_pairs):
    """No pair crosses the border between two words."""
    expect(count_pairs, {"on": 1, "at": 1}, "no pair reaches from one word into the next.")


def counts_every_place(count_pairs):
    """A pair that overlaps itself counts at each place."""
    expect(count_pairs, {"aaa": 1}, "it stands at the first place and at the second, though they share a letter.")


def adds_up_over_words(count_pairs):
    """The same pair in several words adds up."""
    expect(count_pairs, {"cat": 6, "cats": 3, "sat": 4}, "were the words added up?")


def takes_short_words(count_pairs):
    """A word of one letter, and no words at all, have no pairs."""
    expect(count_pairs, {"a": 5, "I": 2}, "one letter has no neighbour.")
    expect(count_pairs, {}, "there are no words.")


def agrees_on_random_words(count_pairs):
    """Twenty random vocabularies come out right."""
    for _ in range(20):
        lengths = [random.randint(1, 6) for _ in range(5)]
        words = {"".join(random.choices("abc", k=n)): random.randint(1, 9) for n in lengths}
        expect(count_pairs, words, "count by hand and compare.")
