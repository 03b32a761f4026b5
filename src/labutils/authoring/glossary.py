"""Terms of the glossary and the places in chapters that explain them."""

import re
from collections.abc import Iterable
from functools import cache

from labutils.places import BOOK


def terms(markdown: str | None = None) -> list[str]:
    """The headings of all terms, in order: those of the third level."""
    text = (BOOK / "glossary.md").read_text(encoding="utf-8") if markdown is None else markdown
    return re.findall(r"^### (.+)$", text, flags=re.M)


def names(term: str) -> list[str]:
    """What a term is called: the word and, in brackets, its abbreviation.

    >>> names("byte-pair encoding (BPE)")
    ['byte-pair encoding', 'BPE']
    """
    return [name.strip(" )") for name in term.split("(")]


def place(term: str, paragraphs: Iterable[tuple[str, str, bool]]) -> str | None:
    """Where a chapter explains a term: the first place that has it in bold, else the first that has it at all.

    Args:
        paragraphs: (place, text, whether the text is in bold) in the order of the chapter.

    >>> place("softmax", [("play", "no softmax yet", False), ("shares", "Softmax", True)])
    'shares'
    """
    pattern, first = _pattern(term), None
    for where, text, bold in paragraphs:
        if pattern.search(text):
            if bold:
                return where
            first = first or where
    return first


def use(term: str, paragraphs: Iterable[tuple[str, str, bool]]) -> tuple[bool, int]:
    """How much a chapter makes of a term: whether it has it in bold, and in how many paragraphs it has it at all.

    >>> use("softmax", [("a", "Softmax", True), ("a", "Softmax of a row", False), ("b", "softmax", False)])
    (True, 2)
    """
    pattern = _pattern(term)
    found = [bold for _, text, bold in paragraphs if pattern.search(text)]
    return any(found), found.count(False)


@cache
def _pattern(term: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{re.escape(name)}(?:s|es)?\b" for name in names(term)), re.I)
