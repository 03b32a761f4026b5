"""Figures that move, and the strip that opens a chapter. Each works in JupyterLab and on a page without a kernel.

    from labutils.controls import Explorer, Steps, predict, you_are_here

How a control is made (read ``steps/`` beside this):

A folder ``controls/<name>/`` holds ``__init__.py`` with one class, ``<name>.js`` with ``export function render({ model,
el })`` and ``<name>.css``. The class bears the name of the folder, ``NextWord`` in ``next_word``. Nothing is
registered: ``from labutils.controls import NextWord``, the linker, the stylesheet and the site find the folder.

1.  The class (`control.Control`; with `kernel.KernelSource` if it asks a model) has one line for each argument
    (`settings`): ``setting`` for what the reader changes, ``fixed`` for what the author alone says. The signature, the
    checks, the traits, and the ranges and choices that the page reads come from this line, and ``CAP`` is what the page
    reads of a text. ``made`` works out the rest, with one sentence for what is not there; of it ``finished`` is a dict
    with the data of the starting text as bytes, so that the control is complete before any model is there. Each control
    takes ``guess=predict(…)``: the question is then asked in its frame, above the canvas.
2.  ``picture.js`` draws the finished state as an SVG for a width, from plain data (``look/draw.js``,
    ``look/markup.js``): without a document, so that Python can run it (`script`). ``still(traits)`` is the still
    picture, which stands in print, without JavaScript, and in JupyterLab after a reload, where `control` puts "Run this
    cell" below it; the same drawing is the file that a reader saves.
3.  ``render`` builds the control once and then only rewrites it: `frame` (title line, readout, table, CSV, SVG, link to
    the state), `inputs` (native ones), `bind` (the state in the traits and in the page's address), `feed` (a text and a
    model in, a reading or a sentence out). One function turns state and reading into a view; every part draws from that
    view. It returns what stops it.
4.  Numbers are computed in ``numbers.js``, without a document, and tested against the package; so are the sentences
    (``words.js``). What of ``finished`` is computed in JavaScript, Python asks JavaScript for: no number is computed in
    two languages.
5.  Text of a reader or a model is set as text (``h("b", { text })``, never markup) and passes `label`, which names what
    cannot be seen.
6.  A drawing that must follow the theme is done again by `onTheme`; what needs a width waits for `onceShown`.
"""

from importlib import import_module

from labutils.controls.bundle import homes
from labutils.controls.predict import predict
from labutils.controls.strip import STATIONS, you_are_here

__all__ = ["STATIONS", "predict", "you_are_here", *homes()]


def __getattr__(name: str):
    """A control is found in its folder and imported when it is first named: torch takes seconds."""
    folder = homes().get(name)
    if folder is None:
        raise AttributeError(f"labutils.controls has no {name!r}; its controls are {', '.join(homes())}.")
    return getattr(import_module(f"labutils.controls.{folder}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
