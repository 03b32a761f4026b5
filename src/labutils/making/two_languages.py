"""One small BERT that reads two languages: is what it learns in one of use in the other, and what carries it?

    python -m labutils.making.two_languages       # twenty minutes; writes two_languages.json and .safetensors

Language A is the English of the little world, in sentences whose words are all frequent. Language B has the same
grammar and other words: each form of A has its own form in B, and the body, which reads whole words, meets them as
numbers without a letter in common. Every other sentence of a list is told in B; one that is short and common can stand
on the list twice, and so in both. What the conditions change is which forms are the same in both, and whether B is told
from its last word to its first.

Dufter and Schütze 2020, "Identifying Elements Essential for BERT's Multilinguality": small bodies, and an English of
other numbers, also told backwards.
"""

import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from jaxtyping import Float
from safetensors.torch import load_file, save_file
from torch import Tensor

from labutils.analysis import cosines, fit_probe
from labutils.models import Bert, BertConfig
from labutils.training import Plan, by_length, mask_tokens, masked_language_loss, pad, train
from labutils.world import World
from labutils.world.story import Word

FILE, ROWS = (Path(__file__).with_name(f"two_languages.{kind}") for kind in ("json", "safetensors"))
STORIES, SEED, FREQUENT = 5000, 107, 400  # stories of the world, and how many forms besides the names are kept
SHORTEST, LONGEST = 4, 14  # words of a sentence, marks included
TESTED, SEEN = 600, 4  # sentences to fit a probe, and as many to score it; how often a word stands there that has a row
PAD, CLS, MASK, FIRST = 0, 1, 2, 3  # the special ids, and the first id of a word
BATCH, HIDDEN, PLAN = 640, 0.2, Plan(steps=900, lr=3e-3, warmup=1 / 9)  # words of a batch, and how many are hidden
TAGS = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "NOUN", "NUM", "PART", "PRON", "SCONJ", "VERB")
SEEDS, REHEARSAL = tuple(range(5)), 40  # of the runs; and the steps of a short one, which a test repeats
# condition -> the steps after which rows are kept, of the SHOWN most frequent words of each kind
WATCHED = {"nothing": (0, 100, 300, 600, 900), "nothing, mirrored": (900,)}
SHOWN = {"noun": 16, "verb": 16, "adjective": 16, "other": 16}
KIND = {"NOUN": "noun", "VERB": "verb", "ADJ": "adjective"}
# name -> the parts of speech whose forms are the same in both languages, and whether B is told backwards
CONDITIONS = {
    "names and marks": (("PROPN", "PUNCT"), False),
    "nothing": ((), False),
    "names and marks, mirrored": (("PROPN", "PUNCT"), True),
    "nothing, mirrored": ((), True),
}

Sentence = tuple[Word, ...]


def form(word: Word) -> str:
    """A word as it is counted: *The* and *the* are one."""
    return word.text if word.upos == "PROPN" else word.text.lower()


def told(sentence: Sequence[Word], mirrored: bool) -> Sequence[Word]:
    """A sentence from its last word to its first, its final mark where it was."""
    return [*sentence[-2::-1], sentence[-1]] if mirrored else sentence


@cache
def sentences() -> tuple[Sentence, ...]:
    """All sentences of the stories that have frequent words only, in a random order."""
    found: dict[tuple[int, int], list[Word]] = defaultdict(list)
    for i, story in enumerate(World().stories(STORIES, seed=SEED)):
        for word in story.words:
            found[i, word.sentence].append(word)
    every = [tuple(words) for words in found.values()]
    names = {form(word) for words in every for word in words if word.upos == "PROPN"}
    counts = Counter(form(word) for words in every for word in words)
    frequent = names | {one for one, _ in counts.most_common(FREQUENT)}
    kept = [words for words in every if SHORTEST <= len(words) <= LONGEST and frequent.issuperset(map(form, words))]
    random.Random(SEED).shuffle(kept)
    return tuple(kept)


@dataclass(frozen=True)
class Languages:
    """The ids of each form in A and in B, and the order in which B is told."""

    ids: tuple[dict[str, int], dict[str, int]]
    mirrored: bool

    @property
    def size(self) -> int:
        """How many ids there are, special ones included."""
        return 1 + max(max(table.values()) for table in self.ids)

    def row(self, sentence: Sentence, language: int) -> list[int]:
        """[CLS] and the ids of a sentence that is told in language 0, A, or 1, B."""
        words = told(sentence, self.mirrored and language == 1)
        return [CLS, *(self.ids[language][form(word)] for word in words)]


def languages(condition: str) -> Languages:
    """The two languages of one of CONDITIONS."""
    same, mirrored = CONDITIONS[condition]
    kind = {form(word): word.upos for words in sentences() for word in words}
    a = {one: FIRST + i for i, one in enumerate(sorted(kind))}
    own = (one for one in a if kind[one] not in same)
    b = a | {one: FIRST + len(a) + i for i, one in enumerate(own)}
    return Languages((a, b), mirrored)


