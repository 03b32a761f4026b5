"""One text out of several ES modules: what a widget carries in JupyterLab, and the one script of the site.

The sources are real modules, so that an editor, node and the tests read them as they are. A widget takes one text, and
a page opened from disk can import nothing, so the modules are joined here: each file once, each in a scope of its own.

    python -m labutils.controls.bundle itt-controls.js      # the script of the site
"""

import json
import re
import sys
from base64 import b64encode
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
IMPORT = re.compile(r'^import \{\s+(?P<names>[^}]+?),?\s+\} from "(?P<path>\.[^"]+)";$', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (?P<name>\w+))", re.M)
SOURCE = re.compile(r'\bsourceOf\("(?P<path>\.[^"]+)"\)')
COMPILED = re.compile(r'\bcompiledOf\("(?P<path>\.[^"]+)"\)')
COMMENT = re.compile(r"(?:^[ \t]*//[^\n]*\n)+|^[ \t]*/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n", re.M)
LEFT = re.compile(r"^(?:import|export)\b.*$", re.M)


def controls() -> list[str]:
    """The names of all controls: a folder with a module of its own name is one."""
    return sorted(path.stem for path in HERE.glob("*/*.js") if path.parent.name == path.stem)


def homes() -> dict[str, str]:
    """The folder of each control by the name of its class: ``NextWord`` lies in ``next_word``."""
    return {class_of(folder): folder for folder in controls()}


def class_of(folder: str) -> str:
    """The name of the class in a folder.

    >>> class_of("next_word")
    'NextWord'
    """
    return "".join(word.capitalize() for word in folder.split("_"))


def modules(entry: Path) -> dict[Path, str]:
    """``entry`` and everything it imports, each file once and after what it needs itself.

    Raises:
        ValueError: an import names no file, or what the file does not export, or goes round in a circle, or a line is
            not one of the plain forms ``import { a, b } from "./file.js";`` and ``export function | const | class``.
    """
    found: dict[Path, str] = {}

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            raise ValueError(f"The import of {path.name} goes round in a circle: {' -> '.join(p.name for p in above)}.")
        if path in found:
            return
        if not path.is_file():
            raise ValueError(f"{above[-1].name} imports {path.name}, which does not exist.")
        source = path.read_text(encoding="utf-8")
        for needed in IMPORT.finditer(source):
            other = (path.parent / needed["path"]).resolve()
            visit(other, (*above, path))
            if missing := imported(needed["names"]) - exported(other.read_text(encoding="utf-8")):
                raise ValueError(
                    f"{path.name} imports {', '.join(sorted(missing))} from {other.name}, which exports no such thing."
                )
        found[path] = scoped(path, source)

    visit(entry.resolve(), ())
    return found


def imported(names: str) -> set[str]:
    """The names between the braces of an import, as the other module calls them."""
    return {name.split(" as ")[0].strip() for name in names.split(",")}


def exported(source: str) -> set[str]:
    return {match["name"] for match in EXPORT.finditer(source)}


def scoped(path: Path, source: str) -> str:
    """One module as a constant: its text in a function, imports read from the others, exports returned."""

    def bind(match: re.Match) -> str:
        names = re.sub(r"(\w+) as (\w+)", r"\1: \2", match["names"].strip())
        return f"const {{ {names} }} = {variable((path.parent / match['path']).resolve())};"

    names = [match["name"] for match in EXPORT.finditer(source)]
    body = uncommented(EXPORT.sub("", IMPORT.sub(bind, source)))
    body = SOURCE.sub(lambda found: json.dumps(worker((path.parent / found["path"]).resolve())), body)
    body = COMPILED.sub(lambda found: json.dumps(binaries((path.parent / found["path"]).resolve())), body)
    if odd := LEFT.search(body):
        raise ValueError(f"{path.name}: the linker does not know this form: {odd[0][:80]}")
    return f"const {variable(path)} = (() => {{\n{body.strip()}\nreturn {{ {', '.join(names)} }};\n}})();"


