"""Tokens that are cut out of a text before anything else is done to it, such as
``<|endoftext|>`` and ``[MASK]``.
"""

import re
from dataclasses import dataclass

from labutils.text.unicode import is_in, ranges

# start, end, and the added token that stands there, if one does
Part = tuple[int, int, str | None]
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")
SPACES = "".join(
    chr(c) for first, last in ranges("space") for c in range(first, last + 1)
)


@dataclass(frozen=True)
class AddedToken:
    """A token matched in the text itself.  The flags are HuggingFace's.

    Attributes:
        content: the spelling.
        single_word: match only where no letter, digit, mark or ``_`` touches it.
        lstrip, rstrip: swallow white space on the left, on the right.
        normalized: look for its normalised form in the normalised text.
        special: may be skipped when decoding.
    """

    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = True


class Splitter:
    """Finds added tokens in a text: the leftmost first, and of those the longest.

    >>> Splitter({"[SEP]": AddedToken("[SEP]")}).split("a[SEP] b")
    [(0, 1, None), (1, 6, '[SEP]'), (6, 8, None)]
    """

    def __init__(self, tokens: dict[str, AddedToken]):
        """``tokens``: spelling to look for -> AddedToken."""
        self.tokens = {
            spelling: token for spelling, token in tokens.items() if spelling
        }
        longest_first = sorted(self.tokens, key=len, reverse=True)
        self.pattern = (
            re.compile("|".join(map(re.escape, longest_first))) if self.tokens else None
        )

    def split(self, text: str) -> list[Part]:
        """All of ``text`` as (start, end, content) pieces; ``content`` is None between
        added tokens.
        """
        pieces, done = [], 0
        for match in self.pattern.finditer(text) if self.pattern else ():
            token, (start, end) = self.tokens[match[0]], match.span()
            if token.single_word and self._touches_a_word(text, start, end):
                continue
            if token.lstrip:
                start = max(done, len(text[:start].rstrip(SPACES)))
            if token.rstrip:
                end = len(text) - len(text[end:].lstrip(SPACES))
            # itself white space, all of which the token before has swallowed
            if start >= end:
                continue
            if done < start:
                pieces.append((done, start, None))
            pieces.append((start, end, token.content))
            done = end
        if done < len(text):
            pieces.append((done, len(text), None))
        return pieces

    def finds(self, text: str) -> bool:
        """Whether any added token may be in a text."""
        return self.pattern is not None and self.pattern.search(text) is not None

    @staticmethod
    def _touches_a_word(text: str, start: int, end: int) -> bool:
        return (start > 0 and is_in("word", text[start - 1])) or (
            end < len(text) and is_in("word", text[end])
        )


def split_all(splitters: list[Splitter], text: str) -> list[Part]:
    """Cut a text with one splitter after the other; later ones see only what is left
    between added tokens.
    """
    pieces = [(0, len(text), None)] if text else []
    for splitter in splitters:
        pieces = [
            (start + a, start + b, found)
            for start, end, content in pieces
            for a, b, found in (
                [(0, end - start, content)]
                if content is not None
                else splitter.split(text[start:end])
            )
        ]
    return pieces
