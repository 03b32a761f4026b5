"""Exercise 2.2: cut a word into tokens by applying merges in the order in which they were learned."""

import random
from collections.abc import Callable

from labutils.exercises.checking import NotYet, call, check, expect_type
from labutils.text.bpe import merge_by_rank
from labutils.text.bpe_train import learn_merges_naively

Merges = list[tuple[str, str]]


def check_merging(encode: Callable[[str, Merges], list[str]]) -> None:
    """Check `encode`: a word and the merges, earliest first -> the tokens of the word.

    Raises NotYet with the property that does not hold.
    """
    check(
        encode,
        leaves_letters_without_merges,
        uses_each_letter_once,
        merges_every_occurrence,
        does_not_count,
        goes_by_rank,
        merges_merged_tokens,
        agrees_on_random_words,
    )


def expect(encode, word: str, merges: Merges, why: str) -> None:
    tokens = call(encode, word, merges)
    expect_type(tokens, list, "encode", "a list of tokens")
    said = (
        f'With the merges {", ".join(left + "+" + right for left, right in merges[:8]) or "none"}, "{word}" became'
        f" {tokens}"
    )
    right = merge_by_rank(word, {pair: rank for rank, pair in enumerate(merges)})
    if not all(isinstance(token, str) for token in tokens):
        raise NotYet(f"{said}: tokens are strings.")
    if "".join(tokens) != word:
        raise NotYet(
            f'{said}, expected {right}: that spells "{"".join(tokens)}". '
            "A letter belongs to one token, so after a merge go on behind it."
        )
    if tokens != right:
        raise NotYet(f"{said}, expected {right}: {why}")


def leaves_letters_without_merges(encode):
    """Without merges a word stays letters."""
    expect(encode, "cat", [], "nothing can be merged.")
    expect(encode, "a", [("a", "b")], "one letter has no neighbour.")


def uses_each_letter_once(encode):
    """Tokens that overlap are not both taken."""
    expect(encode, "aaa", [("a", "a")], "the first two letters merge, the third stays.")


def merges_every_occurrence(encode):
    """A pair is merged wherever it stands."""
    expect(encode, "abab", [("a", "b")], "was the pair merged at one place only?")


def does_not_count(encode):
    """How often a pair occurs in the word plays no part."""
    expect(
        encode,
        "abcbc",
        [("a", "b"), ("b", "c")],
        "the rank decides, and a+b was learned first. Was the commonest pair of the word taken? Counting is for"
        " training.",
    )


def goes_by_rank(encode):
    """The merge that was learned first goes first, wherever it stands."""
    expect(
        encode,
        "catsat",
        [("a", "t"), ("c", "at"), ("s", "at"), ("cat", "s")],
        "s+at was learned before cat+s. Was the word merged from left to right?",
    )


def merges_merged_tokens(encode):
    """What has been merged can merge again."""
    expect(encode, "cats", [("a", "t"), ("c", "at"), ("cat", "s")], "cat+s needs the cat that was merged before.")


def agrees_on_random_words(encode):
    """Fifty random words, with merges learned from random texts."""
    for _ in range(10):
        texts = {"".join(random.choices("abc", k=random.randint(2, 9))): random.randint(1, 9) for _ in range(8)}
        merges = [pair for pair, _ in learn_merges_naively(texts, 12, list("abc"))]
        for _ in range(5):
            expect(
                encode,
                "".join(random.choices("abc", k=random.randint(1, 12))),
                merges,
                "apply the merges one after the other.",
            )
