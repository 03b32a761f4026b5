"""Sphinx extension: formulas are set when the book is built, by MathJax in V8, and stand in the pages as HTML. A
reader's browser needs no script for them; MathML goes with each for screen readers.
"""

import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.errors import SphinxError

from labutils.controls.script import v8

HERE = Path(__file__).resolve().parent / "vendor" / "mathjax"
PARTS = (
    "startup.js",
    "core.js",
    "adaptors/liteDOM.js",
    "input/tex.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
    "a11y/assistive-mml.js",
)
FONTS = "vendor/mathjax/output/chtml/fonts/woff-v2"  # from the folder of the stylesheet
CLASSES = "math notranslate nohighlight"
BEFORE = "globalThis.console = { log() {}, warn() {}, error() {} }; globalThis.MathJax = { startup: { ready() {} } }; 0"
# All styles, because a page that is not built again has letters of its own; `lighter` drops what no page names.
# Without `scale`, letters would stand 20 % too large in the line.
SETTER = """
const { mathjax } = MathJax._.mathjax, { TeX } = MathJax._.input.tex_ts, { CHTML } = MathJax._.output.chtml_ts;
const adaptor = MathJax._.adaptors.liteAdaptor.liteAdaptor({ fontSize: 16 });
MathJax._.a11y["assistive-mml"].AssistiveMmlHandler(MathJax._.handlers.html_ts.RegisterHTMLHandler(adaptor));
const font = new MathJax._.output.chtml.fonts.tex_ts.TeXFont({ fontURL: FONTS });
const $page = mathjax.document("", {
  InputJax: new TeX({ packages: ["base", "ams", "newcommand"] }),
  OutputJax: new CHTML({ font, matchFontHeight: false, scale: 1.06, adaptiveCSS: false }),
});
const $set = (tex, display) =>
  adaptor.outerHTML($page.convert(tex, { display, em: 16, ex: 8, containerWidth: 1e6 }));
const $styles = () => adaptor.textContent($page.outputJax.styleSheet($page));
0
"""


@cache
def _engine():
    engine = v8()
    engine.eval(BEFORE)
    for part in PARTS:
        engine.eval((HERE / part).read_text(encoding="utf-8") + ";0")
    engine.eval(SETTER.replace("FONTS", json.dumps(FONTS)))
    return engine


@cache
def as_html(tex: str, display: bool) -> str:
    """One formula as HTML, with MathML beside it that is read aloud.

    Raises ValueError for what is no TeX; one sentence.
    """
    html = _engine().eval(f"$set({json.dumps(tex)}, {json.dumps(display)})")
    wrong = re.search(r'data-mjx-error="([^"]*)"', html)
    if wrong:
        raise ValueError(f"The formula {tex} cannot be set: {wrong[1].rstrip('.')}.")
    return html


def styles() -> str:
    """The stylesheet of every formula there can be."""
    return _engine().eval("$styles()")


def _set(translator, node, display: bool) -> str:
    tex = node.astext()
    if display and not node.get("no-wrap", node.get("nowrap")) and r"\\" in tex:
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    try:
        return as_html(tex, display)
    except ValueError as error:
        raise SphinxError(f"{translator.builder.current_docname}: {error}") from None


def inline(translator, node):
    translator.body.append(translator.starttag(node, "span", "", CLASS=CLASSES) + _set(translator, node, False))
    translator.body.append("</span>")
    raise nodes.SkipNode


def block(translator, node):
    translator.body.append(translator.starttag(node, "div", CLASS=CLASSES) + _set(translator, node, True))
    translator.body.append("</div>")
    raise nodes.SkipNode


def write_styles(app):
    if app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        (static / "formulas.css").write_text(styles(), encoding="utf-8")


def setup(app):
    app.add_html_math_renderer("set", (inline, None), (block, None))
    app.connect("builder-inited", write_styles)
    app.add_css_file("formulas.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
