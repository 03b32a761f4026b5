"""Milliseconds a token of a GPT-2 with the shape of the smallest published one: ours beside HuggingFace's, and what each
part of ours brings.

    python -m tests.benchmarks.decoding            # five minutes, 8 GB, writes benchmarks/decoding*.json
    python -m tests.benchmarks.decoding --quick    # a few steps of each, writes nothing

The weights are random: what a step costs does not depend on them. Everything happens in one run on two threads, each
way takes its turn, and the medians of the wall clock are compared. Before anything is timed, ours in float32 has to
give the logits of HuggingFace's, token by token. What rounding costs is measured on the little GPT-2, whose weights
mean something.
"""

import argparse
import contextlib
import copy
import os
import shutil
import time
from statistics import median
from unittest import mock

import torch
import transformers
from torch.nn import functional as F

from labutils.authoring.benchmarks import record
from labutils.checkpoints import load
from labutils.generation import GREEDY
from labutils.generation.writing import chosen
from labutils.layers import Cache, attention
from labutils.models import GPT2, GPT2Config, for_writing, products
from labutils.models.quick import Quick
from labutils.places import ROOT
from labutils.world import World
from tests.benchmarks.in_a_page import READS, in_a_page

LENGTHS, ROUNDS, STEPS = (128, 512), 3, 10
GOALS = {"float32": 0.8, "bfloat16": 0.45, "int8": 0.3}
HF, HF_BF16, UNCACHED = "HuggingFace’s generate", "the same in bfloat16", "HuggingFace’s without a cache"
READ, PLAIN, ALL = "reading the weights once", "our plain forward, with a cache", "with all"
PAGE = "a page’s WebAssembly, one thread"
WAYS = {
    "ours, float32": products.Exact,
    "ours, bfloat16 weights": products.BFloat16,
    "ours, float16 weights": products.Float16,
    "ours, int8 weights": products.Int8,
    "ours, int8 weights and rows": products.Int8Both,
}


# --- ways to write


class Ours:
    """A model of ours that goes on by a greedy token a step, as `generate` does."""

    def __init__(self, model, cache, ids):
        self.model, self.cache, self.dice = model, copy.deepcopy(cache), torch.Generator()
        self.cache.model = None  # one model has read the prompt for all
        self.new = ids[:, -1:]

    def __call__(self):
        logits = self.model(self.new, cache=self.cache).logits[:, -1]
        self.new = chosen(logits, GREEDY, self.dice)[:, None]

    def taken(self, steps):
        """Seconds of each of so many steps, after one that finds the processor's caches full of another model."""
        clock = [time.perf_counter()]
        for _ in range(steps + 1):
            self()
            clock.append(time.perf_counter())
        return [b - a for a, b in zip(clock[1:], clock[2:])]


class Step(Ours):
    """The model alone: nothing is drawn."""

    def __call__(self):
        self.model(self.new, cache=self.cache)


class Theirs:
    """HuggingFace's `generate`, greedy and with its cache, which holds all of the prompt but its last token."""

    def __init__(self, model, cache, ids):
        self.model, self.cache, self.ids = model, cache, ids

    def taken(self, steps):
        clock = Clock()
        cache = copy.deepcopy(self.cache)
        self.model.generate(
            self.ids,
            attention_mask=torch.ones_like(self.ids),
            past_key_values=cache,
            do_sample=False,
            max_new_tokens=steps + 2,
            min_new_tokens=steps + 2,
            streamer=clock,
        )
        return [b - a for a, b in zip(clock.at[2:], clock.at[3:])]


class Clock(transformers.generation.streamers.BaseStreamer):
    """When each token came; the prompt comes first."""

    def __init__(self):
        self.at = []

    def put(self, value):
        self.at.append(time.perf_counter())

    def end(self):
        pass


class Whole:
    """Anything that is done anew for each token."""

    def __init__(self, run):
        self.run = run

    def taken(self, steps):
        clock = [time.perf_counter()]
        for _ in range(2):
            self.run()
            clock.append(time.perf_counter())
        return [b - a for a, b in zip(clock, clock[1:])]


def milliseconds(ways, rounds):
    """Median wall clock of a step of each way: so many steps in a row, as in writing, then the next way's turn."""
    taken = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            taken[name] += way.taken(STEPS)
    return {name: 1000 * median(times) for name, times in taken.items()}


