"""Sphinx extension: what the search looks through: every section of every page, in sentences, and the names under which
the book's index leads to it.

Sphinx's own index knows words of whole pages; `search.js` shows the section and the sentence in which they stand.
"""

import json
import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from labutils.authoring import index
from labutils.authoring.folds import kind_of
from labutils.authoring.front import plan

SENTENCE = re.compile(r"(?<=[.?!”])\s+(?=[A-Z“*])")
READ = ("p", "li", "dd", "dt", "td", "th", "figcaption", "legend")
NOT_READ = ".itt-still, .cell_output, script, style, nav, .headerlink, .itt-where"
# what a section is worth to somebody who learns, by where it stands: a chapter before what only lists or repeats
WEIGHTS = {
    "notebooks/exercises/": 0.6,
    "notebooks/more/": 0.8,
    "notebooks/": 1.0,
    "book/glossary": 0.8,
    "book/notation": 0.7,
    "book/claims": 0.25,
    "book/bibliography": 0.2,
    "book/sections": 0.2,
    "book/": 0.5,
}
REPEATS = {"Recap": 0.6}  # a section that says again what those above it have said
LISTS = ("book/a_to_z", "book/tests")  # they, and what begins with their names, name what stands elsewhere
OWN = ("_static/search_sections.js", "_static/search.js")


def sections(page: str) -> list[tuple[str, str, list[str], list[str]]]:
    """(anchor, title, sentences, cells) of each section of a built page, the page itself with the anchor ""."""
    article = BeautifulSoup(page, "html.parser").select_one("article")
    if article is None:
        return []
    cells = _cells(article)
    for tag in article.select(NOT_READ):
        tag.decompose()
    for kept in article.select(".itt-nb"):
        kept.unwrap()  # what stays on one line is no word of its own
    article.smooth()
    found = []
    for section in article.select("section[id]"):
        heading = section.find(re.compile(r"^h[1-4]$"))
        if heading is not None and heading.find_parent("section", id=True) is section:
            anchor = "" if heading.name == "h1" else section["id"]
            title = _text(heading)
            if kind_of(title) == "answer" and found:
                title = found[-1][1]  # of the guess that it answers
            found.append((anchor, title, _sentences(section), cells.get(section["id"], [])))
    return found


def _cells(article: Tag) -> dict[str, list[str]]:
    """The ids of the cells that stand in each section, by the id of the section."""
    found = {}
    for tag in article.select("[id^=cell-]"):
        section = tag.find_parent("section", id=True)
        if section is not None:
            found.setdefault(section["id"], []).append(tag["id"].removeprefix("cell-"))
    return found


def shown_at() -> dict[str, list[str]]:
    """The names of the book's index by the cell that a reader wants first: of the chapter itself where it shows the
    thing, else of each notebook that does.

    >>> shown_at()["notebooks/04_attention#weights"]
    ['softmax']
    """
    found = {}
    for row in index.rows():
        first, cells = {}, [address for address in row.addresses() if address.kind == "cell"]
        for address in sorted(cells, key=lambda one: one.part.startswith(("component", "check"))):  # code comes later
            first.setdefault(address.path.removesuffix(".ipynb"), address.part)
        own = {name: cell for name, cell in first.items() if name.startswith(f"notebooks/{row.chapter}_")}
        for name, cell in (own or first).items():
            found.setdefault(f"{name}#{cell}", []).append(row.name)
    return found


def _sentences(section: Tag) -> list[str]:
    """What stands in a section itself, not in one within it."""
    own = [tag for tag in section.find_all(READ) if tag.find_parent("section", id=True) is section]
    known = {id(tag) for tag in own}  # `in own` would compare all that two tags hold
    texts = [_introduced(tag) for tag in own if not any(id(parent) in known for parent in tag.parents)]
    return [sentence for text in texts for sentence in SENTENCE.split(text) if sentence]


def _introduced(tag: Tag) -> str:
    """The text of a tag, with what makes it a sentence: "You need" before "chapter 4.", and before a quoted claim the
    title of its box, for it is not the book that says so.
    """
    text = _text(tag)
    if tag.name == "dd" and text[:1].islower() and (term := tag.find_previous_sibling("dt")):
        return f"{_text(term)} {text}"
    box = tag.find_parent(class_="claim")
    if box and text.startswith("“") and (title := box.select_one(".admonition-title")):
        return f"{_text(title)}: {text}"
    return text


