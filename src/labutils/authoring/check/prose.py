"""What a reader of a notebook or a page reads: blocks of markdown, and the sentences inside hidden cells.

Parsed with the markdown parser of the site, so that code, formulas and links are told from words as the page tells
them.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode

NOT_PROSE = {"raw", "code", "code-block", "code-cell", "math", "include", "eval-rst", "toctree", "bibliography"}
QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"")
GAP = " · "  # stands where something that is not prose was


@dataclass(frozen=True)
class Block:
    """One paragraph, heading, list item, term or table cell."""

    kind: str  # "paragraph", "heading", "term" or "cell"
    level: int  # of a heading, else 0
    box: str  # the admonition or other directive it stands in, with its class: "{admonition} … claim"; or ""
    inline: Token

    @property
    def source(self) -> str:
        return self.inline.content

    @property
    def text(self) -> str:
        """What is read, code and formulas included."""
        return _joined(
            self.inline.children or [], lambda token: _formula(token) if "math" in token.type else token.content
        )

    @property
    def words(self) -> str:
        """Our own words: no code, no formulas, nothing in quotation marks, no words shown as words."""
        return QUOTED.sub(GAP, _joined(_without_mentions(self.inline.children or []), lambda token: GAP))

    def links(self) -> Iterator[tuple[str, str]]:
        """(address, words) of each link, and (address, alternative text) of each image."""
        tokens = self.inline.children or []
        for i, token in enumerate(tokens):
            if token.type == "image":
                yield str(token.attrs["src"]), token.content
            if token.type == "link_open":
                end = next(j for j in range(i, len(tokens)) if tokens[j].type == "link_close")
                yield str(token.attrs["href"]), _joined(tokens[i + 1 : end], lambda t: t.content)


def _joined(tokens: list[Token], other) -> str:
    """The text of inline tokens; `other` says what stands for code and formulas."""
    parts = []
    for token in tokens:
        if token.type in ("text", "text_special"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type in ("code_inline", "math_inline", "math_inline_double"):
            parts.append(other(token))
    return "".join(parts)


def _formula(token: Token) -> str:
    """A formula as long as it is drawn, roughly: a command is one sign, braces are none."""
    return re.sub(r"[{}]|\\[,;!]", "", re.sub(r"\\[A-Za-z]+", "·", token.content))


def _without_mentions(tokens: list[Token]) -> list[Token]:
    """Emphasis in this book shows words of a text, *cat*, or the title of a work: not our own words."""
    kept, i = [], 0
    while i < len(tokens):
        if tokens[i].type == "em_open":
            end = next(j for j in range(i, len(tokens)) if tokens[j].type == "em_close")
            kept.append(Token("text", "", 0, content=GAP))
            i = end
        else:
            kept.append(tokens[i])
        i += 1
    return kept


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in (deflist_plugin, dollarmath_plugin, colon_fence_plugin):
        parser.use(plugin)
    return parser


@lru_cache(maxsize=4096)  # every rule reads every cell
def blocks(markdown: str, box: str = "") -> tuple[Block, ...]:
    """The blocks of a markdown text in order; those inside boxes, hints and exercises come at their place."""
    found, opened = [], None
    for token in _parser().parse(markdown):
        if token.nesting == 1:
            opened = token
        if token.type == "inline" and opened is not None:
            level = int(opened.tag[1]) if opened.type == "heading_open" else 0
            kind = {"heading_open": "heading", "dt_open": "term", "td_open": "cell", "th_open": "cell"}
            found.append(Block(kind.get(opened.type, "paragraph"), level, box, token))
        if token.type in ("fence", "colon_fence"):
            found += _inside(token)
    return tuple(found)


def _inside(fence: Token) -> tuple[Block, ...]:
    """The blocks in a directive such as an admonition; none in code."""
    name = re.match(r"\{([\w:-]+)\}", fence.info.strip())
    if not name or name[1] in NOT_PROSE:
        return ()
    options = re.match(r"(?:\s*:[\w-]+:.*\n)*", fence.content)[0]
    return blocks(
        fence.content[len(options) :], f"{fence.info.strip()} {' '.join(re.findall(r':class: *(.*)', options))}".strip()
    )


def hidden(cell: NotebookNode) -> bool:
    """Whether a reader of the page sees only what a cell draws."""
    return cell.cell_type == "code" and "remove-input" in cell.metadata.get("tags", [])


def on_request(cell: NotebookNode) -> bool:
    """Whether a reader of the page sees the code of a cell where it is asked for: hidden, or folded."""
    return hidden(cell) or "fold-input" in cell.metadata.get("tags", [])


def tree(cell: NotebookNode) -> ast.Module:
    """The parsed code of a cell; of one that is no plain Python (a magic, a mistake on purpose), an empty module."""
    return _parsed(cell.source)


@lru_cache(maxsize=4096)
def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.Module([], [])


def name_of(call: ast.Call) -> str:
    """What is called, without what stands before the last dot."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def calls(cell: NotebookNode, *names: str) -> list[ast.Call]:
    """The calls of these functions in a cell, in order."""
    return [node for node in ast.walk(tree(cell)) if isinstance(node, ast.Call) and name_of(node) in names]


def said_by(cell: NotebookNode) -> list[Block]:
    """The sentences that a hidden cell puts on the page: questions, replies, titles, captions, alternative texts.

    The wrong choices of a question are left out: they are what somebody else might think.
    """
    if not hidden(cell):
        return []
    code = tree(cell)
    wrong = {id(choice) for call in ast.walk(code) if isinstance(call, ast.Call) for choice in _wrong_choices(call)}
    parts = {id(part) for node in ast.walk(code) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = []
    for node in ast.walk(code):
        if id(node) in wrong | parts:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text.strip():
            found += blocks(re.sub(r"<[^>]+>", "", text))
    return found


def _wrong_choices(call: ast.Call) -> list[ast.expr]:
    if name_of(call) != "predict":
        return []
    right = next((k.value.value for k in call.keywords if k.arg == "right" and isinstance(k.value, ast.Constant)), None)
    choices = [arg for arg in call.args[2:] if isinstance(arg, ast.Tuple) and arg.elts]
    return [choice.elts[0] for i, choice in enumerate(choices) if i != right]


def read_by(cell: NotebookNode) -> list[Block]:
    """All that a cell gives a reader to read as prose."""
    return blocks(cell.source) if cell.cell_type == "markdown" else said_by(cell)
