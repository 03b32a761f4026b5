"""What JupyterLab says and does for the book: a chapter that is being run or was put back, a link into the glossary."""

import json
import os
import shutil

from lab.conftest import READY, SENT, menu, save
from playwright.sync_api import expect

from labutils.authoring import lab
from labutils.authoring.runs import run_chapter

LATE = "late.ipynb"
CHANGED_BY_THE_KERNEL = """async () => {  // once JupyterLab has heard what it writes of the kernel
  const { context, sessionContext } = jupyterapp.shell.currentWidget, { kernel } = sessionContext.session;
  await kernel.info, await kernel.spec;
  return context.model.dirty;
}"""

BETWEEN = """() => {  // what is said lies between the toolbar and the notebook, in full, and covers neither
  const box = (which) => document.querySelector(which).getBoundingClientRect(), line = box(".itt-changed");
  const [above, below] = [box(".jp-NotebookPanel-toolbar"), box(".jp-NotebookPanel-notebook")];
  return line.height && line.top >= above.bottom && line.bottom <= below.top && line.right <= below.right;
}"""


def opening(jupyterlab, seconds):
    """A page in which a notebook is being opened and has been run for so long; the file itself waits in a list."""
    jupyterlab.write(LATE, "6 * 7")
    page = jupyterlab.page()
    waiting = held(page, seconds)
    jupyterlab.open(page, LATE)
    return page, waiting


def held(page, seconds):
    """The notebook is said to have been run for so long whenever it is asked for from now on; the file waits in a list."""
    waiting = []

    def answer(route):
        if "content=0" in route.request.url:
            found = route.fetch()
            route.fulfill(response=found, body=json.dumps(found.json() | {"being_run": seconds}))
        elif waiting or route.request.method != "GET":
            route.continue_()
        else:
            waiting.append(route)  # the file itself comes when it was run

    page.route(f"**/api/contents/{LATE}?*", answer)
    return waiting


def put_back(jupyterlab, page, text, seconds):
    """back.ipynb is written anew, so many seconds from now, and the reader comes back from a terminal: it is looked at."""
    jupyterlab.write("back.ipynb", text)
    later = (jupyterlab.folder / "back.ipynb").stat().st_mtime + seconds
    os.utime(jupyterlab.folder / "back.ipynb", (later, later))
    looked_at(page, "back.ipynb")


def looked_at(page, name):
    """What is said of a file that was looked at is said by now."""
    with page.expect_response(lambda answer: f"{name}?content=0" in answer.url):
        page.evaluate("dispatchEvent(new Event('focus'))")
    page.evaluate("() => new Promise(requestAnimationFrame)")


def drawing(jupyterlab, name, *cells):
    """A notebook of these cells, of which each that begins with a comment is folded, as those that draw are."""
    jupyterlab.write(name, *cells)
    path = jupyterlab.folder / name
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "".join(cell["source"]).startswith("#"):
            cell["metadata"] = {"jupyter": {"source_hidden": True}, "tags": ["remove-input"]}
    path.write_text(json.dumps(notebook), encoding="utf-8")


def a_look_later(page):
    """A page whose clock can be set looks again at what its notebook lacks."""
    page.clock.fast_forward(1000)
    page.evaluate("() => new Promise(requestAnimationFrame)")


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


def test_a_chapter_that_is_run_again_is_not_said_to_be_opened_for_the_first_time(jupyterlab):
    jupyterlab.write(LATE, "6 * 7")
    page = jupyterlab.page()
    jupyterlab.open(page, LATE)
    page.wait_for_function(READY, arg=LATE)
    waiting = held(page, 12.3)
    menu(page, "File", "Reload Notebook from Disk")
    page.locator(".jp-Dialog").get_by_role("button", name="Reload").click()
    said = page.locator(".itt-first-run")
    expect(said).to_contain_text("This notebook is run once for its pictures and controls. That takes")
    waiting[0].continue_()
    expect(said).to_have_count(0)
    page.close()


def test_a_notebook_that_was_put_back_while_it_is_open_says_so_and_is_read_again(jupyterlab):
    jupyterlab.write("back.ipynb", "'mine'")
    page = jupyterlab.page()
    jupyterlab.open(page, "back.ipynb")
    page.wait_for_function(READY, arg="back.ipynb")
    put_back(jupyterlab, page, "'as the book has it'", 2)  # as if the reader had read for two seconds
    said = page.locator(".itt-changed")
    expect(said).to_contain_text("was changed on disk")
    said.get_by_role("button", name="Reload it").click()
    page.locator(".jp-Dialog").get_by_role("button", name="Reload").click()
    page.get_by_text("'as the book has it'").wait_for()
    expect(said).to_have_count(0)
    page.close()


