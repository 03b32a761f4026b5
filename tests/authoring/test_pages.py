"""What the site says about itself is read or computed, and the plan of the book is drawn as it is."""

import json
import re

import pytest

from labutils.authoring import benchmarks, front
from labutils.authoring.pages.generated import demoted, write_if_new
from labutils.places import BENCHMARKS, ROOT


def test_headings_go_one_level_down():
    assert demoted("# Model\n\ntext # no heading\n\n## Data\n") == "## Model\n\ntext # no heading\n\n### Data\n"


def test_a_file_with_the_same_text_is_left_alone(tmp_path):
    path = tmp_path / "page.md"
    write_if_new(path, "a")
    before = path.stat().st_mtime_ns
    write_if_new(path, "a")
    assert path.stat().st_mtime_ns == before
    write_if_new(path, "b")
    assert path.read_text() == "b"


def test_the_questions_of_all_chapters_stand_in_order_and_those_that_exist_are_links(monkeypatch):
    monkeypatch.setattr(front, "written", lambda chapter: chapter["name"] == "04_attention")
    drawn = front.questions()
    names = [chapter["name"] for part in front.plan() for chapter in part["chapters"]]
    readable = front.plan()[1]["chapters"]  # the part of chapter 4
    assert re.findall(r'question-number">(\d+)<', drawn) == [front.number(chapter["name"]) for chapter in readable]
    assert re.findall(r'href="([^"]+)"', drawn) == ["../notebooks/04_attention.html"]
    assert re.findall(r"Attention, (\d+)\u00a0minutes<", drawn) == [
        front.minutes(front.CHAPTERS / "04_attention.ipynb")
    ]
    assert drawn.count('"is-ahead"') == len(readable) - 1
    lines = re.findall(r'<p class="is-part-ahead">(.+?)</p>', drawn)  # a part that nobody can read yet is one line
    assert [int(n) for line in lines for n in re.findall(r"(?:^|; )(\d+)\u00a0", line)] == [
        int(name[:2]) for name in names if name not in {chapter["name"] for chapter in readable}
    ]
    assert drawn.count("being written") == len(lines) + len(readable) - 1
    assert "## Twenty-three questions, in order\n" in (front.BOOK / "index.md").read_text() and len(names) == 23


ROW = {"what": "ours", "seconds": "0.31 s"}


def test_a_recorded_benchmark_comes_back_as_a_section(tmp_path):
    path = benchmarks.record(
        "merges", "Training merges", "Ours takes half the time.", [ROW, ROW | {"what": "theirs"}], tmp_path / "new"
    )
    assert json.loads(path.read_text())["machine"] == benchmarks.machine()
    page = benchmarks.page(tmp_path / "new")
    assert page.startswith(
        "## Training merges\n\nOurs takes half the time.\n\n| what | seconds |\n| --- | --- |\n| ours | 0.31 s |\n|"
        " theirs |"
    )
    assert benchmarks.machine() in page


def test_the_readme_says_how_long_the_tests_took_in_the_recorded_run():
    recorded = json.loads((BENCHMARKS / "tests.json").read_text(encoding="utf-8"))["summary"]
    told = re.search(r"`make test` took (\d+) minutes", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert int(told[1]) == round(float(re.match(r"\*\*([\d.]+) minutes", recorded)[1]))


@pytest.mark.parametrize("rows", [[], [ROW, {"what": "theirs"}], [ROW, {"seconds": "1 s", "what": "theirs"}]])
def test_a_table_without_rows_or_with_uneven_ones_is_refused(tmp_path, rows):
    with pytest.raises(ValueError, match="'merges'"):
        benchmarks.record("merges", "t", "s", rows, tmp_path)


def test_the_benchmark_of_the_controls_is_shown_beside_the_others(tmp_path):
    pytest.importorskip("playwright")
    from benchmarks import controls

    times = {"Chromium": {"slider, 11 tokens": [4.0, 5.0], "typed text, 32 tokens": [40.0]}}
    rows = controls.rows_of(times, [200.0], {32: (1000, 40_000)})
    assert rows[0] == {
        "what": "slider, 11 tokens",
        "Chromium": "5.0 ms",
        "Firefox": "not here",
        "WebKit": "not here",
        "goal": "16 ms",
    }
    benchmarks.record("controls", "Controls", "Quick.", rows, tmp_path)
    benchmarks.record("tokenizers", "Tokenizers", "Fast.", [ROW], tmp_path)
    page = benchmarks.page(tmp_path)
    assert page.index("## Controls") < page.index("## Tokenizers")
    assert all(str(cell) in page for row in rows for cell in row.values())


def test_the_table_of_stages_says_what_a_trace_has():
    """Each stage that a trace of a shipped model holds is marked for its architecture, and no other one."""
    import re

    from labutils.authoring.pages import stages as stages_page
    from labutils.checkpoints import load
    from labutils.models import FAMILIES
    from labutils.trace import trace

    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in stages_page.page().splitlines()]
    names = [row[1].strip("`") for row in rows[2:]]
    for column, model in enumerate(("little-gpt2", "little-bert"), start=3):
        checkpoint = load(model)
        made = trace(checkpoint.model, checkpoint.tokenizer.encode("The cat sat on the mat."))
        there = {re.sub(r"^layer \d+ ", "", name) for name in made.stages()} | set(FAMILIES[made.kind].same)
        assert {name for name, row in zip(names, rows[2:]) if row[column] == "yes"} == there, model
