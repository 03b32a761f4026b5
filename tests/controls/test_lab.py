"""The controls in a real JupyterLab: run, moved, run again, saved, opened without a kernel."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
import torch
from controls.expected import after, drawn, uniform
from playwright.sync_api import TimeoutError, expect

from labutils.authoring.lab import run_once
from labutils.places import CHAPTERS
from labutils.checkpoints import load

BEGUN = r"""() => [...document.querySelectorAll(".jp-CodeCell")].some((cell) =>
  /\[[*\d]/.test(cell.querySelector(".jp-InputPrompt")?.textContent) || cell.querySelector(".jp-OutputArea-child"))"""
CELLS = (
    "from labutils.controls import Explorer, Steps, predict",
    'predict("lab", "Which?", ("a", "no"), ("b", "yes"), ("c", "no"), right=1)',
    'steps = Steps(layer=2, head=4, query=8, number="4.1")\nsteps',
    "Explorer(layer=2, head=4, query=8)",
    "print(steps.model, steps.text, steps.head)",
)


class Lab(NamedTuple):
    workspaces: str  # an address
    folder: Path


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab with `controls.ipynb`, a run copy of it, `run.ipynb`, and `play.ipynb`."""
    folder, private = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("jupyter")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, folder / "controls.ipynb")
    (private / "data").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(private / "data"))  # where a run copy is signed
        (private / "fresh").mkdir()
        run_once(shutil.copy(folder / "controls.ipynb", private / "fresh" / "run.ipynb"), folder / "run.ipynb")
    shutil.copy(CHAPTERS / "play.ipynb", folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = ["--allow-root"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password=",
               f"--ServerApp.root_dir={folder}", "--LabApp.extension_manager=readonly", *root]
    environment = os.environ | {"JUPYTER_DATA_DIR": str(private / "data"), "JUPYTER_CONFIG_DIR": str(private / "config"), "JUPYTER_RUNTIME_DIR": str(private / "runtime")}
    log = open(private / "log.txt", "w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            if server.poll() is not None:
                pytest.fail(f"JupyterLab did not start: {(private / 'log.txt').read_text()[-500:]}")
            time.sleep(0.2)
    yield Lab(f"http://127.0.0.1:{port}/lab/workspaces/", folder)
    server.terminate()
    server.wait(20)
    log.close()


def menu(page, *words):
    page.get_by_role("menuitem", name=words[0], exact=True).click()
    page.get_by_role("menuitem", name=words[1], exact=True).click()


def until(true, otherwise, patience=60):
    """Wait for something outside the page."""
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            pytest.fail(otherwise)
        time.sleep(0.2)


def run_all(page, lab, name):
    """Open a notebook, in a workspace of its own so that no other one comes to the front, and run it."""
    page.goto(f"{lab.workspaces}{name}/tree/{name}.ipynb")
    page.get_by_text("Python 3 (ipykernel) | Idle").first.wait_for()
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    for _ in range(5):  # a click that comes before the notebook is ready does nothing
        menu(page, "Run", "Run All Cells")
        try:
            page.wait_for_function(BEGUN, timeout=20_000)
            return
        except TimeoutError:
            continue
    pytest.fail(f"JupyterLab did not begin to run {name}")


def test_the_controls_live_through_a_session(browser, lab):
    context = browser.new_context(viewport={"width": 1280, "height": 3600})  # tall, so that JupyterLab draws every cell
    page = context.new_page()
    page.set_default_timeout(120_000)
    run_all(page, lab, "controls")
    live = page.locator(".itt:has(.st-table[role=grid])")
    live.wait_for()
    page.locator(".ex-plot").wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0, timeout=60_000)  # the last control may still be starting

    live.get_by_role("group", name="Model").locator("label", has_text="Little BERT").click()
    live.locator(".st-table", has_text="[SEP]").wait_for()
    live.get_by_label("Your text").fill("A dog sat.")
    live.locator(".st-table", has_text="dog").wait_for()
    live.get_by_role("group", name="Head").locator("label", has_text="7").click()
    page.keyboard.press("ArrowLeft")  # the radio takes it, not JupyterLab
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.get_by_text("little-bert A dog sat. 6").wait_for()

    page.locator(".jp-CodeCell").nth(2).locator(".cm-content").click()  # the control's own cell once more
    page.keyboard.press("Control+Enter")
    live.locator(".st-table", has_text="was").wait_for()
    assert live.count() == 1

    live.get_by_label("Your text").focus()  # Ctrl+S saves the notebook from inside a control too
    page.keyboard.press("Control+s")
    until(lambda: "Run this cell" in (lab.folder / "controls.ipynb").read_text(encoding="utf-8"), "the notebook was not saved")
    menu(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(state="hidden")
    page.reload()
    page.locator(".itt-still:visible").nth(2).wait_for()
    assert page.get_by_text("Run this cell", exact=True).locator("visible=true").count() == 3
    assert page.locator(".itt-still svg.is-wide:visible").count() == 2 and page.locator(".itt-still svg.is-wide .itt-cells").count() > 10
    assert page.get_by_text("model not found").locator("visible=true").count() == 0
    context.close()


def test_a_run_copy_shows_its_controls_before_anything_is_run(browser, lab):
    context = browser.new_context(viewport={"width": 1280, "height": 3600})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{lab.workspaces}run/tree/run.ipynb")
    live = page.locator(".itt:has(.st-table[role=grid])")
    live.wait_for()
    page.locator(".ex-plot").wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0, timeout=60_000)
    assert page.get_by_text("model not found").locator("visible=true").count() == 0
    before = live.locator(".itt-readout").inner_text()
    live.locator(".itt-tokens label", has_text="mat").click()  # in the finished state: it moves without Python
    expect(live.locator(".itt-readout")).not_to_have_text(before)
    live.get_by_label("Your text").fill("A dog sat.")
    expect(live.locator(".itt-note").first).to_contain_text("this cell has to be run again", timeout=60_000)
    context.close()


def test_play_asks_python_for_tokens_and_probabilities(browser, lab):
    """Playground and next word with a kernel behind them: ids and draws are Python's, and Python hears what the reader did."""
    context = browser.new_context(viewport={"width": 1280, "height": 6600})
    page = context.new_page()
    page.set_default_timeout(120_000)
    run_all(page, lab, "play")
    words, ahead = page.locator(".itt:has([role=listbox])"), page.locator(".itt:has(button.nw-row)")
    words.wait_for()
    ahead.wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0, timeout=60_000)  # the last control may still be starting

    little = load("little-gpt2").tokenizer
    words.get_by_label("Your text").fill("unwashable Crème")
    words.locator(".tok-chip", has_text="C3").first.wait_for()
    found = [int(text) for text in words.locator(".tok-lane").first.locator(".tok-chip small").all_inner_texts()]
    assert found == little.encode("unwashable Crème").ids
    words.locator(".tok-chip").first.click()
    page.keyboard.press("ArrowRight")  # the chips take it, not JupyterLab
    assert words.locator(".tok-lane").first.locator('[aria-selected="true"] small').inner_text() == str(found[1])

    ahead.locator(".itt-seg-item", has_text="Paper model").click()
    ahead.get_by_text("1.88", exact=True).wait_for()
    for steps in (1, 2):
        ahead.get_by_role("button", name="Draw a token").click()
        ahead.locator(".nw-step").nth(steps - 1).wait_for()
    ids = [0, 1, 2]  # the cat sat
    paper = load("paper-gpt2", dtype=torch.float64)
    for at in range(2):
        ids.append(drawn(after(paper, ids), uniform(0, at)))
    assert ahead.locator(".nw-step bdi").all_inner_texts() == [paper.tokenizer.id_to_token(i) for i in ids[3:]]
    context.close()
