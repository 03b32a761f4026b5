"""What lies beside a notebook, and what an answer opens or writes that is not its own."""

import ast
import json
import os
from pathlib import Path

import pytest
from exercises.classroom import FORGED, RIGHT, assignment

from labutils.authoring import notebooks
from labutils.authoring.grading.assignment import exercises, handed_out, owners
from labutils.authoring.grading.handed_in import code_of, read, rewritten
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.processes import verdicts
from labutils.authoring.grading.strayed import missed
from labutils.authoring.grading.unseen import hold_back
from labutils.authoring.self_study import student
from labutils.places import EXERCISES


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
    said = "Your code opens what belongs to tests, to solutions or to others. So it gets no points."
    assert found["09-word"] == Verdict(said=said, look=True) and found["09-double"] == Verdict(right=True)


@pytest.mark.skipif(os.name != "posix", reason="there an answer has no such pipes")
def test_who_writes_verdicts_without_the_secret_is_named(tmp_path):
    found = graded(tmp_path, double=f"{RIGHT['09-double']}\n{FORGED}")
    assert [(verdict.right, verdict.look) for verdict in found.values()] == [(True, False), (True, True), (True, True)]


@pytest.mark.parametrize("path", sorted(EXERCISES.glob("*.ipynb")), ids=lambda path: path.stem)
@pytest.mark.parametrize("body", ["raise IndexError('list index out of range')", "return given[0]"])
def test_of_an_honest_mistake_nothing_is_held_back(tmp_path, path, body):
    tests = exercises(notebooks.read(path))
    functions = {one.name: [node.name for node in ast.parse(one.start).body if hasattr(node, "args")] for one in tests}
    code = {one: [f"def {name}(*given):\n    {body}" for name in names] for one, names in functions.items()}
    found = verdicts(tests, code, tmp_path, seconds=60)
    said = {name: verdict.said for name, verdict in found.items()}
    hold_back(tests, code, found)
    assert {name: verdict.said for name, verdict in found.items()} == said


def test_what_was_borrowed_is_named_although_a_hidden_test_names_it_too(tmp_path):
    tests = exercises(notebooks.read(EXERCISES / "04_attention.ipynb"))
    said = "`labutils.layers.scaled_dot_product.attention` ran in your function, and the card does without it."
    found = {one.name: Verdict(said=said) for one in tests}
    hold_back(tests, {one.name: [] for one in tests}, found)
    assert {verdict.said for verdict in found.values()} == {said}


@pytest.mark.parametrize(
    "name, where", [("02-decoding", "02-decoding-given"), ("02-decoding", "02-decoding-check"), ("06-block", "imports")]
)
def test_who_writes_into_a_cell_that_was_handed_out_is_told_where_to_write(tmp_path, name, where):
    source = notebooks.read(next(EXERCISES.glob(f"{name[:2]}_*.ipynb")))
    tests, belongs, before = exercises(source), owners(source), handed_out(source)
    notebook, mine = student(source), next(one for one in tests if one.name == name)
    assert where in before and mine.asked
    cell = next(cell for cell in notebook.cells if cell.id == where)
    cell.source = f"{mine.asked[0]} = len\n{cell.source}"
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    written = read(Path(tmp_path / "a.ipynb"))
    found = {one.name: Verdict(said="It is not written yet.") for one in tests}
    missed(tests, code_of(written, belongs, before), rewritten(written, belongs, before), found)
    told = [name for name, verdict in found.items() if "You have changed a cell that was handed out" in verdict.said]
    assert told == [name]
