"""What a student is told of an answer: where an error is, little of what the answer says, and nothing of others."""

import re

import pytest
from exercises.classroom import RIGHT, answered, assignment, hand_in
from exercises.test_beside import graded
from exercises.test_handed_in import course

from labutils.authoring import notebooks
from labutils.authoring.grading import __main__ as grading
from labutils.authoring.grading.assignment import exercises
from labutils.authoring.grading.others import HELD_BACK
from labutils.authoring.grading.processes import verdicts
from labutils.places import EXERCISES

LONG = "open('long.txt').read()"
OWN = """class room:
    def where(self, n):
        if n > self.size:
            raise ValueError('There is no room for so many of these words')
        return self.places[n]
"""
__all__ = ["course"]


@pytest.fixture
def long(tmp_path):
    (tmp_path / "long.txt").write_text("root:x:0:0 " * 100 + "\nthe second line")
    return tmp_path


SAYS = {
    "cell": {"double": f"raise ValueError({LONG})"},
    "function": {"double": f"def double(x):\n    raise ValueError({LONG})"},
    "assert": {"double": f"def double(x):\n    assert False, {LONG}"},
    "renamed": {"double": f"__name__ = 'tests'\ndef double(x):\n    exec('assert False, text', {{'text': {LONG}}})"},
    "checked": {"attend": f"def attend(q, k, v):\n    raise ValueError({LONG})"},
    "not-yet": {
        "attend": f"from labutils.exercises.checking import NotYet\ndef attend(q, k, v):\n    raise NotYet({LONG})"
    },
    "kind": {"double": f"def double(x):\n    raise type({LONG}, (ValueError,), {{}})"},
    "called": {"attend": f"def attend(q, k, v):\n    raise ValueError\nattend.__name__ = {LONG}"},
    "hidden": {"double": f"def double(x):\n    assert x > 0, {LONG}\n    return 2 * x"},
}


@pytest.mark.parametrize("how", SAYS)
def test_an_answer_says_little_and_it_is_seen_that_it_was_cut(long, how):
    name = next(iter(SAYS[how]))
    said = graded(long, **SAYS[how])[f"09-{name}"].said
    assert 1 <= said.count("root:x:0:0") <= 14 and "… (cut)" in said and "second line" not in said


def test_what_a_test_says_is_told_whole(long):
    said = "With one row the value should come out."
    assert said in graded(long, attend="def attend(q, k, v):\n    return 2 * v")["09-attend"].said


@pytest.mark.parametrize(
    "code, said",
    [
        (
            "def double(x)\n    return 2 * x",
            "SyntaxError: expected ':' in line 1 of a cell of 9.2 Double: `def double(x)`",
        ),
        ("x = 1\nif x:\n        y = 1\n    z = 2", "in line 4 of a cell of 9.2 Double: `z = 2`"),
        ("def double(x):\n    return (2 * x))", "unmatched ')' in line 2 of a cell of 9.2 Double: `return (2 * x))`"),
        ("eval('2 +')", "SyntaxError: invalid syntax (<string>, line 1)"),
    ],
)
def test_of_what_python_cannot_read_the_line_is_shown(tmp_path, code, said):
    assert said in graded(tmp_path, double=code)["09-double"].said


@pytest.mark.parametrize("code", ["raise SystemExit", "import sys\nsys.exit(1)"])
def test_of_an_answer_that_ends_the_program_it_is_said_so(tmp_path, code):
    said = graded(tmp_path, double=code)["09-double"].said
    assert said == "A cell of yours ended with an error. SystemExit: it ends the program, as `sys.exit()` does."


@pytest.mark.parametrize(
    "answers",
    [
        {"double": "while True:\n    print('x' * 10**6)"},
        {"double": "def double(x):\n    while True:\n        print('x' * 10**6)"},
        {"attend": "def attend(q, k, v):\n    while True:\n        print('x' * 10**6)"},
        {"double": "import sys\nwhile True:\n    sys.stderr.write('x' * 10**6)"},
    ],
)
def test_an_answer_that_prints_without_end_is_stopped_and_told_so(tmp_path, answers):
    found = graded(tmp_path, **answers)
    said = found[f"09-{next(iter(answers))}"].said
    assert said.removeprefix("A cell of yours ended with an error. ") == (
        "It had printed more than 100 million characters and was stopped."
    )
    assert found["09-word"].right


def test_of_a_mended_function_that_python_cannot_read_nothing_is_told_but_that(tmp_path):
    tests = exercises(notebooks.read(EXERCISES / "04_attention.ipynb"))
    [parts] = [one for one in tests if one.name == "04-parts"]
    verdict = verdicts([parts], {parts.name: ["def visible(n_q, n_k)"]}, tmp_path, seconds=60)[parts.name]
    assert verdict.held == []  # of the one that was handed out, with its mistake, some properties hold
    assert re.fullmatch("A cell of yours ended with an error. SyntaxError: expected ':' in line 1 .*", verdict.said)


ADDED = (
    "A cell that you have added, `while True:`, had not finished after 2 seconds.",
    "It had not finished after 2 seconds.",
)


