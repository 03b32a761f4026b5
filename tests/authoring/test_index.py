"""The index leads where it says, says what is owed, and is a page that a reader can search."""

import re
import sys

import pytest

from labutils.authoring import addresses, index
from labutils.authoring.check import __main__ as command
from labutils.authoring.index import Row, owed, problems, rows, summary
from labutils.authoring.pages import generated as pages
from labutils.authoring.pages import index as index_page
from labutils.authoring.pages import tests as tests_page
from labutils.places import BOOK

SOUND = Row("TK01", "text to ids", "02", "notebooks/02_tokenization.ipynb#component", "")
PLANNED = Row("VA09", "windows", "14", "", "chapter 14")


def changed(row=SOUND, **fields):
    return [Row(**vars(row) | fields)]


def test_every_link_of_the_index_leads_somewhere():
    assert problems(rows()) == []


def test_a_sound_row_and_a_planned_one_have_no_problems():
    assert problems([SOUND, PLANNED]) == []
    for text in (
        "book/notation.md",
        "book/notation.md#sizes",
        "tests/layers/test_attention.py::test_no_leak",
        "tests/making/test_make.py::TestRows::test_the_stream_is_seeded_and_its_parts_differ",
        "src/labutils/layers/masks.py::causal_mask",
        "src/labutils/text/bytes.py::ALPHABET",
        "src/labutils/layers/norms.py",
        "notebooks/exercises/04_attention.ipynb#04-merge-card",
    ):
        assert problems(changed(where=f"{SOUND.where} {text}")) == [], text


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("notebooks/02_tokenisation.ipynb#component", "there is no file notebooks/02_tokenisation.ipynb."),
        ("notebooks/02_tokenization.ipynb#no-such-cell", "notebooks/02_tokenization.ipynb has no cell no-such-cell."),
        ("notebooks/02_tokenization.ipynb", "is no address"),
        ("notebooks/exercises/02_tokenization.ipynb#02-nothing", "has no cell 02-nothing."),
        ("book/notion.md", "there is no file book/notion.md."),
        ("book/notation.md#sighs", "book/notation.md has no heading sighs."),
        ("tests/layers/test_retention.py::test_no_leak", "there is no file tests/layers/test_retention.py."),
        ("tests/layers/test_attention.py::test_no_leek", "tests/layers/test_attention.py defines no test_no_leek."),
        ("tests/layers/test_attention.py::by_loop", "tests/layers/test_attention.py::by_loop is no test."),
        ("tests/layers/test_attention.py", "is no test."),
        ("tests/making/test_make.py::TestRows::test_nothing", "defines no TestRows::test_nothing."),
        ("src/labutils/layers/tasks.py", "there is no file src/labutils/layers/tasks.py."),
        ("src/labutils/layers/masks.py::casual_mask", "src/labutils/layers/masks.py defines no casual_mask."),
        ("../elsewhere.md", "'../elsewhere.md' is no address"),
        ("https://example.org", "is no address"),
        (SOUND.where, "an address stands twice."),
    ],
)
def test_a_broken_link_is_named(address, said):
    (found,) = problems(changed(where=f"{SOUND.where} {address}"))
    assert found.startswith("TK01: ") and said in found


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ([SOUND, SOUND], ["TK01 stands twice.", "Two rows have the name “text to ids”."]),
        ([PLANNED, SOUND], ["TK01 stands behind VA09: rows are sorted by their ids."]),
        (changed(id="TK1"), ["TK1: an id is two capitals and two digits."]),
        (changed(name=" "), ["TK01: a row has a name, and takes one line."]),
        (changed(name="text\nto ids"), ["TK01: a row has a name, and takes one line."]),
        (changed(chapter="2"), ["TK01: chapter '2' is not in chapters.yml."]),
        (changed(where=""), ["TK01: nothing is owed, and nothing in a chapter shows it."]),
        (changed(where="book/notation.md"), ["TK01: nothing is owed, and nothing in a chapter shows it."]),
        (changed(owed="chapter 02"), ["TK01: chapter 02 is written: say what is owed there."]),
        (changed(PLANNED, owed="a figure"), ["VA09: chapter 14 is not written, so what is owed is “chapter 14”."]),
    ],
)
def test_a_row_that_cannot_be_right_is_named(listed, said):
    assert problems(listed) == said


def test_a_line_with_a_field_too_many_or_too_few_is_refused(tmp_path):
    for line in ("TK01,text to ids,02,a,b,c", "TK01,text to ids"):
        (tmp_path / "index.csv").write_text(f"id,name,chapter,where,owed\n{line}\n")
        with pytest.raises(ValueError, match=r"index\.csv has not the fields"):
            rows(tmp_path / "index.csv")


def test_what_is_owed_is_listed_for_authors(monkeypatch, capsys):
    begun = changed(id="TK02", name="ids to text", owed="a figure")
    listed = [SOUND, *begun, PLANNED]
    assert owed(listed) == begun and owed(listed, everything=True) == [*begun, PLANNED]
    monkeypatch.setattr(index, "rows", lambda: listed)
    for argument, said in (("--owed", "TK02 02   ids to text: a figure."), ("--all", "VA09 14   windows: chapter 14.")):
        monkeypatch.setattr(sys, "argv", ["index", argument])
        assert index.main() == 0
        assert said in capsys.readouterr().out.splitlines()
    monkeypatch.setattr(sys, "argv", ["index"])
    assert index.main() == 0 and capsys.readouterr().out == summary(listed) + "\n"
    monkeypatch.setattr(index, "rows", lambda: changed(where="book/notion.md"))
    assert index.main() == 1 and "there is no file" in capsys.readouterr().out


