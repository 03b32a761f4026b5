"""A reader's copy follows the book until it is changed; then nothing but a reset touches it, and a reset loses nothing."""

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import sleep
from urllib.error import URLError
from urllib.request import urlopen

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_server.base.websocket import WebSocketMixin
from lab.conftest import OPTIONS, address
from nbformat.sign import NotebookNotary

from labutils.authoring import lab, notebooks, root
from labutils.authoring.copies import PLACED, SECOND_COPIES, Copies, Damaged, _content_with_outputs, reset
from labutils.authoring.pages.start import start_page
from labutils.authoring.runs import apart, run_exercises, unanswered


@pytest.fixture
def copies(tmp_path):
    """Of two chapters, which are no notebooks here."""
    here = Copies(tmp_path / "notebooks", tmp_path / "work", place=shutil.copyfile)
    here.originals.mkdir()
    (here.originals / "04_attention.ipynb").write_text("first")
    (here.originals / "05_multi_head.ipynb").write_text("other")
    assert here.update() == []
    return here


@pytest.fixture
def folders(copies):
    return copies.originals / "04_attention.ipynb", copies.folder / "04_attention.ipynb"


def test_an_untouched_copy_follows_the_book(copies, folders):
    original, copy = folders
    assert copy.read_text() == "first"
    original.write_text("second")
    assert copies.update() == [] and copy.read_text() == "second"


def test_a_changed_copy_stays_and_says_so_when_the_book_moves_on(copies, folders):
    original, copy = folders
    copy.write_text("mine")
    assert copies.update() == [] and copy.read_text() == "mine"
    original.write_text("second")
    (sentence,) = copies.update()
    assert "make reset CHAPTER=04" in sentence and copy.read_text() == "mine"


def written(source, *outputs):
    """A chapter of one cell, as text."""
    cell = nbformat.v4.new_code_cell(source, id="a", outputs=[nbformat.v4.new_output(**one) for one in outputs])
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))


def said(*texts):
    return [{"output_type": "stream", "name": "stdout", "text": text} for text in texts]


def test_running_a_chapter_is_no_change_of_it(copies, folders):
    original, copy = folders
    original.write_text(written("print(1), print(2)"))
    copies.update()
    copy.write_text(written("print(1), print(2)", *said("1\n", "2\n")))  # as JupyterLab saves it after Run All
    original.write_text(written("print(3)"))
    assert copies.update() == [] and copy.read_text() == written("print(3)")


def test_another_program_that_writes_the_same_cells_in_another_way_changes_nothing(copies, folders):
    """Colab and older programs write no ids; some write the lines of a cell as one text."""
    original, copy = folders
    original.write_text(written("print(1)\nprint(2)"))
    copies.update()
    stripped = json.loads(copy.read_text())
    for cell in stripped["cells"]:
        del cell["id"]
        cell["source"] = "".join(cell["source"])
    copy.write_text(json.dumps(stripped))
    assert "kept" not in copies.reset("04")
    assert copy.read_text() == original.read_text()
    copy.write_text(json.dumps(stripped))
    original.write_text(written("print(3)"))
    assert copies.update() == [] and copy.read_text() == written("print(3)")


def test_a_copy_without_ids_is_run_when_it_is_opened(chapter, tmp_path):
    here = Copies(chapter.parent, tmp_path / "work")
    here.update()
    copy = here.folder / chapter.name
    stripped = json.loads(copy.read_text(encoding="utf-8"))
    for cell in stripped["cells"]:
        del cell["id"]
    copy.write_text(json.dumps(stripped), encoding="utf-8")
    here.open(chapter.name)
    (cell,) = nbformat.read(copy, as_version=4).cells
    assert cell.outputs


def test_without_a_record_a_copy_that_is_as_placed_is_untouched(copies, folders):
    original, copy = folders
    original.write_text(written("print(1)"))
    copies.update()
    copy.write_text(written("print(1)", *said("1\n")))
    other = copies.folder / "05_multi_head.ipynb"
    other.write_text("mine")
    (copies.folder / PLACED).unlink()
    (sentence,) = copies.update()
    assert sentence.startswith("05_multi_head.ipynb") and other.read_text() == "mine"
    original.write_text(written("print(3)"))
    assert len(copies.update()) == 1 and copy.read_text() == written("print(3)")


