"""Texts longer than in training: one small language model for each way of saying where a token stands, trained on texts
of 32 tokens, then read to the 128th.

    python -m labutils.making.lengths

trains all of them on one core in about ten minutes and writes `lengths.json`, which chapter 3 draws. Same
sizes, same seeds, same stories, same order of batches; only the positions differ.
"""

import json
import math
import random
from pathlib import Path

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn
from torch.nn import functional as F

from labutils.layers import (
    AttentionOptions,
    FeedForward,
    LayerNorm,
    LearnedPositions,
    MultiHeadAttention,
    PreNormBlock,
    T5Bias,
    causal_mask,
    relative_places,
    rotation,
    sinusoids,
    unseen,
)
from labutils.making.rows import END
from labutils.training import Plan, train

FILE = Path(__file__).with_name("lengths.json")
SCHEMES = ("none", "learned", "sinusoids", "T5", "ALiBi", "RoPE")
TRAINED, LONGEST = 32, 128  # tokens of a text in training, and in the test
SEEDS = (0, 1)
PLAN = Plan(steps=1200, lr=3e-3)
BATCH = 32  # texts
VOCABULARY = 1000  # of the tokenizer of the little GPT-2
STORIES = 5000  # told in training, in another order each time
TESTED = 192  # texts of the test
SPANS = ((16, 32), (48, 64), (112, 128))  # the places whose mean loss is written down
REHEARSAL = 20  # steps of a short run on the first FEW stories, which a test repeats
FEW = 400


