"""The engine in a real browser: an empty page whose modules come from the source folder, and calls into it from Python."""

import base64
import json
import mimetypes
from pathlib import Path

import numpy as np

from labutils.controls import engine
from labutils.controls.bundle import binaries
from labutils.controls.engine.model_file import script

HOME = "http://engine.test/"  # no server: the browser's requests are answered from the source folder
SOURCES = Path(engine.__file__).parent


class Page:
    """A page that can import the engine, and that finds the files it is given under models/."""

    def __init__(self, browser, loops: dict[str, list[str]] | None = None):
        """`loops`: WebAssembly by the name of its text, where it is not what the site's script holds."""
        compiled = {name: binaries(SOURCES / name) for name in ("linear.wat", "own/product.wat")}
        self.files: dict[str, str] = {}
        self.context = browser.new_context()
        self.page = self.context.new_page()
        self.page.route("**/*", self._answer)
        self.page.goto(HOME)
        self.page.evaluate(HELPERS, {Path(name).name: text for name, text in (compiled | (loops or {})).items()})

    def _answer(self, route):
        path = route.request.url.removeprefix(HOME)
        if path == "":
            return route.fulfill(body="<!doctype html><title>engine</title>", content_type="text/html")
        if path in self.files:
            return route.fulfill(body=self.files[path], content_type="text/javascript")
        source = SOURCES.parent / path
        if path.startswith(("engine/", "look/", "train/")) and source.is_file():
            return route.fulfill(body=source.read_text(encoding="utf-8"), content_type=mimetypes.guess_type(path)[0])
        return route.fulfill(status=404, body="")

    def serve(self, key: str, content: dict | str) -> None:
        """Put a file beside the page; a dictionary becomes a script as the export writes it."""
        self.files[f"models/{key}.js"] = content if isinstance(content, str) else script(key, content)

    def run(self, code: str, *args):
        """`code` is the body of an async function with the arguments a, b, c; `engine(name)` imports a module.

        Arguments and result cross as one text of JSON: Playwright takes a second for a hundred thousand small values.
        """
        body = f"const [a, b, c] = JSON.parse(given), engine = (name) => import(`{HOME}engine/${{name}}.js`); {code}"
        result = self.page.evaluate(
            f"async (given) => JSON.stringify(await (async () => {{ {body} }})())", json.dumps(args)
        )
        return None if result is None else json.loads(result)

    def fails(self, code: str, *args) -> str:
        """The message of the Error that `code` ends in."""
        return self.run(
            f"try {{ await (async () => {{ {code} }})(); }} catch (error) {{ return error.message; }} return 'no"
            " error';",
            *args,
        )


HELPERS = """(binaries) => {
  globalThis.compiledOf = (path) => binaries[path.slice(2)] ?? []; // which the site's script has in its place
  globalThis.packed = (array) => { // typed arrays would cross as text of many digits; their bytes go as base64, large ones as float32
    const large = array.length > 50000, bytes = new Uint8Array((large ? Float32Array : Float64Array).from(array).buffer);
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return (large ? '4' : '8') + btoa(text);
  };
}"""


def unpacked(text: str) -> np.ndarray:
    """The array behind `packed(array)`."""
    return np.frombuffer(base64.b64decode(text[1:]), dtype=f"<f{text[0]}")
