"""A new chapter stands at its place, runs, says what is left to write, and is sound when that is written."""

import re
import runpy
import sys
from importlib.util import module_from_spec, spec_from_file_location

import nbformat
import pytest
import yaml

from labutils.authoring import notebooks
from labutils.authoring.check import notebook_problems
from labutils.authoring.new_chapter import ANSWERS, start, with_entry, words_for
from labutils.authoring.refresh import refresh
from labutils.authoring.self_study import page_source, student
from labutils.exercises import mistakes
from labutils.exercises.checking import NotYet

TOC = """format: jb-book
root: book/index
parts:
  - chapters:
      - file: notebooks/play
  - caption: One block
    chapters:
      - file: notebooks/04_attention
        sections:
          - file: notebooks/exercises/04_attention
  # pages
  - caption: Look it up
    chapters:
      - file: book/notation
"""
PARTS = [["02_tokenization"], ["04_attention", "05_multi_head", "06_feed_forward"], ["08_gpt2"]]
CAPTION = {
    name: caption for names, caption in zip(PARTS, ("Text", "One block", "Models"), strict=True) for name in names
}


@pytest.fixture
def book(small_book):
    """A book of one chapter, which ends without a link."""
    (small_book / "book/_toc.yml").write_text(TOC)
    last = nbformat.v4.new_markdown_cell("One head asks one question.", id="recap")
    notebooks.write(small_book / "notebooks/04_attention.ipynb", nbformat.v4.new_notebook(cells=[last]))
    return small_book


def fill(path):
    """Do what the pattern says, in the crudest way."""
    notebook = notebooks.read(path)
    for cell in notebook.cells:
        cell.source = cell.source.replace("WRITE: ", "").replace("(C000)", "(C149)")
    notebooks.write(path, notebook)


def with_checkers(path, book):
    """The notebook with its checkers by their files: they lie in this book's folder, not in the package."""
    notebook, folder = notebooks.read(path), book / "src/labutils/exercises/ch05"
    for cell in notebook.cells:
        cell.source = re.sub(
            r"^from labutils.exercises.ch05.(\w+) import (\w+)",
            lambda found: (
                f"import runpy\n{found[2]} = runpy.run_path({str(folder / found[1])!r} + '.py')[{found[2]!r}]"
            ),
            cell.source,
        )
    notebooks.write(path, notebook)


def test_a_started_chapter_runs_and_is_sound_once_written(book):
    chapter, exercise, *others = start("05", "multi_head", book)
    assert {path.relative_to(book).as_posix() for path in others if path.suffix == ".py"} == {
        *(f"src/labutils/exercises/ch05/{name}.py" for name in ("__init__", *ANSWERS)),
        "tests/exercises/answers_05.py",
    }
    assert {path.name for path in others if path.suffix != ".py"} == {"_toc.yml", "04_attention.ipynb"}
    for path, count in ((chapter, 90), (exercise, 30)):
        said = [sentence for sentence in notebook_problems(path) if "of the pattern still to be replaced" in sentence]
        assert len(said) == 1 and int(re.search(r"(\d+) instructions", said[0])[1]) > count, said
    for path in (chapter, exercise):
        fill(path)
    unchanged = exercise.read_bytes()
    with_checkers(exercise, book)
    for path in (chapter, exercise):
        assert refresh(path)
    exercise.write_bytes(unchanged)
    assert [sentence for path in (chapter, exercise) for sentence in notebook_problems(path)] == []


