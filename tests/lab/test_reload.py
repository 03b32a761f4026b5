"""A reload without saving: the controls of the page are those of the kernel that runs."""

import ast
import builtins
import shutil

import pytest
from lab.conftest import READY, menu, save, until_run
from playwright.sync_api import expect

from labutils.authoring import notebooks
from labutils.authoring.runs import run_chapter

CELLS = (
    "from labutils.controls import Steps, predict",
    'predict("lab", "Which?", ("a", "no"), ("b", "yes"), ("c", "no"), right=1)',
    'steps = Steps(layer=2, head=4, query=8, number="4.1")\nsteps',
    "print('at', 'the', 'end')",
)
COMPLAINTS = ("error", "warning")


def reloaded(page, name):
    """What the console says from now on, while the page is loaded again; whether to leave it is answered with yes."""
    said = []
    page.on("console", lambda message: message.type in COMPLAINTS and said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.wait_for_function(READY, arg=name)
    return said


def assert_python_answers(page):
    """A control draws another text with Python behind it, and nothing stands there as a picture."""
    live = page.locator(".itt:has(.st-table[role=grid])")
    live.wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)
    live.get_by_label("Your text").fill("A dog sat.")
    live.locator(".st-table", has_text="dog").wait_for()
    expect(live.locator(".itt-note:visible")).to_have_count(0)


def finished(page):
    """Wait until the last cell has said its words."""
    page.get_by_text("at the end", exact=True).wait_for()


def test_a_copy_that_was_run_before_and_is_run_by_its_reader(jupyterlab, tmp_path):
    jupyterlab.write("again.ipynb", *CELLS)
    fresh = shutil.copy(jupyterlab.folder / "again.ipynb", tmp_path / "again.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(jupyterlab.data))
        run_chapter(fresh, jupyterlab.folder / "again.ipynb")
    page = jupyterlab.page(height=2400)
    jupyterlab.run_all(page, "again.ipynb")
    finished(page)
    page.locator(".itt:has(.st-table[role=grid])").wait_for()
    said = reloaded(page, "again.ipynb")
    assert_python_answers(page)
    assert said == []
    page.close()


def test_a_saved_notebook_that_a_new_kernel_has_run_since(jupyterlab):
    jupyterlab.write("restarted.ipynb", *CELLS)
    page = jupyterlab.page(height=2400)
    jupyterlab.run_all(page, "restarted.ipynb")
    finished(page)
    save(page, jupyterlab.folder / "restarted.ipynb")
    menu(page, "Kernel", "Restart Kernel and Run All Cells…")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    page.get_by_text("at the end", exact=True).wait_for(state="hidden")
    finished(page)
    page.locator(".itt:has(.st-table[role=grid])").wait_for()
    said = reloaded(page, "restarted.ipynb")
    assert_python_answers(page)
    assert said == []
    page.close()


CHAPTER = "12_decoding.ipynb"  # none has more controls and guesses
NAME = "controls_alone.ipynb"
VIEW = "application/vnd.jupyter.widget-view+json"
ALIVE = ".itt[data-name]:has(.itt-stage), fieldset.itt.guess"


def controls_alone(cells: list) -> list:
    """The cells of a chapter that draw a control or a guess and need nothing of those that compute: they run in seconds."""
    known, controls, found = set(vars(builtins)), set(), []
    for cell in cells:
        if cell.cell_type != "code":
            continue
        tree = ast.parse(cell.source)
        imports = [one for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)]
        bound = {alias.asname or alias.name.partition(".")[0] for one in imports for alias in one.names}
        drawn = {
            alias.name for one in imports if getattr(one, "module", "") == "labutils.controls" for alias in one.names
        }
        used = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
        if used & (controls | drawn) and used <= known | bound:
            known, controls, found = known | bound, controls | drawn, [*found, cell]
    return found


def test_the_controls_of_a_chapter_that_were_run_and_not_saved(jupyterlab, tmp_path):
    """Each of its controls and guesses is there again, and none is a picture or says what to run."""
    path, notebook = jupyterlab.folder / NAME, notebooks.read(notebooks.CHAPTERS / CHAPTER)
    notebook.cells = controls_alone(notebook.cells)
    notebooks.write(path, notebook)
    fresh = shutil.copy(path, tmp_path / NAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(jupyterlab.data))
        run_chapter(fresh, path)
    written = path.read_text(encoding="utf-8")
    cells = notebooks.read(path).cells
    controls = sum(VIEW in output.get("data", ()) for cell in cells for output in cell.get("outputs", ()))
    assert controls >= 12
    page = jupyterlab.page(height=2400)
    jupyterlab.run_all(page, NAME)
    until_run(page)
    expect(page.locator(ALIVE)).to_have_count(controls)
    said = reloaded(page, NAME)
    assert path.read_text(encoding="utf-8") == written  # nothing was saved
    expect(page.locator(ALIVE)).to_have_count(controls)
    expect(page.locator(".itt-still:visible")).to_have_count(0)
    expect(page.locator(".itt-note:visible")).to_have_count(0)
    assert said == []
    page.close()
