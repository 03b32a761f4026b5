"""Train in a real JupyterLab: the stories come from Python, the model is trained in the browser, Python hears the settings."""

import re

from lab.conftest import assert_stills_outlive_the_kernel
from playwright.sync_api import expect

CELLS = ("from labutils.controls import Train", "train = Train(line=3.0)\ntrain", "print(train.placed, train.batch)")


def test_it_trains_and_python_hears_the_settings(jupyterlab):
    jupyterlab.write("training.ipynb", *CELLS)
    page = jupyterlab.page(height=2600)
    jupyterlab.run_all(page, "training.ipynb")
    train = page.locator(".itt[data-name=train]")
    train.get_by_role("button", name="Place my guess").click()
    train.get_by_text("Change the training, or break it").click()
    train.locator(".itt-seg-item", has_text=re.compile("^4$")).click()
    train.get_by_role("button", name="Train it here").click()
    expect(train.locator(".itt-readout")).to_contain_text("better than counting single tokens")
    train.get_by_role("button", name="Pause").click()

    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.get_by_text("True 4").wait_for()
    assert_stills_outlive_the_kernel(page, jupyterlab.folder / "training.ipynb", controls=1)
