"""How fast the controls answer a reader, and what their data weigh: `python -m tests.benchmarks.controls`.

In Chromium, on a page served by this machine, with the shipped GPT-2. Goals: from slider to paint 16 ms for 95 of 100
moves, from a typed text of 32 tokens to its picture 100 ms, from the last model file to the first changed sentence 500
ms in a cold tab, and the attention of all heads in a twentieth of what bertviz puts into a page. Nothing here is
asserted: speed belongs to a machine.
"""

import argparse
import functools
import http.server
import json
import os
import shutil
import statistics
import tempfile
import threading
from pathlib import Path

import numpy as np

from labutils.authoring.benchmarks import record
from labutils.controls import Explorer, NextWord, Segments, Steps, Sweep, Tokenizer, Vectors
from labutils.controls.packing import exact, pack
from labutils.controls.reading import loaded, read
from labutils.controls.standalone import write

SENTENCE = (
    "Tom saw a cat near the old bridge. The cat was tired and it slept on a mat. Then Anna gave the cat a fish. It was"
    " happy. "
)
SLIDERS = {"steps, 11 tokens": "steps", "steps, 24 tokens": "long", "sweep": "sweep", "segments": "segments"}
TYPED = {
    "explorer": ("explorer", ".ex-words"),
    "playground": ("tokenizer", ".itt-stage"),
    "next word": ("next_word", ".nw-rows"),
}
PAINTED = """
globalThis.painted = (change) => new Promise((done) => requestAnimationFrame(() => {   // at the start of a frame,
  const began = performance.now(), channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now() - began);                      // heard once the frame is painted
  change();
  channel.port2.postMessage(0);
}));
globalThis.settled = (place, change) => new Promise((done) => {                           // until the picture holds the new text
  const began = performance.now();
  const seen = new MutationObserver(() => { seen.disconnect(); requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.now() - began); c.port2.postMessage(0); }); });
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


def measure(browser, address: str) -> dict[str, list[float]]:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(address)
    page.evaluate(PAINTED)
    for name in ("steps", "long", "sweep", "segments", "vectors", "explorer", "tokenizer", "next_word"):
        box = page.locator(f'.cell_output[data-name="{name}"]')
        box.scroll_into_view_if_needed()
        box.locator(".itt-live > .itt").wait_for()
        page.wait_for_timeout(1500)  # its weights, and the first readings of the engine
    place = lambda name: f'.cell_output[data-name="{name}"]'
    found = {f"slider, {what}": slider(page, place(name), 300) for what, name in SLIDERS.items()}
    many = texts(32, 12)
    for what, (name, watched) in TYPED.items():
        page.locator(place(name)).scroll_into_view_if_needed()
        typed(page, place(name), watched, many[:4])  # warm
        found[f"typed text, 32 tokens, {what}"] = typed(page, place(name), watched, many)
    page.close()
    found["page to interactive, cold"] = [cold(browser, address) for _ in range(7)]
    return found


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


def run() -> tuple[dict[str, list[float]], dict[int, tuple[int, int]]]:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        controls = [
            Steps(layer=2, head=4, query=8),
            Steps(SENTENCE, name="long"),
            sweep(),
            Segments(),
            Vectors(),
            Explorer(),
            Tokenizer(),
            NextWord(),
        ]
        write(Path(folder), controls, models=("little-gpt2", "little-bert"))
        handler = functools.partial(Quiet, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            times = measure(browser, f"http://127.0.0.1:{server.server_port}/index.html")
            browser.close()
            server.shutdown()
    return times, {n: payload(n) for n in (32, 64, 128)}


def late(values: list[float], share: float = 0.95) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def rows_of(times: dict, sizes: dict) -> list[dict[str, str]]:
    goals = {"slider": "16 ms", "typed": "100 ms", "page": "500 ms"}
    rows = [
        {
            "what": what,
            "median": f"{statistics.median(values):.1f} ms",
            "p95": f"{late(values):.1f} ms",
            "goal": goals[what.split()[0].strip(",")],
        }
        for what, values in times.items()
    ]
    return rows + [
        {
            "what": f"attention of 32 heads, {n} tokens",
            "median": f"{ours / 1000:.1f} kB",
            "p95": f"bertviz {theirs / 1000:.0f} kB",
            "goal": f"a twentieth; is 1/{theirs / ours:.0f}",
        }
        for n, (ours, theirs) in sizes.items()
    ]


def summary_of(times: dict, sizes: dict) -> str:
    typing = max(late(values) for what, values in times.items() if what.startswith("typed"))
    sliders = max(late(values) for what, values in times.items() if what.startswith("slider"))
    return (
        f"From slider to paint {sliders:.1f} ms in 95 of 100 moves (goal: at most 16). From a typed text of 32 tokens"
        f" to its picture {typing:.0f} ms at most (goal: 100). From the last model file to the first changed sentence,"
        f" in a cold tab, {late(times['page to interactive, cold']):.0f} ms (goal: 500). The weights of all heads take"
        f" 1/{min(theirs / ours for ours, theirs in sizes.values()):.0f} of bertviz's payload or less (goal: 1/20)."
        " Times are the script's, the layout's and the painting's, without waiting for the screen's next frame."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="write nothing")
    quick = parser.parse_args().quick
    times, sizes = run()
    rows, summary = rows_of(times, sizes), summary_of(times, sizes)
    print(*("  ".join(map(str, row.values())) for row in rows), summary, sep="\n")
    if not quick:
        print(record("controls", "Controls: from a move to the picture, and the weight of their data", summary, rows))


if __name__ == "__main__":
    main()