SIGNS = {r"\(": "", r"\)": "", r"\sqrt{d_k}": "√dₖ", r"\cdot": "·", r"\times": "×", r"^\top": "ᵀ", r"\infty": "∞"}
LOW = str.maketrans("0123456789+−aeijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
HIGH = str.maketrans("0123456789+−⊤Tiklmnt", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀᵀⁱᵏˡᵐⁿᵗ")
TYPED = re.compile(r"\b([a-zA-Z])_([a-z0-9])\b")  # d_k, as a quoted text has it


def read_aloud(formula: Tag) -> str:
    """A drawn formula as it is read in a line: √dₖ, from the MathML that comes with it.

    >>> tree = "<b><math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></math></b>"
    >>> read_aloud(BeautifulSoup(tree, "html.parser").b)
    '√dₖ'
    """
    return _line(math) if (math := formula.find("math")) else formula.get_text()


def _line(part: Tag) -> str:
    inside = [_line(child) for child in part.find_all(True, recursive=False)]
    if not inside:
        return part.get_text()
    if part.name == "msub" and len(inside) == 2:
        return inside[0] + _low(inside[1])
    if part.name == "mfrac" and len(inside) == 2:
        return f"{inside[0]}/{inside[1]}"
    if part.name == "msup" and len(inside) == 2:
        return inside[0] + _high(inside[1])
    if part.name == "msubsup" and len(inside) == 3:
        return inside[0] + _low(inside[1]) + _high(inside[2])
    return ("√" if part.name == "msqrt" else "") + "".join(inside)


def _low(text: str) -> str:
    """Set low, where all of it has a low sign.

    >>> _low("k"), _low("max"), _low("l+1"), _high("t"), _high("−½")
    ('ₖ', 'ₘₐₓ', 'ₗ₊₁', 'ᵗ', '^−½')
    """
    small = text.translate(LOW)
    return small if all(sign not in text for sign in small) else f"_{text}"


def _high(text: str) -> str:
    small = text.translate(HIGH)
    return small if all(sign not in text for sign in small) else f"^{text}"


def _text(tag: Tag) -> str:
    for small in tag.select("sub, sup"):
        small.replace_with((_low if small.name == "sub" else _high)(small.get_text()))
    tag.smooth()
    for formula in tag.select("mjx-container"):
        formula.replace_with(read_aloud(formula))
    text = tag.get_text(" ", strip=False)
    for sign, read in SIGNS.items():
        text = text.replace(sign, read)
    text = TYPED.sub(lambda found: found[1] + _low(found[2]), text)
    text = re.sub(r"\\([a-z]+)", r"\1", text) if tag.select(".math") else text
    return re.sub(r" ([.,;:?!)])|(\() ", r"\1\2", " ".join(text.split()))


def weight(name: str, section: str = "") -> float:
    """What a section of a page is worth.

    >>> weight("notebooks/04_attention"), weight("notebooks/04_attention", "Recap"), weight("book/claims")
    (1.0, 0.6, 0.25)
    """
    return next(worth for begins, worth in WEIGHTS.items() if name.startswith(begins)) * REPEATS.get(section, 1)


def write(app, exception):
    if exception or app.builder.format != "html":
        return
    out, rows, topics = Path(app.outdir), [], shown_at()
    known = {f"notebooks/{c['name']}": c.get("words", "") for part in plan() for c in part["chapters"]}
    for name in sorted(name for name in app.env.found_docs if not name.startswith(LISTS)):
        found = sections((out / f"{name}.html").read_text(encoding="utf-8"))
        title = found[0][1] if found else ""
        for anchor, section, sentences, cells in found:
            names = [topic for cell in cells for topic in topics.get(f"{name}#{cell}", [])]
            address = f"{name}.html{'#' + anchor if anchor else ''}"
            rows.append([address, title, section, sentences, weight(name, section), known.get(name, ""), names])
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    (out / OWN[0]).write_text(f"globalThis.ittSections = {text};\n", encoding="utf-8")
    page = (out / "search.html").read_text(encoding="utf-8")
    if OWN[1] not in page:
        scripts = "".join(f'<script defer src="{name}"></script>' for name in OWN)
        (out / "search.html").write_text(page.replace("</head>", f"{scripts}</head>", 1), encoding="utf-8")


def setup(app):
    app.connect("build-finished", write, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
