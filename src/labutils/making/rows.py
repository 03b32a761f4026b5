"""Stories to batches: the endless, seeded stream that the two models are trained on.

A chunk is drawn from a generator seeded with its own number, so any place of the stream can be reached without the ones
before it. Every row starts where a story starts: only then is the entropy of the grammar the floor of the loss.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from labutils.analysis.gold_words import END
from labutils.making.recipes import Recipe
from labutils.training import by_length

NO_PAIR = -100  # next-sentence label of a row with one segment
FOLLOWS, RANDOM = 0, 1  # HuggingFace's next-sentence labels
BEFORE = 10  # most random tokens before a block that repeats
BLOCK = (6, 40)  # tokens of such a block
THRICE = 20  # a block of at most this many tokens may be told three times


@dataclass(frozen=True)
class Row:
    """One BERT input before words are hidden: ids, segment ids, the word each token belongs to (None for special
    tokens), and whether the second segment FOLLOWS the first or is RANDOM (NO_PAIR if there is one segment).
    """

    ids: list[int]
    types: list[int]
    words: list[tuple[int, int] | None]
    follows: int = NO_PAIR


@dataclass(frozen=True)
class Batch:
    """Rows for one pass, and the place they come from, which seeds whatever is still to be drawn; `repeats` go with
    them.
    """

    place: str
    rows: list
    repeats: list["Repeat"] = field(default_factory=list)


@dataclass(frozen=True)
class Repeat:
    """A GPT-2 row of random tokens in which a block is told again: from the index `again` on it can be known."""

    ids: list[int]
    again: int


def stories(world, recipe: Recipe, part: str, n: int) -> list:
    """`n` stories of the part called `part`: "tokenizer", "held out" or a chunk's number. The same ones each time."""
    rng = random.Random(f"{recipe.name} {recipe.seed} {part}")
    return [world.story(rng) for _ in range(n)]


def gpt2_chunk(world, tokenizer, recipe: Recipe) -> Callable[[int], list[Batch]]:
    """Chunk i as batches of id lists: the end sign, a story, the end sign. A share `recipe.bare` lacks the first end
    sign, so that the model also knows a text as readers type it, with nothing before it. Each batch has its share of
    random repeats.
    """

    def chunk(i: int) -> list[Batch]:
        rng = random.Random(f"{recipe.name} {recipe.seed} bare {i}")
        rows = [
            gpt2_row(tokenizer, story.text)[rng.random() < recipe.bare :]
            for story in stories(world, recipe, f"chunk {i}", recipe.chunk_stories)
        ]
        batches = _batches(rows, [len(r) for r in rows], recipe, i)
        rng = random.Random(f"{recipe.name} {recipe.seed} repeats {i}")
        repeats = random_repeats(tokenizer, round(recipe.repeats * sum(map(len, rows))), rng)
        return [replace(batch, repeats=dealt) for batch, dealt in zip(batches, deal(repeats, len(batches), rng))]

    return chunk


def random_repeats(tokenizer, tokens: int, rng: random.Random) -> list[Repeat]:
    """Rows of random repeats, `tokens` tokens in all or a few more.

    Nothing but the earlier telling says what comes next, so they teach to look it up (Olsson et al. 2022, "In-context
    Learning and Induction Heads", whose test of such heads they are).
    """
    rows: list[Repeat] = []
    while tokens > 0:
        rows.append(random_repeat(tokenizer, rng))
        tokens -= len(rows[-1].ids)
    return rows


def random_repeat(tokenizer, rng: random.Random, block: int | None = None) -> Repeat:
    """0 to 10 random tokens, then a block of 6 to 40 told twice, or up to three times if it has at most 20; all are
    drawn evenly from the vocabulary. Half of the rows begin with the end sign, as stories do. `block` gives the length
    of the block.
    """
    draw = lambda n: [rng.randrange(len(tokenizer)) for _ in range(n)]
    before = [tokenizer.token_to_id(END)] * (rng.random() < 0.5) + draw(rng.randint(0, BEFORE))
    told = draw(block or rng.randint(*BLOCK))
    times = rng.randint(2, 3) if len(told) <= THRICE else 2
    return Repeat(before + told * times, len(before) + len(told))


def deal(repeats: list[Repeat], n: int, rng: random.Random) -> list[list[Repeat]]:
    """Deal the rows to `n` batches: about as many tokens to each, rows of similar length together, so with little
    padding.
    """
    hands: list[list[Repeat]] = [[] for _ in range(n)]
    total, dealt = sum(len(r.ids) for r in repeats), 0
    for row in sorted(repeats, key=lambda r: len(r.ids)):
        hands[dealt * n // total].append(row)
        dealt += len(row.ids)
    rng.shuffle(hands)
    return hands


def gpt2_row(tokenizer, text: str) -> list[int]:
    """A story as GPT-2 reads it: the end sign stands before it too, so that the first word has something to follow."""
    end = tokenizer.token_to_id(END)
    return [end, *tokenizer.encode_ids(text), end]


def bert_chunk(world, tokenizer, recipe: Recipe) -> Callable[[int], list[Batch]]:
    """Chunk i as batches of `Row`. A share `recipe.pairs` of the stories is cut in two between sentences and shown as
    one of three kinds: as it is, with the second half of another story (Devlin et al. 2019, section 3.1, task 2), or
    with its halves swapped (Lan et al. 2020, section 3.1).
    """

    def chunk(i: int) -> list[Batch]:
        told = stories(world, recipe, f"chunk {i}", recipe.chunk_stories)
        rng = random.Random(f"{recipe.name} {recipe.seed} pairs {i}")
        in_two = [rng.random() < recipe.pairs and len(story.sentences) > 1 for story in told]
        cut = [halves(story, rng) for story, two in zip(told, in_two) if two]
        kinds = rng.choices(("follows", "other", "swapped"), recipe.pair_kinds, k=len(cut))
        rows = [bert_row(tokenizer, story.text) for story, two in zip(told, in_two) if not two]
        rows += [bert_row(tokenizer, *pair(mine, kind, rng.choice(cut))) for mine, kind in zip(cut, kinds)]
        return _batches(rows, [len(r.ids) for r in rows], recipe, i)

    return chunk


def bert_row(tokenizer, text: str, pair: str | None = None, follows: int = NO_PAIR) -> Row:
    e = tokenizer.encode(text, pair)
    words = [None if w is None else (s, w) for s, w in zip(e.sequence_ids, e.word_ids)]
    return Row(list(e.ids), list(e.type_ids), words, follows)


def pair(mine: tuple[str, str], kind: str, other: tuple[str, str]) -> tuple[str, str, int]:
    """Two segments and their label, made from the halves of two stories: those of the first ("follows"), its first half
    and the second half of the other ("other"), or its second half before its first ("swapped"). The other story may be
    the same one by chance, as in Devlin et al.
    """
    first, second = mine
    if kind == "follows":
        return first, second, FOLLOWS
    return (second, first, RANDOM) if kind == "swapped" else (first, other[1], RANDOM)


def halves(story, rng: random.Random) -> tuple[str, str]:
    """A story of the world cut in two between sentences; each half has at least one, so the story needs two."""
    told = story.sentence_texts
    cut = rng.randrange(1, len(told))
    return " ".join(told[:cut]), " ".join(told[cut:])


def _batches(rows: list, lengths: list[int], recipe: Recipe, i: int) -> list[Batch]:
    groups = by_length(lengths, recipe.max_tokens, random.Random(f"{recipe.name} {recipe.seed} order {i}"))
    return [Batch(f"{i} {k}", [rows[j] for j in group]) for k, group in enumerate(groups)]