def test_who_keeps_a_notebook_that_was_put_back_is_told_of_the_next_change_only(jupyterlab):
    jupyterlab.write("back.ipynb", "'mine'")
    page = jupyterlab.page()
    jupyterlab.open(page, "back.ipynb")
    page.wait_for_function(READY, arg="back.ipynb")
    put_back(jupyterlab, page, "'as the book has it'", 2)
    said = page.locator(".itt-changed")
    expect(said).to_contain_text("was changed on disk")
    page.wait_for_function(BETWEEN)
    page.set_viewport_size({"width": 760, "height": 1000})  # its words take three lines
    page.wait_for_function(BETWEEN)
    said.get_by_role("button", name="Keep mine").click()
    expect(said).to_have_count(0)
    looked_at(page, "back.ipynb")
    expect(said).to_have_count(0)
    expect(page.get_by_text("'mine'")).to_be_visible()
    put_back(jupyterlab, page, "'as the book has it now'", 4)
    expect(said).to_contain_text("was changed on disk")
    page.close()


def test_a_chapter_that_was_saved_and_closed_while_it_ran_says_that_pictures_are_missing(jupyterlab):
    name = "14_drawn.ipynb"
    cells = (
        "# draws\nprint('the', 'first')",
        "# asks\ninput('Go on? ')",
        "# only computes\n1 == 1;",
        "# draws\nprint('the', 'last')",
    )
    drawing(jupyterlab, name, *cells)
    page = jupyterlab.page()
    page.clock.install()
    jupyterlab.run_all(page, name)
    page.locator(".jp-Stdin-input").wait_for()
    said = page.locator(".itt-missing")
    expect(said).to_have_count(0)
    a_look_later(page)
    expect(said).to_have_count(0)  # the last picture is not there yet, and it will be
    page.get_by_text("the first", exact=True).click()
    save(page, jupyterlab.folder / name)
    menu(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(state="hidden")
    page.reload()
    page.wait_for_function(READY, arg=name)
    expect(said).to_contain_text("Some pictures of this notebook are missing: run all cells.")
    said.get_by_role("button", name="Run all cells").click()
    page.locator(".jp-Stdin-input").fill("yes")
    page.keyboard.press("Enter")
    page.get_by_text("the last", exact=True).wait_for()
    expect(said).to_have_count(0)
    a_look_later(page)
    expect(said).to_have_count(0)
    page.close()


def test_the_pictures_of_exercises_come_back_without_the_answers(jupyterlab):
    name = "exercises/14_drawn.ipynb"
    (jupyterlab.folder / "exercises").mkdir(exist_ok=True)
    cells = "# draws\ninput()", "raise NotImplementedError", "# draws\nprint('the', 'last')"
    drawing(jupyterlab, name, *cells)
    page = jupyterlab.page()
    jupyterlab.run_all_and_answer(page, name)
    said = page.locator(".itt-missing")
    expect(said).to_contain_text("run the cells that draw them")
    said.get_by_role("button", name="Run these cells").click()
    page.get_by_text("the last", exact=True).wait_for()
    expect(said).to_have_count(0)
    expect(page.get_by_text("[2]:", exact=True)).to_be_visible()  # the answer was not run again
    page.close()


def test_a_notebook_that_is_not_of_the_book_misses_nothing(jupyterlab):
    drawing(jupyterlab, "mine.ipynb", "# draws\nprint('the', 'first')")
    page = jupyterlab.page()
    page.clock.install()
    jupyterlab.open(page, "mine.ipynb")
    page.wait_for_function(READY, arg="mine.ipynb")
    a_look_later(page)
    expect(page.locator(".itt-missing")).to_have_count(0)
    page.close()


def test_a_changed_copy_says_when_it_is_opened_that_the_book_has_a_newer_version(jupyterlab):
    jupyterlab.write("behind.ipynb", "6 * 7")
    page = jupyterlab.page()

    def answer(route):
        found = route.fetch()
        route.fulfill(response=found, body=json.dumps(found.json() | {"newer": "It has a newer version."}))

    page.route("**/api/contents/behind.ipynb?content=0", answer)
    jupyterlab.open(page, "behind.ipynb")
    said = page.locator(".itt-newer")
    expect(said).to_contain_text("It has a newer version.")
    said.get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
    page.close()


def test_a_run_of_all_cells_that_stops_leads_to_the_cell_where_it_did(jupyterlab):
    jupyterlab.write("stops.ipynb", "input()", "1 / 0", *["2"] * 40)
    page = jupyterlab.page()
    jupyterlab.run_all_and_answer(page, "stops.ipynb")
    said = page.locator(".itt-stopped")
    expect(said).to_contain_text("what stands below it was not run")
    said.get_by_role("button", name="Show the cell").click()
    page.wait_for_function("jupyterapp.shell.currentWidget.content.activeCellIndex === 1")
    expect(page.get_by_text("ZeroDivisionError").first).to_be_in_viewport()
    page.evaluate("jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel.setSource('1')")
    page.evaluate("jupyterapp.commands.execute('notebook:run-cell')")
    expect(said).to_have_count(0)
    page.close()


def test_what_an_error_kept_from_being_drawn_leads_to_the_error_first(jupyterlab):
    name = "14_broken.ipynb"
    drawing(jupyterlab, name, "input()", "1 / 0", "# draws\nprint('the', 'last')")
    page = jupyterlab.page()
    jupyterlab.open(page, name)
    page.wait_for_function(READY, arg=name)
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-below').catch(() => {}), null")
    field = page.locator(".jp-Stdin-input")
    field.wait_for()
    page.wait_for_function(SENT)
    field.press("Enter")
    said, missing = page.locator(".itt-stopped"), page.locator(".itt-missing")
    expect(said).to_contain_text("what stands below it was not run")
    expect(missing).to_have_count(0)
    said.get_by_role("button", name="Close").click()
    expect(missing).to_contain_text("Some pictures of this notebook are missing")
    expect(said).to_have_count(0)
    page.close()


def test_second_notebooks_and_pages_look_like_the_chapters(jupyterlab):
    """They bring no strip along, which has the look of a chapter; a reader's own notebook stays as it is."""
    lab.place_pages(jupyterlab.folder)
    text = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "## A heading of its own"}
    page = jupyterlab.page()
    faces = {}
    for name in ("more/15_looks.ipynb", "own_looks.ipynb"):
        jupyterlab.write(name, "1")
        path = jupyterlab.folder / name
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"cells": [text]}), encoding="utf-8")
        jupyterlab.open(page, name)
        faces[name] = face(page, "A heading of its own")
    page.evaluate(
        "jupyterapp.commands.execute('docmanager:open', { path: 'book/glossary.md', factory: 'Markdown Preview' })"
    )
    faces["glossary"] = face(page, "residual stream")
    assert faces["more/15_looks.ipynb"] == faces["glossary"] != faces["own_looks.ipynb"]
    page.close()


