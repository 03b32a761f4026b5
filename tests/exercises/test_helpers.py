"""An answer may name its helpers as it likes: what is told of a wrong one is what its check says."""

import pytest

from labutils.authoring import notebooks
from labutils.authoring.grading.assignment import defined, exercises
from labutils.authoring.grading.processes import verdicts
from labutils.places import EXERCISES

SHEETS = sorted(EXERCISES.glob("*.ipynb"))
NOT_CALLED = "Nothing here is called"
PREPOSITION = """layer, head = 2, 3
head_share = 0.81
rule_share = 1.0
def rule(parts, place):
    return max((i for i in range(place) if parts[i] == "ADP"), default=-1)"""


def wrong(exercise):
    """An answer that defines what is asked for and nothing else of the solution, and all of it wrong."""
    functions = set(defined(exercise.start))
    return "\n".join(
        f"def {name}(*a, **k):\n    return helper_of_mine" if name in functions else f"{name} = helper_of_mine"
        for name in exercise.asked
        if not any(name in defined(given) for given in exercise.given)
    )


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_a_wrong_answer_with_other_helpers_is_told_what_the_check_says(path, tmp_path):
    tests = exercises(notebooks.read(path))
    assert all(one.asked for one in tests)
    code = {one.name: ["helper_of_mine = None", wrong(one) or "helper_of_mine = None"] for one in tests}
    for name, verdict in verdicts(tests, code, tmp_path, seconds=60).items():
        assert verdict.said and NOT_CALLED not in verdict.said and not verdict.right, name


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_what_the_check_uses_and_nobody_defines_is_named(path, tmp_path):
    tests = exercises(notebooks.read(path))
    code, given = {one.name: ["helper_of_mine = None"] for one in tests}, set()
    for (name, verdict), one in zip(verdicts(tests, code, tmp_path, seconds=60).items(), tests):
        given |= {name for cell in one.given for name in defined(cell)}
        lacking = [asked for asked in one.asked if asked not in given]
        assert all(f"`{asked}`" in verdict.said for asked in lacking[:3]), name


def test_head_and_rule_without_the_helpers_of_the_solution(tmp_path):
    tests = exercises(notebooks.read(EXERCISES / "04_attention.ipynb"))
    code = {one.name: [PREPOSITION] if one.name == "04-preposition" else ["pass"] for one in tests}
    verdict = verdicts(tests, code, tmp_path, seconds=60)["04-preposition"]
    assert "Head 2.3 finds it in" in verdict.said and NOT_CALLED not in verdict.said
