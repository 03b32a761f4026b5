"""The controls in a real JupyterLab: run, moved, run again, saved, opened without a kernel."""

import shutil

import pytest
import torch
from controls.expected import after, drawn, uniform
from lab.conftest import menu, save
from playwright.sync_api import expect

from labutils.authoring.runs import run_chapter
from labutils.checkpoints import load

CELLS = (
    "from labutils.controls import Explorer, Steps, predict",
    'predict("lab", "Which?", ("a", "no"), ("b", "yes"), ("c", "no"), right=1)',
    'steps = Steps(layer=2, head=4, query=8, number="4.1")\nsteps',
    "Explorer(layer=2, head=4, query=8)",
    "print(steps.model, steps.text, steps.head)",
)


@pytest.fixture(scope="module")
def lab(jupyterlab, tmp_path_factory):
    """JupyterLab with `controls.ipynb` and a run copy of it, `run.ipynb`."""
    jupyterlab.write("controls.ipynb", *CELLS)
    fresh = shutil.copy(jupyterlab.folder / "controls.ipynb", tmp_path_factory.mktemp("fresh") / "run.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(jupyterlab.data))  # where a run copy is signed
        run_chapter(fresh, jupyterlab.folder / "run.ipynb")
    return jupyterlab


def test_the_controls_live_through_a_session(lab):
    page = lab.page(height=3600)
    lab.run_all(page, "controls.ipynb")
    live = page.locator(".itt:has(.st-table[role=grid])")
    live.wait_for()
    page.locator(".ex-plot").wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)  # the last control may still be starting

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
    assert "Run this cell" in save(page, lab.folder / "controls.ipynb")
    menu(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(state="hidden")
    page.reload()
    page.locator(".itt-still:visible").nth(2).wait_for()
    assert page.get_by_text("Run this cell", exact=True).locator("visible=true").count() == 3
    assert (
        page.locator(".itt-still svg.is-wide:visible").count() == 2
        and page.locator(".itt-still svg.is-wide .itt-cells").count() > 10
    )
    assert page.get_by_text("model not found").locator("visible=true").count() == 0
    page.close()


def test_a_run_copy_shows_its_controls_before_anything_is_run(lab):
    page = lab.page(height=3600)
    lab.open(page, "run.ipynb")
    live = page.locator(".itt:has(.st-table[role=grid])")
    live.wait_for()
    page.locator(".ex-plot").wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)
    assert page.get_by_text("model not found").locator("visible=true").count() == 0
    before = live.locator(".itt-readout").inner_text()
    live.locator(".itt-tokens label", has_text="mat").click()  # in the finished state: it moves without Python
    expect(live.locator(".itt-readout")).not_to_have_text(before)
    live.get_by_label("Your text").fill("A dog sat.")
    expect(live.locator(".itt-note").first).to_contain_text("choose Run, then Run All Cells")
    page.close()


def test_play_asks_python_for_tokens_and_probabilities(jupyterlab):
    """Playground and next word with a kernel behind them: ids and draws are Python's, and Python hears what the reader
    did.
    """
    page = jupyterlab.page(height=6600)
    jupyterlab.run_all(page, "play.ipynb")
    words, ahead = page.locator(".itt:has([role=listbox])"), page.locator(".itt:has(button.nw-row)")
    words.wait_for()
    ahead.wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)  # the last control may still be starting

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
    page.close()
