"""Where in a story each relation is asked for and where its answer stands, and how often heads, distances and simple
rules find it.

As in Clark et al. 2019, "What Does BERT Look At?", with one difference: head, distance and rule are all
chosen on one half of the stories and scored on the other.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.analysis.gold_words import each_story
from labutils.analysis.rules import OFFSETS, RULES, SUBJECTS, Rule, kinds_of
from labutils.models import family_of
from labutils.world import Word

TO_HEAD, TO_DEPENDENT, TO_MENTION = "to its head", "from its head", "to the last mention"
OUT = ("punct", "root", "dep")
PERSONAL = ("he", "she", "it", "they", "his", "her", "its", "their", "him", "them")
Name = tuple[str, str]  # a relation and the direction in which it is asked for
Reads = Callable[[Sequence[Word], int], int]  # a rule that reads the words: those of a story, who asks -> a place


@dataclass(frozen=True)
class Query:
    """A word that asks, and the word that is right."""

    name: Name
    place: int
    right: int


@dataclass
class Tally:
    """For each query of one name, what was right, one row a query: heads (see `pointed`), OFFSETS, rules (`rules_for`
    it); and which story it was from.
    """

    heads: list[Tensor]
    offsets: list[Tensor]
    rules: list[Tensor]
    stories: list[int]

    @classmethod
    def empty(cls) -> "Tally":
        return cls([], [], [], [])

    def without_last(self, n: int) -> "Tally":
        """The same without the last n rules."""
        return Tally(self.heads, self.offsets, [right[: len(right) - n] for right in self.rules], self.stories)


@dataclass(frozen=True)
class Contest:
    """Head, distance and rule: which of each was best in the first half, and for each query of the second half whether
    it was right, 1 or 0.

    `pick` and `right` have the keys "heads", "offsets", "rules"; a pick is a column of the `Tally`. `stories` says
    which story each query was from.
    """

    pick: dict[str, int]
    right: dict[str, list[float]]
    stories: list[int]

    @property
    def rival(self) -> str:
        """The better of distance and rule, in the second half."""
        return max(("offsets", "rules"), key=lambda kind: sum(self.right[kind]))

    @property
    def ahead(self) -> list[float]:
        """Query by query: head minus rival."""
        return [a - b for a, b in zip(self.right["heads"], self.right[self.rival])]


def queries_of(words, causal: bool) -> list[Query]:
    """All that is asked of a story, arc by arc: each dependent for its head, each head for each of its dependents, each
    pronoun for the last mention of whom it means. If `causal`, only what lies to the left can be right: nothing else is
    seen.
    """
    found: list[Query] = []
    latest: dict[int, int] = {}
    for i, word in enumerate(words):
        relation = word.deprel.split(":")[0]
        if relation not in OUT and word.head >= 0:
            found.append(Query((relation, TO_HEAD), i, word.head))
            found.append(Query((relation, TO_DEPENDENT), word.head, i))
        if word.chain >= 0:
            if word.upos == "PRON" and word.lemma in PERSONAL and word.chain in latest:
                found.append(Query(("pronoun", TO_MENTION), i, latest[word.chain]))
            latest[word.chain] = i
    return [query for query in found if not causal or query.right < query.place]


def halves(
    model, tokenizer, stories: Sequence, more: Sequence[Reads] = ()
) -> tuple[dict[Name, Tally], dict[Name, Tally]]:
    """All queries of the first half of the stories, and of the second. `more`: rules beside those of `rules_for`."""
    causal, middle = family_of(model).causal, len(stories) // 2
    found: tuple = (defaultdict(Tally.empty), defaultdict(Tally.empty))
    for i, weights in each_story(model, tokenizer, list(stories)):
        count(found[i >= middle], stories[i].words, weights, causal, more, story=i)
    return found


def count(
    tallies: dict[Name, Tally], words, weights: Tensor, causal: bool, more: Sequence[Reads] = (), story: int = 0
) -> None:
    """Add the queries of one story: its words, the weights between them (L, H, W, W), its number."""
    places, kinds = pointed(weights, causal).T.tolist(), kinds_of(words)
    said: dict[tuple[int, bool], list[int]] = {}  # one word may ask for several relations: its rules speak once
    for query in queries_of(words, causal):
        tally = tallies[query.name]
        tally.heads.append(torch.tensor([there == query.right for there in places[query.place]]))
        tally.offsets.append(torch.tensor([offset(kinds, query.place) == query.right for offset in OFFSETS]))
        asked = query.place, query.name[1] == TO_MENTION
        if asked not in said:
            said[asked] = [rule(kinds, query.place) for rule in rules_for(query.name[1])]
            said[asked] += [rule(words, query.place) for rule in more]
        tally.stories.append(story)
        tally.rules.append(torch.tensor([guess == query.right for guess in said[asked]]))


def pointed(weights: Tensor, causal: bool) -> Tensor:
    """The word with the largest weight for every head and word: weights between words (L, H, W, W) -> places (heads,
    W).

    A word asks itself, and itself is left out: L * H rows. In GPT-2 it is looked for a second time, in L * H more rows,
    where it is predicted: there the word before it asks, which may then point at itself.
    """
    # (L * H, W)
    itself = weights.masked_fill(torch.eye(weights.shape[-1], dtype=torch.bool), -1.0).argmax(-1).flatten(0, 1)
    return torch.cat([itself, weights.argmax(-1).flatten(0, 1).roll(1, -1)]) if causal else itself


def rules_for(direction: str) -> list[Rule]:
    """The rules that are tried: for pronouns also the latest subjects."""
    return RULES + SUBJECTS if direction == TO_MENTION else RULES


def shares(right: Sequence[Tensor]) -> Tensor:
    """How often each column was right."""
    return torch.stack(list(right)).double().mean(0)


def contest(chosen_on: Tally, scored_on: Tally) -> Contest:
    """The best of each of the three families in the first half, scored in the second."""
    picks = {kind: int(shares(getattr(chosen_on, kind)).argmax()) for kind in ("heads", "offsets", "rules")}
    right = {kind: torch.stack(getattr(scored_on, kind))[:, pick].double().tolist() for kind, pick in picks.items()}
    return Contest(picks, right, scored_on.stories)


def usual(first: dict[Name, Tally], relation: str) -> Name:
    """Of the two directions of a relation the one whose best head is right more often; in GPT-2 one that can be asked
    at all.
    """
    asked = {name: tally for name, tally in first.items() if name[0] == relation}
    most = max(len(tally.heads) for tally in asked.values())
    often = [name for name, tally in asked.items() if len(tally.heads) > most / 2]
    return max(often, key=lambda name: (shares(asked[name].heads).max(), name))
