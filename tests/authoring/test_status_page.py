"""The page of status counts what stands in the chapters."""

import json
import re

from labutils.authoring import front, notebooks
from labutils.authoring.pages import status as status_page
from labutils.places import CHAPTERS


def rows():
    lines = [line.strip("| \n").split(" | ") for line in status_page.page().splitlines()[2:]]
    return {cells[0]: cells[1:] for cells in lines}


def test_each_published_chapter_has_a_line_and_the_last_line_is_the_sum():
    found = rows()
    published = [name for name in front.published() if re.match(r"notebooks/\d\d_", name)]
    assert len(found) == len(published) + 1
    *chapters, total = found.values()
    for column in range(8):
        assert sum(int(cells[column]) for cells in chapters) == int(total[column].replace(",", ""))
        assert all(int(cells[column]) > 0 for cells in chapters) or column == 7


def test_what_is_counted_is_what_the_notebook_holds():
    name, numbers = next((name, cells) for name, cells in rows().items() if "02_tokenization" in name)
    source = "\n".join(cell.source for cell in notebooks.read(CHAPTERS / "02_tokenization.ipynb").cells)
    assert int(numbers[4]) == source.count("predict(") > 5
    assert int(numbers[7]) == source.count(":class: claim")
    assert name.startswith("[2\u00a0Tokenization](")


def test_marks_are_those_of_the_file_and_a_dash_where_nobody_gave_any(monkeypatch, tmp_path):
    (tmp_path / "readings.yml").write_text("04_attention: [9, 8, 7]\n")
    monkeypatch.setattr(status_page, "READINGS", tmp_path / "readings.yml")
    marks = {name: cells[-1] for name, cells in rows().items() if name != "All"}
    assert [mark for name, mark in marks.items() if "04_attention" in name] == ["9, 8, 7"]
    assert {mark for name, mark in marks.items() if "04_attention" not in name} == {"–"}


def test_seconds_are_those_of_the_recorded_run_and_a_dash_where_it_had_no_such_chapter(monkeypatch, tmp_path):
    (tmp_path / "chapters.json").write_text(json.dumps({"rows": [{"chapter": "04_attention", "seconds": "23"}]}))
    monkeypatch.setattr(status_page, "RUNS", tmp_path / "chapters.json")
    seconds = {name: cells[8] for name, cells in rows().items()}
    assert seconds["All"] == "23"
    assert {name for name, one in seconds.items() if one == "23"} == {
        "All",
        next(name for name in seconds if "04_attention" in name),
    }
    assert set(seconds.values()) == {"23", "–"}


def test_every_chapter_has_its_seconds():
    assert "–" not in {cells[8] for cells in rows().values()}
