"""Write what the site states about itself into book/generated/: `python -m labutils.authoring.pages`.

Nothing there is typed: the live controls, the stories and the parity table are computed, the model cards
and the benchmark figures are read from what the commands that made them left behind.
"""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from labutils.authoring import (
    benchmarks,
    claims_page,
    compared_page,
    front,
    index_page,
    parity_page,
    parity_parts,
    pencil_page,
    references,
    report_page,
    stages_page,
    status_page,
    stories_page,
    teach_page,
    tests_page,
    ways_page,
)
from labutils.making import goals
from labutils.making.cards import shipped_cards
from labutils.places import GENERATED, ROOT


def demoted(markdown: str) -> str:
    """A text with each heading one level deeper, so that it fits below a page's own title."""
    return re.sub(r"^(#+) ", r"\1# ", markdown, flags=re.M)


READ: dict[str, Callable[[], str]] = {  # quick: written again before each build
    "a_to_z.md": index_page.page,
    "top.html": front.top,
    "questions.html": front.questions,
    "goals.md": goals.page,
    "models.md": lambda: demoted(shipped_cards()),
    "benchmarks.md": benchmarks.page,
    "claims.html": claims_page.page,
    "references.bib": references.bibtex,
    "report.md": report_page.page,
    "semester.md": teach_page.page,
    "stages.md": stages_page.page,
    "status.md": status_page.page,
    "stories.md": stories_page.page,
    **{f"{name}.md": partial(tests_page.page, name) for name in tests_page.PAGES},
    "wants.md": ways_page.wants_page,
    "courses.md": ways_page.courses_page,
    "sections.md": ways_page.sections_page,
}
COMPUTED: dict[str, Callable[[], str]] = {  # seconds: written again when the package or the pins change
    "way.html": front.way,
    "tale.html": front.tale,
    "compared.md": compared_page.page,
    "parity.md": parity_page.page,
    "parts.md": parity_parts.page,
    "pencil.md": pencil_page.page,
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


if __name__ == "__main__":
    write()
    print(*sorted(path.relative_to(ROOT) for path in GENERATED.iterdir()), sep="\n")