def same_at_each_step(ours, hf, cache, kept, ids, steps=3):
    """Raises SystemExit unless ours gives HuggingFace's logits at each step."""
    token, cache, kept = ids[:, -1:], copy.deepcopy(cache), copy.deepcopy(kept)
    cache.model = None
    for _ in range(steps):
        found = ours(token, cache=cache).logits[:, -1]
        wanted = hf(token, past_key_values=kept, use_cache=True).logits[:, -1]
        if not torch.allclose(found, wanted, rtol=1e-3, atol=1e-3):
            raise SystemExit("Our logits differ from HuggingFace's: fix that first.")
        token = wanted.argmax(-1, keepdim=True)


# --- ours, less one part


class ByRows(products.Exact):
    """The weights as they lie in the model, row by row."""

    def __init__(self, weight, bias=None, again=True):
        self.weight, self.bias = weight.detach(), bias

    def __call__(self, x):
        product = F.linear(x, self.weight)
        return product if self.bias is None else product.add_(self.bias)


class NewRoom(products.Exact):
    """What comes out stands in new room each time."""

    def __init__(self, weight, bias=None, again=True):
        super().__init__(weight, bias, again=False)


class BiasAfter(products.Exact):
    """The bias in a call of its own."""

    def __init__(self, weight, bias=None, again=True):
        super().__init__(weight, None, again)
        self.after = bias

    def __call__(self, x):
        room = super().__call__(x)
        return room if self.after is None else room.add_(self.after)


class Apart:
    """Queries, keys and values by three products."""

    def __init__(self, product):
        d = product.weight.shape[1] // 3
        self.parts = [copy.copy(product) for _ in range(3)]
        for i, part in enumerate(self.parts):
            part.weight = product.weight[:, i * d : (i + 1) * d].contiguous()
            part.bias = product.bias[i * d : (i + 1) * d]

    def __call__(self, x):
        return torch.cat([part(x) for part in self.parts], -1)


def less(quick, change):
    """The same model with every block changed; what is not changed is shared."""
    other = copy.copy(quick)
    other.blocks = [copy.copy(block) for block in quick.blocks]
    for i, block in enumerate(other.blocks):
        change(block, i)
    return other


def without(model, quick):
    """By name: ours in float32 without one of its parts, and whether its cache grows."""

    def norms(block, i):
        block.norm1, block.norm2 = model.blocks[i].norm1, model.blocks[i].norm2

    def apart(block, i):
        block.three = Apart(block.three)

    return {
        "room for the cache, taken once": (quick, True),
        "weights laid out column by column": (Quick(model, ByRows, "", 1), False),
        "one product for q, k and v": (less(quick, apart), False),
        "the room of a product used again": (Quick(model, NewRoom, "", 1), False),
        "the bias in one call with the product": (Quick(model, BiasAfter, "", 1), False),
        "LayerNorm in one call": (less(quick, norms), False),
        "attention in one call": (plain_attention(quick), False),
    }


def plain_attention(quick):
    """With attention by the function of chapter 4, which is shown every weight."""
    plain = lambda q, k, v: attention(q, k, v)[0]

    def step(ids, cache):
        with mock.patch.object(F, "scaled_dot_product_attention", plain):
            return quick(ids, cache=cache)

    return step