def face(page, words):
    """The face of a heading, once the look has come for what is of the book."""
    heading = page.get_by_role("heading", name=words).first
    heading.wait_for()
    page.wait_for_function(
        "[...document.head.querySelectorAll('style')].some((one) => one.textContent.includes('.itt-book'))"
    )
    return heading.evaluate("el => getComputedStyle(el).fontFamily")


def test_the_tabs_of_a_chapter_its_exercises_and_its_second_notebook_differ(jupyterlab):
    (jupyterlab.folder / "exercises").mkdir(exist_ok=True)
    page = jupyterlab.page()
    for folder, label in (("", ""), ("exercises/", "Exercises "), ("more/", "More ")):
        name = f"{folder}15_tabs.ipynb"
        jupyterlab.write(name, "6 * 7")
        jupyterlab.open(page, name)
        page.wait_for_function(READY, arg=name)
        tab = page.get_by_role("tab", name=f"{label}15_tabs.ipynb", exact=True)
        expect(tab).to_have_count(1)
        menu(page, "Run", "Run All Cells")
        page.get_by_text("42", exact=True).wait_for()
        save(page, jupyterlab.folder / name)
        page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
        expect(tab).to_have_count(1)
        assert (jupyterlab.folder / name).exists()
    page.close()


def test_a_notebook_that_jupyterlab_saves_is_not_said_to_have_changed(jupyterlab):
    jupyterlab.write("saved.ipynb", "6 * 7")
    page = jupyterlab.page()
    jupyterlab.run_all(page, "saved.ipynb")
    page.get_by_text("42", exact=True).wait_for()
    save(page, jupyterlab.folder / "saved.ipynb")
    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    looked_at(page, "saved.ipynb")
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
    path.write_text(json.dumps(notebook | {"cells": [*notebook["cells"], text]}), encoding="utf-8")
    page = jupyterlab.page()
    jupyterlab.open(page, "link.ipynb")
    page.wait_for_function(READY, arg="link.ipynb")
    page.get_by_role("link", name="there").click()  # in a cell that was not selected: one click is enough
    entry = page.get_by_role("heading", name="residual stream")
    expect(entry).to_be_focused()
    expect(entry).to_be_in_viewport()
    page.close()


def test_what_a_check_says_is_wrapped_between_words(jupyterlab):
    lab.place_pages(jupyterlab.folder)
    name = "exercises/15_wrapped.ipynb"
    (jupyterlab.folder / "exercises").mkdir(exist_ok=True)
    jupyterlab.write(name, "raise AssertionError('there ' * 60)")
    page = jupyterlab.page()
    jupyterlab.run_all(page, name)
    said = page.locator(".jp-RenderedText pre").filter(has_text="AssertionError").first
    said.wait_for()
    page.wait_for_function("(pre) => getComputedStyle(pre).wordBreak === 'normal'", arg=said.element_handle())
    page.close()
