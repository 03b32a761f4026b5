"""What stands on the card of a page that has no picture, below its first sentence: something that one finds there."""

import re

TERM, CLAIM = "logit", "c241"  # the entries of the glossary and of the claims that are shown
SECTIONS = 4  # headings, at most
SHORTEST = 4  # letters of a heading that says something


def entry(article) -> list[str]:
    """A term of the glossary with its sentence, a claim with its verdict, lines of the index, the names of exercises,
    or those of sections.
    """
    if term := article.select_one(f"section#{TERM}.itt-term"):
        return [_said(term.select_one("h2, h3, h4")), _said(term.p)]
    if claim := article.select_one(f".itt-claims #{CLAIM}"):
        verdict, right = claim.select_one(".itt-claim-head b"), claim.select_one(".itt-claim-said + p")
        return [f"“{_said(claim.select_one('.itt-claim-said'))}” {_said(verdict)}.", _said(right)]
    if letters := article.select(".itt-index"):
        firsts = [letter.select_one("li.is-ready .itt-map-title") for letter in letters]
        return [_said(first) for first in firsts if first][:SECTIONS]
    tasks = [_said(name) for name in article.select(".exercise section > p:first-child > strong")]
    sections = [words for words in map(_said, article.select("h2")) if len(words) >= SHORTEST]
    return (tasks or sections)[:SECTIONS]


def _said(part) -> str:
    return " ".join(re.sub(r"#$", "", part.get_text()).split())
