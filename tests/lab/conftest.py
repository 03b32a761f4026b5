"""JupyterLab, started once for all tests here, in a folder of fresh copies and without the settings of whoever runs the
tests.
"""

import re
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from labutils.authoring import lab, notebooks
from labutils.authoring.copies import Copies

PATIENCE = 240_000  # milliseconds: a machine five times slower than ours is waited for
OPTIONS = (
    "--no-browser",
    "--allow-root",
    "--IdentityProvider.token=",
    "--ServerApp.password=",
    "--ServerApp.port=0",
    "--ServerApp.port_retries=0",
    "--LabApp.expose_app_in_browser=True",
)  # so that a test can see when it is ready
READY = """(name) => {  // the notebook in front is the one that was asked for, it is drawn, and its kernel waits
  const front = globalThis.jupyterapp?.shell.currentWidget, session = front?.sessionContext;
  return front?.context?.isReady && front.context.path === name && document.querySelector(".jp-Notebook .jp-Cell")
    && session?.isReady && session.session?.kernel?.connectionStatus === "connected" && session.session.kernel.status === "idle";
}"""
BEGUN = """() => [...document.querySelectorAll(".jp-CodeCell")].some((cell) =>   // a star while a cell waits or runs, then its number
  /\\[[*\\d]/.test(cell.querySelector(".jp-InputPrompt")?.textContent) || cell.querySelector(".jp-OutputArea-child"))"""
WAITING = """() => {  // cells that have not run, and in what state their kernel is; a folded cell shows no number, and may print nothing
  const { content, sessionContext } = jupyterapp.shell.currentWidget, kernel = sessionContext.session?.kernel;
  const left = content.widgets.filter(({ model }) => model.type === "code" && !model.executionCount);
  return { left: left.map(({ model }) => model.sharedModel.source.slice(0, 80)), kernel: kernel?.status, by: kernel?.connectionStatus };
}"""
SENT = """() => jupyterapp.shell.currentWidget.content.widgets.every(({ model }) =>  // each lies before the kernel, or runs
  model.type !== "code" || model.executionState === "running")"""
ENDED = f"""() => {{  // all have run, or one has ended with an error, behind which none runs
  const {{ content }} = jupyterapp.shell.currentWidget;
  const errs = ({{ outputs }}) => Array.from({{ length: outputs.length }}, (_, i) => outputs.get(i)).some(({{ type }}) => type === "error");
  const failed = ({{ model }}) => model.type === "code" && errs(model);
  return !({WAITING})().left.length || content.widgets.some(failed);
}}"""


@dataclass
class Lab:
    """A JupyterLab that runs: its address, its folder, where it keeps its signatures, and the context in which its
    pages open.
    """

    address: str
    folder: Path
    data: Path
    context: object

    def page(self, height: int = 1000):
        """An empty page; a tall one if controls that are far down should start."""
        page = self.context.new_page()
        page.set_viewport_size({"width": 1280, "height": height})
        page.set_default_timeout(PATIENCE)
        return page

    def open(self, page, name: str) -> None:
        """Open a notebook, in a workspace of its own: in a shared one JupyterLab opens the notebooks of other tests
        again.
        """
        page.goto(
            f"{self.address}/lab/workspaces/{name.split('.')[0].replace('/', '-')}/tree/{name}?reset", timeout=PATIENCE
        )

    def run_all(self, page, name: str) -> None:
        """Open a notebook and choose Run All Cells, until it has begun."""
        self.open(page, name)
        page.wait_for_function(READY, arg=name)
        menu(page, "Run", "Run All Cells")
        page.wait_for_function(BEGUN)

    def run_all_and_answer(self, page, name: str) -> None:
        """Run All Cells of a notebook whose first cell asks; it gets its answer when all cells lie before the kernel.
        After an error a kernel passes over what lies there, and runs what comes later.
        """
        self.run_all(page, name)
        field = page.locator(".jp-Stdin-input")
        field.wait_for()
        page.wait_for_function(SENT)
        field.press("Enter")

    def write(self, name: str, *cells: str) -> None:
        """A notebook of these cells, in the folder."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(notebook, self.folder / name)


def until_run(page) -> None:
    """Wait until all cells have run, or one has ended with an error; where that takes too long, say what is left.

    It is asked once a second, not at each frame: a page that draws much draws no more for being asked.
    """
    try:
        page.wait_for_function(ENDED, polling=1000, timeout=2 * PATIENCE)
    except Late:
        pytest.fail(f"After {2 * PATIENCE / 60_000:g} minutes these cells have not run: {page.evaluate(WAITING)}")


def menu(page, *words: str) -> None:
    for word in words:
        page.get_by_role("menuitem", name=word, exact=True).click()


def save(page, path: Path) -> str:
    """Press Ctrl+S wherever the focus is. Returns the notebook as JupyterLab has written it."""
    with page.expect_response(lambda answer: answer.request.method == "PUT" and path.name in answer.url) as saved:
        page.keyboard.press("Control+s")
    assert saved.value.ok
    return path.read_text(encoding="utf-8")


def assert_stills_outlive_the_kernel(page, path: Path, controls: int) -> None:
    """Saved, without its kernel and opened again, the notebook shows the still picture of each control, and says what
    to do; closes the page.
    """
    assert save(page, path).count("Run this cell") == controls
    menu(page, "Kernel", "Shut Down Kernel")
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(state="hidden")
    page.reload()
    expect(page.get_by_text("Run this cell", exact=True).locator("visible=true")).to_have_count(controls)
    expect(page.locator(".itt-still svg.is-wide:visible")).to_have_count(controls)
    page.close()


@pytest.fixture(scope="session")
def jupyterlab(browser, tmp_path_factory):
    """A running `Lab`, every chapter and second notebook in its folder."""
    work, private = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("jupyter")
    for folder in ("", "more"):  # not run before, so that it is seen when they run
        Copies(notebooks.CHAPTERS / folder, work / folder, place=shutil.copyfile).update()
    whole = private / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    whole.parent.mkdir(parents=True)
    whole.write_text('{"windowingMode": "none"}')  # every cell is on the page, not only those in view
    unsaved = private / "settings/@jupyterlab/docmanager-extension/plugin.jupyterlab-settings"
    unsaved.parent.mkdir(parents=True)
    unsaved.write_text('{"autosave": false}')  # a test that takes longer than two minutes saves when it says so
    (private / "data").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_CONFIG_DIR", str(private))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(private))
        patch.setenv("JUPYTER_DATA_DIR", str(private / "data"))
        patch.setenv("JUPYTERLAB_SETTINGS_DIR", str(private / "settings"))
        running = lab.jupyterlab(work, *OPTIONS, stderr=subprocess.PIPE, text=True)
    expect.set_options(timeout=PATIENCE)
    context = browser.new_context()  # one, so that JupyterLab's own scripts are fetched and read once
    try:
        yield Lab(address(running), work, private / "data", context)
    finally:
        context.close()
        running.terminate()
        running.wait(PATIENCE / 1000)


def address(running) -> str:
    """Where JupyterLab says that it listens. What it says afterwards is read and forgotten."""
    said = []
    for line in running.stderr:
        said.append(line)
        if found := re.search(r"http://(?:localhost|127\.0\.0\.1):(\d+)/lab", line):
            threading.Thread(target=running.stderr.read, daemon=True).start()
            return f"http://127.0.0.1:{found[1]}"
    raise RuntimeError(f"JupyterLab did not start:\n{''.join(said)[-2000:]}")
