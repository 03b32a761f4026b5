r"""Cut a text into words.  No token ever crosses a cut.

GPT-2 cuts with one regular expression (``encoder.py`` of openai/gpt-2)::

    's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

and BERT at white space and around each punctuation character.

>>> gpt2_words("The cats' 9 lives, it's  true")
['The', ' cats', "'", ' 9', ' lives', ',', ' it', "'s", ' ', ' true']
>>> bert_words("the cats' 9 lives, it's  true")
['the', 'cats', "'", '9', 'lives', ',', 'it', "'", 's', 'true']
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache

from labutils.text.unicode import char_class


def gpt2_pattern(last: int = 0x10FFFF) -> re.Pattern:
    """GPT-2's expression with the kinds of characters written out, up to code point
    ``last``.
    """
    letter, number, space = (
        char_class(name, last=last) for name in ("letter", "number", "space")
    )
    return re.compile(
        "'s|'t|'re|'ve|'m|'ll|'d"  # the endings of English contractions
        f"| ?[{letter}]+"  # letters, with the space before them
        f"| ?[{number}]+"  # digits and other numbers
        f"| ?[^{letter}{number}{space}]+"  # everything else that is visible
        f"|[{space}]+(?![^{space}])"  # white space, but for the last of it
        f"|[{space}]+"
    )


def bert_pattern(last: int = 0x10FFFF) -> re.Pattern:
    """One punctuation character, or a run of anything that is neither punctuation nor
    white space.
    """
    punctuation, space = (
        char_class("punctuation", last=last),
        char_class("space", last=last),
    )
    return re.compile(f"[{punctuation}]|[^{punctuation}{space}]+")


@cache
def _compiled(pattern: Callable[..., re.Pattern], ascii_only: bool) -> re.Pattern:
    return pattern(0x7F) if ascii_only else pattern()


def gpt2_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each word of ``text``; together they cover it."""
    return [
        match.span() for match in _compiled(gpt2_pattern, text.isascii()).finditer(text)
    ]


def bert_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of each word of a normalised ``text``; white space is left out."""
    return [
        match.span() for match in _compiled(bert_pattern, text.isascii()).finditer(text)
    ]


def gpt2_words(text: str) -> list[str]:
    """The words themselves.

    >>> "".join(gpt2_words("  two  spaces ")) == "  two  spaces "
    True
    """
    return _compiled(gpt2_pattern, text.isascii()).findall(text)


def bert_words(text: str) -> list[str]:
    """The words themselves."""
    return _compiled(bert_pattern, text.isascii()).findall(text)


@lru_cache(maxsize=1)
def chunk_pattern() -> re.Pattern:
    """White space and what follows it, up to the next white space: larger than words,
    and as safe to cut.

    No match of GPT-2's expression holds anything visible followed by white space, so
    the words of a text are the words of its chunks.  Chunks repeat, so a memory
    of chunks saves work.

    >>> chunk_pattern().findall("The cats' 9 lives,\\n\\n it's")
    ['The', " cats'", ' 9', ' lives,', "\\n\\n it's"]
    """
    space = char_class("space")
    return re.compile(f"[{space}]*[^{space}]+|[{space}]+")
