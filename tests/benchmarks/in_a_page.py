"""A GPT-2 in Chromium, as a reader's own file is computed there: the engine of the pages, WebAssembly on one thread."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import torch

from labutils.checkpoints import load
from labutils.controls.engine.model_file import record
from tests.browsers.drivers import Missing, chromium
from tests.engine.empty_page import Page, unpacked
from tests.engine.own_files import published

READS = 256  # positions that a page uses of such a model
OPENED = """
  const { openFiles } = await engine("own/open");
  globalThis.own = await openFiles([...document.querySelector("input").files], a, () => {});
  return own.fast;
"""
WRITTEN = """
  const ids = [...a], took = [];
  for (let step = 0; step <= b; step++) {
    const from = performance.now(), logits = own.next(ids);
    let best = 0;
    for (let i = 1; i < logits.length; i++) if (logits[i] > logits[best]) best = i;
    ids.push(best);
    took.push((performance.now() - from) / 1000);
  }
  return took.slice(1);
"""


class InAPage:
    """It goes on by a greedy token a step, as `generate` does."""

    def __init__(self, browser, hf, ids):
        self.page, self.ids = Page(browser), ids[0].tolist()
        with tempfile.TemporaryDirectory() as folder:
            self.page.page.set_content("<input type=file>")
            self.page.page.set_input_files("input", published(hf, Path(folder) / "model.safetensors"))
            if not self.page.run(OPENED, record("your-gpt2", load("little-gpt2").model, "GPT-2")):
                raise SystemExit("Chromium ran the model without WebAssembly: fix that first.")
        found = torch.from_numpy(unpacked(self.page.run("return packed(own.next(a))", self.ids)).copy())
        if not torch.allclose(found, hf(ids).logits[0, -1], rtol=1e-3, atol=1e-3):
            raise SystemExit("The logits of the page differ from HuggingFace's: fix that first.")

    def taken(self, steps: int) -> list[float]:
        """Seconds of each of so many steps, after one that finds the processor's caches full of another model."""
        return self.page.run(WRITTEN, self.ids, steps)


@contextlib.contextmanager
def in_a_page(hf, ids) -> Iterator[InAPage | None]:
    """HuggingFace's model in a page, which has read the ids (1, n); None without Chromium."""
    with contextlib.ExitStack() as stack:
        try:
            browser = stack.enter_context(chromium()).page.context.browser
        except Missing as why:
            print(why)
            browser = None
        yield InAPage(browser, hf, ids) if browser else None
