"""Exercise 2.3: cut a word into the longest pieces, from the left, as WordPiece does."""

import random
from collections.abc import Callable

from labutils.exercises.checking import NotYet, call, check, expect_type
from labutils.text import wordpiece

UNKNOWN = ["[UNK]"]


def check_longest(longest_match: Callable[[str, set[str]], list[str]]) -> None:
    """Check `longest_match`: a word and a vocabulary -> its pieces, or ``["[UNK]"]``.

    Raises NotYet with the property that does not hold.
    """
    check(
        longest_match,
        finds_a_whole_word,
        takes_the_longest,
        gives_up_the_whole_word,
        marks_what_goes_on,
        starts_only_with_a_start,
        does_not_go_back,
        agrees_on_random_words,
    )


def expect(longest_match, word: str, vocabulary: set[str], why: str) -> None:
    pieces = call(longest_match, word, vocabulary)
    expect_type(pieces, list, "longest_match", "a list of pieces")
    right = wordpiece.longest_match(word, vocabulary) or UNKNOWN
    if pieces != right:
        shown = ", ".join(sorted(vocabulary)[:8])
        raise NotYet(f'With {shown} in the vocabulary, "{word}" became {pieces}, expected {right}: {why}')


def finds_a_whole_word(longest_match):
    """A word of the vocabulary is one piece."""
    expect(longest_match, "ox", {"ox"}, "the whole word is a piece.")
    expect(longest_match, "a", {"a"}, "one letter can be a word.")


def takes_the_longest(longest_match):
    """The longest piece that fits is taken."""
    expect(
        longest_match,
        "cat",
        {"c", "ca", "cat", "##a", "##t", "##at"},
        "was the shortest piece taken? Try the whole rest first, then one letter less.",
    )


def gives_up_the_whole_word(longest_match):
    """A word that does not work out is [UNK] as a whole."""
    expect(
        longest_match,
        "catx",
        {"cat", "##s"},
        "for the rest no piece fits. Then the pieces found so far count for nothing: the whole word is unknown.",
    )


def marks_what_goes_on(longest_match):
    """Inside a word only pieces with ## fit."""
    expect(
        longest_match,
        "undo",
        {"un", "do"},
        '"do" can start a word, but inside one the piece would be "##do". Was ## forgotten?',
    )
    expect(longest_match, "undo", {"un", "do", "##do"}, "the second piece goes on, so it has ##.")


def starts_only_with_a_start(longest_match):
    """A piece with ## starts no word."""
    expect(longest_match, "ing", {"##ing", "in"}, "## says that something stands before.")


def does_not_go_back(longest_match):
    """A choice is never taken back."""
    expect(
        longest_match,
        "abc",
        {"a", "ab", "##bc"},
        '"ab" is the longest start, and nothing fits the "c" that is left. "a", "##bc" would fit, but WordPiece does'
        " not look back.",
    )


def agrees_on_random_words(longest_match):
    """A hundred random words."""
    for _ in range(100):
        pieces = {"".join(random.choices("ab", k=random.randint(1, 3))) for _ in range(6)}
        vocabulary = {random.choice(["", "##"]) + piece for piece in pieces} | {"a", "##b"}
        expect(
            longest_match,
            "".join(random.choices("ab", k=random.randint(1, 6))),
            vocabulary,
            "cut it by hand and compare.",
        )
