"""A reader's own file says in Firefox and in WebKit what it says in Chromium: `make browsers`."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch
from browsers.drivers import ENGINES, Missing
from browsers.test_engines import same
from engine.own_files import drawn, published

from labutils.controls import Explorer, NextWord, OwnModel, Walk
from labutils.controls.standalone import write

CHOSEN = """async (name) => {
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
  return said.map((text) => text.replace(/[\\d.]+ ms/, "some ms"));
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A page with the control and three others, and a file beside it."""
    folder = tmp_path_factory.mktemp("own")
    model = drawn(dtype=torch.float16, n_embd=64, n_head=1, vocab_size=50257)
    write(folder, [OwnModel(), NextWord(), Walk(), Explorer()], models=("little-gpt2", "gpt2"))
    published(model, folder / "model.safetensors", torch.float16)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/index.html"
        running.shutdown()


def said(name: str, address: str) -> list[str]:
    try:
        with ENGINES[name]() as browser:
            browser.goto(address)
            return browser.evaluate(CHOSEN, "model.safetensors")
    except Missing as sentence:
        pytest.fail(str(sentence))


@pytest.mark.parametrize("name", ["Firefox", "WebKit"])
def test_three_browsers_say_the_same_of_a_file(address, name):
    expected, found = said("Chromium", address), said(name, address)
    assert "WebAssembly" in found[0] and len(found) == 4
    assert all(same(one, other) for one, other in zip(expected, found, strict=True)), (expected, found)