def fresh(size: int, seed: int) -> Bert:
    """The body before any training: two layers of width 64."""
    torch.manual_seed(seed)
    sizes = {"n_positions": LONGEST + 1, "d_model": 64, "n_layers": 2, "n_heads": 4, "nsp": False}
    return Bert(BertConfig(size, **sizes, initializer_range=0.06, hidden_dropout=0, attention_dropout=0))


def filled(model: Bert, batch: tuple[Tensor, Tensor, Tensor], done: float = 0.0) -> Tensor:
    """The loss of filling the holes of a batch: its ids, the ids with holes, and what is to be told."""
    ids, holes, labels = batch
    return masked_language_loss(model(holes, attention_mask=(ids != PAD).long()).logits, labels)


def trained(both: Languages, seed: int, stop_at: int | None = None, watch: Callable = lambda model, step: None) -> Bert:
    """A body that has filled holes in both languages: every other one of the list is told in B."""
    rows = [both.row(words, i % 2) for i, words in enumerate(sentences()[2 * TESTED :])]
    model = fresh(both.size, seed)

    def chunk(i: int) -> list[tuple[Tensor, Tensor, Tensor]]:
        rng = torch.Generator().manual_seed(1000 * seed + i)
        order = [rows[k] for k in torch.randperm(len(rows), generator=rng).tolist()]
        parts = by_length(list(map(len, order)), BATCH, random.Random(1000 * seed + i))
        batches = [pad([order[k] for k in part], PAD) for part in parts]
        return [(ids, *mask_tokens(ids, ids < FIRST, MASK, both.size, HIDDEN, rng)) for ids in batches]

    train(model, filled, chunk, PLAN, stop_at=stop_at, watch=lambda net, progress: watch(net, progress.step))
    return model


@torch.no_grad()
def read(model: Bert, both: Languages, told_in: int, some: Sequence[Sentence]) -> tuple[Tensor, list[Word]]:
    """The rows of all words of some sentences, (L + 1, words, d), the embeddings first; and the words in that order."""
    ids = pad([both.row(words, told_in) for words in some], PAD)
    states = torch.stack(model(ids, attention_mask=(ids != PAD).long()).hidden_states)  # (L + 1, B, n, d)
    return states[:, ids >= FIRST], [w for words in some for w in told(words, both.mirrored and told_in == 1)]


def tagged(words: Sequence[Word]) -> tuple[list[int], Tensor]:
    """Which words are asked, neither names nor marks, and the part of speech of each."""
    places = [i for i, word in enumerate(words) if word.upos in TAGS]
    return places, torch.tensor([TAGS.index(words[i].upos) for i in places])


def means(rows: Float[Tensor, "words d"], words: Sequence[Word]) -> dict[str, Float[Tensor, " d"]]:
    """The mean row of each form that no condition shares and that stands there at least SEEN times."""
    found = defaultdict(list)
    for row, word in zip(rows, words):
        if word.upos in TAGS:
            found[form(word)].append(row)
    return {one: torch.stack(some).mean(0) for one, some in found.items() if len(some) >= SEEN}


def paired(a: dict[str, Tensor], b: dict[str, Tensor]) -> tuple[list[str], Tensor, Tensor]:
    """The forms that both have, and their rows in A and in B, each language's mean taken off."""
    names = sorted(set(a) & set(b))
    rows = (torch.stack([table[one] for one in names]) for table in (a, b))
    return names, *(table - table.mean(0) for table in rows)


def measured(model: Bert, both: Languages) -> dict[str, list[float]]:
    """How often a probe for the part of speech is right that was fitted on A, on other sentences told in A ("A") or in
    B ("B"); for how many words of B the nearest word of A is the same word ("pairs"). Each before the first layer and
    after both.
    """
    fit, score = sentences()[:TESTED], sentences()[TESTED : 2 * TESTED]
    learned, others, foreign = read(model, both, 0, fit), read(model, both, 0, score), read(model, both, 1, score)
    found: dict[str, list[float]] = {"A": [], "B": [], "pairs": []}
    at, classes = tagged(learned[1])
    for level in range(len(learned[0])):
        probe = fit_probe(learned[0][level, at], classes, len(TAGS))
        for name, (rows, words) in (("A", others), ("B", foreign)):
            places, right = tagged(words)
            found[name].append(round(probe.accuracy(rows[level, places], right), 4))
        _, a, b = paired(means(learned[0][level], learned[1]), means(foreign[0][level], foreign[1]))
        hits = cosines(b, a).argmax(-1) == torch.arange(len(a))
        found["pairs"].append(round(float(hits.double().mean()), 4))
    return found


