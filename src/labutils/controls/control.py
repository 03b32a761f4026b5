"""What every control shares on the Python side: its module and styles, and the picture that stays when nothing runs."""

import re
from collections import Counter
from functools import cache
from html import escape
from importlib.resources import files
from types import SimpleNamespace
from typing import Any, dataclass_transform
from uuid import NAMESPACE_URL, uuid5

import anywidget
import traitlets as t

from labutils.controls.bundle import widget
from labutils.controls.script import NoEngine, call
from labutils.controls.settings import arguments, declare, fixed, setting
from labutils.controls.style import on_site

BOXES = ("layout", "tabbable", "tooltip")  # what any widget has besides its own
OWN = ("model_id", "comm", *BOXES)  # what any widget may be given
VIEW = "application/vnd.jupyter.widget-view+json"
MADE = Counter()  # name -> how many controls of it this kernel has made

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


@dataclass_transform(field_specifiers=(setting, fixed))
class Control(anywidget.AnyWidget):
    """A figure that moves: one Python class that says what may be set, one ES module that draws it.

    A subclass says in its body `TITLE` and `LEDE`, how many tokens or characters of a text it reads (`CAP`), and a line
    for each argument (`settings`); what it works out of them it returns from `made`. Its folder, whose name is that of
    the class, holds its module and a ``picture.js`` that exports ``still(traits)``.
    """

    TITLE = LEDE = ""
    CAP = 0

    title: str | None = fixed(default=None, kw_only=True)
    lede: str | None = fixed(default=None, kw_only=True)
    number: str = fixed(default="", kw_only=True)
    name: str = fixed(default="", kw_only=True)
    guess: Any = fixed(default=None, kept=t.Dict(), kw_only=True)

    _css = ""
    control = t.Unicode(help="its folder, which is the name of the module that draws it").tag(sync=True)
    cap = t.Int(help="how much of a text is read").tag(sync=True)
    settings = t.Dict(help="what the reader changes: for each trait its least, its most, its choices").tag(sync=True)

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        declare(cls)

    def __init__(self, *args, **named):
        """`number` stands before the title, such as "4.1"; `name` is what the page's address and the browser's storage
        call the control, once a page; `guess` is what `predict` returns, asked in the frame of this control and nowhere
        else; `title` and `lede` replace its own. What any widget takes (`layout`, `model_id`) a control takes too.

        Raises:
            ValueError: a value of another type, out of its range or not among its choices, or what the control itself
                refuses; one sentence.
        """
        own = {name: named.pop(name) for name in OWN if name in named}
        said = arguments(type(self), args, named, self.taken)
        folder = type(self).__module__.rpartition(".")[2]
        asked = _asked(said.guess)
        said.title = self.TITLE if said.title is None else said.title
        said.lede = self.LEDE if said.lede is None else said.lede
        said.name = said.name or (f"{folder}-{said.number}" if said.number else folder)
        traits = {name: value for name, value in vars(said).items() if self.has_trait(name)} | {"guess": asked}
        super().__init__(
            **{"model_id": _id(said.name)} | own | traits | self.made(said),
            _esm=widget(folder),
            _css="" if on_site() else look(folder, bool(asked)),
            control=folder,
            cap=self.CAP,
            settings={name: line.told() for name, line in self.lines.items() if line.reader},
        )

    @staticmethod
    def taken(name: str, value: Any) -> Any:
        """What an argument of that name stands for, where it may be given in more than one way."""
        return value

    def made(self, said: SimpleNamespace) -> dict[str, Any]:
        """What a control works out of its arguments: traits that are no argument, and those that become other things.

        Raises:
            ValueError: what `said` asks for is not there; one sentence.
        """
        return {}

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


def _id(name: str) -> str:
    """The id of the next control of this name: in each run of a notebook the same, so that a page that is loaded again
    without being saved finds the controls of the kernel that runs, whichever run wrote the page.
    """
    MADE[name] += 1
    return uuid5(NAMESPACE_URL, f"{name!a} {MADE[name]}").hex


def _asked(guess) -> dict:
    """The words of a question that stands in a control. The box that it would have been never opens."""
    if guess is None:
        return {}
    if not hasattr(guess, "asked"):
        raise ValueError("guess= takes what predict(…) returns.")
    return guess.asked()


def mark(picture: str, name: str, words: str) -> str:
    return f'<div class="itt-still" data-name="{escape(name)}">{picture}<p class="itt-still-note">{words}</p></div>'


__all__ = ["Control", "fixed", "look", "mark", "setting"]
