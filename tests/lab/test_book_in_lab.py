"""What JupyterLab says and does for the book: a chapter that is being run or was put back, a link into the glossary."""

import json
import os
import shutil

from lab.conftest import READY, menu, save
from playwright.sync_api import expect

from labutils.authoring import lab
from labutils.authoring.runs import run_chapter

LATE = "late.ipynb"
CHANGED_BY_THE_KERNEL = """async () => {  // once JupyterLab has heard what it writes of the kernel
  const { context, sessionContext } = jupyterapp.shell.currentWidget, { kernel } = sessionContext.session;
  await kernel.info, await kernel.spec;
  return context.model.dirty;
}"""


def opening(jupyterlab, seconds):
    """A page in which a notebook is being opened and has been run for so long; the file itself waits in a list."""
    jupyterlab.write(LATE, "6 * 7")
    page, waiting = jupyterlab.page(), []

    def answer(route):
        if "content=0" in route.request.url:
            found = route.fetch()
            route.fulfill(response=found, body=json.dumps(found.json() | {"being_run": seconds}))
        elif waiting or route.request.method != "GET":
            route.continue_()
        else:
            waiting.append(route)  # the file itself comes when it was run

    page.route(f"**/api/contents/{LATE}?*", answer)
    jupyterlab.open(page, LATE)
    return page, waiting


def test_a_chapter_that_is_run_first_says_so_in_its_tab_and_for_how_long(jupyterlab):
    page, waiting = opening(jupyterlab, 12.3)
    said = page.locator(".itt-first-run")
    expect(said).to_contain_text("opened for the first time")
    expect(said).to_contain_text("12 seconds so far")
    waiting[0].continue_()
    page.wait_for_function(READY, arg=LATE)
    expect(said).to_have_count(0)
    page.close()


def test_what_would_run_or_save_it_meanwhile_says_that_it_has_to_wait(jupyterlab):
    page, waiting = opening(jupyterlab, 12.3)
    said = page.locator(".itt-first-run")
    for act in (lambda: menu(page, "Run", "Run All Cells"), lambda: page.keyboard.press("Control+s")):
        expect(said).to_contain_text("opened for the first time")
        act()
        expect(said).to_contain_text("Nothing can be run or saved yet. Wait: this notebook opens by itself. This")
    expect(page.locator(".jp-Dialog")).to_have_count(0)
    expect(page.get_by_text("is read-only")).to_have_count(0)
    waiting[0].continue_()
    page.wait_for_function(READY, arg=LATE)
    expect(said).to_have_count(0)
    menu(page, "Run", "Run All Cells")
    page.get_by_text("42", exact=True).wait_for()
    page.close()


def test_a_notebook_that_was_put_back_while_it_is_open_says_so_and_is_read_again(jupyterlab):
    jupyterlab.write("back.ipynb", "'mine'")
    page = jupyterlab.page()
    jupyterlab.open(page, "back.ipynb")
    page.wait_for_function(READY, arg="back.ipynb")
    jupyterlab.write("back.ipynb", "'as the book has it'")
    later = (jupyterlab.folder / "back.ipynb").stat().st_mtime + 2  # as if the reader had read for two seconds
    os.utime(jupyterlab.folder / "back.ipynb", (later, later))
    page.evaluate("dispatchEvent(new Event('focus'))")  # the reader comes back from a terminal
    said = page.locator(".itt-changed")
    expect(said).to_contain_text("was changed on disk")
    said.get_by_role("button").click()
    page.locator(".jp-Dialog").get_by_role("button", name="Reload").click()
    page.get_by_text("'as the book has it'").wait_for()
    expect(said).to_have_count(0)
    page.close()


def test_a_notebook_that_jupyterlab_saves_is_not_said_to_have_changed(jupyterlab):
    jupyterlab.write("saved.ipynb", "6 * 7")
    page = jupyterlab.page()
    jupyterlab.run_all(page, "saved.ipynb")
    page.get_by_text("42", exact=True).wait_for()
    save(page, jupyterlab.folder / "saved.ipynb")
    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    with page.expect_response(lambda answer: "saved.ipynb?content=0" in answer.url):
        page.evaluate("dispatchEvent(new Event('focus'))")
    page.evaluate("() => new Promise(requestAnimationFrame)")  # what is said at all is said by now
    expect(page.locator(".itt-changed")).to_have_count(0)
    page.close()


def test_a_copy_that_was_run_is_unchanged_when_its_kernel_is_there(jupyterlab, tmp_path, monkeypatch):
    """JupyterLab writes into a notebook which kernel it has; the copy says the same."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(jupyterlab.data))
    jupyterlab.write("clean.ipynb", "6 * 7")
    fresh = shutil.copy(jupyterlab.folder / "clean.ipynb", tmp_path / "clean.ipynb")
    run_chapter(fresh, jupyterlab.folder / "clean.ipynb")
    page = jupyterlab.page()
    jupyterlab.open(page, "clean.ipynb")
    for _ in range(2):
        page.wait_for_function(READY, arg="clean.ipynb")
        assert not page.evaluate(CHANGED_BY_THE_KERNEL)
        page.reload()
    page.close()


def test_a_cell_may_ask_its_reader(jupyterlab):
    jupyterlab.write("asks.ipynb", "print('It is', input('Which word? '))")
    page = jupyterlab.page()
    jupyterlab.run_all(page, "asks.ipynb")
    page.locator(".jp-Stdin-input").fill("mat")
    page.keyboard.press("Enter")
    page.get_by_text("It is mat", exact=True).wait_for()
    page.close()


def test_a_link_to_an_entry_of_the_glossary_opens_at_the_entry(jupyterlab):
    lab.place_pages(jupyterlab.folder)
    jupyterlab.write("link.ipynb", "1")
    path = jupyterlab.folder / "link.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    text = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "[there](book/glossary.md#residual-stream)"}
    path.write_text(json.dumps(notebook | {"cells": [text]}), encoding="utf-8")
    page = jupyterlab.page()
    jupyterlab.open(page, "link.ipynb")
    page.wait_for_function(READY, arg="link.ipynb")
    page.get_by_role("link", name="there").click()
    entry = page.get_by_role("heading", name="residual stream")
    expect(entry).to_be_focused()
    expect(entry).to_be_in_viewport()
    page.close()
