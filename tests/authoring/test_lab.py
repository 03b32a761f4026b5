"""A reader's copy follows the book until it is changed; then nothing but a reset touches it, and a reset loses nothing."""

import re
import shutil
from functools import partial

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from labutils.authoring import lab, root
from labutils.authoring.start_page import start_page

update, reset = (
    partial(do, make=shutil.copyfile) for do in (lab.update, lab.reset)
)  # the chapters here are no notebooks


@pytest.fixture
def folders(tmp_path):
    chapters, work = tmp_path / "notebooks", tmp_path / "work"
    chapters.mkdir()
    (chapters / "04_attention.ipynb").write_text("first")
    (chapters / "05_multi_head.ipynb").write_text("other")
    assert update(chapters, work) == []
    return chapters / "04_attention.ipynb", work / "04_attention.ipynb"


def again(folders):
    return update(folders[0].parent, folders[1].parent)


def test_an_untouched_copy_follows_the_book(folders):
    original, copy = folders
    assert copy.read_text() == "first"
    original.write_text("second")
    assert again(folders) == [] and copy.read_text() == "second"


def test_a_changed_copy_stays_and_says_so_when_the_book_moves_on(folders):
    original, copy = folders
    copy.write_text("mine")
    assert again(folders) == [] and copy.read_text() == "mine"
    original.write_text("second")
    (sentence,) = again(folders)
    assert "make reset CHAPTER=04" in sentence and copy.read_text() == "mine"


def test_a_deleted_copy_comes_back(folders):
    folders[1].unlink()
    assert again(folders) == [] and folders[1].read_text() == "first"


def test_reset_keeps_each_changed_copy(folders):
    original, copy = folders
    for n, mine in enumerate(("mine", "mine too"), 1):
        copy.write_text(mine)
        said = reset("04", original.parent, copy.parent)
        assert copy.read_text() == "first"
        assert f"04_attention.yours-{n}.ipynb" in said
        assert (copy.parent / f"04_attention.yours-{n}.ipynb").read_text() == mine
    assert "kept" not in reset("04_attention", original.parent, copy.parent)


def test_reset_after_an_update_takes_the_new_version_and_follows_it(folders):
    original, copy = folders
    copy.write_text("mine")
    original.write_text("second")
    reset("04", original.parent, copy.parent)
    original.write_text("third")
    assert again(folders) == [] and copy.read_text() == "third"


@pytest.mark.parametrize("name", ["", "0", "99", "attention"])
def test_reset_of_no_single_chapter_is_one_sentence(folders, name):
    with pytest.raises(ValueError, match="04_attention, 05_multi_head"):
        reset(name, folders[0].parent, folders[1].parent)


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


def test_a_copy_is_run_and_signed_and_carries_the_state_of_its_controls(chapter, tmp_path):
    lab.update(chapter.parent, tmp_path / "work")
    copy = nbformat.read(tmp_path / "work" / chapter.name, as_version=4)
    (states,) = (kind["state"] for kind in copy.metadata.widgets.values())
    assert any(state["state"].get("control") == "predict" for state in states.values())
    assert any("text/html" in output.get("data", {}) for output in copy.cells[0].outputs)
    assert NotebookNotary().check_signature(copy)
    before = (tmp_path / "work" / chapter.name).stat().st_mtime_ns
    assert lab.update(chapter.parent, tmp_path / "work") == []
    assert (tmp_path / "work" / chapter.name).stat().st_mtime_ns == before  # once, not every time


def test_what_jupyterlab_writes_by_itself_is_no_change_of_the_reader(chapter, tmp_path):
    lab.update(chapter.parent, tmp_path / "work")
    path = tmp_path / "work" / chapter.name
    copy = nbformat.read(path, as_version=4)
    copy.metadata.pop("widgets")  # what JupyterLab saves of a notebook that was only opened
    copy.cells[0].execution_count = None
    nbformat.write(copy, path)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Newer.")]), chapter)
    assert lab.update(chapter.parent, tmp_path / "work") == []
    assert nbformat.read(path, as_version=4).cells[0].source == "Newer."


def test_links_to_pages_of_the_book_stay_inside_the_readers_folder(chapter, tmp_path):
    work, text = tmp_path / "work", "See the [glossary](../book/glossary.md#softmax)."
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), chapter)
    lab.update(chapter.parent, work)
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


def test_every_page_of_the_book_that_a_chapter_links_to_is_placed():
    linked = {
        name
        for path in lab.CHAPTERS.glob("*.ipynb")
        for name in re.findall(r"\]\(\.\./book/(\w+)\.md", path.read_text(encoding="utf-8"))
    }
    assert linked and linked <= set(lab.PAGES)


def test_a_chapter_that_fails_is_placed_as_it_is(chapter, tmp_path, capsys):
    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(broken, chapter)
    lab.update(chapter.parent, tmp_path / "work")
    assert (tmp_path / "work" / chapter.name).read_bytes() == chapter.read_bytes()
    assert "ZeroDivisionError" in capsys.readouterr().out


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
    lab.update(chapter.parent, tmp_path / "work", lab.exercises_once)
    copy = nbformat.read(tmp_path / "work" / chapter.name, as_version=4)
    drawn, card, start, check = copy.cells
    assert drawn.outputs and copy.metadata.widgets and NotebookNotary().check_signature(copy)
    assert "return 2 * x" in card.source and "dropdown" in card.source
    assert "NotImplementedError" in start.source and "return" not in start.source and not start.outputs
    assert "secret" not in check.source


def test_newer_exercises_are_reset_under_their_own_name(folders):
    original, copy = folders
    copy.write_text("mine")
    original.write_text("second")
    (sentence,) = update(original.parent, copy.parent, under="exercises/")
    assert "make reset CHAPTER=exercises/04" in sentence
    with pytest.raises(ValueError, match="01_rnn, 02_tokenization, 03_embeddings, 04_attention"):
        lab.reset_named("exercises/99")


def test_the_start_page_leads_to_what_lies_there(tmp_path):
    (tmp_path / "exercises").mkdir()
    for name in ("04_attention", "exercises/04_attention", "play"):
        (tmp_path / f"{name}.ipynb").touch()
    page = start_page(tmp_path)
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert "Begin with [chapter 4, Attention](04_attention.ipynb)." in page and "02_tokenization" not in page
    lab.place_pages(tmp_path)
    assert [link for link in links if not (tmp_path / link).exists()] == []
    assert {"exercises/04_attention.ipynb", "play.ipynb", "book/glossary.md"} <= set(links)


def test_root_is_refused_before_anything_runs(monkeypatch, capsys):
    monkeypatch.setattr(root, "is_root", lambda: True)
    monkeypatch.setattr("sys.argv", ["lab"])
    for name in ("place_pages", "update", "jupyterlab"):
        monkeypatch.setattr(lab, name, lambda *_: pytest.fail("something was done"))
    with pytest.raises(SystemExit, match="you are root.*ALLOW_ROOT=yes"):
        lab.main()
