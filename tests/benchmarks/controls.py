"""How fast the controls answer a reader, and what their data weigh: `python -m tests.benchmarks.controls`.

In Chromium, Firefox and WebKit, on a page served by this machine, with the shipped GPT-2. Goals: from slider to paint 16 ms for 95 of 100
moves, from a typed text of 32 tokens to its picture 100 ms, from the last model file to the first changed sentence 500
ms in a cold tab, and the attention of all heads in a twentieth of what bertviz puts into a page. Nothing here is
asserted: speed belongs to a machine.
"""

import argparse
import contextlib
import functools
import http.server
import json
import tempfile
import threading
from pathlib import Path

import numpy as np

from labutils.authoring.benchmarks import record
from labutils.authoring.book import build
from labutils.controls import (
    Explorer,
    NextWord,
    Points,
    Segments,
    Shuffle,
    Steps,
    Stream,
    Sweep,
    Tokenizer,
    Vectors,
    Walk,
)
from labutils.controls.packing import exact, pack
from labutils.controls.reading import loaded, read
from labutils.controls.standalone import write
from tests.browsers.drivers import ENGINES, Missing

SENTENCE = (
    "Tom saw a cat near the old bridge. The cat was tired and it slept on a mat. Then Anna gave the cat a fish. It was"
    " happy. "
)
SLIDERS = {
    "steps, 11 tokens": "steps",
    "steps, 24 tokens": "long",
    "sweep": "sweep",
    "sweep of matrices, 32 by 64": "matrices",
    "points, 300 words": "points",
    "segments": "segments",
}
TYPED = {
    "explorer": ("explorer", ".ex-words"),
    "playground": ("tokenizer", ".itt-stage"),
    "next word": ("next_word", ".nw-rows"),
    "walk": ("walk", ".wk-canvas"),
    "stream": ("stream", ".sm-grid"),
    "shuffle": ("shuffle", ".sh-written"),
}
PAINTED = """
globalThis.painted = (change) => new Promise((done) => requestAnimationFrame(() => {   // at the start of a frame,
  const began = performance.now(), channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now() - began);                      // heard once the frame is painted
  change();
  channel.port2.postMessage(0);
}));
globalThis.settled = (place, change) => new Promise((done) => {                           // until the picture holds the new text
  const began = performance.now(), before = place.textContent;
  const seen = new MutationObserver(() => {
    if (place.textContent === before) return;                                             // drawn again as it was, while the engine reads
    seen.disconnect();
    requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now() - began); c.port2.postMessage(0); });
  });
  seen.observe(place, { childList: true, subtree: true, characterData: true });
  change();
});
null;"""


def slider(page, place: str, moves: int) -> list[float]:
    """Milliseconds, for each move of a drag to the end and back, from moving the first slider to the painted frame, of
    the script, layout and painting.
    """
    return page.evaluate(
        """async ([place, moves]) => {
      const slider = document.querySelector(`${place} input[type=range]`), times = [], low = +slider.min, high = +slider.max;
      for (let i = 0; i < moves; i++) times.push(await painted(() => { slider.value = low + (high - low) * (1 - Math.abs(1 - (2 * i) / moves)); slider.dispatchEvent(new Event("input", { bubbles: true })); }));
      return times; }""",
        [place, moves],
    )


def typed(page, place: str, watched: str, texts: list[str]) -> list[float]:
    """Milliseconds from the typed text to the painted picture of it."""
    return page.evaluate(
        """async ([place, watched, texts]) => {
      const field = document.querySelector(`${place} input[type=text]`), times = [];
      for (const text of texts) {
        times.push(await settled(document.querySelector(`${place} ${watched}`), () => { field.value = text; field.dispatchEvent(new Event("input", { bubbles: true })); }));
        await new Promise((rest) => setTimeout(rest, 120));
      }
      return times; }""",
        [place, watched, texts],
    )


def cold(browser, address: str) -> float:
    """Milliseconds from the last model file's arrival to the first changed sentence, in a tab that has loaded nothing
    yet.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => { new MutationObserver((changes) => {
      if (changes.some((c) => c.target.closest?.(".itt-live .itt-readout"))) globalThis.changedAt = performance.now(); }).observe(document.body, { childList: true, subtree: true, characterData: true }); });"""
    )
    page.goto(f"{address}#itt=steps&layer=3&head=5")  # a head that the finished state does not hold
    page.wait_for_function(
        "() => document.querySelector('.itt-live .itt-seg input:checked') &&"
        " performance.getEntriesByType('resource').filter((r) => /models/.test(r.name)).length >= 3"
    )
    page.wait_for_timeout(1500)
    found = page.evaluate(
        "() => [globalThis.changedAt, Math.max(...performance.getEntriesByType('resource').filter((r) =>"
        " /models/.test(r.name)).map((r) => r.responseEnd))]"
    )
    context.close()
    return found[0] - found[1]


