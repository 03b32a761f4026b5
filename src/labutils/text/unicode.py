r"""What kind of character is this?  One table, read by Python and by the browser.

``unicode.json`` was generated from HuggingFace's pinned ``tokenizers`` (by
``python -m labutils.authoring.unicode_table``), because Python, browsers and Rust
each follow another version of Unicode and ids must be equal on every string.

The format, all numbers being code points or counts of them:

``classes``     name -> ``[gap, length, gap, length, ...]``: runs of members; a gap is
                counted from the end of the run before (from 0 for the first)

    letter, number, space    as in GPT-2's regular expression; ``space`` is also BERT's
    removed                  what BERT's cleaning deletes: control, format characters
    cjk                      what BERT surrounds with spaces
    nonspacing               the marks that BERT strips as accents
    punctuation              what BERT makes a word of its own
    word                     ``\w``, for added tokens that must stand alone

``ranks``       combining marks in canonical order: one list of runs for rank 1, 2, ...
``lower``       ``[first, last, step, shift, ...]``: first, first+step, ..., last each
                have the lower-case form code + shift
``lower_long``  the characters whose lower-case form is longer than one character
``decomposed``  ``[gap, count, part * count, ...]``: full canonical decompositions; a
                gap is counted from the character before.  Hangul is left to arithmetic.
"""

import json
from bisect import bisect_right
from functools import cache, lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def table() -> dict:
    """The JSON file as a dictionary."""
    return json.loads(
        files("labutils.text").joinpath("unicode.json").read_text(encoding="ascii")
    )


def _ranges(runs: list[int]) -> list[tuple[int, int]]:
    """[gap, length, ...] -> [(first, last), ...], both included.

    >>> _ranges([65, 26, 6, 26])
    [(65, 90), (97, 122)]
    """
    ranges, end = [], 0
    for gap, length in zip(runs[::2], runs[1::2]):
        ranges.append((end + gap, end + gap + length - 1))
        end += gap + length
    return ranges


@cache
def ranges(name: str) -> list[tuple[int, int]]:
    """All members of one class as sorted (first, last) pairs of code points.

    >>> ranges("letter")[:2]
    [(65, 90), (97, 122)]
    """
    return _ranges(table()["classes"][name])


@lru_cache(maxsize=1 << 16)
def is_in(name: str, char: str) -> bool:
    """Whether a character belongs to a class of the table.

    >>> is_in("letter", "é"), is_in("number", "½"), is_in("letter", "½")
    (True, True, False)
    """
    spans = ranges(name)
    at = bisect_right(spans, (ord(char), 0x110000)) - 1
    return at >= 0 and spans[at][0] <= ord(char) <= spans[at][1]


def char_class(*names: str, last: int = 0x10FFFF) -> str:
    r"""The members of classes, up to code point ``last``, for use between ``[`` and
    ``]`` of a regular expression.

    >>> char_class("number", last=0x7F)
    '\\U00000030-\\U00000039'
    """
    spans = [span for name in names for span in ranges(name) if span[0] <= last]
    return "".join(
        f"\\U{a:08x}" if a == b else f"\\U{a:08x}-\\U{b:08x}" for a, b in spans
    )


@lru_cache(maxsize=1)
def _lower() -> dict[str, str]:
    forms, flat = dict(table()["lower_long"]), table()["lower"]
    for first, last, step, shift in zip(*(flat[i::4] for i in range(4))):
        forms |= {chr(c): chr(c + shift) for c in range(first, last + 1, step)}
    return forms


def lower(char: str) -> str:
    """The lower-case form of one character, without regard to its neighbours.

    >>> lower("Σ"), len(lower("İ"))
    ('σ', 2)
    """
    return _lower().get(char, char)


@lru_cache(maxsize=1)
def _decomposed() -> dict[str, str]:
    forms, flat, at, code = {}, table()["decomposed"], 0, 0
    while at < len(flat):
        gap, count = flat[at : at + 2]
        code += gap
        forms[chr(code)] = "".join(map(chr, flat[at + 2 : at + 2 + count]))
        at += 2 + count
    return forms


def decompose(char: str) -> str:
    """The full canonical decomposition of one character.  Hangul: Unicode Standard,
    section 3.12.

    >>> [f"{ord(c):04X}" for c in decompose("é") + decompose("각")]
    ['0065', '0301', '1100', '1161', '11A8']
    """
    syllable = ord(char) - 0xAC00
    if not 0 <= syllable < 11172:
        return _decomposed().get(char, char)
    lead, vowel, tail = syllable // 588, syllable // 28 % 21, syllable % 28
    return (
        chr(0x1100 + lead) + chr(0x1161 + vowel) + (chr(0x11A7 + tail) if tail else "")
    )


@lru_cache(maxsize=1)
def _ranks() -> dict[str, int]:
    spans = (
        (rank, span)
        for rank, runs in enumerate(table()["ranks"], start=1)
        for span in _ranges(runs)
    )
    return {
        chr(c): rank for rank, (first, last) in spans for c in range(first, last + 1)
    }


def combining_rank(char: str) -> int:
    """Place of a combining mark in the canonical order; 0 for a character that starts a
    new cluster.

    >>> combining_rank("a"), combining_rank("\\u0323") < combining_rank("\\u0301")
    (0, True)
    """
    return _ranks().get(char, 0)
