"""The modules of the controls, run from Python: what a page computes and draws, a still picture takes from the same
lines.

The engine is V8, as the package `mini-racer` brings it: the JavaScript of Chromium, without a document and without a
network. It starts with the first call and stays as long as the process, so importing the controls costs nothing.
"""

import ctypes
import json
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from labutils.controls.bundle import HERE, modules, variable

SECONDS = 60  # for one call: far beyond any, so that an endless loop ends

# Bytes come as base64, which JSON leaves as it is. Half of a surrogate pair goes back as U+FFFD: no file can hold it.
PRELUDE = r"""
const $digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const $value = new Uint8Array(128);
for (let i = 0; i < 64; i++) $value[$digits.charCodeAt(i)] = i;
const $decoded = (text) => {
  const end = text.indexOf("="), length = end < 0 ? text.length : end, out = new Uint8Array((length * 3) >> 2);
  for (let i = 0, at = 0, bits = 0, held = 0; i < length; i++) {
    held = ((held << 6) | $value[text.charCodeAt(i)]) & 0xffff;
    bits += 6;
    if (bits >= 8) out[at++] = (held >> (bits -= 8)) & 255;
  }
  return out;
};
const $given = (_, x) => (typeof x?.$bytes === "string" ? new DataView($decoded(x.$bytes).buffer) : x);
// what a page has and V8 alone has not: base64, in which a module holds its WebAssembly
globalThis.atob ??= (text) => Array.from($decoded(text), (byte) => String.fromCharCode(byte)).join("");
const $half = /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;
const $run = (f, given) => {
  try { return JSON.stringify({ value: f()(...JSON.parse(given, $given)) }).replace($half, "\\ufffd"); }
  catch (error) { return JSON.stringify({ kind: error?.name, thrown: String(error?.message ?? error) }); }
};
"""


class ScriptError(RuntimeError):
    """A module of the controls could not be run. One sentence."""


class NoEngine(ScriptError):
    """There is no V8 here. One sentence."""


def call(module: str, function: str, *arguments: Any) -> Any:
    """What `function` of `module`, a path below this folder such as "sweep/picture.js", returns for the arguments.

    Arguments and result are what JSON can hold; bytes among the arguments arrive as a DataView.

    Raises:
        ValueError: the module threw an Error, which is how a module refuses what a reader gave; its sentence.
        NoEngine: V8 is missing.
        ScriptError: the module is broken; one sentence.
    """
    entry = (HERE / module).resolve()
    _load_all(entry)
    given = json.dumps(json.dumps(arguments, default=_packed))
    answer = json.loads(_engine().eval(f"$run(() => {variable(entry)}.{function}, {given})", timeout_sec=SECONDS))
    if "thrown" not in answer:
        return answer.get("value")
    if answer["kind"] == "Error":
        raise ValueError(answer["thrown"])
    raise ScriptError(f"{function} of {module} failed: {_line(answer['thrown'])}.")


def v8():
    """A V8 with nothing in it, which ends with the process.

    Raises NoEngine where the package mini-racer is missing or does not run.
    """
    try:
        from py_mini_racer import MiniRacer

        with ThreadPoolExecutor(
            1
        ) as beside:  # out of sight of the loop that a notebook's cells run in, or V8 would wait in it
            engine = beside.submit(MiniRacer).result()
    except (ImportError, OSError, RuntimeError) as error:
        raise NoEngine(
            "What a control shows first is computed and drawn by JavaScript: install the package mini-racer, as"
            " requirements.txt names it."
        ) from error
    # ends with the process: closed at its very end, V8 waits for a thread that is gone
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
    return engine


@cache
def _engine():
    """V8 with the prelude in it."""
    engine = v8()
    engine.eval(PRELUDE)
    return engine


@cache
def _load_all(entry: Path) -> None:
    """Read a module and what it imports."""
    for path, source in modules(entry).items():
        _load(path, source)


@cache
def _load(path: Path, source: str) -> None:
    """Read one module, joined as `bundle` joins it; once a process."""
    from py_mini_racer import JSEvalException

    try:
        # a file that was edited since may be read again for another control
        _engine().eval(source.replace("const", "var", 1))
    except JSEvalException as error:
        raise ScriptError(f"{path.name} cannot be read: {_line(str(error))}.") from error


def _line(message: str) -> str:
    """The words of an error without the place, which counts lines of a joined text."""
    first = message.strip().splitlines()[0] if message.strip() else "no reason was given"
    return first.removeprefix("<anonymous>:").lstrip("0123456789: ").rstrip(".")


def _packed(value: Any) -> dict[str, str]:
    if isinstance(value, bytes | bytearray | memoryview):
        return {"$bytes": b64encode(value).decode("ascii")}
    raise TypeError(f"A {type(value).__name__} cannot be given to JavaScript.")