@pytest.mark.parametrize(
    "cells, said",
    [
        (["while True:\n    pass", RIGHT["09-double"]], ADDED[0]),
        ([RIGHT["09-double"], "while True:\n    pass"], ADDED[0]),
        ([f"{RIGHT['09-double']}\nwhile True:\n    pass"], ADDED[1]),
        ([f"%%time\n{RIGHT['09-double']}\nwhile True:\n    pass"], ADDED[1]),
        (["x = 1", "def double(x):\n    while True:\n        pass"], ADDED[1]),
    ],
)
def test_a_cell_that_was_added_and_does_not_finish_is_named(tmp_path, cells, said):
    code = {name: [text] for name, text in RIGHT.items()} | {"09-double": cells}
    found = verdicts(exercises(assignment()), code, tmp_path, seconds=2)
    assert found["09-double"].said == said and found["09-attend"].right and found["09-word"].right


def told(course, name):
    return (course / f"feedback/{name}/09_test.md").read_text(encoding="utf-8")


def grade(course, capsys, **words):
    """Grade a class of whom everybody has an answer to the third exercise; what is said on the screen of each."""
    for name, word in words.items():
        hand_in(course, f"{name}/09_test/09_test.ipynb", answered(word=word))
    grading.main(course, ["--allow-root", "--jobs", "1"])
    lines = capsys.readouterr().out.splitlines()
    return {name: next(line for line in lines if line.startswith(f"  {name} ")) for name in words}


def test_names_of_the_class_are_held_back(course, capsys):
    (course / "students.txt").write_text("ada\nbob\nlovelace\ncleo.patra\n")
    listed = "import os\nraise ValueError(' '.join(sorted(os.listdir(os.environ['TMPDIR_OF_NOBODY']))))"
    said = grade(
        course,
        capsys,
        ada="raise ValueError('ada' + ' b' + 'ob')",
        bob="raise ValueError('clea' + 'ner, cleo' + '.patra')",
        lovelace="raise ValueError('a list of max and min')",
        dan=listed,
    )
    for name in ("ada", "bob"):
        assert HELD_BACK in told(course, name) and "READ THIS ANSWER" in said[name]
    assert "cleo.patra" not in told(course, "bob") and "a list of max and min" in told(course, "lovelace")
    assert "READ THIS" not in said["lovelace"] + said["dan"] and "KeyError: 'TMPDIR_OF_NOBODY'" in told(course, "dan")


def test_text_of_others_is_held_back_and_ones_own_is_not(course, capsys):
    begins = "\n".join(f"part{i} = {line!r}" for i, line in enumerate(OWN[i::2] for i in range(2)))
    leaks = f"{begins}\nraise ValueError(''.join(a + b for a, b in zip(part0, part1)).replace('\\n', ' '))"
    said = grade(
        course, capsys, ada=leaks, bob=f"{OWN}\nraise ValueError('There is no room for so many of these words')"
    )
    assert (
        HELD_BACK in told(course, "ada")
        and "READ THIS ANSWER" in said["ada"]
        and "self.size" not in told(course, "ada")
    )
    assert "There is no room for so many of these words" in told(course, "bob") and "READ" not in said["bob"]


def test_two_who_wrote_the_same_are_told_all_of_it(course, capsys):
    word = f"{OWN}\nroom.size = 1\nroom.where(room, 2)\n{RIGHT['09-word']}".replace("tree", "sea").replace(
        "lake", "sea"
    )
    said = grade(course, capsys, ada=word, bob=word)
    for name in ("ada", "bob"):
        assert "There is no room for so many" in told(course, name) and "READ" not in said[name]


STANDS = "`raise NotImplementedError` still stands above other lines of yours"
LEFT = {
    "in a function": "def double(x):\n    raise NotImplementedError('Your turn: write this part.')\n    return 2 * x",
    "in a cell": "raise NotImplementedError\ndef double(x):\n    return 2 * x",
}


@pytest.mark.parametrize("where", LEFT)
def test_who_left_the_line_that_raises_above_right_code_is_told(tmp_path, where):
    assert STANDS in graded(tmp_path, double=LEFT[where])["09-double"].said


def test_who_has_written_nothing_is_told_no_more(tmp_path):
    found = graded(tmp_path, double="def double(x):\n    raise NotImplementedError('Your turn')", attend="pass")
    assert {found[name].said for name in ("09-double", "09-attend")} == {"It is not written yet."}


ODD = {
    "ours": ("import sys\n    return sys.stdout", "not Printed"),
    "ours in words": (
        "import sys\n    raise ValueError(repr(sys.stdout))",
        "raised ValueError: the program that tests it.",
    ),
    "all forms": ("return v.view('a')", "but expected one of: (torch.dtype dtype)"),
}


@pytest.mark.parametrize("what", ODD)
def test_what_is_odd_is_told_in_whole_sentences_and_without_internals(tmp_path, what):
    code, said = ODD[what]
    told = graded(tmp_path, attend=f"def attend(q, k, v):\n    {code}")["09-attend"].said
    assert said in told and "labutils.authoring" not in told and "of:." not in told and " at 0x" not in told


def test_what_is_told_of_a_long_message_ends_with_a_whole_word(tmp_path):
    told = graded(tmp_path, double="def double(x):\n    raise ValueError('there ' * 99)")["09-double"].said
    assert told.endswith("there… (cut)")