def test_the_check_of_the_whole_book_follows_the_links_and_says_how_much_is_owed(monkeypatch, capsys):
    for module, name in ((command.check, "book_problems"), (command.code, "problems")):
        monkeypatch.setattr(module, name, list)
    monkeypatch.setattr(command.check, "every_notebook", list)
    monkeypatch.setattr(command.check, "pages", list)
    monkeypatch.setattr(sys, "argv", ["check"])
    assert command.main() == 0
    assert capsys.readouterr().out == f"Everything is as it must be.\n{summary(rows())}\n"
    monkeypatch.setattr(index, "rows", lambda: changed(where="book/notion.md"))
    assert command.main() == 1 and "there is no file" in capsys.readouterr().out


def test_the_page_has_every_row_once_by_its_name():
    page = index_page.page()
    items = re.findall(r'<li id="(\w+)" class="is-(\w+)">.*?itt-map-title">(?:<b>)?(.*?)(?:</b>)?</span>', page)
    listed = rows()
    assert sorted(id for id, _, _ in items) == sorted(row.id.lower() for row in listed)
    assert len(re.findall(r"^## \w$", page, flags=re.M)) == len({index_page.key(row.name)[0] for row in listed})
    order = [index_page.key(name.replace("&quot;", "")) for _, _, name in items]
    assert order == sorted(order)
    ahead = {id for id, state, _ in items if state == "ahead"}
    assert {row.id.lower() for row in listed if row.chapter not in index.finished() and row.owed} <= ahead


def test_a_planned_row_says_its_chapter_and_a_finished_one_leads_to_its_cells():
    planned = index_page.item(PLANNED)
    assert 'class="is-ahead"' in planned and "comes in chapter 14, Variants</div>" in planned and "<a " not in planned
    mask = Row(
        "AT06",
        "causal <mask>",
        "04",
        "notebooks/04_attention.ipynb#mask-early notebooks/04_attention.ipynb#mask-late"
        " notebooks/04_attention.ipynb#claim-135 notebooks/exercises/04_attention.ipynb#04-seeing-card"
        " notebooks/play.ipynb#steps src/labutils/layers/masks.py::causal_mask"
        " tests/layers/test_attention.py::test_no_leak",
        "a figure",
    )
    shown = index_page.item(mask)
    assert 'class="is-ready"' in shown and "<b>causal &lt;mask&gt;</b>" in shown and "figure" not in shown.split("·")[0]
    links = dict(re.findall(r'<a href="([^"]+)">([^<]+)</a>', shown))
    assert links == {
        "../notebooks/04_attention.html#cell-mask-early": "Inside, not after",
        "../notebooks/04_attention.html#cell-mask-late": "Nobody may look ahead",
        "../notebooks/04_attention.html#cell-claim-135": "box C135",
        "../notebooks/exercises/04_attention.html#cell-04-seeing-card": "exercise 4.4",
        "../notebooks/play.html#cell-steps": "Play: Follow one head of attention",
        "tests_layers.html#layers-attention-no-leak": "no leak",
    }
    assert "<code>labutils.layers.masks.causal_mask</code>" in shown and "owed" not in shown


def test_tests_that_pages_name_stand_on_a_page_of_tests_word_for_word():
    shown, listed = {name: tests_page.page(name) for name in tests_page.PAGES}, tests_page.listed()
    anchors = re.findall(r"^\(([\w-]+)\)=$", "".join(shown.values()), flags=re.M)
    assert anchors == [tests_page.anchor(link) for link in listed] and len(anchors) == len(set(anchors)) > 100
    assert listed[0].path.startswith("tests/layers/") and listed[-1].path.startswith("tests/site/")
    leak = addresses.read("tests/layers/test_attention.py::test_no_leak")
    assert leak in listed and "does not move it by one bit" in tests_page.source(leak)
    drawn = addresses.read("tests/layers/test_attention.py::test_equals_torch_forward_and_backward")
    assert tests_page.source(drawn).startswith("@pytest.mark.parametrize(")
    assert [name for name, text in shown.items() if tests_page.source(drawn) in text] == ["tests_layers"]


def test_a_folder_that_no_page_of_tests_shows_is_named():
    with pytest.raises(ValueError, match="No page shows tests/new/test_a.py: name the folder new in pages/tests.py"):
        tests_page.page_of(addresses.Address("tests/new/test_a.py", "test_b"))


def test_the_site_has_all_these_pages():
    writes = {name: pages.READ[f"{name}.md"] for name in ("a_to_z", *tests_page.PAGES)}
    assert writes["a_to_z"] is index_page.page
    assert all(writes[name].func is tests_page.page and writes[name].args == (name,) for name in tests_page.PAGES)
    for name in writes:
        assert f"file: book/{name}\n" in (BOOK / "_toc.yml").read_text(encoding="utf-8")
        assert f"{{include}} generated/{name}.md" in (BOOK / f"{name}.md").read_text(encoding="utf-8")
