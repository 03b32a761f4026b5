"""What is kept of nbval's run of a notebook is what a build would have of its own."""

import again
import nbformat
import pytest
from kept_runs import Kept
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbval.kernel import RunningKernel

from labutils.authoring import book, refresh

CELLS = (
    "import os, sys\nprint('one'); print('two')\nos.environ['ITT_SITE'], 'offline' in os.environ['PYTHONPATH']",
    "from IPython.display import clear_output, display\nprint('gone'); clear_output(wait=True); print('stays')\ndisplay({'a': 1})",
    "shown = display('first', display_id=True)\nshown.update('second')",
    "import ipywidgets as widgets\nslider = widgets.IntSlider(value=3)\nout = widgets.Output()\nwith out:\n    print('inside')\ndisplay(slider, out)",
    "slider.value = 5\n1 / 0",
)


class File:
    """As much of nbval's file as is asked for."""

    def __init__(self, path):
        self.path, self.kernel = path, None

    def setup(self):
        self.kernel = RunningKernel("python3", cwd=str(self.path.parent))

    def get_kernel_message(self, timeout=None):
        return self.kernel.get_message("iopub", timeout=timeout)

    def run(self, source):
        sent = self.kernel.execute_cell_input(source)
        self.kernel.await_reply(sent, timeout=600)
        while True:
            message = self.get_kernel_message(timeout=600)
            mine = message["parent_header"].get("msg_id") == sent
            if mine and message["content"].get("execution_state") == "idle":
                return


@pytest.fixture
def file(tmp_path, monkeypatch):
    cells = [new_markdown_cell("# Text"), *map(new_code_cell, CELLS)]
    cells[-1].metadata.tags = ["raises-exception"]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(new_notebook(cells=cells, metadata=kernel), tmp_path / "one.ipynb")
    file = File(tmp_path / "one.ipynb")
    yield file
    file.kernel.stop()


@pytest.fixture
def kept(monkeypatch):
    """What was put where the build looks."""
    found = []
    monkeypatch.setattr("kept_runs.forget_stale", lambda: None)
    monkeypatch.setattr(book, "keep_run", lambda notebook, path, seconds: found.append((notebook, path)))
    return found


def plain(notebook):
    """Outputs and widgets without the names that are drawn at random."""
    widgets = notebook.metadata.pop("widgets")["application/vnd.jupyter.widget-state+json"]["state"]
    text = nbformat.writes(notebook)
    for number, name in enumerate(widgets):
        text = text.replace(name, f"widget {number}")
    states = sorted((one["model_name"], str(one["state"].get("value"))) for one in widgets.values())
    return nbformat.reads(text, as_version=4), states


def test_it_is_what_a_build_has(file, kept, monkeypatch):
    run = Kept(file)
    file.setup()
    for number, source in enumerate(CELLS):
        assert not kept
        file.run(source)
        run.ran(number)
    [(mine, path)] = kept
    assert path == file.path
    theirs = nbformat.read(file.path, as_version=4)
    for name, value in book.surroundings().items():
        monkeypatch.setenv(name, value)
    refresh.execute(theirs, file.path.parent)
    for cell in theirs.cells:
        cell.metadata.pop("execution", None)
    (mine, my_states), (theirs, their_states) = plain(mine), plain(theirs)
    assert my_states == their_states and ("IntSliderModel", "5") in my_states
    assert mine.metadata == theirs.metadata
    for one, other in zip(mine.cells, theirs.cells, strict=True):
        assert one == other


def test_nothing_is_kept_where_a_cell_has_failed(file, kept):
    run = Kept(file)
    file.setup()
    for number, source in enumerate(CELLS):
        file.run(source)
        if number != 2:
            run.ran(number)
    assert kept == []


def test_what_readers_run_again_says_the_same_in_the_kernel_and_in_a_process_of_its_own(file, kept, monkeypatch):
    cells = [
        new_code_cell("twice = lambda x: 2 * x", id="mine"),
        new_code_cell("print(twice(3))\ntwice(4)", id="check"),
    ]
    nbformat.write(new_notebook(cells=cells), file.path)
    monkeypatch.setattr(again, "CHAPTERS", file.path.parent)
    monkeypatch.setitem(again.AGAIN, "one", (("mine",), ("check",)))
    monkeypatch.setitem(again.MUTANTS, "one", [("mine", "2 * x", "x + y", ["check"]), ("mine", "2", "3", ["check"])])
    monkeypatch.setattr(again, "HEARD", {})
    monkeypatch.setattr("kept_runs.CHAPTERS", file.path.parent)
    monkeypatch.setattr(again, "WANTED", {"one"})
    run = Kept(file)
    file.setup()
    for number, cell in enumerate(cells):
        assert again.HEARD == {}
        file.run(cell.source)
        run.ran(number)
    heard = again.HEARD.pop("one")
    assert [words["check"] for words in heard] == [
        "6\n8\n",
        "RAISED NameError: name 'y' is not defined\n",
        "9\n12\n",
        "6\n8\n",
    ]
    assert again.said("one") == heard
