"""Exercise 3.7: telling a scheme of positions by the cosines between its rows."""

from collections import Counter
from collections.abc import Callable

import torch
from torch import Tensor

from labutils.analysis import cosines
from labutils.checkpoints import load
from labutils.exercises.checking import NotYet, call, check
from labutils.exercises.drawing import Draw
from labutils.layers import sinusoids

NAMES = ("sinusoids", "random", "bits", "counter", "learned")
TRIES, ENOUGH = 12, 11


# fmt: off
REFUSED = (
    ("takes all smooth ones for sinusoids",
     "A counter and the bits of a counter are told\n.*You took 12 of them for “sinusoids”", "if drift < 1e-5",
     "if drift < 1e-5 or float(similarity.diagonal(1).min()) > 0.9"),
    ("takes what is learned for random",
     "The rows that the little GPT-2 and the little BERT learned are told\n.*for “random”",
     ' if float(off.square().mean().sqrt()) < 0.2 else "learned"', ""),
    ("a name of its own", "name_it returned 'rope', and the names are sinusoids, random, bits, counter, learned",
     "def name_it(similarity):\n    return 'rope'"),
)
# fmt: on


def similarity(name: str, draw: Draw) -> Tensor:
    """The cosines (n, n) between rows of a scheme whose size, width and first place are drawn."""
    n, first = draw.between(24, 48), draw.between(0, 40)
    places = torch.arange(first, first + n)
    if name == "sinusoids":
        rows = sinusoids(first + n, 2 * draw.between(16, 64), float(draw.choice([1000, 10000, 100000])))[first:]
    elif name == "random":
        rows = draw.normal(n, draw.between(64, 256))
    elif name == "bits":
        rows = 2.0 * (places[:, None] >> torch.arange(7) & 1) - 1
    elif name == "counter":
        rows = torch.stack([places / float(first + n), torch.ones(n)], 1) @ draw.normal(2, draw.between(16, 64))
    else:
        model = load(draw.choice(["little-gpt2", "little-bert"])).model
        rows = model.embeddings.position.table.weight.detach()[first : first + n]
    return cosines(rows, rows).clamp(-1, 1)


def example(name: str, seed: int = 0) -> Tensor:
    """A similarity (n, n) of a scheme to look at.

    Raises ValueError for a scheme that there is not.
    """
    if name not in NAMES:
        raise ValueError(f"There is no scheme {name!r}. Choose one of: {', '.join(NAMES)}.")
    return similarity(name, Draw(seed))


def check_name_it(name_it: Callable[[Tensor], str], seed: int | None = None) -> None:
    """Check `name_it`: cosines between the rows of any two places, (n, n) -> one of NAMES.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        name_it,
        knows_random_rows,
        knows_sinusoids,
        knows_counters_and_bits,
        knows_learned_rows,
        repeat="check_name_it(name_it, seed={seed})",
        seed=seed,
    )


def expect(name_it, name: str, draw: Draw) -> None:
    """Raises NotYet unless the scheme is told at least 11 times in 12."""
    found = [call(name_it, similarity(name, draw)) for _ in range(TRIES)]
    for answer in found:
        if answer not in NAMES:
            raise NotYet(f"name_it returned {answer!r}, and the names are {', '.join(NAMES)}.")
    right = found.count(name)
    if right < ENOUGH:
        other, times = Counter(answer for answer in found if answer != name).most_common(1)[0]
        raise NotYet(
            f"Of {TRIES} similarities of “{name}” you told {right}, expected at least {ENOUGH}. You took {times} of"
            f" them for “{other}”."
        )


def knows_random_rows(name_it, draw: Draw):
    """Random rows are told."""
    expect(name_it, "random", draw)


def knows_sinusoids(name_it, draw: Draw):
    """Sinusoids are told, whatever their width, base and first place."""
    expect(name_it, "sinusoids", draw)


def knows_counters_and_bits(name_it, draw: Draw):
    """A counter and the bits of a counter are told."""
    expect(name_it, "counter", draw)
    expect(name_it, "bits", draw)


def knows_learned_rows(name_it, draw: Draw):
    """The rows that the little GPT-2 and the little BERT learned are told."""
    expect(name_it, "learned", draw)
