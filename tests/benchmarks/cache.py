"""How long a token takes with a cache and without: `python -m tests.benchmarks.cache`. Random weights in the shape of
GPT-2 small, on one core, the fastest of some runs; what is stored are ratios.
"""

import time
from collections.abc import Callable

import torch

from labutils.authoring.benchmarks import record
from labutils.layers import Cache, operations
from labutils.models import GPT2, GPT2Config

LENGTHS = (32, 128, 512)


def fastest(run: Callable[[], object], times: int) -> float:
    """Seconds of the fastest run."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        run()
        found.append(time.perf_counter() - began)
    return min(found)


def bandwidth() -> float:
    """Bytes a second that one core brings to the product of a row with a large matrix."""
    matrix, row = torch.ones(130_000, 768), torch.ones(1, 768)
    return matrix.nbytes / fastest(lambda: row @ matrix.T, 10)


def step(model: GPT2, t: int, times: int = 10) -> float:
    """Seconds for the last of t tokens, the others kept."""
    cache = Cache(capacity=t + times)
    model(torch.arange(t - 1)[None], cache=cache)
    return fastest(lambda: model(torch.tensor([[7]]), cache=cache), times)


@torch.no_grad()
def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    predicted = 4 * 124_439_808 / bandwidth()
    model = GPT2(GPT2Config())
    rows = []
    for t in LENGTHS:
        last, whole = step(model, t), fastest(lambda n=t: model(torch.arange(n)[None]), 2)
        count = sum(operations(t, 768, 12, 3072)) / sum(operations(1, 768, 12, 3072, past=t - 1))
        rows.append(
            {
                "tokens": t,
                "whole pass by one token with a cache": f"{whole / last:.0f}",
                "by operations": f"{count:.0f}",
                "measured by predicted from bytes": f"{last / predicted:.1f}",
            }
        )
    record(
        "cache",
        "A token with a cache and without",
        f"At {LENGTHS[-1]} tokens **a whole pass takes {rows[-1]['whole pass by one token with a cache']} times as long as"
        " one token with a cache**; by operations it would be as many times as there are tokens, but a whole pass brings"
        " each weight once for all of them. The last column compares a token with the bytes of the weights, divided by the"
        " bandwidth that the product of one row with a large matrix reached in the same run.",
        rows,
    )


if __name__ == "__main__":
    main()
