"""Is a deep stack trainable? A small experiment: blocks in several arrangements, a text whose best loss is known, and
Adam with and without warm-up.

    python -m labutils.making.deep      # trains what deep.csv does not hold, and writes all of them

The text is two chains told in turns: 64 kinds of token, each drawn by a table from the one *two* places back. The row
of the last token does not hold that one, so a model has to fetch it: embeddings and a head alone, without a block, can
only learn how frequent each token is. The best possible loss, the entropy of the next token when the one two back is
known, and the loss of knowing only the frequencies can both be computed. The question is that of Xiong et al. 2020,
"On Layer Normalization in the Transformer Architecture", section 3.
"""

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from labutils.layers import (
    FeedForward,
    LayerNorm,
    MultiHeadAttention,
    PostNormBlock,
    PreNormBlock,
    Recorder,
    See,
    causal_mask,
    in_layer,
    unseen,
)

ARRANGEMENTS = ("post-norm", "pre-norm", "norms only", "plain", "sum only", "no blocks")
BARE = ("plain", "sum only")  # no norm anywhere
CURVES = Path(__file__).with_name("deep.csv")
TRAINED = ("post-norm", "no blocks", "pre-norm", "sum only", "norms only", "plain")
BY_DEPTH, DEPTHS = ("norms only", "pre-norm"), (1, 2, 4)  # trained as shallow stacks too, without warm-up
LAYERS, STEPS, LR, WARMUP, SEEDS = 12, 800, 2e-3, 100, (0, 1, 2)
SLOWER = LR / 2  # the rival of warm-up: the same steps, each half as large
EVERY = 10  # of so many steps the mean loss is kept
VOCABULARY, WIDTH, HEADS, TEXTS, TOKENS, BACK = 64, 32, 4, 16, 16, 2


class Chain:
    """Texts whose tokens depend on the token two back: row i of `table` is what comes two places after token i."""

    def __init__(self, size: int = VOCABULARY, spread: float = 2.0, seed: int = 0):
        g = torch.Generator().manual_seed(seed)
        scores = torch.randn(size, size, generator=g, dtype=torch.float64)
        self.table = (spread * scores).softmax(-1)
        often = torch.full((size,), 1 / size, dtype=torch.float64)
        for _ in range(200):  # the share of each token in a long text: it settles within a few dozen steps
            often = often @ self.table
        self.often = often

    @property
    def best(self) -> float:
        """The loss, in nats, of a model that knows the table."""
        return float(-(self.often[:, None] * self.table * self.table.log()).sum())

    @property
    def unigram(self) -> float:
        """The loss of a model that knows only how frequent each token is."""
        return float(-(self.often * self.often.log()).sum())

    def texts(self, many: int, n: int, g: torch.Generator) -> Integer[Tensor, "many n"]:
        ids = [torch.multinomial(self.often, many, replacement=True, generator=g) for _ in range(BACK)]
        for _ in range(n - BACK):
            ids.append(torch.multinomial(self.table[ids[-BACK]], 1, generator=g)[:, 0])
        return torch.stack(ids, 1)


class WithoutResidual(PreNormBlock):
    """The same parts, one after the other: nothing is added, so what a sub-layer drops is gone."""

    def forward(self, x: Float[Tensor, "B n d"], mask=None, see: See = unseen) -> Float[Tensor, "B n d"]:
        x = see("attention_stream", self.attention(self.norm1(see("input", x)), mask))
        return see("output", self.feed_forward(self.norm2(x)))


class Deep(nn.Module):
    """Tokens and positions, `layers` blocks in one arrangement, logits. All numbers start as torch makes them."""

    def __init__(self, arrangement: str, layers: int, d: int = WIDTH, heads: int = HEADS, vocabulary: int = VOCABULARY):
        super().__init__()
        if arrangement not in ARRANGEMENTS:
            raise ValueError(f"There is no arrangement {arrangement!r}: choose one of {', '.join(ARRANGEMENTS)}.")
        self.token, self.position = nn.Embedding(vocabulary, d), nn.Embedding(TOKENS, d)
        self.blocks = nn.ModuleList(
            _block(arrangement, d, heads) for _ in range(0 if arrangement == "no blocks" else layers)
        )
        # a stream that no block normalises is normalised once, at the end, unless there are no norms at all
        self.final = nn.Identity() if arrangement in ("post-norm", *BARE) else LayerNorm(d)
        self.head = nn.Linear(d, vocabulary)

    def forward(self, ids: Integer[Tensor, "B n"], see: See = unseen) -> Float[Tensor, "B n V"]:
        mask = causal_mask(ids.shape[1])
        x = self.token(ids) + self.position.weight[: ids.shape[1]]
        for i, block in enumerate(self.blocks):
            x = block(x, mask, see=in_layer(see, i))
        return self.head(self.final(x))

    def loss(self, ids: Integer[Tensor, "B n"], see: See = unseen) -> Tensor:
        """Mean cost of a next token, in nats, from the third on: of the first two nothing can be known."""
        return nn.functional.cross_entropy(self(ids, see)[:, BACK - 1 : -1].flatten(0, 1), ids[:, BACK:].flatten())


def _block(arrangement: str, d: int, heads: int) -> nn.Module:
    norm1, norm2 = (nn.Identity() if arrangement in BARE else LayerNorm(d) for _ in range(2))
    attention, feed_forward = MultiHeadAttention(d, heads), FeedForward(d, 4 * d, "relu")
    if arrangement == "post-norm":
        return PostNormBlock(attention, norm1, feed_forward, norm2)
    kind = PreNormBlock if arrangement in ("pre-norm", "sum only") else WithoutResidual
    return kind(norm1, attention, norm2, feed_forward)


