"""Exercise 4.6: the head of the little BERT in which a noun looks for its preposition, beside a rule of one line."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.ch04.fresh_stories import Fresh, bert_reads, fresh, layers_and_heads, two_halves
from labutils.exercises.checking import NotYet, call, check, expect_place
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show

__all__ = ["bert_reads", "check_preposition"]

SURE = 4  # standard errors by which two honest measurements may differ
COUNTED = 300  # cases that the reader is taken to have counted
ROUNDED = 0.006  # how far a share may be from the count: two digits are enough
Rule = Callable[[list[str], int], int]  # the parts of speech of a story, the place of a noun -> a place


@dataclass(frozen=True)
class Answer:
    """What the reader found."""

    layer: object
    head: object
    rule: Rule
    head_share: object
    rule_share: object

    @property
    def place(self) -> int:
        """The column of the head in `Fresh.heads`."""
        _, heads = layers_and_heads()
        return fair.whole(self.layer) * heads + fair.whole(self.head)

    def ruled(self, seen: Fresh) -> Tensor:
        """Whether the rule is right, (cases,)."""
        return seen.found_by(lambda parts, noun: fair.whole(call(self.rule, parts, noun)))


def check_preposition(
    layer: int, head: int, rule: Rule, head_share: float, rule_share: float, seed: int | None = None
) -> None:
    """Check a head, a rule, and how often each finds the preposition of a noun, on fresh stories.

    Raises NotYet with what is found there instead. `seed` repeats a run.
    """
    check(
        Answer(layer, head, rule, head_share, rule_share),
        names_a_head,
        names_the_best_head,
        has_a_rule_that_beats_distances,
        has_the_cleverest_rule,
        states_what_holds_elsewhere,
        counts_where_nothing_was_chosen,
        repeat="check_preposition(layer, head, rule, head_share, rule_share, seed={seed})",
        seed=seed,
    )


def mean(right: Tensor) -> float:
    return float(right.double().mean())


def clearly_more(one: Tensor, other: Tensor) -> bool:
    """Whether one is right more often than the other on the same cases, by more than chance."""
    ahead = one.double() - other.double()
    return mean(ahead) > SURE * float(ahead.std()) / math.sqrt(len(ahead))


def names_a_head(answer: Answer, _: Draw):
    """The layer and the head are of the little BERT."""
    layers, heads = layers_and_heads()
    expect_place(answer.layer, layers, "layer")
    expect_place(answer.head, heads, "head")


def names_the_best_head(answer: Answer, draw: Draw):
    """In fresh stories no other head finds the preposition more often."""
    seen, mine = fresh(draw.run), answer.place
    best = int(seen.heads.double().mean(0).argmax())
    if not clearly_more(seen.heads[:, best], seen.heads[:, mine]):
        return
    back, (_, heads) = mean(seen.back[:, mine]), layers_and_heads()
    cause = f" Asked the other way, by the preposition for its noun, it is right in {back:.0%}." if back > 0.5 else ""
    raise NotYet(
        f"Head {mine // heads}.{mine % heads} finds it in {mean(seen.heads[:, mine]):.0%} of {len(seen.asked)} cases in"
        f" fresh stories, another head in {mean(seen.heads[:, best]):.0%}.{cause}"
    )


def has_a_rule_that_beats_distances(answer: Answer, draw: Draw):
    """The rule finds it more often than any fixed distance."""
    seen = fresh(draw.run)
    back, right = seen.best_distance(), mean(answer.ruled(seen))
    share = mean(seen.found_by(lambda _, noun: noun - back))
    if right <= share + 0.05:
        raise NotYet(
            f"The rule finds it in {right:.0%} of {len(seen.asked)} cases in fresh stories, and “{back} words back” in"
            f" {share:.0%}. A rule may read the parts of speech."
        )


def has_the_cleverest_rule(answer: Answer, draw: Draw):
    """The checker's own rule of one line does no better."""
    seen = fresh(draw.run)
    right, best = answer.ruled(seen), seen.found_by(nearest_to_the_left)
    if clearly_more(best, right):
        parts, noun, place = seen.asked[int((best & ~right).nonzero()[0])]
        raise NotYet(
            f"The rule finds it in {mean(right):.0%} of {len(right)} cases in fresh stories, and the checker's in"
            f" {mean(best):.0%}. Yours misses the one {noun - place} words before the noun in: "
            f"{' '.join(parts[place : noun + 1])}."
        )


def nearest_to_the_left(parts: list[str], place: int) -> int:
    return max((i for i in range(place) if parts[i] == "ADP"), default=-1)


def states_what_holds_elsewhere(answer: Answer, draw: Draw):
    """Both shares hold in fresh stories as well."""
    seen = fresh(draw.run)
    for name, right in (("head_share", seen.heads[:, answer.place]), ("rule_share", answer.ruled(seen))):
        stated, n = fair.number(getattr(answer, name)), len(right)
        if stated is None or not 0 <= stated <= 1:
            raise NotYet(f"{name} is {show(getattr(answer, name))}: give a share, a number from 0 to 1.")
        shrunk = (float(right.sum()) + 0.5) / (n + 1)  # so that no share is 0 or 1, and beyond doubt
        if abs(stated - mean(right)) > may_differ(math.sqrt(shrunk * (1 - shrunk)), n):
            cause = mean_weight(stated, seen.shares[:, answer.place]) if name == "head_share" else ""
            raise NotYet(f"{name} is {stated:.2f}; in {n} cases in fresh stories it is {mean(right):.2f}.{cause}")


def counts_where_nothing_was_chosen(answer: Answer, _: Draw):
    """Both shares are those of the last 120 stories, on which no head was chosen."""
    first, last = two_halves()
    for name, right in (
        ("head_share", [half.heads[:, answer.place] for half in (first, last)]),
        ("rule_share", [answer.ruled(half) for half in (first, last)]),
    ):
        stated, here = fair.number(getattr(answer, name)), mean(right[1])
        if abs(stated - here) <= ROUNDED:
            continue
        elsewhere = {
            "That is the share of the first 120, on which the head was chosen.": mean(right[0]),
            "That is the share of all 240; half of them have chosen the head.": mean(torch.cat(right)),
        }
        cause = next((f" {said}" for said, share in elsewhere.items() if abs(stated - share) <= ROUNDED / 2), "")
        raise NotYet(f"{name} is {stated:.3f}; in the last 120 stories it is {here:.3f}.{cause}")


def mean_weight(stated: float, weights: Tensor) -> str:
    """What to say where the share that is stated is the mean weight instead; else nothing."""
    if abs(stated - mean(weights)) > may_differ(float(weights.double().std()), len(weights)):
        return ""
    return f" The mean weight on it is {mean(weights):.2f}; asked is how often it is the largest."


def may_differ(spread: float, n: int) -> float:
    """How far the means of n cases and of the reader's may be apart by chance."""
    return SURE * spread * math.sqrt(1 / n + 1 / COUNTED)