def test_a_record_of_an_older_book_is_understood(copies, folders):
    original, copy = folders
    original.write_text(written("print(1)", *said("1\n")))
    copies.update()
    old = {"made of": _content_with_outputs(original), "copy": _content_with_outputs(copy), "ran": True}
    (copies.folder / PLACED).write_text(json.dumps({original.name: old}))
    original.write_text(written("print(2)"))
    assert copies.update() == [] and copy.read_text() == written("print(2)")
    assert json.loads((copies.folder / PLACED).read_text())[original.name]["of"] == "sources"


def test_a_deleted_copy_comes_back(copies, folders):
    folders[1].unlink()
    assert copies.update() == [] and folders[1].read_text() == "first"


def test_reset_keeps_each_changed_copy(copies, folders):
    original, copy = folders
    for n, mine in enumerate(("mine", "mine too"), 1):
        copy.write_text(mine)
        said = copies.reset("04")
        assert copy.read_text() == "first"
        assert f"04_attention.yours-{n}.ipynb" in said and "Reload Notebook from Disk" in said
        assert (copy.parent / f"04_attention.yours-{n}.ipynb").read_text() == mine
    assert "kept" not in copies.reset("04_attention")


def test_reset_after_an_update_takes_the_new_version_and_follows_it(copies, folders):
    original, copy = folders
    copy.write_text("mine")
    original.write_text("second")
    copies.reset("04")
    original.write_text("third")
    assert copies.update() == [] and copy.read_text() == "third"


@pytest.mark.parametrize("name", ["", "0", "99", "attention"])
def test_reset_of_no_single_chapter_is_one_sentence(copies, name):
    with pytest.raises(ValueError, match="04_attention, 05_multi_head"):
        copies.reset(name)


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter of one cell, which draws a control; and a place of its own for signatures."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "notebooks").mkdir()
    path = tmp_path / "notebooks" / "04_one.ipynb"
    cell = nbformat.v4.new_code_cell("from labutils.controls import predict\npredict('x', 'How many?', answer=3)")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def opened(chapter, **how):
    """Its copy is placed and opened; returns what the update said."""
    here = Copies(chapter.parent, chapter.parents[1] / "work", **how)
    said = here.update()
    here.open(chapter.name)
    return said


def test_nothing_runs_before_a_chapter_is_opened(chapter, tmp_path):
    here = Copies(chapter.parent, tmp_path / "work", run=lambda *_: pytest.fail("it was run"))
    here.update()
    copy = tmp_path / "work" / chapter.name
    assert copy.read_bytes() == chapter.read_bytes()
    copy.write_text("mine")
    here.open(chapter.name)
    here.open("other.ipynb")
    assert copy.read_text() == "mine"


def test_a_copy_is_run_and_signed_and_carries_the_state_of_its_controls(chapter, tmp_path):
    opened(chapter)
    copy = nbformat.read(tmp_path / "work" / chapter.name, as_version=4)
    (states,) = (kind["state"] for kind in copy.metadata.widgets.values())
    assert any(state["state"].get("control") == "predict" for state in states.values())
    assert any("text/html" in output.get("data", {}) for output in copy.cells[0].outputs)
    assert NotebookNotary().check_signature(copy)
    assert_names_its_kernel(copy)
    before = (tmp_path / "work" / chapter.name).stat().st_mtime_ns
    assert opened(chapter) == []
    assert (tmp_path / "work" / chapter.name).stat().st_mtime_ns == before  # once, not every time


def assert_names_its_kernel(copy):
    """As JupyterLab would write it as soon as the kernel is there; else a copy counts as changed once it is open."""
    spec = KernelSpecManager().get_kernel_spec("python3")
    assert copy.metadata.kernelspec == {"name": "python3", "display_name": spec.display_name, "language": "python"}
    assert copy.metadata.language_info.version == platform.python_version()


def test_what_jupyterlab_writes_by_itself_is_no_change_of_the_reader(chapter, tmp_path):
    opened(chapter)
    path = tmp_path / "work" / chapter.name
    copy = nbformat.read(path, as_version=4)
    copy.metadata.pop("widgets")  # what JupyterLab saves of a notebook that was only opened
    copy.cells[0].execution_count = None
    nbformat.write(copy, path)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Newer.")]), chapter)
    assert Copies(chapter.parent, tmp_path / "work").update() == []
    assert nbformat.read(path, as_version=4).cells[0].source == "Newer."