def uncommented(source: str) -> str:
    """Without the lines that are only for whoever reads the source, a sixth of the text; a copyright notice stays.

    >>> uncommented("// why\\nf(1); // stays\\n/** what\\n * it is */\\ng(2);")
    'f(1); // stays\\ng(2);'
    """
    return COMMENT.sub(lambda found: found[0] if "Copyright" in found[0] else "", source)


@cache
def worker(entry: Path) -> str:
    """The script of a worker, as a text: all that `entry` needs, which then serves. A module asks for it by
    ``sourceOf("./worker.js")``; so a page opened from disk needs no file beside it.
    """
    return "\n".join(['"use strict";', *modules(entry).values(), f"{variable(entry)}.serve(self);"])


@cache
def binaries(text: Path) -> list[str]:
    """WebAssembly in base64, from its text: with products and sums fused, for browsers that can, and without. A module
    asks for them by ``compiledOf("./product.wat")``, takes the first that its browser knows, and goes on in plain
    JavaScript where there is none: without the package wasmtime, which the site is built with.
    """
    try:
        from wasmtime import wat2wasm
    except ImportError:
        return []
    plain = text.read_text(encoding="utf-8")
    return [b64encode(wat2wasm(one)).decode("ascii") for one in (fused(plain), plain)]


def fused(wat: str) -> str:
    """Each ``a + b c`` of several numbers as one instruction of relaxed SIMD, which rounds once or twice as it likes.

    >>> fused("(f32x4.add (local.get $a) (f32x4.mul (local.get $b) (v128.load (local.get $c))))")
    '(f32x4.relaxed_madd (local.get $b) (v128.load (local.get $c)) (local.get $a))'
    >>> fused("(f32x4.add (local.get $a) (local.get $b))")
    '(f32x4.add (local.get $a) (local.get $b))'
    """
    out, at = [], 0
    for found in re.finditer(r"\((f32x4|f64x2)\.add\s+", wat):
        if found.start() < at:
            continue  # within one that is fused already
        first, second = found.end(), _end(wat, found.end())
        second += len(wat[second:]) - len(wat[second:].lstrip())
        product = re.compile(rf"\({found[1]}\.mul\s+").match(wat, second)
        if product:
            middle, end = _end(wat, product.end()), _end(wat, found.start())
            factors = f"{wat[product.end() : middle]} {wat[middle : _end(wat, second) - 1].strip()}"
            added = wat[first : _end(wat, first)]
            out += [wat[at : found.start()], f"({found[1]}.relaxed_madd {fused(factors)} {fused(added)})"]
            at = end
    return "".join([*out, wat[at:]])


def _end(wat: str, start: int) -> int:
    """Where the expression that begins at `start` ends: behind the bracket that closes it."""
    depth = 0
    for at in range(start, len(wat)):
        depth += {"(": 1, ")": -1}.get(wat[at], 0)
        if not depth:
            return at + 1
    raise ValueError(f"A bracket is not closed: {wat[start : start + 60]}")


def variable(path: Path) -> str:
    """The constant that holds a module, for example ``$look_kit``."""
    return "$" + re.sub(r"\W", "_", str(path.with_suffix("").relative_to(HERE)))


@cache
def widget(control: str) -> str:
    """The module text of one control for anywidget (``_esm``)."""
    entry, lab = HERE / control / f"{control}.js", HERE / "lab.js"
    start = f"export default {{ render: {variable(lab)}.heard({variable(entry)}.render) }};"
    return "\n".join([*(modules(entry) | modules(lab)).values(), start])


@cache
def site() -> str:
    """The classic script of the site: kit, engine, host and all controls, each file once."""
    entries = {name: HERE / name / f"{name}.js" for name in controls()}
    host = HERE / "host.js"
    joined: dict[Path, str] = {}
    for entry in (*entries.values(), host):
        joined |= modules(entry)
    table = ", ".join(f"{name}: {variable(entry)}" for name, entry in entries.items())
    start = f"globalThis.itt = {{ controls: {{ {table} }} }};\n{variable(host)}.start(globalThis.itt.controls);"
    return "\n".join(['(() => {\n"use strict";', *joined.values(), start, "})();\n"])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(site(), encoding="utf-8")
