"""The strip that opens a chapter: seven stations, each drawn as the shape of its data, and where we are.

It is text/html without a script, so it stands there in print and before anything loads.
"""

from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

from labutils.controls.icons import icon
from labutils.controls.style import on_site, style_element
from labutils.exchanged import put_back

CHAPTER_OF = {  # station -> the chapter that explains it
    "text": "00_pipeline",
    "tokens": "02_tokenization",
    "embeddings": "03_embeddings",
    "attention": "04_attention",
    "feed-forward": "06_feed_forward",
    "logits": "09_output_heads",
    "next token": "12_decoding",
}
STATIONS = tuple(CHAPTER_OF)
HOLES = "a word\nfor each hole"  # what a BERT gives at its last station, which then bears another name


class Strip:
    """What `you_are_here` returns: drawn in a page, one sentence in a terminal and for nbval."""

    def __init__(self, html: str, note: str):
        self.html, self.note = html, note

    def _repr_html_(self) -> str:
        return style_element() + self.html

    def __repr__(self) -> str:
        return f"You are here: {self.note}"


def you_are_here(
    here: str, note: str, shapes: Mapping[str, str] | None = None, layers: int | None = None, model: str = "little-gpt2"
) -> Strip:
    """Draw the strip with one station marked. A chapter begins with it, so it begins with the package's own functions.

    Args:
        here: a name from `STATIONS`.
        note: one sentence after "You are here:".
        shapes: station -> the words below it, in one or two lines; what is left out stays empty. Without it they are
            computed: the running text through `model`.
        layers: the number written at the block; computed like the shapes.
        model: a shipped model, "little-gpt2" or "little-bert".

    Raises:
        ValueError: there is no such station.
    """
    if here not in STATIONS:
        raise ValueError(f"There is no station {here!r}. Choose one of: {', '.join(STATIONS)}.")
    put_back()
    if shapes is None:
        shapes, layers = running_shapes(model)
    suffix = ".html" if on_site() else ".ipynb"
    links = {name: chapter + suffix for name, chapter in chapters_in(Path()).items()}
    return Strip(draw(here, note, shapes, layers, links), note)


def chapters_in(folder: Path) -> dict[str, str]:
    """Station -> the name of its chapter, for the chapters that lie in `folder`."""
    return {name: chapter for name, chapter in CHAPTER_OF.items() if (folder / f"{chapter}.ipynb").exists()}


@cache
def running_shapes(model: str = "little-gpt2") -> tuple[dict[str, str], int]:
    """The shapes of the running text in a shipped model at each station, and its number of layers. A BERT names no next
    token, but a word for each hole.
    """
    from labutils.checkpoints import load  # here, because torch takes seconds to import
    from labutils.trace import trace
    from labutils.world import RUNNING_TEXT

    shipped = load(model)
    t = trace(shipped.model, RUNNING_TEXT, shipped.tokenizer)
    first = t.layers[0]
    shapes = {
        "text": "\n".join(wrap(RUNNING_TEXT, 19)),
        "tokens": f"n = {len(t.ids)}",
        "embeddings": _shape(t.embedding_sum),
        "attention": _shape(first.weights),
        "feed-forward": _shape(first.ffn_hidden),
        "logits": _shape(t.logits),
    }
    shapes["next token"] = HOLES
    if model.endswith("gpt2"):
        tired = RUNNING_TEXT.index(" tired")
        asks = sum(start < tired for start, _ in shipped.tokenizer.encode(RUNNING_TEXT).offsets) - 1
        word, before = (shipped.tokenizer.decode([int(t.ids[i])]).strip() for i in (asks + 1, asks))
        share = float(t.logits[asks].softmax(-1)[t.ids[asks + 1]])
        shapes["next token"] = f"{word} {share:.0%}\nafter “{before}”"
    return shapes, len(t.layers)


def _shape(tensor) -> str:
    return f"({', '.join(str(int(size)) for size in tensor.shape)})"


def draw(here: str | None, note: str, shapes: Mapping[str, str], layers: int | None, links: Mapping[str, str]) -> str:
    """The strip as HTML. Stations before `here` link to their chapters; where it is None, all of them do."""
    at = len(STATIONS) if here is None else STATIONS.index(here)
    items = "".join(_item(name, i - at, shapes.get(name, ""), links.get(name)) for i, name in enumerate(STATIONS))
    block = f"block × {layers}" if layers else "block"
    sentence = f'<p class="itt-strip-here"><b>You are here:</b> {escape(note)}</p>' if note else ""
    label = "Where we are in the pipeline" if here else "The pipeline"
    return (
        f'<nav class="itt-strip" aria-label="{label}"><div class="itt-strip-track">'
        f'<ol>{items}</ol><span class="itt-strip-block" aria-hidden="true"><span>{block}</span></span></div>'
        f"{sentence}</nav>"
    )


def _item(name: str, distance: int, shape: str, link: str | None) -> str:
    """One station: behind us (a link, if its chapter exists), here, or ahead of us."""
    shown = "filled holes" if shape == HOLES else name
    words = (
        f'{icon(name)}<span class="itt-strip-name">{shown}</span><span class="itt-strip-shape">{escape(shape)}</span>'
    )
    if distance == 0:
        return f'<li><span aria-current="step">{words}</span></li>'
    if distance > 0:
        return f'<li class="itt-ahead"><span>{words}</span></li>'
    if link is None:
        return f"<li><span>{words}</span></li>"
    # on a phone the words are hidden, so the link carries its own name
    return f'<li><a href="{escape(link)}" aria-label="{shown}, {escape(" ".join(shape.split()))}">{words}</a></li>'