def test_links_to_pages_of_the_book_stay_inside_the_readers_folder(chapter, tmp_path):
    work, text = tmp_path / "work", "See the [glossary](../book/glossary.md#softmax)."
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), chapter)
    Copies(chapter.parent, work).update()
    lab.place_pages(work)
    assert "(book/glossary.md#softmax)" in nbformat.read(work / chapter.name, as_version=4).cells[0].source
    assert all((work / "book" / f"{name}.md").read_text(encoding="utf-8").startswith("# ") for name in lab.PAGES)


def test_a_placed_page_holds_what_was_computed_and_leads_to_no_page_that_is_not_there(tmp_path):
    book, work = tmp_path / "book", tmp_path / "work"
    (book / "generated").mkdir(parents=True)
    for name in lab.PAGES:
        (book / f"{name}.md").write_text(f"# {name}\n\n```{{include}} generated/{name}.md\n```\n", encoding="utf-8")
    (book / "ways.md").write_text("# ways\n\n[Terms](glossary.md#row), [how to teach](teach.md).\n", encoding="utf-8")
    (book / "generated/parity.md").write_text("| equal |", encoding="utf-8")
    lab.place_pages(work, book)
    placed = {name: (work / f"book/{name}.md").read_text(encoding="utf-8") for name in lab.PAGES}
    assert placed["parity"] == "# parity\n\n| equal |\n"
    assert "computed when the site is built" in placed["models"] and "include" not in placed["models"]
    assert placed["ways"] == "# ways\n\n[Terms](glossary.md#row), how to teach.\n"


def test_a_second_notebook_has_a_copy_one_folder_down_and_its_links_lead_to_the_same_places(tmp_path):
    originals, text = tmp_path / "notebooks/more", "[chapter](../04_one.ipynb), [row](../../book/glossary.md#row)"
    originals.mkdir(parents=True)
    cells = [
        nbformat.v4.new_markdown_cell(text),
        nbformat.v4.new_code_cell("from pathlib import Path; Path().cwd().name"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), originals / "04_one.ipynb")
    here = replace(SECOND_COPIES, originals=originals, folder=tmp_path / "work/more")
    here.update()
    here.open("04_one.ipynb")
    copy = nbformat.read(here.folder / "04_one.ipynb", as_version=4)
    assert copy.cells[0].source == "[chapter](../04_one.ipynb), [row](../book/glossary.md#row)"
    assert copy.cells[1].outputs[0].data["text/plain"] == "'more'"
    (here.folder / "04_one.ipynb").write_text("mine")
    assert "kept as 04_one.yours-1.ipynb" in here.reset("04")
    nbformat.write(nbformat.v4.new_notebook(), originals / "04_one.ipynb")
    (here.folder / "04_one.ipynb").write_text("mine")
    assert "make reset CHAPTER=more/04" in here.update()[0]
    with pytest.raises(ValueError, match="Name one chapter"):
        reset("more/99")


def test_every_page_of_the_book_that_a_chapter_links_to_is_placed():
    linked = {
        name
        for path in [*notebooks.chapters(), *notebooks.second()]
        for name in re.findall(r"\]\((?:\.\./)+book/(\w+)\.md", path.read_text(encoding="utf-8"))
    }
    assert linked and linked <= set(lab.PAGES)


def test_a_chapter_that_fails_is_placed_as_it_is(chapter, tmp_path, capfd):
    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(broken, chapter)
    opened(chapter)
    assert (tmp_path / "work" / chapter.name).read_bytes() == chapter.read_bytes()
    assert "ZeroDivisionError" in capfd.readouterr().out


def test_exercises_are_placed_for_self_study_and_only_what_they_draw_is_run(chapter, tmp_path):
    opening = nbformat.v4.new_code_cell(
        "from labutils.controls import predict\npredict('x', 'How many?', answer=3)", id="opening"
    )
    opening.metadata["tags"] = ["remove-input"]
    cells = [
        opening,
        nbformat.v4.new_markdown_cell(":::{exercise}\n**4.1 Double**\n:::", id="04-double-card"),
        nbformat.v4.new_code_cell(
            "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION", id="04-double"
        ),
        nbformat.v4.new_code_cell(
            "assert double(3) == 6\n### BEGIN HIDDEN TESTS\nassert secret\n### END HIDDEN TESTS", id="04-double-check"
        ),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), chapter)
    opened(chapter, place=unanswered, run=apart(run_exercises))
    copy = nbformat.read(tmp_path / "work" / chapter.name, as_version=4)
    drawn, card, start, check = copy.cells
    assert drawn.outputs and copy.metadata.widgets and NotebookNotary().check_signature(copy)
    assert_names_its_kernel(copy)
    assert "return 2 * x" in card.source and "dropdown" in card.source
    assert "NotImplementedError" in start.source and "return" not in start.source and not start.outputs
    assert "secret" not in check.source


