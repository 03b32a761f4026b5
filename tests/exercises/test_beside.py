"""What lies beside a notebook, and what an answer opens or writes that is not its own."""

import os

import pytest
from exercises.classroom import FORGED, RIGHT, assignment

from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.processes import verdicts


def graded(tmp_path, closed=(), **answers):
    """The verdicts on right answers, but for those that are given."""
    code = {name: [answers.get(name.removeprefix("09-"), text)] for name, text in RIGHT.items()}
    return verdicts(exercises(assignment()), code, tmp_path, seconds=60, closed=closed)


def test_a_module_beside_the_notebook_is_found_as_in_the_notebook(tmp_path):
    (tmp_path / "utils.py").write_text("def twice(x):\n    return 2 * x\n")
    found = graded(tmp_path, double="import utils\n\ndef double(x):\n    return utils.twice(x)")
    assert [verdict.said for verdict in found.values()] == ["", "", ""]


def test_what_is_borrowed_in_a_module_beside_is_seen(tmp_path):
    (tmp_path / "utils.py").write_text(
        "def attend(q, k, v):\n    from labutils.layers import attention\n    return attention(q, k, v)[0]\n"
    )
    found = graded(tmp_path, attend="from utils import attend")
    assert "`labutils.layers.scaled_dot_product.attention` ran in your function" in found["09-attend"].said


def test_a_module_beside_takes_the_place_of_none_that_tests_use(tmp_path):
    (tmp_path / "difflib.py").write_text("raise SystemExit\n")
    (tmp_path / "torch.py").write_text("raise SystemExit\n")
    assert all(verdict.right for verdict in graded(tmp_path, word=f"import difflib\n{RIGHT['09-word']}").values())


def test_files_of_ones_own_are_open_and_those_of_others_are_not(tmp_path):
    own, others = tmp_path / "own", tmp_path / "others"
    for folder in (own, others):
        folder.mkdir()
        (folder / "word.txt").write_text("tree")
    found = graded(own, (str(others),), word="word = open('word.txt').read()")
    assert found["09-word"] == Verdict(right=True)
    found = graded(own, (str(others),), word=f"word = open({str(others / 'word.txt')!r}).read()")
    said = "Your code opens others/word.txt, which is for whoever grades alone. So it gets no points."
    assert found["09-word"] == Verdict(said=said, look=True) and found["09-double"] == Verdict(right=True)


@pytest.mark.skipif(os.name != "posix", reason="there an answer has no such pipes")
def test_who_writes_verdicts_without_the_secret_is_named(tmp_path):
    found = graded(tmp_path, double=f"{RIGHT['09-double']}\n{FORGED}")
    assert [(verdict.right, verdict.look) for verdict in found.values()] == [(True, False), (True, True), (True, True)]
