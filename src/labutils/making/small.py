"""A small GPT and a small BERT, trained from random weights while a reader waits, and the runs that chapter 10 shows.

    train_small("gpt2")      # a minute or two, with a line that fills

The runs that the chapter shows are stored by `labutils.making.small_runs`. Stories come fresh from the little world,
eight a step for a GPT and sixteen for a BERT, so no story is seen twice and the loss of a step is that of stories that
the model does not know. Every row starts where a story starts: only then is the entropy of the grammar the floor of the
loss.
"""

import random
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import torch
from torch import Tensor

from labutils.checkpoints import load
from labutils.making.rows import bert_row, gpt2_row
from labutils.models import GPT2, Bert, BertConfig, GPT2Config
from labutils.training import IGNORE, Plan, Progress, mask_words, masked_language_loss, next_token_loss, pad, train
from labutils.world import World

STORIES = {"gpt2": 8, "bert": 16}  # a step
CHUNK = 50  # steps
RATE = {"gpt2": 0.01, "bert": 0.002}  # the peak
WARMUP = {"gpt2": 20, "bert": 100}  # steps until it is reached
MASKED = 0.15  # of the words
STD = 0.06  # of the first weights, as of the little models: GPT-2's 0.02 is for rows twelve times as wide


class Batch(NamedTuple):
    """Padded ids (B, n), 1 where a token stands (B, n), and for BERT the labels (B, n)."""

    ids: Tensor
    mask: Tensor
    labels: Tensor | None = None


class Small(NamedTuple):
    """A small model, its tokenizer, and what its training gave."""

    model: torch.nn.Module
    tokenizer: object
    progress: Progress
    curve: list[float]


def fresh(kind: str, d: int = 64, layers: int = 1, heads: int = 4, seed: int = 0, dropout: float = 0.0):
    """An untrained model of the kind "gpt2" or "bert", and the tokenizer of the little one of that kind.

    Raises ValueError for another kind.
    """
    torch.manual_seed(seed)
    sizes = {"n_positions": 256, "d_model": d, "n_layers": layers, "n_heads": heads, "attention_dropout": dropout}
    sizes["initializer_range"] = STD
    if kind == "gpt2":
        tokenizer = load("little-gpt2").tokenizer
        how = GPT2Config(len(tokenizer), **sizes, embedding_dropout=dropout, residual_dropout=dropout)
        return GPT2(how), tokenizer
    if kind == "bert":
        tokenizer = load("little-bert").tokenizer
        return Bert(BertConfig(len(tokenizer), **sizes, hidden_dropout=dropout, nsp=False)), tokenizer
    raise ValueError(f"A small model is a 'gpt2' or a 'bert', not {kind!r}.")


def as_told(world: World, rng: random.Random) -> str:
    return world.story(rng).text


@cache
def _pool(world: World) -> tuple[str, ...]:
    return tuple(word for story in world.stories(3000, seed=10) for word in story.text.split())


def shuffled(world: World, rng: random.Random) -> str:
    """As many words as a story has, each drawn from the words of 3,000 stories: all order is gone."""
    return " ".join(rng.choices(_pool(world), k=len(as_told(world, rng).split())))


def batch_of(kind: str, tokenizer, texts: list[str], rng: random.Random) -> Batch:
    """The texts as rows; a BERT's have words hidden, drawn from `rng`."""
    if kind == "gpt2":
        rows = [gpt2_row(tokenizer, text) for text in texts]
        labels = None
    else:
        whole = [bert_row(tokenizer, text) for text in texts]
        hide = partial(mask_words, rate=MASKED, mask_id=tokenizer.token_to_id("[MASK]"), rng=rng)
        made = [hide(row.ids, row.words, ordinary=range(5, len(tokenizer))) for row in whole]
        rows, labels = [ids for ids, _ in made], pad([wanted for _, wanted in made], IGNORE)
    return Batch(pad(rows, 0), pad([[1] * len(row) for row in rows], 0), labels)


def stream(kind: str, tokenizer, seed: int = 0, told=as_told) -> Callable[[int], list[Batch]]:
    """Chunk i of an endless stream of batches, the same ones each time."""
    world = World()

    def chunk(i: int) -> list[Batch]:
        rng = random.Random(f"small {kind} {seed} {i}")
        return [batch_of(kind, tokenizer, [told(world, rng) for _ in range(STORIES[kind])], rng) for _ in range(CHUNK)]

    return chunk


def loss_of(model: torch.nn.Module, batch: Batch, done: float = 0.0) -> Tensor:
    """Mean nats of a next token, or of a hidden word's token."""
    logits = model(batch.ids, attention_mask=batch.mask).logits
    if batch.labels is None:
        return next_token_loss(logits, batch.ids, batch.mask)
    return masked_language_loss(logits, batch.labels)


def tokens_of(batch: Batch) -> int:
    """How many tokens a batch has; padding does not count."""
    return int(batch.mask.sum())


@torch.no_grad()
def held_out(kind: str, model: torch.nn.Module, tokenizer, stories: int = 400, told=as_told) -> float:
    """Mean nats a token on stories that no training sees."""
    world, rng = World(), random.Random(f"small {kind} held out")
    batches = [batch_of(kind, tokenizer, [told(world, rng) for _ in range(20)], rng) for _ in range(stories // 20)]
    counts = [int(b.mask[:, 1:].sum()) if b.labels is None else int((b.labels != IGNORE).sum()) for b in batches]
    return sum(float(loss_of(model.eval(), b)) * c for b, c in zip(batches, counts)) / sum(counts)


def bar(steps: int, out=None) -> Callable[[Progress], None]:
    """A line that fills while a model trains: the share done, the tokens seen, and the loss of the last steps."""

    def report(progress: Progress) -> None:
        full = round(30 * progress.step / steps)
        line = f"\r{'█' * full}{'·' * (30 - full)} {progress.tokens:>9,} tokens  {progress.losses[-1]:.2f} nats"
        print(line, end="\n" if progress.step >= steps else "", file=out or sys.stderr, flush=True)

    return report


def train_small(
    kind: str = "gpt2",
    steps: int = 1500,
    d: int = 64,
    layers: int = 1,
    *,
    rate: float | None = None,
    warmup: int | None = None,
    seed: int = 0,
    told=as_told,
    loss=loss_of,
    dropout: float = 0.0,
    show: bool = True,
    **how,
) -> Small:
    """Train a small model from random weights; about 400 tokens a step, a BERT 800.

    `told` makes a text, `loss` the number to be made small, and everything else goes to `labutils.training.train`, such
    as `state=Path("run.safetensors")`, with which the run can be interrupted and taken up again.
    """
    model, tokenizer = fresh(kind, d, layers, seed=seed, dropout=dropout)
    made_of = {"kind": kind, "seed": seed, "dropout": dropout, "told": told.__name__}
    rise = WARMUP[kind] if warmup is None else warmup
    plan = Plan(steps, RATE[kind] if rate is None else rate, warmup=rise / steps)
    curve: list[float] = []

    def kept(net, batch, done):
        value = loss(net, batch, done)
        curve.append(value.item())
        return value

    how.setdefault("report", bar(steps) if show else lambda progress: None)
    progress = train(model, kept, stream(kind, tokenizer, seed, told), plan, tokens=tokens_of, made_of=made_of, **how)
    return Small(model, tokenizer, progress, curve)