def test_a_second_notebook_is_started_with_a_chapter_or_for_one_that_is_there(book):
    chapter, exercise, second, *_ = start("05", "multi_head", book, more=True)
    assert second == book / "notebooks/more/05_multi_head.ipynb"
    for path in (chapter, exercise, second):
        fill(path)
    for path in (chapter, second):
        refresh(path)
    assert notebook_problems(second) == []
    assert notebook_problems(chapter) == [
        "No section before the recap leads to more/05_multi_head.ipynb, where it belongs.",
        "recap: **Read on.** does not lead to more/05_multi_head.ipynb.",
    ]
    assert sections(book)["notebooks/05_multi_head"] == [
        "notebooks/more/05_multi_head",
        "notebooks/exercises/05_multi_head",
    ]
    start("06", "feed_forward", book)  # beside a chapter that has one
    assert sections(book)["notebooks/06_feed_forward"] == ["notebooks/exercises/06_feed_forward"]
    before = (book / "notebooks/06_feed_forward.ipynb").read_bytes()
    second, toc = start("06", "feed_forward", book, more=True)
    assert second.exists() and toc.name == "_toc.yml"
    assert (book / "notebooks/06_feed_forward.ipynb").read_bytes() == before
    assert sections(book)["notebooks/06_feed_forward"][0] == "notebooks/more/06_feed_forward"
    with pytest.raises(ValueError, match="notebooks/more/06_feed_forward.ipynb is there already"):
        start("06", "feed_forward", book, more=True)


def test_a_second_notebook_of_a_chapter_without_an_entry_is_refused_and_not_written(book):
    (book / "book/_toc.yml").write_text(TOC.replace("04_attention", "04_other"))
    with pytest.raises(ValueError, match="no entry notebooks/04_attention with sections"):
        start("04", "attention", book, more=True)
    assert not (book / "notebooks/more").exists()


def sections(book):
    """Page -> the pages below it."""
    parts = yaml.safe_load((book / "book/_toc.yml").read_text())["parts"]
    pages = [page for part in parts for page in part["chapters"]]
    return {page["file"]: [one["file"] for one in page.get("sections", [])] for page in pages}


def test_title_question_and_number_come_from_the_plan(book):
    chapter, exercise, *_ = start("5", "multi_head", book)
    title = notebooks.read(chapter).cells[0].source
    assert (
        title.startswith("# *5* Multi-head attention\n") and "How can one layer ask several questions at once?" in title
    )
    assert notebooks.read(exercise).cells[0].source.startswith("# *5* Exercises: multi-head attention\n")
    open_words = "|".join(words_for({"name": "05_multi_head", "title": "Multi-head attention", "question": "?"}))
    left = [cell for path in (chapter, exercise) for cell in notebooks.read(path).cells]
    assert not [cell for cell in left if re.search(rf"\{{({open_words})\}}", cell.source)]


def test_the_exercise_of_the_pattern_has_a_page_for_self_study(book):
    page = page_source(start("05", "multi_head", book)[1].read_text(encoding="utf-8"))
    assert "{dropdown} Solution" in page and "BEGIN" not in page


def test_its_mistakes_are_named_and_its_unusual_answers_pass(book, monkeypatch):
    _, exercise, *_ = start("05", "multi_head", book)
    solutions = [
        cell.id for cell in notebooks.read(exercise).cells if cell.metadata.get("nbgrader", {}).get("solution")
    ]
    assert solutions == [f"05-{answer}" for answer in ANSWERS]
    fair = {name: code for name, _, code in runpy.run_path(book / "tests/exercises/answers_05.py")["FAIR"]}
    for answer in ANSWERS:
        spec = spec_from_file_location(f"new_{answer}", book / f"src/labutils/exercises/ch05/{answer}.py")
        module = module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        check = vars(module)[f"check_{answer}"]
        for row in (*module.MISTAKES, *module.REFUSED):
            exec(mistakes.written(row, mistakes.source(*module.RIGHT)), names := {})
            with pytest.raises(NotYet, match=row[1]):
                check(names[answer])
        exec(fair[f"05-{answer}"], names := {})
        check(names[answer])