def payload(n: int) -> tuple[int, int]:
    """Bytes of the weights of all heads on n tokens: in our page (base64) and in bertviz's (numbers as text)."""
    reading = read("little-gpt2", SENTENCE * 8, n)
    ours = len(pack(reading.weights, 1.0, reading.causal)) + len(exact(reading.weights[0, 0], reading.causal))
    return round(ours * 4 / 3), len(json.dumps(reading.weights.astype("f4").tolist()))


def texts(n: int, count: int) -> list[str]:
    """Different texts of exactly n tokens of the shipped GPT-2."""
    tokenizer, words = loaded("little-gpt2").tokenizer, (SENTENCE * 8).split()
    found = []
    for start in range(60):
        for end in range(start + 1, len(words)):
            size = len(tokenizer.encode(" ".join(words[start:end])).ids)
            if size >= n:
                if size == n:
                    found.append(" ".join(words[start:end]))
                break
    return list(dict.fromkeys(found))[:count]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


WAKE = """async (names) => {
  for (const fold of document.querySelectorAll("details.itt-fold")) fold.open = true;
  for (const name of names) {
    document.querySelector(`[data-name="${name}"]`).scrollIntoView();   // the still picture, or the control in its place
    while (!document.querySelector(`.itt[data-name="${name}"]`)) await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 1500));   // its weights, and the first readings of the engine
  } }"""
NAMES = (
    *("steps", "long", "sweep", "matrices", "points", "segments", "vectors", "explorer", "tokenizer", "next_word"),
    *("walk", "stream", "shuffle"),
)


def place(name: str) -> str:
    return f'.itt[data-name="{name}"]'


def measure(page, address: str) -> dict[str, list[float]]:
    """Milliseconds of each move, on a page that holds the controls alone."""
    _open(page, address, NAMES)
    found = {f"slider, {what}": slider(page, place(name), 300) for what, name in SLIDERS.items()}
    many = texts(32, 12)
    for what, (name, watched) in TYPED.items():
        page.evaluate("(place) => document.querySelector(place).scrollIntoView()", place(name))
        typed(page, place(name), watched, many[:4])  # warm
        found[f"typed text, 32 tokens, {what}"] = typed(page, place(name), watched, many)
    return found


def measure_chapter(page, address: str) -> dict[str, list[float]]:
    """Milliseconds of each move of figure 4.1 on the page of its chapter, which has the styles of the whole site."""
    _open(page, f"{address}notebooks/04_attention.html", ["steps-4.1"])
    return {"slider, figure 4.1 in its chapter": slider(page, place("steps-4.1"), 300)}


BARE = "slider, one bar on an empty page"
BAR = """<!DOCTYPE html><meta charset="utf-8"><body><input type="range" min="0" max="300">
<div style="width: 0; height: 20px; background: #8a42be"></div>
<script>document.querySelector("input").oninput = (event) => {
  document.querySelector("div").style.width = `${event.target.value}px`; };</script>"""


def measure_bare(page, address: str) -> dict[str, list[float]]:
    """What an engine takes for the least that a slider can move: no control can be faster."""
    page.goto(address)
    page.evaluate(f"() => {{ {PAINTED} }}")
    return {BARE: slider(page, "body", 300)}


def _open(page, address: str, names) -> None:
    page.goto(address)
    page.evaluate(f"() => {{ {PAINTED} }}")
    page.evaluate(WAKE, list(names))


def sweep() -> Sweep:
    """Twenty places, five bars and two curves."""
    tau = np.linspace(0.1, 4, 20)
    p = np.exp(np.array([0, 1.4, 0.2, -1, 0.5]) / tau[:, None])
    p /= p.sum(-1, keepdims=True)
    return Sweep(
        "Weights",
        "Move.",
        ("τ", tau.round(2).tolist()),
        bars=(list("abcde"), p),
        curves={"largest": p.max(-1), "smallest": p.min(-1)},
        name="sweep",
    )


def matrices() -> Sweep:
    """Twenty places, 32 by 64 cells each."""
    cells = np.random.default_rng(0).normal(size=(20, 32, 64))
    return Sweep("Cells", "Move.", ("step", list(range(20))), matrix=(range(32), range(64), cells), name="matrices")


