"""What a reader's own GPT-2 costs a page: seconds to read its file, how long the page stands still meanwhile, memory,
and milliseconds a token: `python -m tests.benchmarks.own_file`.

A file of the size of GPT-2, with drawn weights, in Chromium, Firefox and WebKit, as the page *Your own GPT-2* reads it.
Goals: about a second for the file, 40 ms a token with one worker and 25 with two. No speed is asserted: it belongs to a
machine. That the numbers are right in each of them is.
"""

import tempfile
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

from labutils.authoring.benchmarks import record
from labutils.controls import OwnModel
from labutils.controls.standalone import write
from tests.benchmarks.own_stages import Stages
from tests.browsers.drivers import ENGINES, Missing
from tests.browsers.test_own_model import Quiet
from tests.engine.own_files import drawn, published
from tests.engine.test_own_large import SIZES

NAME = "model.safetensors"
ONE, TWO = "a token, one worker", "with two workers"
READ = """async (name) => {
  const until = async (found) => {
    for (let one; ; await new Promise((done) => setTimeout(done, 20))) if ((one = found())) return one;
  };
  const input = await until(() => document.querySelector(".om-control input[type=file]")), given = new DataTransfer();
  given.items.add(new File([await (await fetch(name)).blob()], name));
  let longest = 0, last = performance.now(), going = true;
  const frame = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    if (going) requestAnimationFrame(frame);
  };
  await new Promise((done) => requestAnimationFrame((now) => done((last = now))));
  requestAnimationFrame(frame);
  const from = performance.now(), bar = document.querySelector(".om-reading progress");
  input.files = given.files;
  input.dispatchEvent(new Event("change"));
  await until(() => Number(bar.getAttribute("value")) >= 1);
  const read = performance.now() - from;
  going = false;
  await until(() => document.querySelector(".om-facts dd:last-child"));
  const facts = [...document.querySelectorAll(".om-facts dd")].map((one) => one.textContent);
  const took = document.querySelector(".om-control .itt-readout").textContent.match(/[\\d.]+ ms/g);
  return { read, longest, memory: facts[2], one: took[0], two: took[1] ?? "not tried", by: facts[5] };
}"""


def met(rows: list[dict[str, str]], column: str, goal: float) -> str:
    """The browsers in which a token took no longer.

    >>> met([{"browser": "A", "ms": "25 ms"}, {"browser": "B", "ms": "26 ms"}, {"browser": "C", "ms": "9.9 ms"}], "ms", 25)
    'A and C'
    """
    found = [row["browser"] for row in rows if row[column][0].isdigit() and float(row[column].split()[0]) <= goal]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "none of them"


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write(folder, [OwnModel()], models=("gpt2",))
        model = drawn(**SIZES)
        published(model, folder / NAME)
        stages = Stages(model, folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=made)) as running:
            threading.Thread(target=running.serve_forever, daemon=True).start()
            for engine, opened in ENGINES.items():
                try:
                    with opened() as browser:
                        address = f"http://127.0.0.1:{running.server_port}"
                        browser.goto(f"{address}/index.html")
                        found = browser.evaluate(READ, NAME)
                        print(engine, *stages.compare(browser, address, NAME), found)
                except Missing as why:
                    print(why)
                    continue
                rows.append({
                    "browser": engine,
                    "the file is read in": f"{found['read'] / 1000:.1f} s",
                    "the page’s longest frame meanwhile": f"{found['longest']:.0f} ms",
                    "memory": found["memory"],
                    ONE: found["one"],
                    TWO: found["two"],
                    "workers that the page takes": found["by"],
                })  # fmt: skip
            running.shutdown()
    summary = (
        "A file of 548 MB with 124 million drawn weights, read on the page [Your own GPT-2](../notebooks/own_gpt2.ipynb)"
        " and turned into the model there; it came from the browser’s own memory. Goals: about a second, 40 ms a token"
        f" with one worker and 25 ms with two. One worker reached its goal in {met(rows, ONE, 40)}, two in"
        f" {met(rows, TWO, 25)}. In each browser every stage of a text agreed with Python’s, and the logits of two workers"
        " with those of one to 1e-5."
    )
    print(record("own_file", "Your own GPT-2 in a page", summary, rows))


if __name__ == "__main__":
    main()
