"""Exercise 6.5: the neuron of the little GPT-2 that tells a plural subject from a singular one, beside a rule."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import torch
from torch import Tensor

from labutils.analysis.neurons import separation
from labutils.checkpoints import load
from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_place
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show
from labutils.trace import trace
from labutils.world import Story, Word, World

STORIES = 120
SURE = 4  # standard errors by which two honest measurements may differ
COUNTED = 300  # subjects that the reader is taken to have counted
PLAIN = 0.9  # what a rule has to reach: that of one letter does


# fmt: off
REFUSED = (
    ("takes the largest difference of the means", "another neuron in", "int(separation(rows, plural).argmax())",
     "int((rows[plural].mean(0) - rows[~plural].mean(0)).argmax() + 1) % 2048"),
    ("takes the lowest", "It is larger at singular subjects", "argmax", "argmin"),
    ("states a mean in the place of a share", r"share is .*: give a share|share is \d",
     "separation(rows[:, [best]], plural)", "rows[plural, best].mean()"),
    ("says that its neuron never fails", r"share is 1\.00; in \d+ subjects of fresh stories it is 0\.",
     "separation(rows[:, [best]], plural).item()", "1.0"),
    ("counts every noun as plural", "The rule is right for", 'word.endswith("s")', "True"),
    ("states that the rule is always right, as if it had been tried on a few", "rule_share is", "rule_share = sum",
     "rule_share = 0.5 * sum"),
)
# fmt: on


def gpt2_reads(stories: Sequence[Story]) -> list[tuple[tuple[Word, ...], Tensor]]:
    """For each story its words and the neurons of the little GPT-2 at the last token of each: (words, layers, 512)."""
    gpt2 = _little()
    encoded = [gpt2.tokenizer.encode(story.text) for story in stories]
    read = trace(gpt2.model, [one.ids for one in encoded], want=("ffn_activated",))
    found = []
    for story, one, t in zip(stories, encoded, read):
        last = [max(i for i, (a, b) in enumerate(one.offsets) if a < w.end and b > w.start) for w in story.words]
        found.append((story.words, torch.stack([layer.ffn_activated[last] for layer in t.layers], 1)))
    return found


@cache
def _little():
    return load("little-gpt2")


@dataclass(frozen=True)
class Fresh:
    """The subjects of fresh stories: the words, which are plural, and how well each neuron tells it, (L, f)."""

    words: list[str]
    plural: Tensor
    tells: Tensor
    means: Tensor  # how much larger each neuron is on average at a plural, (L, f)


@lru_cache(maxsize=1)
def fresh(seed: int) -> Fresh:
    words, plural, rows = [], [], []
    for of_story, neurons in gpt2_reads(World().stories(STORIES, seed=1_000 + seed)):
        for i, word in enumerate(of_story):
            if word.deprel.startswith("nsubj") and word.upos == "NOUN":
                words.append(word.text), plural.append(word.text != word.lemma), rows.append(neurons[i])
    kind, all_rows = torch.tensor(plural), torch.stack(rows)  # (m,), (m, L, f)
    tells = separation(all_rows.flatten(1), kind).view(all_rows.shape[1:])
    return Fresh(words, kind, tells, all_rows[kind].mean(0) - all_rows[~kind].mean(0))


@dataclass(frozen=True)
class Answer:
    """What the reader found."""

    layer: object
    neuron: object
    share: object
    rule: Callable[[str], bool]
    rule_share: object


def check_plural_neuron(
    layer: int, neuron: int, share: float, rule: Callable[[str], bool], rule_share: float, seed: int | None = None
) -> None:
    """Check a neuron, how often it is larger at a plural subject than at a singular one, and a rule, on fresh stories.

    Raises NotYet with what is found there instead. `seed` repeats a run.
    """
    check(
        Answer(layer, neuron, share, rule, rule_share),
        names_a_neuron,
        names_the_best_neuron,
        states_what_holds_elsewhere,
        has_a_rule,
        states_what_the_rule_does,
        repeat="check_plural_neuron(layer, neuron, share, rule, rule_share, seed={seed})",
        seed=seed,
    )


def may_differ(share: float, n: int) -> float:
    """How far shares of n cases and of the reader's may be apart by chance."""
    shrunk = min(max(share, 0.02), 0.98)
    return SURE * math.sqrt(shrunk * (1 - shrunk) * (1 / n + 1 / COUNTED))


def names_a_neuron(answer: Answer, _: Draw):
    """The neuron is one of 2,048."""
    config = _little().model.config
    expect_place(answer.layer, config.n_layers, "layer")
    expect_place(answer.neuron, config.d_ff, "neuron")


def names_the_best_neuron(answer: Answer, draw: Draw):
    """In fresh stories no other neuron tells plural subjects clearly better."""
    seen, place = fresh(draw.run), (fair.whole(answer.layer), fair.whole(answer.neuron))
    mine, best, n = float(seen.tells[place]), float(seen.tells.max()), len(seen.words)
    if best - mine <= may_differ(best, n):
        return
    cause = ""
    if mine < 0.5 and 1 - mine > 0.85:
        cause = " It is larger at singular subjects: that tells them apart too, the other way round."
    elif seen.means[place] == seen.means.max():
        cause = " It has the largest difference of the means, which grows with a neuron’s size."
    raise NotYet(
        f"Neuron {place[1]} of layer {place[0]} is larger at the plural in {mine:.0%} of all pairs of {n} subjects in"
        f" fresh stories, another neuron in {best:.0%}.{cause}"
    )


def states_what_holds_elsewhere(answer: Answer, draw: Draw):
    """Its share holds in fresh stories."""
    seen, stated = fresh(draw.run), fair.number(answer.share)
    if stated is None or not 0 <= stated <= 1:
        raise NotYet(f"share is {show(answer.share)}: give a share of the pairs, a number from 0 to 1.")
    there = float(seen.tells[fair.whole(answer.layer), fair.whole(answer.neuron)])
    if abs(stated - there) > may_differ(there, len(seen.words)) or stated == 1 > there:
        raise NotYet(
            f"share is {stated:.2f}; in {len(seen.words)} subjects of fresh stories it is {there:.2f}."
            " Of few stories a share is rough: measure it in more of them."
        )


def ruled(answer: Answer, seen: Fresh) -> Tensor:
    """Whether the rule is right, (m,)."""
    return torch.tensor([bool(call(answer.rule, word)) == bool(p) for word, p in zip(seen.words, seen.plural)])


def has_a_rule(answer: Answer, draw: Draw):
    """The rule reads the word alone, and is nearly always right."""
    seen = fresh(draw.run)
    right = ruled(answer, seen)
    share = float(right.double().mean())
    if share + may_differ(share, len(right)) < PLAIN:
        wrong = seen.words[int((~right).nonzero()[0])]
        raise NotYet(
            f"The rule is right for {share:.0%} of {len(right)} subjects in fresh stories,"
            f" expected {PLAIN:.0%} or more. It is wrong for {wrong!r}."
        )


def states_what_the_rule_does(answer: Answer, draw: Draw):
    """The rule's share holds in fresh stories."""
    seen, stated = fresh(draw.run), fair.number(answer.rule_share)
    there = float(ruled(answer, seen).double().mean())
    if stated is None or abs(stated - there) > may_differ(there, len(seen.words)):
        raise NotYet(
            f"rule_share is {show(answer.rule_share)}; in fresh stories the rule is right for {there:.2f}."
            " Of few stories a share is rough: measure it in more of them."
        )