def test_newer_exercises_are_reset_under_their_own_name(copies, folders):
    original, copy = folders
    copy.write_text("mine")
    original.write_text("second")
    (sentence,) = replace(copies, under="exercises/").update()
    assert "make reset CHAPTER=exercises/04" in sentence
    with pytest.raises(ValueError, match="01_rnn, 02_tokenization, 03_embeddings, 04_attention"):
        reset("exercises/99")


def test_the_start_page_leads_to_what_lies_there(tmp_path):
    for folder in ("exercises", "more"):
        (tmp_path / folder).mkdir()
    for name in ("04_attention", "exercises/04_attention", "more/04_attention", "play"):
        (tmp_path / f"{name}.ipynb").touch()
    page = start_page(tmp_path)
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert "**Run All Cells** stops there at the first exercise that is not written" in page
    assert "Begin with [chapter 4, Attention](04_attention.ipynb)." in page and "02_tokenization" not in page
    lab.place_pages(tmp_path)
    assert [link for link in links if not (tmp_path / link).exists()] == []
    assert {"exercises/04_attention.ipynb", "more/04_attention.ipynb", "play.ipynb", "book/glossary.md"} <= set(links)


def test_root_is_refused_before_anything_runs(monkeypatch, capsys):
    monkeypatch.setattr(root, "is_root", lambda: True)
    monkeypatch.setattr("sys.argv", ["lab"])
    for name in ("place_pages", "jupyterlab"):
        monkeypatch.setattr(lab, name, lambda *_: pytest.fail("something was done"))
    monkeypatch.setattr(Copies, "update", lambda _: pytest.fail("something was done"))
    with pytest.raises(SystemExit, match="you are root.*ALLOW_ROOT=yes"):
        lab.main()


@pytest.fixture
def started(monkeypatch):
    """Runs the command with arguments; returns what JupyterLab was started with, which ends at once."""

    def run(*arguments):
        passed = []
        monkeypatch.setattr("sys.argv", ["lab", *arguments])
        monkeypatch.setattr(root, "is_root", lambda: False)
        for name in ("place_pages", "start_page"):
            monkeypatch.setattr(lab, name, lambda *_: "")
        monkeypatch.setattr(Copies, "update", lambda _: [])
        monkeypatch.setattr(lab, "jupyterlab", lambda _, *options: passed.extend(options) or Ended())
        with pytest.raises(SystemExit):
            lab.main()
        return passed

    return run


def test_options_of_jupyterlab_are_passed_on(started, tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "WORK", tmp_path)
    own = ("--no-browser", "--port", "9000", "--ip=127.0.0.1")
    assert started(*own) == [lab.RUNS, *own]
    assert started("--allow-root", "--port", "9000") == [lab.RUNS, "--allow-root", "--port", "9000"]


def test_help_says_which_options_are_passed_on(started, capsys):
    assert started("--help") == []
    assert "--no-browser, --port 9000" in " ".join(capsys.readouterr().out.split())


def test_a_reset_takes_no_option_of_jupyterlab(started, capsys, monkeypatch):
    monkeypatch.setattr(lab, "reset", lambda _: pytest.fail("something was done"))
    assert started("--reset", "04", "--port", "9000") == []
    assert "--port 9000" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"04_attention.ipynb": 4}', "\x00"])
def test_a_damaged_record_is_one_sentence_and_nothing_is_touched(copies, folders, text):
    original, copy = folders
    original.write_text("second")
    (copies.folder / PLACED).write_text(text)
    for do in (copies.update, lambda: copies.open(copy.name), lambda: copies.reset("04")):
        with pytest.raises(Damaged, match="work/.placed.json is damaged.*all stay as they are.*make reset CHAPTER=04"):
            do()
    assert copy.read_text() == "first" and (copies.folder / PLACED).read_text() == text


def test_lab_starts_with_a_damaged_record(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["lab", "--allow-root"])
    monkeypatch.setattr(lab, "WORK", tmp_path)
    (tmp_path / PLACED).write_text("{")
    for name in ("CHAPTER_COPIES", "EXERCISE_COPIES", "SECOND_COPIES"):
        monkeypatch.setattr(lab, name, Copies(tmp_path / "none", tmp_path))
    monkeypatch.setattr(lab, "jupyterlab", lambda *_: Ended())
    with pytest.raises(SystemExit, match="7"):
        lab.main()
    assert capsys.readouterr().out.count("is damaged") == 3