def points() -> Points:
    """Five planes of 300 words in four groups."""
    planes = {f"layer {i}": vectors for i, vectors in enumerate(np.random.default_rng(1).normal(size=(5, 300, 64)))}
    words = [f"w{i}" for i in range(300)]
    return Points("Words", "Move.", words, planes, ["one", "two", "three", "four"] * 75, name="points")


@contextlib.contextmanager
def served(folder: Path):
    """The address of a folder."""
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def run() -> tuple[dict[str, dict[str, list[float]]], list[float], dict[int, tuple[int, int]]]:
    """Times by engine and by move, times of a cold tab, and the weight of the data."""
    controls = [
        Steps(layer=2, head=4, query=8),
        Steps(SENTENCE, name="long"),
        sweep(),
        Segments(),
        Vectors(),
        Explorer(),
        Tokenizer(),
        NextWord(),
        Walk(),
        Stream(),
        Shuffle(),
        matrices(),
        points(),
    ]
    times, colds = {}, []
    with tempfile.TemporaryDirectory() as folder, served(build()) as site:
        write(Path(folder), controls, models=("little-gpt2", "little-bert"))
        Path(folder, "bare.html").write_text(BAR, encoding="utf-8")
        with served(Path(folder)) as address:
            for name, engine in ENGINES.items():
                try:
                    with engine() as page:
                        times[name] = measure(page, address) | measure_chapter(page, site)
                        times[name] |= measure_bare(page, f"{address}bare.html")
                        if name == "Chromium":
                            colds = [cold(page.page.context.browser, address) for _ in range(7)]
                except Missing as sentence:
                    print(sentence)
    return times, colds, {n: payload(n) for n in (32, 64, 128)}


def late(values: list[float], share: float = 0.95) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


GOALS = {"slider": "16 ms", "typed": "100 ms", "page": "500 ms"}


def rows_of(times: dict, colds: list[float], sizes: dict) -> list[dict[str, str]]:
    """One row a move: the time that 95 of 100 moves stay under, in each engine."""
    rows = [
        {
            "what": what,
            **{name: f"{late(times[name][what]):.1f} ms" if name in times else "not here" for name in ENGINES},
            "goal": GOALS[what.split()[0].strip(",")],
        }
        for what in times["Chromium"]
    ]
    rows.append({"what": "page to interactive, cold", "Chromium": f"{late(colds):.1f} ms"})
    rows += [
        {
            "what": f"attention of 32 heads, {n} tokens: {ours / 1000:.1f} kB, bertviz {theirs / 1000:.0f} kB",
            "goal": f"a twentieth; is 1/{theirs / ours:.0f}",
        }
        for n, (ours, theirs) in sizes.items()
    ]
    rows[len(times["Chromium"])]["goal"] = GOALS["page"]
    return [{column: row.get(column, "") for column in ("what", *ENGINES, "goal")} for row in rows]


def summary_of(times: dict, colds: list[float], sizes: dict) -> str:
    worst = lambda name, sort: max(
        late(values) for what, values in times[name].items() if what.startswith(sort) and what != BARE
    )
    bare = ", ".join(f"{name} {late(times[name][BARE]):.1f} ms" for name in times)
    each = lambda sort, digits: ", ".join(f"{name} {worst(name, sort):.{digits}f} ms" for name in times)
    return (
        f"The slowest of the sliders, from its move to the painted picture, in 95 of 100 moves: {each('slider', 1)}"
        f" (goal: at most 16; one bar on an empty page takes {bare}). From a typed text of 32 tokens to its picture at most: {each('typed', 0)} (goal: 100)."
        f" From the last model file to the first changed sentence, in a cold tab of Chromium, {late(colds):.0f} ms"
        f" (goal: 500). The weights of all heads take"
        f" 1/{min(theirs / ours for ours, theirs in sizes.values()):.0f} of bertviz's payload or less (goal: 1/20)."
        " Times are the script's, the layout's and the painting's, without waiting for the screen's next frame."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="write nothing")
    quick = parser.parse_args().quick
    measured = run()
    rows, summary = rows_of(*measured), summary_of(*measured)
    print(*("  ".join(map(str, row.values())) for row in rows), summary, sep="\n")
    if not quick:
        print(record("controls", "Controls: from a move to the picture, and the weight of their data", summary, rows))


if __name__ == "__main__":
    main()
