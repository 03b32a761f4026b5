"""Stories to batches: the endless, seeded stream that the two models are trained on.

A chunk is drawn from a generator seeded with its own number, so any place of the stream can be reached without the ones
before it. Every row starts where a story starts: only then is the entropy of the grammar the floor of the loss.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

from labutils.checkpoints.recipes import Recipe
from labutils.training import by_length

END = "<|endoftext|>"
NO_PAIR = -100  # next-sentence label of a row with one segment
FOLLOWS, RANDOM = 0, 1  # HuggingFace's next-sentence labels


@dataclass(frozen=True)
class Row:
    """One BERT input before words are hidden: ids, segment ids, the word each token belongs to (None for special tokens), and
    whether the second segment FOLLOWS the first or is RANDOM (NO_PAIR if there is one segment)."""

    ids: list[int]
    types: list[int]
    words: list[tuple[int, int] | None]
    follows: int = NO_PAIR


@dataclass(frozen=True)
class Batch:
    """Rows for one step, and the place they come from, which seeds whatever is still to be drawn."""

    place: str
    rows: list


def stories(world, recipe: Recipe, part: str, n: int) -> list[str]:
    """`n` texts of the part called `part`: "tokenizer", "held out" or a chunk's number. The same ones each time."""
    rng = random.Random(f"{recipe.name} {recipe.seed} {part}")
    return [world.story(rng).text for _ in range(n)]


def gpt2_chunk(world, tokenizer, recipe: Recipe) -> Callable[[int], list[Batch]]:
    """Chunk i as batches of id lists: the end sign, a story, the end sign. A share `recipe.bare` lacks the first end sign, so that
    the model also knows a text as readers type it, with nothing before it."""
    def chunk(i: int) -> list[Batch]:
        rng = random.Random(f"{recipe.name} {recipe.seed} bare {i}")
        rows = [gpt2_row(tokenizer, text)[rng.random() < recipe.bare :]
                for text in stories(world, recipe, f"chunk {i}", recipe.chunk_stories)]
        return _batches(rows, [len(r) for r in rows], recipe, i)
    return chunk


def gpt2_row(tokenizer, text: str) -> list[int]:
    """A story as GPT-2 reads it: the end sign stands before it too, so that the first word has something to follow."""
    end = tokenizer.token_to_id(END)
    return [end, *tokenizer.encode_ids(text), end]


def bert_chunk(world, tokenizer, recipe: Recipe) -> Callable[[int], list[Batch]]:
    """Chunk i as batches of `Row`. A share `recipe.pairs` of the stories is cut in two between sentences; half of those get the
    second half of another story, as in Devlin et al. 2019, section 3.1, task 2."""
    def chunk(i: int) -> list[Batch]:
        texts = stories(world, recipe, f"chunk {i}", recipe.chunk_stories)
        rng = random.Random(f"{recipe.name} {recipe.seed} pairs {i}")
        rows = [_paired(tokenizer, text, texts, rng) if rng.random() < recipe.pairs else bert_row(tokenizer, text) for text in texts]
        return _batches(rows, [len(r.ids) for r in rows], recipe, i)
    return chunk


def bert_row(tokenizer, text: str, pair: str | None = None, follows: int = NO_PAIR) -> Row:
    e = tokenizer.encode(text, pair)
    words = [None if w is None else (s, w) for s, w in zip(e.sequence_ids, e.word_ids)]
    return Row(list(e.ids), list(e.type_ids), words, follows)


def _paired(tokenizer, text: str, others: list[str], rng: random.Random) -> Row:
    first, second = halves(text, rng)
    if rng.random() < 0.5:
        return bert_row(tokenizer, first, second, FOLLOWS)
    return bert_row(tokenizer, first, halves(rng.choice(others), rng)[1], RANDOM)


def halves(text: str, rng: random.Random) -> tuple[str, str]:
    sentences = re.findall(r"[^.]+\.", text)
    cut = rng.randint(1, len(sentences) - 1)
    return "".join(sentences[:cut]).strip(), "".join(sentences[cut:]).strip()


def _batches(rows: list, lengths: list[int], recipe: Recipe, i: int) -> list[Batch]:
    groups = by_length(lengths, recipe.max_tokens, random.Random(f"{recipe.name} {recipe.seed} order {i}"))
    return [Batch(f"{i} {k}", [rows[j] for j in group]) for k, group in enumerate(groups)]