def rivals() -> dict[str, Any]:
    """What needs no body. "most": every word of B has the most frequent tag. "ranked": the k-th most frequent form of B
    stands for the k-th of A, counted in the training sentences; how often its tag is right, and how often it is the
    same word ("ranked pairs"). "words": how many words are asked for theirs.
    """
    parts = sentences()[:TESTED], sentences()[TESTED : 2 * TESTED], sentences()[2 * TESTED :]
    asked_of = lambda part: [w for words in part for w in words if w.upos in TAGS]
    fitted, asked = asked_of(parts[0]), asked_of(parts[1])
    ranks = []
    for language in (0, 1):
        counts = Counter(map(form, asked_of(parts[2][language::2])))
        ranks.append(sorted(counts, key=lambda one: (-counts[one], one)))
    match, tags = dict(zip(ranks[1], ranks[0])), defaultdict(Counter)
    for word in fitted:
        tags[form(word)][word.upos] += 1
    most = Counter(word.upos for word in fitted).most_common(1)[0][0]
    tag = lambda one: tags[one].most_common(1)[0][0] if tags[one] else most
    often = [{one for one, n in Counter(map(form, part)).items() if n >= SEEN} for part in (fitted, asked)]
    return {
        "words": len(often[0] & often[1]),
        "most": round(fmean(word.upos == most for word in asked), 4),
        "ranked": round(fmean(tag(match.get(form(word), "")) == word.upos for word in asked), 4),
        "ranked pairs": round(fmean(match.get(one) == one for one in often[0] & often[1]), 4),
    }


def rehearsed(condition: str) -> float:
    """The loss on some sentences that were kept out, after a few steps."""
    both = languages(condition)
    ids = pad([both.row(words, i % 2) for i, words in enumerate(sentences()[:TESTED])], PAD)
    holes = mask_tokens(ids, ids < FIRST, MASK, both.size, HIDDEN, torch.Generator().manual_seed(0))
    return round(filled(trained(both, SEEDS[0], REHEARSAL), (ids, *holes)).item(), 4)


def shown_rows(model: Bert, both: Languages) -> dict[str, Tensor]:
    """The mean rows after the last layer of all words that can be paired, in A and in B: form -> (2, d)."""
    fit, score = sentences()[:TESTED], sentences()[TESTED : 2 * TESTED]
    sides = (read(model, both, language, part) for language, part in ((0, fit), (1, score)))
    names, a, b = paired(*(means(rows[-1], words) for rows, words in sides))
    return {one: torch.stack([x, y]) for one, x, y in zip(names, a, b)}


def stored() -> dict[str, Any]:
    """{"sentences", "words": {kind: forms}, "rivals", "untrained" and "trained": {condition: [measured, for each
    seed]}, "rehearsal": {condition: loss}}.
    """
    return json.loads(FILE.read_text(encoding="utf-8"))


def along() -> dict[str, Float[Tensor, "steps 2 words d"]]:
    """For each condition of WATCHED the rows of the words shown after each of its steps, in A and in B."""
    return {name: table.float() for name, table in load_file(ROWS).items()}


def watched(condition: str, seed: int, shown: Sequence[str]) -> tuple[dict, Tensor]:
    """One run: what is measured at its end, and the rows of `shown` forms along it, as whole numbers up to 127."""
    both, kept = languages(condition), []

    def watch(model: Bert, step: int) -> None:
        if seed == SEEDS[0] and step in WATCHED.get(condition, ()):
            found = shown_rows(model, both)
            table = torch.stack([found[one] for one in shown], 1)  # (2, words, d)
            kept.append((127 * table / table.abs().amax()).round().to(torch.int8))

    model = trained(both, seed, watch=watch)
    return measured(model, both), torch.stack(kept) if kept else torch.empty(0)


def chosen() -> dict[str, list[str]]:
    """The words whose rows are kept, by kind: the most frequent of those that can be paired."""
    both = languages("nothing")
    can = shown_rows(fresh(both.size, 0), both)
    counts, kinds = Counter(), defaultdict(Counter)
    for words in sentences():
        counts.update(form(word) for word in words if form(word) in can)
        for word in words:
            kinds[form(word)][KIND.get(word.upos, "other")] += 1
    of = {one: kinds[one].most_common(1)[0][0] for one in can}
    return {kind: [one for one, _ in counts.most_common() if of[one] == kind][:n] for kind, n in SHOWN.items()}


def first() -> dict[str, Any]:
    """What needs no trained body, and what a short run gives."""
    told_as = {condition: languages(condition) for condition in CONDITIONS}
    return {
        "sentences": len(sentences()),
        "words": chosen(),
        "rivals": rivals(),
        "untrained": {name: [measured(fresh(b.size, seed), b) for seed in SEEDS] for name, b in told_as.items()},
        "trained": {name: [] for name in CONDITIONS},
        "rehearsal": {name: rehearsed(name) for name in CONDITIONS},
    }


def main() -> None:
    """All runs, those that are stored already left out."""
    found, tables = stored() if FILE.exists() else first(), load_file(ROWS) if ROWS.exists() else {}
    shown = [one for some in found["words"].values() for one in some]
    for seed, condition in itertools.product(SEEDS, CONDITIONS):
        if len(found["trained"][condition]) > seed:
            continue
        result, table = watched(condition, seed, shown)
        found["trained"][condition].append(result)
        if len(table):
            save_file(tables := tables | {condition: table}, ROWS)
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
        FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        print(condition, seed, result, flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