def test_its_check_passes_the_solution_and_tells_a_start_that_it_is_one(book):
    _, exercise, *_ = start("05", "multi_head", book)
    with_checkers(exercise, book)
    notebook = notebooks.read(exercise)
    for version in (notebook, student(notebook)):
        names, code = {}, {cell.id: cell.source for cell in version.cells}
        exec(code["05-double"], names)
        if version is notebook:
            exec(code["05-double-check"], names)
        else:
            with pytest.raises(NotYet, match="is not written yet"):
                exec(code["05-double-check"], names)


def test_the_chapter_before_links_to_it_and_a_link_that_is_there_moves(book):
    before = book / "notebooks/04_attention.ipynb"
    start("08", "gpt2", book)
    assert [cell.source for cell in notebooks.read(before).cells] == [
        "One head asks one question.",
        "[*8* GPT-2](08_gpt2.ipynb)",
    ]
    new = start("05", "multi_head", book)[0]
    assert notebooks.read(before).cells[-1].source == "[*5* Multi-head attention](05_multi_head.ipynb)"
    assert len(notebooks.read(before).cells) == 2
    assert notebooks.read(new).cells[-1].source == "[*8* GPT-2](08_gpt2.ipynb)"


def test_a_link_in_the_last_cell_of_the_text_moves_too(book):
    before = book / "notebooks/04_attention.ipynb"
    text = "One head asks one question.\n\n[*8* GPT-2](08_gpt2.ipynb)"
    notebooks.write(before, nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="recap")]))
    start("05", "multi_head", book)
    assert [cell.source for cell in notebooks.read(before).cells] == [
        "One head asks one question.\n\n[*5* Multi-head attention](05_multi_head.ipynb)"
    ]


def test_the_table_of_contents_lists_it_after_its_neighbour(book):
    start("05", "multi_head", book)
    parts = yaml.safe_load((book / "book/_toc.yml").read_text())["parts"]
    assert parts[1]["chapters"][1] == {
        "file": "notebooks/05_multi_head",
        "sections": [{"file": "notebooks/exercises/05_multi_head"}],
    }
    assert "# pages" in (book / "book/_toc.yml").read_text()


@pytest.mark.parametrize(
    ("name", "captions"),
    [
        ("02_tokenization", [None, "Text", "One block", "Look it up"]),
        ("06_feed_forward", [None, "One block", "Look it up"]),
        ("08_gpt2", [None, "One block", "Models", "Look it up"]),
    ],
)
def test_each_part_stands_where_the_plan_has_it(name, captions):
    parts = yaml.safe_load(with_entry(TOC, name, PARTS, CAPTION))["parts"]
    assert [part.get("caption") for part in parts] == captions
    inside = next(part for part in parts if part.get("caption") == CAPTION[name])
    assert inside["chapters"][-1]["file"] == f"notebooks/{name}"


def test_a_table_without_chapters_is_left_to_a_person():
    with pytest.raises(ValueError, match="Add it by hand"):
        with_entry("format: jb-book\nroot: book/index\n", "02_tokenization", PARTS, CAPTION)


@pytest.mark.parametrize(
    ("number", "name", "said"),
    [
        ("05", "heads", "no chapter 05_heads. It has 05_multi_head."),
        ("44", "heads", "no chapter 44_heads. Plan it there first."),
        ("", "", "no chapter _"),
        ("../05", "multi_head", "no chapter ../05_multi_head"),
        ("04", "attention", "notebooks/04_attention.ipynb is there already."),
    ],
)
def test_what_cannot_be_started_is_refused_and_nothing_is_written(book, number, name, said):
    before = {path: path.read_bytes() for path in book.rglob("*") if path.is_file()}
    with pytest.raises(ValueError, match="(?s).*") as error:
        start(number, name, book)
    assert said in str(error.value)
    assert {path: path.read_bytes() for path in book.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("name", "station"),
    [("00_pipeline", "text"), ("01_rnn", "text"), ("05_multi_head", "attention"), ("19_faithfulness", "next token")],
)
def test_the_strip_marks_the_last_station_that_was_explained(name, station):
    assert words_for({"name": name, "title": "Title", "question": "Why?"})["station"] == station
