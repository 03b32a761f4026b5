"""Exercise 5.5: name a head of the little GPT-2, say where it looks, and defend that against every fixed distance
and against the first word.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import torch
from torch import Tensor

from labutils.analysis.gold_words import each_story
from labutils.checkpoints import load
from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_place, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show
from labutils.world import Story, Word, World

STORIES, FAR = 120, 8
OWN = 6  # the seed of the stories on the card: the first half to choose on, the other half to count on
ROUNDED = 0.005  # a share may be stated with two decimals
SURE = 4  # standard errors
LEAST_RIGHT = 1 / 3  # of the words of which it says something
WEIGHT = 1 / 5  # that the head gives there on average: the largest of many small ones is no look
LEAST = 0.05  # of all words: a name that says something of fewer is none
Where = Callable[[Sequence[Word], int], object]


def gpt2_reads(stories: Sequence[Story]) -> list[tuple[tuple[Word, ...], Tensor]]:
    """For each story its words and the weights between them, (layers, heads, words, words), in the little GPT-2.

    The weights on the tokens of a word are added up, its last token asks; what the end sign gets is left out.
    """
    gpt2 = _little()
    weights = dict(each_story(gpt2.model, gpt2.tokenizer, list(stories)))
    return [(story.words, weights[i]) for i, story in enumerate(stories)]


@cache
def _little():
    return load("little-gpt2")


Looks = list[tuple[tuple[Word, ...], Tensor]]  # of each story its words, and where each head looks, (L, H, words)


@lru_cache(maxsize=1)
def fresh(seed: int) -> Looks:
    """Fresh stories, and where the heads look in them."""
    return _looks(World().stories(STORIES, seed))


@cache
def on_the_card() -> Looks:
    """The same for the stories that the card names, both halves."""
    return [(words, looks) for words, looks, _ in _card()]


def _looks(stories: Sequence[Story]) -> Looks:
    return [(words, weights.argmax(-1)) for words, weights in gpt2_reads(stories)]


@cache
def _card() -> list[tuple[tuple[Word, ...], Tensor, Tensor]]:
    """Of each story on the card its words, where the heads look, and with which weights (in half the memory)."""
    stories = World().stories(2 * STORIES, OWN)
    return [(words, weights.argmax(-1), weights.half()) for words, weights in gpt2_reads(stories)]


@dataclass(frozen=True)
class Answer:
    layer: object
    head: object
    where: Where
    share: object
    found: dict[int, "Seen"] = field(default_factory=dict)  # by seed: asked once, used by four properties


@dataclass(frozen=True)
class Seen:
    """The words of which the name says something, one entry each: where the head looks, where it was said to look,
    the place of the word, and its story. `words` counts all words.
    """

    looks: list[int]
    said: list[int]
    place: list[int]
    story: list[int]
    words: int

    @property
    def right(self) -> Tensor:
        return torch.tensor([a == b for a, b in zip(self.looks, self.said)]).double()

    def at_distance(self, back: int) -> Tensor:
        return torch.tensor([a == i - back for a, i in zip(self.looks, self.place)]).double()

    @property
    def at_the_first(self) -> Tensor:
        return torch.tensor([a == 0 for a in self.looks]).double()

    @property
    def mean_of_stories(self) -> float:
        stories = torch.tensor(self.story)
        return float(torch.stack([self.right[stories == story].mean() for story in stories.unique()]).mean())

    @property
    def error(self) -> float:
        """The standard error of the share that is right: between stories, for words of one story are alike."""
        off = torch.zeros(max(self.story) + 1).double()
        return float(off.index_add(0, torch.tensor(self.story), self.right - self.right.mean()).norm()) / len(self.said)


def check_name(layer: int, head: int, where: Where, share: float, seed: int | None = None) -> None:
    """Check the name of a head: `where` says, for a word, the place that the head looks at, or None; `share` is how
    often that is right.

    Raises NotYet with what is found in fresh stories instead. `seed` repeats a run.
    """
    check(
        Answer(layer, head, where, share),
        names_a_head,
        says_a_place_to_the_left,
        says_something_of_enough_words,
        is_right_in_a_third,
        beats_every_fixed_distance,
        states_what_was_counted,
        states_what_holds_elsewhere,
        gives_it_a_fifth_of_its_weight,
        repeat="check_name(layer, head, where, share, seed={seed})",
        seed=seed,
    )


def seen(answer: Answer, seed: int) -> Seen:
    """What the name says of fresh stories. Raises NotYet where it says what cannot be."""
    if seed not in answer.found:
        answer.found[seed] = said_of(answer, fresh(seed), "fresh stories")
    return answer.found[seed]


def said_of(answer: Answer, stories_read: Looks, which: str) -> Seen:
    """What the name says of these stories, `which` in words."""
    layer, head = fair.whole(answer.layer), fair.whole(answer.head)
    looks, said, places, stories, words_in_all = [], [], [], [], 0
    for story, (words, largest) in enumerate(stories_read):
        for i in range(len(words)):
            words_in_all += 1
            there = call(answer.where, words, i)
            if there is None:
                continue
            place = fair.whole(there)
            if place is None or not 0 <= place <= i:
                text = " ".join(word.text for word in words[: i + 1])
                raise NotYet(
                    f"where said {show(there)} for the word at {i} in: {text[-60:]}. It is a place from 0 to {i}, for a"
                    " row sees nothing later; or None."
                )
            looks.append(int(largest[layer, head, i]))
            said.append(place)
            places.append(i)
            stories.append(story)
    if not said:
        raise NotYet(f"where names a place for none of the {words_in_all:,} words in {which}.")
    return Seen(looks, said, places, stories, words_in_all)


def names_a_head(answer: Answer, _: Draw):
    """The head is one of the 32."""
    config = _little().model.config
    expect_place(answer.layer, config.n_layers, "layer")
    expect_place(answer.head, config.n_heads, "head")


def says_a_place_to_the_left(answer: Answer, draw: Draw):
    """For each word it says a place in sight, or None."""
    seen(answer, draw.run)


def says_something_of_enough_words(answer: Answer, draw: Draw):
    """It says something of at least every twentieth word."""
    found = seen(answer, draw.run)
    if len(found.said) < LEAST * found.words:
        raise NotYet(
            f"where names a place for {len(found.said)} of {found.words:,} words in fresh stories; at least"
            f" {math.ceil(LEAST * found.words)} are asked for."
        )


def is_right_in_a_third(answer: Answer, draw: Draw):
    """In the last 120 stories on the card it is right in a third of these words."""
    found = said_of(answer, on_the_card()[STORIES:], f"the last {STORIES} stories")
    if float(found.right.mean()) < LEAST_RIGHT:
        raise NotYet(
            f"In {len(found.said)} cases in the last {STORIES} stories the head looks where it was said to in"
            f" {float(found.right.mean()):.0%}: a name that is wrong more than two times in three is none."
        )


def beats_every_fixed_distance(answer: Answer, draw: Draw):
    """On these words it is right more often than every fixed distance and than the first word, by more than chance."""
    found = seen(answer, draw.run)
    rivals = {f"{back} words back" if back else "the word itself": found.at_distance(back) for back in range(FAR + 1)}
    rivals["the first word"] = found.at_the_first
    rule = max(rivals, key=lambda rule: float(rivals[rule].sum()))
    ahead = found.right - rivals[rule]
    lead, error = float(ahead.mean()), float(ahead.std()) / math.sqrt(len(ahead))
    if lead <= SURE * error:
        chance = f" It leads by {100 * lead:.1f} ± {100 * error:.1f} points: that can be chance." if lead > 0 else ""
        raise NotYet(
            f"In {len(ahead)} cases in fresh stories the head looks where it was said to in"
            f" {float(found.right.mean()):.0%}, and at “{rule}” in {float(rivals[rule].mean()):.0%}.{chance}"
        )


def states_what_was_counted(answer: Answer, draw: Draw):
    """The share is that of the last 120 stories on the card."""
    stated = fair.number(answer.share)
    if stated is None or not 0 <= stated <= 1:
        raise NotYet(f"share is {show(answer.share)}: give a share, a number from 0 to 1.")
    found = said_of(answer, on_the_card()[STORIES:], "the last 120 stories")
    right = float(found.right.mean())
    if abs(stated - right) > ROUNDED + 1e-6:
        raise NotYet(
            f"share is {stated:.2f}; in {len(found.said)} cases in the last {STORIES} stories it is {right:.2f}."
            f"{likely(stated, miscounts(answer, found), ROUNDED)}"
        )


def miscounts(answer: Answer, found: Seen) -> Iterator[tuple[str, float]]:
    """What is said of the usual mistakes, and the share by each."""
    yield (
        "Words for which where says None were counted as misses: they are no cases.",
        float(found.right.sum()) / found.words,
    )
    yield "That is the mean of the shares of the stories: count all cases together.", found.mean_of_stories
    chosen = said_of(answer, on_the_card()[:STORIES], "the first 120 stories").right
    yield f"That is the share on the first {STORIES} stories, the ones to choose on.", float(chosen.mean())
    both = torch.cat([chosen, found.right])
    yield "That is the share on all stories: half of them are there to choose on.", float(both.mean())


def states_what_holds_elsewhere(answer: Answer, draw: Draw):
    """The share that is stated holds in fresh stories as well."""
    found, stated = seen(answer, draw.run), fair.number(answer.share)
    n, right = len(found.said), float(found.right.mean())
    shrunk = (float(found.right.sum()) + 0.5) / (n + 1)
    error = max(found.error, math.sqrt(shrunk * (1 - shrunk) / n))  # where all are right, stories do not differ
    if abs(stated - right) > SURE * math.sqrt(2) * error:  # the reader counted on as many stories
        raise NotYet(f"share is {stated:.2f}; in {n} cases in fresh stories it is {right:.2f}.")


def gives_it_a_fifth_of_its_weight(answer: Answer, _: Draw):
    """In the last 120 stories on the card it gives that place a fifth of its weight, on average."""
    found = said_of(answer, on_the_card()[STORIES:], f"the last {STORIES} stories")
    layer, head, last = fair.whole(answer.layer), fair.whole(answer.head), _card()[STORIES:]
    given = [float(last[s][2][layer, head, i, there]) for s, i, there in zip(found.story, found.place, found.said)]
    weight = sum(given) / len(given)
    if weight < WEIGHT:
        raise NotYet(
            f"In the last {STORIES} stories the head looks there in {float(found.right.mean()):.0%} of the cases, but"
            f" gives that place only {weight:.2f} of its weight on average: its row is nearly flat, and the largest of"
            " many small weights is no look."
        )
