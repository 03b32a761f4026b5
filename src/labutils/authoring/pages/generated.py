"""Write what the site states about itself into book/generated/: `python -m labutils.authoring.pages`.

Nothing there is typed: the live controls, the stories and the parity table are computed, the model cards
and the benchmark figures are read from what the commands that made them left behind.
"""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from labutils.authoring import benchmarks, front, references
from labutils.authoring.pages import (
    claims,
    compared,
    index,
    parity,
    parity_parts,
    pencil,
    report,
    stages,
    status,
    stories,
    teach,
    tests,
    ways,
)
from labutils.making import goals
from labutils.making.cards import shipped_cards
from labutils.places import GENERATED, ROOT


def demoted(markdown: str) -> str:
    """A text with each heading one level deeper, so that it fits below a page's own title."""
    return re.sub(r"^(#+) ", r"\1# ", markdown, flags=re.M)


READ: dict[str, Callable[[], str]] = {  # quick: written again before each build
    "a_to_z.md": index.page,
    "top.html": front.top,
    "questions.html": front.questions,
    "goals.md": goals.page,
    "models.md": lambda: demoted(shipped_cards()),
    "benchmarks.md": benchmarks.page,
    "claims.html": claims.page,
    "references.bib": references.bibtex,
    "report.md": report.page,
    "semester.md": teach.page,
    "stages.md": stages.page,
    "status.md": status.page,
    "stories.md": stories.page,
    **{f"{name}.md": partial(tests.page, name) for name in tests.PAGES},
    "wants.md": ways.wants_page,
    "courses.md": ways.courses_page,
    "sections.md": ways.sections_page,
}
COMPUTED: dict[str, Callable[[], str]] = {  # seconds: written again when the package or the pins change
    "way.html": front.way,
    "tale.html": front.tale,
    "compared.md": compared.page,
    "parity.md": parity.page,
    "parts.md": parity_parts.page,
    "pencil.md": pencil.page,
}


def write(everything: bool = True) -> None:
    """Write the generated pages; the computed ones only if `everything` or if they are missing."""
    GENERATED.mkdir(parents=True, exist_ok=True)
    for name, text in READ.items():
        write_if_new(GENERATED / name, text())
    for name, text in COMPUTED.items():
        if everything or not (GENERATED / name).exists():
            write_if_new(GENERATED / name, text())


def write_if_new(path: Path, text: str) -> None:
    """Write a file unless it holds this text already, so that an unchanged page is not built again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def main() -> None:
    """Write all of them and name them."""
    write()
    print(*sorted(path.relative_to(ROOT) for path in GENERATED.iterdir()), sep="\n")
