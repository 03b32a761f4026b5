"""Sphinx extension: what the search page looks through: every section of every page, in sentences.

Sphinx's own index knows words of whole pages; `search.js` shows the section and the sentence in which they stand.
"""

import json
import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from labutils.authoring.folds import kind_of

SENTENCE = re.compile(r"(?<=[.?!”])\s+(?=[A-Z“*])")
READ = ("p", "li", "dd", "dt", "td", "th", "figcaption", "legend")
NOT_READ = ".itt-still, .cell_output, script, style, nav, .headerlink, .itt-where"
LISTS = ("book/a_to_z", "book/tests")  # they, and what begins with their names, name what stands elsewhere
OWN = ("_static/search_sections.js", "_static/search.js")


def sections(page: str) -> list[tuple[str, str, list[str]]]:
    """(anchor, title, sentences) of each section of a built page, the page itself with the anchor ""."""
    article = BeautifulSoup(page, "html.parser").select_one("article")
    if article is None:
        return []
    for tag in article.select(NOT_READ):
        tag.decompose()
    found = []
    for section in article.select("section[id]"):
        heading = section.find(re.compile(r"^h[1-4]$"))
        if heading is not None and heading.find_parent("section", id=True) is section:
            anchor = "" if heading.name == "h1" else section["id"]
            title = _text(heading)
            if kind_of(title) == "answer" and found:
                title = found[-1][1]  # of the guess that it answers
            found.append((anchor, title, _sentences(section)))
    return found


def _sentences(section: Tag) -> list[str]:
    """What stands in a section itself, not in one within it."""
    own = [tag for tag in section.find_all(READ) if tag.find_parent("section", id=True) is section]
    texts = [_text(tag) for tag in own if not any(parent in own for parent in tag.parents)]
    return [sentence for text in texts for sentence in SENTENCE.split(text) if sentence]


# formulas as they are read in a line; what is not here loses its backslash
SIGNS = {r"\(": "", r"\)": "", r"\sqrt{d_k}": "√d_k", r"\cdot": "·", r"\times": "×", r"^\top": "ᵀ", r"\infty": "∞"}


def _text(tag: Tag) -> str:
    text = tag.get_text(" ", strip=False)
    for sign, read in SIGNS.items():
        text = text.replace(sign, read)
    text = re.sub(r"\\([a-z]+)", r"\1", text) if tag.select(".math") else text
    return re.sub(r" ([.,;:?!])", r"\1", " ".join(text.split()))


def write(app, exception):
    if exception or app.builder.format != "html":
        return
    out, rows = Path(app.outdir), []
    for name in sorted(name for name in app.env.found_docs if not name.startswith(LISTS)):
        found = sections((out / f"{name}.html").read_text(encoding="utf-8"))
        title = found[0][1] if found else ""
        rows += [[f"{name}.html{'#' + anchor if anchor else ''}", title, *rest] for anchor, *rest in found]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    (out / OWN[0]).write_text(f"globalThis.ittSections = {text};\n", encoding="utf-8")
    page = (out / "search.html").read_text(encoding="utf-8")
    if OWN[1] not in page:
        scripts = "".join(f'<script defer src="{name}"></script>' for name in OWN)
        (out / "search.html").write_text(page.replace("</head>", f"{scripts}</head>", 1), encoding="utf-8")


def setup(app):
    app.connect("build-finished", write, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
