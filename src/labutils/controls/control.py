"""What every control shares on the Python side: its module and styles, and the picture that stays when nothing runs."""

import re
from functools import cache
from html import escape
from importlib.resources import files

import anywidget
import traitlets as t

from labutils.controls.bundle import widget
from labutils.controls.script import NoEngine, call
from labutils.controls.style import on_site

BOXES = ("layout", "tabbable", "tooltip")  # what any widget has besides its own
VIEW = "application/vnd.jupyter.widget-view+json"

# In JupyterLab the picture is the output before the control. The control hides it; where the control cannot start (no
# kernel yet, after a reload) the picture stays and JupyterLab's line "model not found" goes.
SWAP = """<style>
.itt-still[hidden], .jp-OutputArea-child:has(.itt-still):has(+ .jp-OutputArea-child .itt),
.jp-OutputArea-child:has(.itt-still) + .jp-OutputArea-child:not(:has(.itt)) { display: none; }
.jp-OutputArea-child:has(.itt) .jupyter-widgets-disconnected::before { content: none; } /* said in words */
</style>"""


@cache
def look(control: str, asks: bool = False) -> str:
    """The styles of one control outside the site: tokens, the shared parts, its own, those of a guess if it asks one.
    The site links them instead.
    """
    here = files("labutils.controls")
    sheets = [here / "look" / "tokens.css", here / "look" / "control.css", here / control / f"{control}.css"]
    sheets += [here / "predict" / "predict.css"] * asks
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


def plain(css: str) -> str:
    """The same rules in fewer letters."""
    return re.sub(r"\s*([{};,>])\s*", r"\1", re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", css, flags=re.S))).strip()


class Control(anywidget.AnyWidget):
    """A figure that moves: one Python class with its data as traits, one ES module that draws them.

    A subclass names its folder in `control` and sets ``_esm = widget("folder")``. The folder's ``picture.js`` exports
    ``still(traits)``.
    """

    _css = ""
    control = t.Unicode(help="its folder, which is the name of the module that draws it").tag(sync=True)
    name = t.Unicode(help="what the page's address and the browser's storage call it; once a page").tag(sync=True)
    number = t.Unicode(help="the number before its title, such as 4.1").tag(sync=True)
    guess = t.Dict(help="what the reader is asked in its frame, as `predict` was told").tag(sync=True)

    def __init__(self, guess=None, **traits):
        """``guess`` is what `predict` returns: it is asked in the frame of this control and nowhere else."""
        asked = _asked(guess)
        folder, number = type(self).control.default_value, traits.get("number")
        css = "" if on_site() else look(folder, bool(asked))
        traits["name"] = traits.get("name") or (f"{folder}-{number}" if number else folder)
        super().__init__(_css=css, guess=asked, **traits)

    def picture(self) -> str:
        """The finished state as HTML without a script: what stands in print, before JavaScript and without a kernel."""
        traits = {
            name: getattr(self, name) for name in self.trait_names(sync=True) if name[0] != "_" and name not in BOXES
        }
        try:
            return call(f"{self.control}/picture.js", "still", traits)
        except NoEngine as error:
            return f'<p class="itt itt-failed">{escape(str(error))}</p>'

    def still(self) -> str:
        """The picture, marked as one, with the words that say how it comes alive."""
        if on_site():
            return mark(
                self.picture(),
                self.name,
                "<noscript>This is a picture: it moves where JavaScript is allowed.</noscript>",
            )
        own = (  # with the picture, because nothing else may be there to style it
            f"<style>{plain(look(self.control, bool(self.guess)))}</style>"
        )
        return SWAP + own + mark(self.picture(), self.name, "<b>Run this cell</b> to make the picture move.")

    def _ipython_display_(self):
        from IPython.display import display

        display({"text/html": self.still(), "text/plain": repr(self)}, raw=True)
        display({VIEW: {"version_major": 2, "version_minor": 0, "model_id": self.model_id}, "text/plain": ""}, raw=True)


def _asked(guess) -> dict:
    """The words of a question that stands in a control. The box that it would have been never opens."""
    if guess is None:
        return {}
    if not hasattr(guess, "asked"):
        raise ValueError("guess= takes what predict(…) returns.")
    return guess.asked()


def mark(picture: str, name: str, words: str) -> str:
    return f'<div class="itt-still" data-name="{escape(name)}">{picture}<p class="itt-still-note">{words}</p></div>'


__all__ = ["Control", "look", "mark", "widget"]
