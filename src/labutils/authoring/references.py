"""The bibliography as BibTeX, for those who cite: the same works, read off the same page."""

import re

from docutils.nodes import make_id
from pybtex.database import BibliographyData, Entry, Person

from labutils.places import BOOK

WORK = re.compile(
    r"(?P<authors>[^*]+)\. \*(?P<title>[^*]+)\* (?:(?P<venue>[^*]*?),? )?(?P<year>(?:19|20)\d\d)"
    r"(?:, (?P<more>[^.*]+))?\.(?: \[(?:arXiv:(?P<arxiv>[\d.]+)|[^\]]+)\]\((?P<url>[^)]+)\))?"
)


def works(markdown: str) -> dict[str, dict[str, str]]:
    """Name of each work, such as “Elman 1990” -> its authors, title, venue, year, arxiv and url; what it lacks is "".

    Raises ValueError for an entry of another form, and for a work that stands there twice.
    """
    found: dict[str, dict[str, str]] = {}
    for name, line in re.findall(r"^### (.+)\n(.+)$", markdown, flags=re.M):
        if not (match := WORK.fullmatch(line)):
            raise ValueError(
                f"{name} in the bibliography is not of the form “Authors. *Title.* Where, year. [link](…)”: {line}"
            )
        if name in found:
            raise ValueError(f"{name} stands twice in the bibliography: say there in which chapters it helps.")
        found[name] = match.groupdict(default="")
    return found


def named() -> dict[str, str]:
    """The end of a link to each work on the page -> its name: "elman-1990" -> "Elman 1990"."""
    return {make_id(name): name for name in works((BOOK / "bibliography.md").read_text(encoding="utf-8"))}


def bibtex() -> str:
    """All works of the bibliography, in its order."""
    entries = works((BOOK / "bibliography.md").read_text(encoding="utf-8"))
    return BibliographyData({_key(name): _entry(work) for name, work in entries.items()}).to_string("bibtex")


def _key(name: str) -> str:
    """
    >>> _key("Hochreiter & Schmidhuber 1997")
    'hochreiter-schmidhuber-1997'
    """
    return re.sub(r"\W+", "-", name.lower().replace(" et al.", ""))


def _entry(work: dict[str, str]) -> Entry:
    fields = {
        "title": f"{{{work['title'].removesuffix('.')}}}",  # in braces: no style may lower the letters of names
        "howpublished": ", ".join(filter(None, [work["venue"], work["more"]])),
        "year": work["year"],
        "eprint": work["arxiv"],
        "archiveprefix": "arXiv" if work["arxiv"] else "",
        "url": work["url"],
    }
    people = [Person(name) for name in re.split(r", | and (?=others$)", work["authors"])]
    return Entry("misc", {key: value for key, value in fields.items() if value}, {"author": people})
