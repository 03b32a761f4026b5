"""From tokens back to characters, and on to words, and the other way.

Offsets are the hinge: they are characters of the text, for every tokenizer alike, so
anything known about characters (the words of a sentence, their parts of speech, the
spans of names) can be carried over to tokens.
"""

from collections import Counter
from collections.abc import Sequence

from labutils.text.encoding import Encoding

Spans = Sequence[tuple[int, int]]


def token_at(encoding: Encoding, char: int, sequence: int = 0) -> int | None:
    """Index of the token that holds a character of the text, or None where no token
    does (white space in BERT).
    """
    for i, (start, end) in enumerate(encoding.offsets):
        if encoding.sequence_ids[i] == sequence and start <= char < end:
            return i
    return None


def words_touched(encoding: Encoding, spans: Spans, sequence: int = 0) -> list[Counter]:
    """For each token the words it shares characters with, and how many: a list of
    Counters.

    Args:
        spans: (start, end) in characters of each word; words do not overlap.
    """
    word_of = {
        char: word
        for word, (start, end) in enumerate(spans)
        for char in range(start, end)
    }
    touched = []
    for (start, end), its_sequence in zip(encoding.offsets, encoding.sequence_ids):
        chars = range(start, end) if its_sequence == sequence else ()
        touched.append(Counter(word_of[char] for char in chars if char in word_of))
    return touched


def word_of_tokens(
    encoding: Encoding, spans: Spans, sequence: int = 0
) -> list[int | None]:
    """For each token the index of its word, or None: the word it shares most characters
    with, the first of equals.

    Args:
        spans: (start, end) in characters of each word, for example of a sentence with
            known parts of speech.

    >>> from labutils.text import Encoding
    >>> row = Encoding(offsets=[(0, 2), (2, 4), (4, 9)], sequence_ids=[0, 0, 0])
    >>> word_of_tokens(row, [(0, 4), (5, 9)])
    [0, 0, 1]
    """
    return [
        max(words, key=words.get, default=None)
        for words in words_touched(encoding, spans, sequence)
    ]


def tokens_of_words(
    encoding: Encoding, spans: Spans, sequence: int = 0
) -> list[list[int]]:
    """For each word the indices of all tokens that share a character with it.

    >>> from labutils.text import Encoding
    >>> row = Encoding(offsets=[(0, 2), (2, 4), (4, 9)], sequence_ids=[0, 0, 0])
    >>> tokens_of_words(row, [(0, 4), (5, 9)])
    [[0, 1], [2]]
    """
    tokens = [[] for _ in spans]
    for i, words in enumerate(words_touched(encoding, spans, sequence)):
        for word in words:
            tokens[word].append(i)
    return tokens


def own_words(
    encoding: Encoding, sequence: int = 0
) -> list[tuple[list[int], tuple[int, int]]]:
    """The tokenizer's own words: for each, the indices of its tokens and its (start,
    end) in the text.

    >>> from labutils.text import Encoding
    >>> spans, one = [(0, 2), (2, 4), (5, 9)], [0, 0, 0]
    >>> row = Encoding(offsets=spans, word_ids=[0, 0, 1], sequence_ids=one)
    >>> own_words(row)
    [([0, 1], (0, 4)), ([2], (5, 9))]
    """
    words = {}
    for i, (word, its_sequence) in enumerate(
        zip(encoding.word_ids, encoding.sequence_ids)
    ):
        if word is not None and its_sequence == sequence:
            words.setdefault(word, []).append(i)
    return [
        (tokens, (encoding.offsets[tokens[0]][0], encoding.offsets[tokens[-1]][1]))
        for tokens in words.values()
    ]