def compiled(quick, token):
    """A sentence: what torch.compile makes of a step of one of our blocks, beside room of a fixed size."""
    if not shutil.which("g++"):
        return " No compiler of C++ was found, so torch.compile was not tried."
    b, (keys, values), place = quick.blocks[0], torch.zeros(2, 1, 12, 256, 64), torch.tensor([128])
    x, seen = torch.randn(1, 768), torch.arange(256)[None, None, None] <= 128

    def block(x):
        three = b.norm1(x) @ b.three.weight + b.three.bias
        q, k, v = three.view(3, 12, 1, 64)
        keys[0].index_copy_(1, place, k)
        values[0].index_copy_(1, place, v)
        mixed = F.scaled_dot_product_attention(q[None], keys, values, attn_mask=seen)
        x = x + (mixed.view(1, 768) @ b.output.weight + b.output.bias)
        hidden = b.activation(b.norm2(x) @ b.expand.weight + b.expand.bias)
        return x + (hidden @ b.contract.weight + b.contract.bias)

    wanted = block(x)
    with mock.patch.dict(os.environ, {"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}):
        fast, start = torch.compile(block, dynamic=False), time.perf_counter()
        torch.testing.assert_close(fast(x), wanted, rtol=1e-3, atol=1e-3)
        first = time.perf_counter() - start
    fast_runs, runs = [], []
    for _ in range(40):
        for run, times in ((fast, fast_runs), (block, runs)):
            start = time.perf_counter()
            run(x)
            times.append(time.perf_counter() - start)
    return (
        f"\n\ntorch.compile is not one of the parts: it compiled one block in the time of {1000 * first / token:,.0f}"
        f" tokens, and a step of that block then took {median(fast_runs) / median(runs):.2f} of what it takes otherwise."
    )


def parts(taken, prompts):
    """Rows: how long it takes without a part, if ours takes 1, and what that says."""
    rows = []
    for name in [*taken[LENGTHS[0]]][1:]:
        times = [taken[length][name] / taken[length][ALL] for length in LENGTHS]
        rows.append(part(name, times))
    return [*rows, part("logits of the last row alone, for a prompt", prompts)]


def part(name, times):
    mean = sum(times) / len(times)
    brings = "nothing" if 0.97 < mean < 1.03 else "costs" if mean < 1 else "yes"
    return (
        {"part": name} | {f"without it, {n} tokens": f"{x:.2f}" for n, x in zip(LENGTHS, times)} | {"it brings": brings}
    )


def growing(cache):
    """The same keys and values in a cache that grows."""
    other = copy.deepcopy(cache)
    other.capacity = None
    for kept in other.layers.values():
        kept.capacity, kept.room = None, kept.pair
    return other


# --- what rounding costs


def texts(little):
    """By name, rows of ids: fresh stories, and English that the model was not made for."""
    english = little.tokenizer.encode((ROOT / "LICENSE-TEXT").read_text(encoding="utf-8")).ids
    stories = [little.tokenizer.encode(story.text).ids for story in World().stories(8, seed=77)]
    return {"the world’s stories": stories, "English": [english[i : i + 100] for i in range(0, 600, 100)]}


def read(model, rows):
    """Logits of every row but the last, token by token as in writing: (tokens, V)."""
    found = []
    for ids in rows:
        cache = Cache(len(ids))
        found += [model(torch.tensor([[token]]), cache=cache).logits[0] for token in ids[:-1]]
    return torch.cat(found)


def rounding():
    """Rows: by how much logits and perplexity move."""
    little, found = load("little-gpt2"), []
    for text, rows in texts(little).items():
        targets = torch.tensor([token for ids in rows for token in ids[1:]])
        exact = read(for_writing(little.model), rows)
        nats = float(F.cross_entropy(exact, targets))
        for name, way in WAYS.items():
            logits = read(Quick(little.model, way, "", None), rows)
            off = float((logits - exact).abs().mean() / exact.std())
            more = float(F.cross_entropy(logits, targets)) - nats
            found.append(
                {
                    "text": text,
                    "way": name,
                    "logits move by, of their spread": f"{off:.2%}",
                    "perplexity": f"{torch.tensor(nats + more).exp():.3f}",
                    "times that of float32": f"{torch.tensor(more).exp():.4f}",
                }
            )
    return found


# --- all of it


def rows_of(taken):
    return [
        {"tokens before": length, "way": way, "ms a token": f"{ms:.1f}", "times HuggingFace’s": f"{ms / times[HF]:.2f}"}
        for length, times in taken.items()
        for way, ms in times.items()
    ]


def fastest():
    """By numbers, the way that `for_writing` takes on this processor, and its name in the table."""
    ways = {numbers: products.way_for(numbers) or products.Exact for numbers in products.WAYS}
    names = {way: name for name, way in WAYS.items()}
    return {numbers: names[way] for numbers, way in ({"float32": products.Exact} | ways).items()}


def summary_of(taken, names):
    goals = [
        f"asked for {numbers} it takes *{names[numbers]}*, "
        + ", ".join(
            f"**{times[names[numbers]] / times[HF]:.2f}** at {length} tokens" for length, times in taken.items()
        )
        + f" (goal: at most {goal})"
        for numbers, goal in GOALS.items()
    ]
    return (
        "One more token of a GPT-2 of 124 million random weights on two threads, choosing it included, as a share of"
        f" what HuggingFace’s `generate` with its cache takes in float32. On this processor: {'; '.join(goals)}. Where"
        " bfloat16 is slower than float32, float16 weights take its place. The page is Chromium with the engine of this"
        f" book; it keeps {READS} tokens of such a model, so it stands beside the shorter text alone."
    )


def prompt(model, quick, ids):
    """How long a prompt takes with all logits, if it takes 1 with the last row's alone."""
    every = copy.copy(quick)
    every.last = None
    ways = {one: Whole(lambda m=m: m(ids, cache=Cache(ids.shape[1]))) for one, m in (("last", quick), ("all", every))}
    found = milliseconds(ways, 1)
    return found["all"] / found["last"]


def measured(model, hf, rounds):
    """By length: milliseconds a token of each way, those of ours without a part, and what all logits of a prompt cost.
    A page reads but a short text.
    """
    half = copy.deepcopy(hf).bfloat16()
    models = {name: Quick(model, way, "", 1) for name, way in WAYS.items()}
    quick, weights = models["ours, float32"], [p for p in hf.parameters() if p.dim() == 2]
    taken, lacking, prompts = {}, {}, []
    for length in LENGTHS:
        ids, most = torch.randint(0, 50_000, (1, length)), length + 8 * (STEPS + 2)
        cache, kept = Cache(most), hf(ids[:, :-1], use_cache=True).past_key_values
        quick(ids[:, :-1], cache=cache)
        same_at_each_step(quick, hf, cache, kept, ids)
        kept_half = copy.deepcopy(kept)
        for layer in kept_half.layers:
            layer.keys, layer.values = layer.keys.bfloat16(), layer.values.bfloat16()
        ways = {HF: Theirs(hf, kept, ids), HF_BF16: Theirs(half, kept_half, ids), PLAIN: Ours(model, cache, ids)}
        ways |= {name: Ours(one, cache, ids) for name, one in models.items()}
        with in_a_page(hf, ids) if length + STEPS < READS else contextlib.nullcontext() as page:
            taken[length] = milliseconds(ways | ({PAGE: page} if page else {}), rounds)
        others = {
            UNCACHED: Whole(lambda ids=ids: hf(ids, use_cache=False, logits_to_keep=1)),
            READ: Whole(lambda: [w.view(torch.int32).max() for w in weights]),
        }
        taken[length] |= milliseconds(others, min(rounds, 3))
        steps = {ALL: Step(quick, cache, ids)} | {
            name: Step(one, growing(cache) if grows else cache, ids)
            for name, (one, grows) in without(model, quick).items()
        }
        lacking[length] = milliseconds(steps, rounds)
        prompts.append(prompt(model, quick, ids))
    return taken, lacking, prompts


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few steps of each, write nothing")
    quick = parser.parse_args().quick
    torch.set_num_threads(2)
    torch.manual_seed(0)
    names, model = fastest(), GPT2(GPT2Config())
    hf = transformers.GPT2LMHeadModel(transformers.GPT2Config(**model.config.to_hf())).eval()
    hf.load_state_dict(model.to_hf_state_dict(), strict=False)
    taken, lacking, prompts = measured(model, hf, 1 if quick else ROUNDS)
    compiles = compiled(for_writing(model), lacking[LENGTHS[0]][ALL])
    less_, rounded = parts(lacking, prompts), rounding()
    rows, summary = rows_of(taken), summary_of(taken, names)
    for table in (rows, less_, rounded):
        print(*("  ".join(map(str, row.values())) for row in table), "", sep="\n")
    print(summary, compiles)
    if not quick:
        record("decoding", "One more token: ours beside HuggingFace’s", summary, rows)
        record("decoding_parts", "One more token: what each part of ours brings", PARTS + compiles, less_)
        print(record("decoding_rounding", "One more token: what rounded weights cost", ROUNDING, rounded))


PARTS = (
    "How long a step of our float32 model takes **without** one of its parts, if it takes 1 with all of them; the same run"
    " and machine as above, the model alone. Between 0.97 and 1.03 a part brings nothing here."
)
ROUNDING = (
    "The little GPT-2 reads fresh stories of its world, and English that it was not made for (the licence of this"
    " book’s text), token by token. By how much its logits move, as a share of their standard deviation, and its"
    " perplexity. Its weights are float16 numbers, so those cost it nothing."
)

if __name__ == "__main__":
    main()