class Ended:
    """JupyterLab, which ends with 7 after a Ctrl+C and an answer to its question."""

    def __init__(self):
        self.left = [7, KeyboardInterrupt]

    def wait(self):
        if isinstance(last := self.left.pop(), int):
            return last
        raise last


def test_ctrl_c_is_left_to_jupyterlab():
    assert lab.waited(Ended()) == 7


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("told", ["SIGTERM", "SIGHUP"])
def test_jupyterlab_ends_with_the_command_that_started_it(told, tmp_path):
    starts = """import subprocess, sys
from labutils.authoring.lab import waited
class Waited(subprocess.Popen):
    def wait(self):
        print("up", flush=True)  # so what it is told has a hearer by now
        return super().wait()
sys.exit(waited(Waited([sys.executable, "-c", "from threading import Event; Event().wait()"])))"""
    running = subprocess.Popen([sys.executable, "-c", starts], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "up\n"
    running.send_signal(getattr(signal, told))
    assert running.stdout.read() == ""  # both have let go of it
    assert running.wait() != 0


def test_a_connection_to_a_kernel_is_not_closed_before_its_first_ping():
    """The server counts the answer to a ping from the opening, and looks for it when it sends the first. Tornado takes
    its milliseconds for seconds, and warns where the limit is the longer one. Only without pings are both content.
    """
    settings = json.loads((lab.SETTINGS / "jupyter_lab_config.json").read_text(encoding="utf-8"))
    connection = WebSocketMixin()
    connection.settings = settings["ServerApp"]["tornado_settings"]
    interval, limit = connection.ping_interval, connection.ping_timeout
    assert not interval or limit > interval, "it is closed at the first ping"
    assert not interval or limit <= interval, "tornado warns"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C reaches processes there in another way")
@pytest.mark.parametrize("slow", ["nbformat", "jupyterlab"])
def test_ctrl_c_while_it_loads_ends_it_without_a_traceback(slow, tmp_path, monkeypatch):
    """The one is loaded by `make lab` itself, the other by the JupyterLab that it starts."""
    (tmp_path / slow).mkdir()
    (tmp_path / slow / "__init__.py").write_text(
        "from threading import Event; print('loading', flush=True); Event().wait()"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    if slow == "jupyterlab":
        running = lab.jupyterlab(tmp_path, **piped)
    else:
        running = subprocess.Popen([sys.executable, "-m", "labutils.authoring.lab"], **piped)
    assert running.stdout.readline() == "loading\n"
    running.send_signal(signal.SIGINT)
    assert running.communicate() == ("", "")
    assert running.returncode == -signal.SIGINT


def read(url):
    """What a server answers that has said its address and will listen soon."""
    while True:
        try:
            return urlopen(url).read()
        except URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise
            sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C reaches processes there in another way")
def test_ctrl_c_while_a_chapter_is_run_leaves_lab_open_and_the_chapter_as_it_is(chapter, tmp_path, monkeypatch):
    began, work = tmp_path / "began", tmp_path / "work"
    endless = f"""from pathlib import Path
from threading import Event
if not (began := Path({str(began)!r})).exists():
    began.touch()
    Event().wait()
6 * 7"""
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(endless)]), chapter)
    here = Copies(chapter.parent, work)
    here.update()
    terminal, other_end = os.openpty()
    own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    options = (*OPTIONS, lab.RUNS, f"--RunWhenOpened.chapters={chapter.parent}")
    running = lab.jupyterlab(
        work,
        *options,
        stdin=other_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        contents = f"{address(running)}/api/contents/{chapter.name}"
        with ThreadPoolExecutor() as beside:
            asked = beside.submit(read, contents)
            while not began.exists():
                assert running.poll() is None and not asked.done(), asked.result()
                sleep(0.05)
            os.killpg(running.pid, signal.SIGINT)
            (cell,) = json.loads(asked.result())["content"]["cells"]
        assert cell["outputs"] == [] and running.poll() is None
        (cell,) = json.loads(read(contents))["content"]["cells"]
        assert cell["outputs"][0]["data"]["text/plain"] == "42"
    finally:
        running.terminate()
        said, _ = running.communicate()
        os.close(terminal)
    assert said.count(f"Running {chapter.name} once") == 2 and "stays without" not in said