def train(
    arrangement: str, warmup: int, steps: int = STEPS, layers: int = LAYERS, seed: int = 0, lr: float = LR
) -> tuple[Deep, list[float]]:
    """Train from the start with Adam; return the stack, and the mean loss of each ten steps on new texts, in nats.

    The learning rate rises in a straight line over `warmup` steps and then stays; 0 is none. The texts depend on the
    seed alone, so the runs of one seed read the same ones.
    """
    chain, g = Chain(), torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Deep(arrangement, layers)
    adam, found = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.98)), []
    for step in range(steps):
        adam.param_groups[0]["lr"] = lr * min(1.0, (step + 1) / max(1, warmup))
        loss = model.loss(chain.texts(TEXTS, TOKENS, g))
        adam.zero_grad()
        loss.backward()
        adam.step()
        found.append(loss.item())
    return model, [sum(found[i : i + EVERY]) / EVERY for i in range(0, steps, EVERY)]


class Profile(NamedTuple):
    """A stack before training, on one batch: L numbers for its L blocks, from the first to the last."""

    gradients: list[float]  # the length of the gradient of the loss, over all parameters of the block
    lengths: list[float]  # of a row of the stream after the block, on average
    alike: list[float]  # the cosine of two rows of one text after the block, on average over all pairs


def profile(arrangement: str, layers: int, seed: int = 0, scale: float = 1.0) -> Profile:
    """What a stack of this depth is like when training begins.

    `scale`: how many times as large as torch makes them the matrices of all blocks are.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Deep(arrangement, layers)
    for matrix in (p for p in model.blocks.parameters() if p.ndim == 2):
        matrix.data *= scale
    see = Recorder(lambda name: name.endswith(" output"))
    ids = Chain().texts(TEXTS, TOKENS, torch.Generator().manual_seed(seed))
    model.loss(ids, see).backward()
    streams = [value.detach() for value in see.stages.values()]
    return Profile(
        [sum(p.grad.square().sum().item() for p in block.parameters()) ** 0.5 for block in model.blocks],
        [x.norm(dim=-1).mean().item() for x in streams],
        [_alike(x) for x in streams],
    )


def alike(model: Deep, seed: int = 0) -> list[float]:
    """The cosine of two rows of one text after each block, on average over all pairs of a batch of its own."""
    see = Recorder(lambda name: name.endswith(" output"))
    with torch.no_grad():
        model(Chain().texts(TEXTS, TOKENS, torch.Generator().manual_seed(seed)), see)
    return [_alike(value) for value in see.stages.values()]


def _alike(x: Float[Tensor, "B n d"]) -> float:
    rows = nn.functional.normalize(x.double(), dim=-1)
    cosines, n = rows @ rows.mT, x.shape[1]  # (B, n, n)
    return float((cosines.sum((1, 2)) - n).mean() / (n * (n - 1)))


class Run(NamedTuple):
    """One training: its arrangement, the steps of its warm-up, its seed, its rate, its blocks, and the mean loss of
    each ten steps.
    """

    arrangement: str
    warmup: int
    seed: int
    lr: float
    layers: int
    losses: list[float]

    @property
    def end(self) -> float:
        """The mean loss of the last 20 steps."""
        return sum(self.losses[-2:]) / 2


def planned() -> Iterator[tuple[str, int, int, float, int]]:
    """What is trained: arrangement, steps of warm-up, seed, rate, blocks. Shallow stacks show from which depth on an
    arrangement fails; the slower rate is a rival of warm-up, with none.
    """
    for arrangement in TRAINED:
        for warmup in (0, WARMUP):
            for seed in SEEDS:
                yield arrangement, warmup, seed, LR, 0 if arrangement == "no blocks" else LAYERS
    for arrangement in BY_DEPTH:
        for layers in DEPTHS:
            for seed in SEEDS:
                yield arrangement, 0, seed, LR, layers
    for seed in SEEDS:
        yield "post-norm", 0, seed, SLOWER, LAYERS


def runs(known: dict[tuple[str, int, int, float, int], Run]) -> Iterator[Run]:
    """All trainings that are planned, one after the other; those that are known are not run again."""
    for plan in planned():
        arrangement, warmup, seed, lr, layers = plan
        yield known.get(plan) or Run(*plan, train(arrangement, warmup, seed=seed, lr=lr, layers=layers)[1])


def write(path: Path = CURVES) -> None:
    """Train what the file does not hold yet, and write all; what is trained is kept after each run."""
    trained, known = [], {run[:5]: run for run in (stored(path) if path.exists() else ())}
    for run in runs(known):
        arrangement, warmup, seed, lr, layers, _ = run
        print(
            f"{arrangement:<12} {layers:>2} blocks, warm-up {warmup:>3}, seed {seed}, rate {lr}: {run.end:.2f}",
            flush=True,
        )
        trained.append(run)
        if run[:5] not in known:
            _keep(trained, path)
    _keep(trained, path)


def _keep(trained: list[Run], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow([*Run._fields[:5], *(f"{step}" for step in range(EVERY, STEPS + 1, EVERY))])
        for run in trained:
            lines.writerow([*run[:5], *(f"{loss:.4f}" for loss in run.losses)])


@cache
def stored(path: Path = CURVES) -> tuple[Run, ...]:
    """The trainings as they were run: the losses of `deep.csv`."""
    with path.open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    return tuple(
        Run(name, int(warmup), int(seed), float(lr), int(layers), [float(x) for x in rest])
        for name, warmup, seed, lr, layers, *rest in rows
    )


if __name__ == "__main__":
    write()
