"""Milliseconds a token of a GPT-2 with the shape of the smallest published one: ours beside HuggingFace's.

    python -m tests.benchmarks.decoding            # two minutes, 2.5 GB, writes benchmarks/decoding.json
    python -m tests.benchmarks.decoding --quick    # a few steps of each, writes nothing

The weights are random: what a step costs does not depend on them. Everything happens in one run on two threads, each
way takes its turn, and the medians of the wall clock are compared. Before anything is timed, ours in float32 has to
give the logits of HuggingFace's, token by token. What rounding costs is measured on the little GPT-2, whose weights
mean something.
"""

import argparse
import time
from statistics import median

import torch
import transformers

from labutils.authoring.benchmarks import record
from labutils.checkpoints import load
from labutils.layers import Cache
from labutils.models import GPT2, GPT2Config, for_writing
from labutils.training import next_token_loss, pad
from labutils.world import World

NUMBERS = ("float32", "bfloat16", "int8")
GOALS = {"float32": 0.8, "bfloat16": 0.45, "int8": 0.3}
ROUNDS, STEPS = 6, 10


class Ours:
    """One of our models, which has read a text and goes on by a token a step."""

    def __init__(self, model, ids, most):
        self.model, self.cache = model, Cache(capacity=ids.shape[1] + most)
        self.logits = model(ids, cache=self.cache).logits[:, -1]

    def __call__(self, token):
        self.logits = self.model(token, cache=self.cache).logits[:, -1]


class Theirs:
    """HuggingFace's, with its cache."""

    def __init__(self, model, ids):
        out = model(ids, use_cache=True)
        self.model, self.cache, self.logits = model, out.past_key_values, out.logits[:, -1]

    def __call__(self, token):
        self.logits = self.model(token, past_key_values=self.cache, use_cache=True).logits[:, -1]


class Uncached:
    """HuggingFace's without a cache: everything is read again."""

    def __init__(self, model, ids):
        self.model, self.ids = model, ids

    def __call__(self, token):
        self.logits = self.model(self.ids, use_cache=False, logits_to_keep=1).logits[:, -1]


def same_at_each_step(ours, theirs, steps=3):
    for _ in range(steps):
        if not torch.allclose(ours.logits, theirs.logits, rtol=1e-3, atol=1e-3):
            raise SystemExit("Our logits differ from HuggingFace's: fix that first.")
        token = theirs.logits.argmax(-1, keepdim=True)
        ours(token), theirs(token)


def milliseconds(ways, rounds, steps):
    """Median wall clock of a step of each way: so many steps in a row, as in writing, then the next way's turn."""
    taken = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            for step in range(steps + 1):
                token = torch.randint(0, 50_000, (1, 1))
                start = time.perf_counter()
                way(token)
                if step:  # the first finds the processor's caches full of another model
                    taken[name].append(1000 * (time.perf_counter() - start))
    return {name: median(times) for name, times in taken.items()}


def rounding_costs(stories=200):
    """Nats a token that each kind of numbers adds for the little GPT-2, on fresh stories."""
    little = load("little-gpt2")
    texts = [torch.tensor([little.tokenizer.encode(story.text).ids]) for story in World().stories(stories, seed=77)]
    ids = pad([text[0].tolist() for text in texts], 0)
    real = pad([[1] * text.shape[1] for text in texts], 0)
    loss = lambda model: float(next_token_loss(model(ids, real).logits, ids, real))
    exact = loss(little.model)
    return exact, {numbers: loss(for_writing(little.model, numbers)) - exact for numbers in NUMBERS}


def rows_of(taken):
    return [
        {"tokens before": length, "way": way, "ms a token": f"{ms:.1f}", "times HuggingFace’s": f"{ms / times[HF]:.2f}"}
        for length, times in taken.items()
        for way, ms in times.items()
    ]


HF, UNCACHED, READ = "HuggingFace’s, with its cache", "HuggingFace’s, without a cache", "reading the weights once"


def summary_of(taken, exact, costs):
    goals = [
        f"{numbers} {', '.join(f'{times[numbers] / times[HF]:.2f} at {length} tokens' for length, times in taken.items())}"
        f" (goal: at most {goal})"
        for numbers, goal in GOALS.items()
    ]
    return (
        "One more token of a GPT-2 of 124 million random weights on two threads, as a share of HuggingFace’s with its"
        f" cache in float32: {'; '.join(goals)}.\n\nRounding the weights of the little GPT-2 changes its"
        f" {exact:.3f} nats a token by "
        + ", ".join(f"{cost:+.4f} ({numbers})" for numbers, cost in costs.items())
        + ", on 200 fresh stories: that is its perplexity times "
        + ", ".join(f"{torch.tensor(cost).exp():.4f}" for cost in costs.values())
        + "."
    )


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few steps of each, write nothing")
    quick = parser.parse_args().quick
    torch.set_num_threads(2)
    torch.manual_seed(0)
    model, rounds = GPT2(GPT2Config()), 1 if quick else ROUNDS
    hf = transformers.GPT2LMHeadModel(transformers.GPT2Config(**model.config.to_hf())).eval()
    hf.load_state_dict(model.to_hf_state_dict(), strict=False)
    models = {numbers: for_writing(model, numbers) for numbers in NUMBERS}
    weights = [p for p in hf.parameters() if p.dim() == 2]
    taken = {}
    for length in (128, 512):
        ids = torch.randint(0, 50_000, (1, length))
        most = rounds * (STEPS + 1) + 8
        same_at_each_step(Ours(models["float32"], ids, most), Theirs(hf, ids))
        ways = {HF: Theirs(hf, ids)} | {name: Ours(one, ids, most) for name, one in models.items()}
        taken[length] = milliseconds(ways, rounds, STEPS)
        taken[length] |= milliseconds(
            {UNCACHED: Uncached(hf, ids), READ: lambda token: [w.view(torch.int32).max() for w in weights]}, rounds, 2
        )
    exact, costs = rounding_costs()
    rows, summary = rows_of(taken), summary_of(taken, exact, costs)
    print(*("  ".join(map(str, row.values())) for row in rows), summary, sep="\n")
    if not quick:
        print(record("decoding", "One more token: ours beside HuggingFace’s", summary, rows))


if __name__ == "__main__":
    main()
