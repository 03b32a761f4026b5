"""Exercise 7.3: the mean of the rows of a text, without its padding."""

from collections.abc import Callable

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import likeliest
from labutils.exercises.showing import show


def check_pool(pool: Callable[[Tensor, Tensor], Tensor], seed: int | None = None) -> None:
    """Check `pool`: states (B, n, d), attention_mask (B, n) -> (B, d).

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        pool,
        means_without_padding,
        means_each_text_by_itself,
        leaves_out_padding,
        means_padding_in_front,
        means_one_word,
        means_nothing,
        repeat="check_pool(pool, seed={seed})",
        seed=seed,
    )


def pool(states, attention_mask):
    real = attention_mask[:, :, None].to(states.dtype)
    return (states * real).sum(1) / real.sum(1).clamp(min=1)


RIGHT = (pool,)
SUM, COUNT = "(states * real).sum(1)", "real.sum(1).clamp(min=1)"
# fmt: off
MISTAKES = (
    ("takes the mean of all", "The padding is in it: that is the mean of all n rows.", f"{SUM} / {COUNT}",
     "states.mean(1)"),
    ("divides by n", "The padding adds nothing, and is counted: the sum is divided by n.", COUNT, "states.shape[1]"),
    ("divides by the words of the batch", "The sum is divided by the words of the whole batch: each text has its own"
     " number.", COUNT, "real.sum()"),
    ("adds up", "That is the sum: it is not divided yet.", f" / {COUNT}", ""),
    ("takes the padding", "That is the mean of the padding: 1 stands for a word.", "attention_mask[:, :, None]",
     "(1 - attention_mask)[:, :, None]"),
    ("takes the first row", "That is the first row of each text, not a mean.", f"{SUM} / {COUNT}", "states[:, 0]"),
    ("takes the first rows", "The words are taken to stand in front: padding may stand before a text.",
     f"{SUM} / {COUNT}", "torch.stack([s[:max(1, int(m.sum()))].mean(0) for s, m in zip(states, attention_mask)])"),
)
REFUSED = (
    ("divides by nothing", "nan", ".clamp(min=1)", ""),
    ("means over the numbers of a row", "the shape", f"{SUM} / {COUNT}", "states.mean(-1)"),
)
# fmt: on


def expect(answer, states: Tensor, mask: Tensor) -> None:
    found = call(answer, states, mask)
    expect_tensor(found, (len(states), states.shape[-1]), "pool")
    wanted = pool(states, mask)
    if not fair.alike(found, wanted, 1e-5):
        b = int((found - wanted).abs().nan_to_num(torch.inf).amax(-1).argmax())
        said = likeliest(MISTAKES, pool, answer, found, (states, mask), half_hidden(states), 1e-5)
        raise NotYet(
            f"The text with the mask {show(mask[b].tolist())} begins with {float(found[b, 0]):.3f},"
            f" expected {float(wanted[b, 0]):.3f}.{said}"
        )


def half_hidden(states: Tensor) -> tuple[Tensor, Tensor]:
    """The same rows with another mask, in which there are words and padding."""
    return states, (torch.arange(states.shape[1]) % 2).expand(states.shape[:2]).clone()


def texts(draw: Draw, lengths: list[int], n: int, d: int, in_front: bool = False) -> tuple[Tensor, Tensor]:
    """States and a mask; the padding is no zero: a model gives it rows too."""
    mask = torch.stack([(torch.arange(n) >= n - k if in_front else torch.arange(n) < k).long() for k in lengths])
    return draw.normal(len(lengths), n, d) + 1, mask


def means_without_padding(answer, draw: Draw):
    """Without padding it is the mean of all rows."""
    n = draw.between(5, 8)
    expect(answer, *texts(draw, [n, n], n, 4))


def means_each_text_by_itself(answer, draw: Draw):
    """Each text has its own number of words."""
    n = draw.between(6, 9)
    expect(answer, *texts(draw, draw.sample(range(2, n), 3), n, draw.between(2, 5)))


def leaves_out_padding(answer, draw: Draw):
    """What stands under the padding does not matter."""
    states, mask = texts(draw, [2, 4], 5, 3)
    other = states + 100 * (1 - mask)[:, :, None]
    one, two = call(answer, states, mask), call(answer, other, mask)
    if not fair.alike(one, two, 1e-4):
        raise NotYet("With other rows under the padding the mean is another one.")


def means_padding_in_front(answer, draw: Draw):
    """Padding may stand in front of a text."""
    expect(answer, *texts(draw, [2, 5], 6, 3, in_front=True))


def means_one_word(answer, draw: Draw):
    """One word, and one number."""
    expect(answer, *texts(draw, [1, 1], 3, 1))


def means_nothing(answer, draw: Draw):
    """A text of nothing but padding has the mean 0, not nan."""
    expect(answer, *texts(draw, [0, 2], 3, 2))
