"""Exercise 11.2: where the tokens stand that are written after a padded prompt."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes


def check_places(places: Callable[[Tensor, int], Tensor], seed: int | None = None) -> None:
    """Check `places`: the mask of prompts (B, n), how many tokens follow -> their positions (B, steps).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        places,
        goes_on_after_a_prompt,
        counts_no_padding,
        knows_either_side,
        takes_other_sizes,
        repeat="check_places(places, seed={seed})",
        seed=seed,
    )


def places(mask, steps):
    read = mask.sum(1, keepdim=True)
    return read + torch.arange(steps)


RIGHT = (places,)
READ = "mask.sum(1, keepdim=True)"
# fmt: off
MISTAKES = (
    ("starts again at 0", "The positions start again at 0: the prompt has taken those.", READ,
     "0 * mask.sum(1, keepdim=True)"),
    ("counts the padding", "Padding was counted: a text stands where it would stand alone.", READ,
     "torch.full((len(mask), 1), mask.shape[1])"),
    ("takes the last place again", "They begin on the last place of the prompt, which is taken.", READ,
     "mask.sum(1, keepdim=True) - 1"),
    ("leaves a place free", "They leave one place free behind the prompt.", READ, "mask.sum(1, keepdim=True) + 1"),
    ("goes by the longest", "All texts go on where the longest does: each has a length of its own.", READ,
     "mask.sum(1, keepdim=True).max().expand(len(mask), 1)"),
    ("stands still", "All new tokens have the same place: each stands one further on.", "torch.arange(steps)",
     "torch.zeros(steps, dtype=torch.long)"),
)
REFUSED = (
    ("gives decimals", "positions are whole numbers", READ, "mask.float().sum(1, keepdim=True)"),
    ("forgets the batch", "returned the shape", READ, "mask.sum()"),
)
# fmt: on


def expect(answer, mask: Tensor, steps: int) -> None:
    found, wanted = call(answer, mask, steps), places(mask, steps)
    expect_tensor(found, tuple(wanted.shape), "places")
    if not fair.all_whole(found):
        raise NotYet(f"places gave {found.dtype}, and positions are whole numbers: a table is looked up with them.")
    if not fair.alike(found, wanted, 1e-6):
        row = int((found.double() - wanted).abs().sum(1).argmax())
        raise NotYet(
            f"After a prompt with the mask {mask[row].tolist()} the next {steps} stand at {found[row].tolist()},"
            f" expected {wanted[row].tolist()}.{likely(found, outcomes(MISTAKES, places, mask, steps))}"
        )


def drawn(draw: Draw, B: int, n: int, side: str) -> Tensor:
    """The mask of B prompts, the longest with one padding token; of one prompt without."""
    real = [n - (B > 1), *(draw.between(1, max(1, n - 2)) for _ in range(B - 1))]
    rows = [[0] * (n - k) + [1] * k if side == "left" else [1] * k + [0] * (n - k) for k in real]
    return torch.tensor(rows)


def goes_on_after_a_prompt(answer, draw: Draw):
    """The first token after a prompt stands right behind it, the next ones follow."""
    expect(answer, torch.ones(1, draw.between(3, 6), dtype=torch.long), draw.between(2, 4))


def counts_no_padding(answer, draw: Draw):
    """Padding is not counted, and each text has a length of its own."""
    expect(answer, drawn(draw, 3, draw.between(4, 7), "left"), draw.between(2, 4))


def knows_either_side(answer, draw: Draw):
    """Padding on the right is not counted either."""
    expect(answer, drawn(draw, 2, draw.between(4, 7), "right"), 3)


def takes_other_sizes(answer, draw: Draw):
    """One text of one token, and one step."""
    expect(answer, torch.ones(1, 1, dtype=torch.long), 1)
    expect(answer, drawn(draw, draw.between(2, 4), draw.between(2, 9), draw.choice(("left", "right"))), 1)
