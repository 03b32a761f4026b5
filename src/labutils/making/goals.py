"""What the two shipped models were meant to reach, what was tried, and what is missed.

The goals were set before the models were made. `tries.json` keeps the figures of the cards of earlier tries, as they
were measured then; the last try is the card that ships.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labutils.checkpoints.loader import HERE
from labutils.making.page import number, percent, table

TRIES = Path(__file__).with_name("tries.json")
Card = dict[str, Any]
Measured = tuple[float, float | None]  # a figure and its standard error; None: none was taken


@dataclass(frozen=True)
class Goal:
    """One figure of a card, and the number that it should not fall below or, if `at_most`, not exceed."""

    what: str
    goal: float
    read: Callable[[Card], Measured]
    at_most: bool = False
    in_percent: bool = False

    def reached(self, card: Card) -> bool:
        """Whether the figure as measured meets the goal; its standard error gives no discount."""
        value = self.read(card)[0]
        return value <= self.goal if self.at_most else value >= self.goal


def _skill(name: str) -> Callable[[Card], Measured]:
    def read(card: Card) -> Measured:
        (one,) = (skill for skill in card["skills"] if skill["name"] == name)
        return one["accuracy"], one["error"]

    return read


def _at(*path: str) -> Callable[[Card], Measured]:
    """The figure at this path of a card, and the `error` beside it."""

    def read(card: Card) -> Measured:
        for key in path[:-1]:
            card = card[key]
        return card[path[-1]], card["error"]

    return read


def _loss(name: str) -> Callable[[Card], Measured]:
    return lambda card: (card["loss"][name], card["loss"][f"{name}_error"])


def _leaning(card: Card) -> Measured:
    return card["leaning"]["mean_absolute"], None


LEANS = Goal("leaning of occupations: mean distance from the grammar’s", 0.04, _leaning, at_most=True)
GOALS: dict[str, tuple[Goal, ...]] = {
    "little-gpt2": (
        Goal("loss above the floor", 0.012, _loss("gap"), at_most=True, in_percent=True),
        Goal("a random block told twice: copied", 0.99, _at("copying", "accuracy")),
        Goal("weight of the head that looks one token back", 0.85, _at("copying", "previous_in_blocks", "weight")),
        Goal("weight of the head that looks behind the earlier copy", 0.9, _at("copying", "induction", "weight")),
        Goal("own stories that the grammar accepts", 0.9, _at("drawn", "accepted")),
        LEANS,
    ),
    "little-bert": (
        Goal("one hidden word: loss above the best possible", 0.05, _loss("above"), at_most=True, in_percent=True),
        Goal(
            "the same, if the best is told the number of pieces",
            0.1,
            _loss("above_told"),
            at_most=True,
            in_percent=True,
        ),
        Goal("recall of a repeated pair", 0.98, _skill("recall")),
        Goal("agreement", 0.99, _skill("agreement")),
        Goal(
            "next sentence: halves of two stories told apart", 0.98, _at("next_sentence", "kinds", "other", "accuracy")
        ),
        Goal("next sentence: swapped halves found", 0.9, _at("next_sentence", "kinds", "swapped", "accuracy")),
        LEANS,
    ),
}


def tries_of(name: str) -> list[Card]:
    """The cards of all tries of a model, the one that ships last."""
    earlier = [card for card in json.loads(TRIES.read_text(encoding="utf-8")) if card["name"] == name]
    return [*earlier, json.loads((HERE / name / "card.json").read_text(encoding="utf-8"))]


def missed(card: Card) -> list[str]:
    """What the card of a little model fails to reach."""
    return [goal.what for goal in GOALS[card["name"]] if not goal.reached(card)]


def _said(measured: Measured, of: Goal) -> str:
    value, error = measured
    if of.in_percent:
        return percent(value, error, digits=2 if value < 0.1 else 0)
    return f"{value:.3f}" if error is None else number(value, error, digits=3)


def _row(goal: Goal, tries: Sequence[Card]) -> tuple[str, ...]:
    bound = f"{100 * goal.goal:g}%" if goal.in_percent else f"{goal.goal:g}"
    return (
        goal.what,
        f"{'at most' if goal.at_most else 'at least'} {bound}",
        "reached" if goal.reached(tries[-1]) else "**missed**",
        *(_said(goal.read(card), goal) for card in tries),
    )


def _how(card: Card, before: Card | None, ships: Card) -> str:
    """How a try was trained; of one that goes on from the try before it, only how it goes on."""
    t = card["training"]
    same = card["data"]["fingerprint"] == ships["data"]["fingerprint"]
    how, done = t["optimiser"], before and before["training"]["optimiser"]
    return (
        f"{t['steps']:,} steps, {t['tokens'] / 1e6:.1f} million tokens, {t['seconds'] / 60:.0f} minutes"
        f"{'' if same else ', on an earlier grammar'}:"
        f" {f'as the try before{how[len(done) :]}' if done and how.startswith(done) else how}."
    )


def page() -> str:
    """Goals, tries and what is missed, one table a model, as Markdown."""
    parts = []
    for name, goals in GOALS.items():
        tries = tries_of(name)
        numbers = [f"try {i}" for i in range(1, len(tries))] + [f"try {len(tries)}, ships"]
        parts += [
            f"### {name}: {len(goals) - len(missed(tries[-1]))} of {len(goals)} goals reached",
            table(("", "goal", "", *numbers), [_row(goal, tries) for goal in goals]),
            "\n".join(
                f"{i}. {_how(card, before, tries[-1])}"
                for i, (before, card) in enumerate(zip([None, *tries], tries), 1)
            ),
        ]
    return "\n\n".join(parts) + "\n"
