"""What was handed in is read before the first answer runs: no answer takes anything from another."""

import json
import os

import pytest
from exercises.classroom import RIGHT, answered, hand_in
from exercises.test_handed_in import course, status

from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading import snapshot
from labutils.authoring.grading.snapshot import Snapshot

USES = f"from places import twice\nassert open('data/word.txt').read() == 'tree'\n{RIGHT['09-word']}"

__all__ = ["course"]


def grade(course, *more):
    grading.main(course, ["--allow-root", "--jobs", "1", *more])


def test_an_answer_that_removes_what_another_needs_costs_that_one_nothing(course, capsys):
    removes = f"import shutil\nshutil.rmtree({str(course / 'submitted/yara')!r})\nword = 'tree'"
    hand_in(course, "ada/09_test/09_test.ipynb", answered(word=removes))
    hand_in(course, "yara/09_test/09_test.ipynb", answered(word=USES))
    hand_in(course, "yara/09_test/places.py", "def twice(x):\n    return 2 * x")
    hand_in(course, "yara/09_test/data/word.txt", "tree")
    grade(course)
    assert status(course)["yara"] == ("graded", "6")
    said = "REMOVED yara/09_test/09_test.ipynb, yara/09_test/data/word.txt, yara/09_test/places.py: that was put back."
    assert said in capsys.readouterr().out
    assert (course / "submitted/yara/09_test/data/word.txt").read_text() == "tree"


def test_what_was_changed_is_put_back_and_told_once(course, capsys):
    note = course / "submitted/yara/note.txt"
    writes = f"from pathlib import Path\nPath({str(note)!r}).write_text('lake')\nword = 'tree'"
    hand_in(course, "ada/09_test/09_test.ipynb", answered(word=writes))
    hand_in(course, "yara/09_test/09_test.ipynb", answered())
    hand_in(course, "yara/note.txt", "tree")
    grade(course)
    assert note.read_text() == "tree"
    assert capsys.readouterr().out.count("CHANGED yara/note.txt: that was put back.") == 1


def test_an_answer_cannot_change_what_the_next_run_of_its_own_finds(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own/word.txt").write_text("tree")
    kept = Snapshot()
    kept.add(tmp_path / "own")
    (tmp_path / "own/word.txt").write_text("lake")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        copy = kept.copy(tmp_path / "own", tmp_path / name)
        assert os.listdir(copy) == ["word.txt"]
        with open(f"{copy}/word.txt", "r+") as file:
            assert file.read() == "tree"
            file.write("more")


@pytest.mark.parametrize("most, largest, kept", [(1000, 1 << 20, 3), (2, 1 << 20, 0), (1000, 11, 0)])
def test_of_a_folder_that_is_too_much_nothing_is_kept(tmp_path, monkeypatch, most, largest, kept):
    monkeypatch.setattr(snapshot, "MOST", most)
    monkeypatch.setattr(snapshot, "LARGEST", largest)
    for i in range(3):
        (tmp_path / f"{i}.txt").write_text("tree")
    now = Snapshot()
    now.add(tmp_path)
    assert len(now.inside[tmp_path].files) == kept


@pytest.mark.skipif(os.name != "posix", reason="Windows lets few make links")
def test_nothing_is_put_back_through_a_link(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "own/word.txt").write_text("tree")
    now = Snapshot()
    now.keep(tmp_path / "own/word.txt")
    (tmp_path / "own").rename(tmp_path / "moved")
    (tmp_path / "own").symlink_to(tmp_path / "far")
    assert not now.put_back(tmp_path / "own/word.txt") and not list((tmp_path / "far").iterdir())


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such rights")
def test_a_copy_has_the_rights_of_what_was_handed_in(tmp_path):
    (tmp_path / "own/empty").mkdir(parents=True)
    (tmp_path / "own/run.sh").write_text("echo")
    (tmp_path / "own/run.sh").chmod(0o755)
    (tmp_path / "place").mkdir()
    copy = snapshot.copied(tmp_path / "own", tmp_path / "place")
    assert os.access(f"{copy}/run.sh", os.X_OK) and os.path.isdir(f"{copy}/empty")


def test_the_same_content_lies_there_once(tmp_path):
    now = Snapshot()
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(json.dumps([1, 2, 3]))
        now.keep(tmp_path / name)
    assert now.end == 9
