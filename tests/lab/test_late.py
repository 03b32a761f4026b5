"""A control whose script JupyterLab reads late, as on a machine that has much to do: it hears Python all the same."""

from controls.expected import readout
from controls.hostile import type_in
from playwright.sync_api import expect

from labutils.controls import Walk

CELLS = (
    'from labutils.controls import Walk\nwalk = Walk(model="paper-gpt2", stage="ids")\nwalk',
    'walk.stage = "ids" if walk.text == "the cat sat" else "odds"',  # what Python sets has to arrive too
)
LATE = """AbortSignal.timeout = () => {   // anywidget waits two seconds by it; here the two seconds are over at once
  const over = new AbortController();
  queueMicrotask(() => over.abort());
  return over.signal;
}"""


def test_a_control_that_starts_late_hears_python(jupyterlab):
    jupyterlab.write("late.ipynb", *CELLS)
    page = jupyterlab.page(height=2400)
    page.add_init_script(LATE)
    jupyterlab.run_all(page, "late.ipynb")
    walk = page.locator(".itt[data-name=walk]")
    walk.wait_for()
    type_in(walk, "the cat")  # Python encodes and reads it
    expect(walk.locator(".itt-readout")).to_have_text(readout(Walk("the cat", model="paper-gpt2", stage="ids")))
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(walk.locator(".itt-readout")).to_have_text(readout(Walk("the cat", model="paper-gpt2", stage="odds")))
    page.close()