class SmallModel(nn.Module):
    """Two pre-norm blocks of four heads and a tied head, with one of SCHEMES for the positions.

    The rows of tokens are multiplied by √d, as in Vaswani et al. 2017, so that they are as long as a sinusoid's row.
    """

    def __init__(self, scheme: str, vocab_size: int, d_model: int = 64, n_heads: int = 4, n_layers: int = 2):
        super().__init__()
        self.scheme, self.d_model = scheme, d_model
        self.token = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.token.weight, std=d_model**-0.5)
        self.blocks = nn.ModuleList(
            PreNormBlock(
                LayerNorm(d_model),
                MultiHeadAttention(d_model, n_heads),
                LayerNorm(d_model),
                FeedForward(d_model, 4 * d_model, "gelu"),
            )
            for _ in range(n_layers)
        )
        self.norm = LayerNorm(d_model)
        # what is drawn last leaves all that stands above the same in every scheme
        self.learned = LearnedPositions(TRAINED, d_model) if scheme == "learned" else None
        # 32 is the farthest distance, so that no bucket is left that training never fills
        self.t5 = T5Bias(n_heads, farthest=TRAINED, both_ways=False) if scheme == "T5" else None
        self.register_buffer("table", sinusoids(LONGEST, d_model), persistent=False)
        turns = torch.stack([rotation(p, d_model // n_heads) for p in range(LONGEST)]).float()
        self.register_buffer("turns", turns, persistent=False)  # (places, d_k, d_k)
        slopes = 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)
        self.register_buffer("slopes", slopes[:, None, None], persistent=False)  # (H, 1, 1)

    def forward(self, ids: Integer[Tensor, "B n"]) -> Float[Tensor, "B n V"]:
        n = ids.shape[1]
        x = self.token(ids) * math.sqrt(self.d_model)  # (B, n, d)
        if self.scheme == "learned":
            x = x + self.learned(torch.arange(n)[None])
        if self.scheme == "sinusoids":
            x = x + self.table[:n]
        mask, bias = causal_mask(n), self.bias(n)
        for block in self.blocks:
            x = block(x, mask, self.turned if self.scheme == "RoPE" else unseen, AttentionOptions(bias=bias))
        return self.norm(x) @ self.token.weight.T

    def bias(self, n: int) -> Float[Tensor, "H n n"] | None:
        """What is added to the scores: a number per bucket, or a slope per head times the distance."""
        if self.scheme == "ALiBi":
            return self.slopes * relative_places(n, n).clamp(max=0)
        return self.t5(n, n) if self.scheme == "T5" else None

    def turned(self, name: str, value: Tensor) -> Tensor:
        """RoPE: each query and key is turned by the angle of its place, so q · k depends on the distance alone."""
        if name not in ("q", "k"):
            return value
        return torch.einsum("bhnd,nde->bhne", value, self.turns[: value.shape[-2]])


def stream(world, tokenizer, part: str, n: int) -> list[int]:
    """The ids of n stories, the end sign before each."""
    rng, end = random.Random(f"lengths {part}"), tokenizer.token_to_id(END)
    return [i for _ in range(n) for i in [end, *tokenizer.encode(world.story(rng).text).ids]]


def texts(ids: list[int], n: int) -> Integer[Tensor, "texts n+1"]:
    """A stream cut into texts of n tokens and the one that follows."""
    return torch.tensor(ids[: len(ids) // (n + 1) * (n + 1)]).view(-1, n + 1)


def next_token_loss(model: nn.Module, batch: Tensor, done: float = 0.0) -> Tensor:
    return F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())


def trained(scheme: str, seed: int, rows: Integer[Tensor, "texts n+1"], stop_at: int | None = None) -> SmallModel:
    """One model after its training on these texts, or after `stop_at` steps of it."""
    torch.manual_seed(seed)
    model = SmallModel(scheme, VOCABULARY)

    def chunk(i: int) -> list[Tensor]:
        order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(1000 * seed + i))
        return [rows[some] for some in order.split(BATCH) if len(some) == BATCH]

    train(model, next_token_loss, chunk, PLAN, stop_at=stop_at)
    return model.eval()


@torch.no_grad()
def losses(model: SmallModel, rows: Integer[Tensor, "texts n+1"]) -> Float[Tensor, " n"]:
    """The mean loss at each place of texts read from their first token on; nan where the model has no position."""
    n = TRAINED if model.scheme == "learned" else LONGEST
    logits = model(rows[:, :n]).transpose(1, 2)  # (texts, V, n)
    mean = F.cross_entropy(logits, rows[:, 1 : n + 1], reduction="none").mean(0)
    return F.pad(mean, (0, LONGEST - n), value=torch.nan)


@torch.no_grad()
def losses_cut(model: SmallModel, rows: Integer[Tensor, "texts n+1"]) -> Float[Tensor, " n"]:
    """The same if the model is shown no more than the last 32 tokens, places counted from the first of them."""
    means = losses(model, rows)[:TRAINED].tolist()
    for place in range(TRAINED, LONGEST):
        shown = rows[:, place - TRAINED + 1 : place + 1]
        means.append(float(F.cross_entropy(model(shown)[:, -1], rows[:, place + 1])))
    return torch.tensor(means)


def spans(means: Float[Tensor, " n"]) -> list[float | None]:
    """The mean loss over each of SPANS, None where there is none."""
    found = [float(means[a:b].mean()) for a, b in SPANS]
    return [None if math.isnan(x) else round(x, 4) for x in found]


def measure(world, tokenizer) -> dict:
    """{"rehearsal": {scheme: loss}, "read": {scheme: [[loss of each span] for each seed]}, "cut": the same, "places":
    {scheme: loss at each place, first seed}}.
    """
    told = texts(stream(world, tokenizer, "training", STORIES), TRAINED)
    rows = texts(stream(world, tokenizer, "test", 600), LONGEST)[:TESTED]
    found: dict = {"rehearsal": {}, "read": {}, "cut": {}, "places": {}}
    few = texts(stream(world, tokenizer, "training", FEW), TRAINED)
    for scheme in SCHEMES:
        found["rehearsal"][scheme] = rehearsed(scheme, few, rows)
        for seed in SEEDS:
            model = trained(scheme, seed, told)
            means = losses(model, rows)
            found["read"].setdefault(scheme, []).append(spans(means))
            found["cut"].setdefault(scheme, []).append(spans(losses_cut(model, rows)))
            if seed == SEEDS[0]:
                smooth = means.view(-1, 8).mean(1).tolist()  # of eight places each
                found["places"][scheme] = [None if math.isnan(x) else round(x, 4) for x in smooth]
            print(scheme, seed, found["read"][scheme][-1], found["cut"][scheme][-1], flush=True)
    return found


def rehearsed(scheme: str, few: Tensor, rows: Tensor) -> float:
    """The mean loss on texts of the trained length after a few steps."""
    means = losses(trained(scheme, SEEDS[0], few, REHEARSAL), rows[:64])
    return round(float(means[:TRAINED].mean()), 4)


def stored() -> dict:
    """What `measure` found when it was last run."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def main() -> None:
    from labutils.checkpoints import load
    from labutils.world import World

    torch.set_num_threads(1)
    found = measure(World(), load("little-gpt2").tokenizer)
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
