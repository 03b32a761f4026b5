"""A reader's own file says in Firefox and in WebKit what it says in Chromium: `make browsers`."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch
from browsers.drivers import ENGINES, Missing
from browsers.test_engines import same
from engine.own_files import drawn, published
from engine.own_workers import ENDS, FASTER, PREPARED, SLOWER, at_the_third_sum

from labutils.checkpoints import load_tokenizer
from labutils.controls import Explorer, NextWord, OwnModel, Walk
from labutils.controls.standalone import write

TEXT = "The cat sat on the mat. It was"
CHOSEN = """async ([name, script]) => {
  if (script) (PREPARED)(script);
  const until = async (found) => {
    const end = performance.now() + 120000;
    for (let one; performance.now() < end; await new Promise((done) => setTimeout(done, 50))) if ((one = found())) return one;
    throw new Error(`too late: ${found}`);
  };
  const input = await until(() => document.querySelector(".om-control input[type=file]")), given = new DataTransfer();
  given.items.add(new File([await (await fetch(name)).blob()], name));
  input.files = given.files;
  input.dispatchEvent(new Event("change"));
  const said = [(await until(() => document.querySelector(".om-facts dd:last-child"))).closest("dl").textContent];
  for (const one of [...document.querySelectorAll(".cell_output")].slice(1)) {
    one.scrollIntoView();
    await until(() => one.querySelector(".itt-source")?.textContent.includes("from your file"));
    said.push(one.querySelector(".itt-readout").textContent);
  }
  said.push(document.querySelector(".om-control .itt-readout").textContent);
  return said.map((text) => text.replaceAll(/[\\d.]+ ms/g, "some ms"));
}""".replace("PREPARED", PREPARED)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page with the control and three others, and a file beside it."""
    folder = tmp_path_factory.mktemp("own")
    model = drawn(dtype=torch.float16, n_embd=128, n_head=2, vocab_size=50257)
    write(folder, [OwnModel(), NextWord(TEXT), Walk(), Explorer()], models=("little-gpt2", "gpt2"))
    published(model, folder / "model.safetensors", torch.float16)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/index.html"
        running.shutdown()


def said(name: str, address: str, script: str) -> list[str]:
    try:
        with ENGINES[name]() as browser:
            browser.goto(address)
            return browser.evaluate(CHOSEN, ["model.safetensors", script])
    except Missing as sentence:
        pytest.fail(str(sentence))


# the second worker ends in the middle of the first text
LOST = FASTER + at_the_third_sum(128 * len(load_tokenizer("gpt2").encode(TEXT).ids), ENDS["closed"])


@pytest.mark.parametrize(("script", "workers"), [(SLOWER, 1), (FASTER, 2)],
                         ids=["one worker", "two workers"])  # fmt: skip
@pytest.mark.parametrize("name", ["Firefox", "WebKit"])
def test_three_browsers_say_the_same_of_a_file(address, name, script, workers):
    expected, found = said("Chromium", address, script), said(name, address, script)
    assert found[0].endswith(f"Computed byWebAssemblyWorkers{workers}") and len(found) == 5
    assert all(same(one, other) for one, other in zip(expected, found, strict=True)), (expected, found)


@pytest.mark.parametrize("name", ["Firefox", "WebKit"])
def test_where_the_second_worker_ends_the_first_goes_on(address, name):
    expected, found = said("Chromium", address, SLOWER), said(name, address, LOST)
    assert found[0].endswith("Workers2") and found[-1].endswith("one more token took some ms.")
    assert all(same(one, other) for one, other in zip(expected[1:-1], found[1:-1], strict=True)), (expected, found)
