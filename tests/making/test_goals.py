"""The goals of the little models beside what was measured: nothing is called reached that is not, nothing is hidden."""

import copy
import json

import pytest

from labutils.making import goals
from labutils.making.goals import GOALS, TRIES, missed, page, tries_of

SHIPS = {name: tries_of(name)[-1] for name in GOALS}


def test_what_is_missed():
    """What the page of models tells a reader: a model that is made anew has to be read about anew."""
    assert {name: len(missed(card)) for name, card in SHIPS.items()} == {"little-gpt2": 3, "little-bert": 4}
    assert [len(missed(card)) for card in tries_of("little-bert")] == [6, 5, 5, 4]
    assert [len(missed(card)) for card in tries_of("little-gpt2")] == [4, 3]


@pytest.mark.parametrize("name", GOALS)
def test_each_goal_is_missed_on_its_wrong_side_only(name):
    for goal in GOALS[name]:
        for by in (-1e-6, 0, 1e-6):
            shifted = goals.Goal(goal.what, goal.read(SHIPS[name])[0] + by, goal.read, goal.at_most)
            assert shifted.reached(SHIPS[name]) == (by >= 0 if goal.at_most else by <= 0), (goal.what, by)


def test_no_goal_was_moved():
    assert [goal.goal for goal in GOALS["little-gpt2"]] == [0.012, 0.99, 0.85, 0.9, 0.9, 0.04]
    assert [goal.goal for goal in GOALS["little-bert"]] == [0.05, 0.1, 0.98, 0.99, 0.98, 0.9, 0.04]


def test_bert_became_better_where_it_still_misses():
    """In all but one, where the deeper one is as good as the one before."""
    tries, same = tries_of("little-bert"), []
    for goal in (goal for goal in GOALS["little-bert"] if not goal.reached(tries[-1])):
        figures = [goal.read(card)[0] for card in tries]
        assert figures == sorted(figures, reverse=goal.at_most), goal.what
        same += [goal.what] * (len(set(figures)) < len(figures))
    assert same == ["next sentence: halves of two stories told apart"]


def test_a_worse_card_is_told_so():
    card = copy.deepcopy(SHIPS["little-gpt2"])
    card["copying"]["accuracy"] = 0.98
    assert set(missed(card)) - set(missed(SHIPS["little-gpt2"])) == {"a random block told twice: copied"}


def test_a_row_for_every_goal_and_a_line_for_every_try():
    text = page()
    for name, each in GOALS.items():
        for goal in each:
            verdict = "reached" if goal.reached(SHIPS[name]) else "**missed**"
            rows = [row.split(" | ") for row in text.splitlines() if row.startswith(f"| {goal.what} |")]
            assert verdict in {row[2] for row in rows}, goal.what
        assert sum(f"{card['training']['steps']:,} steps" in text for card in tries_of(name)) == len(tries_of(name))


def test_earlier_tries_are_other_models_than_those_that_ship():
    for card in json.loads(TRIES.read_text(encoding="utf-8")):
        assert card["training"]["steps"] < SHIPS[card["name"]]["training"]["steps"]
        assert card["training"]["tokens"] < SHIPS[card["name"]]["training"]["tokens"]
