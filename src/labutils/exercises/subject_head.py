"""Exercise 4.6: a head of the little GPT-2 that asks for the subject, wherever it stands."""

import random
from functools import cache

import torch

from labutils.checkpoints import load
from labutils.exercises.checking import NotYet, show
from labutils.trace import trace

BEINGS = ("cat", "dog", "horse", "rabbit", "owl", "crow", "king", "queen", "nurse", "doctor", "teacher", "farmer")
ENOUGH = 0.7
CASES = 16
SUBJECT = -4  # the place of "cat" in "The cat from the hills": all beings above are one token, the plural too


def check_head(layer: int, head: int) -> None:
    """Check a head: in "The cat from the hills" the last word must give most of its weight to "cat".

    Raises NotYet with what the head does instead.
    """
    for value, name, size in ((layer, "layer", 4), (head, "head", 8)):
        if not isinstance(value, int) or not 0 <= value < size:
            raise NotYet(f"The {name} is {show(value)}: give a whole number from 0 to {size - 1}.")
    first, later = (mean_weight(layer, head, behind) for behind in (False, True))
    said = (
        f"Head {layer}.{head} gives the subject {first:.2f} of the weight where the text begins with it, "
        f"and {later:.2f} where a sentence stands before it."
    )
    if first < ENOUGH and later < ENOUGH:
        raise NotYet(f"{said} At least {ENOUGH} was asked in both: average over texts, not over one.")
    if later < ENOUGH:
        raise NotYet(f"{said} At least {ENOUGH} was asked in both: what takes the weight there instead?")
    if first < ENOUGH:
        raise NotYet(f"{said} At least {ENOUGH} was asked in both: try texts without a sentence in front too.")
    print(
        f"✓ The subject gets at least {ENOUGH} of the weight at the beginning of a text\n✓ And behind another sentence"
    )


def mean_weight(layer: int, head: int, behind: bool) -> float:
    """The weight from the last word to the subject's, a mean over fresh texts, with a sentence in front if `behind`."""
    read = trace(_little().model, [begun(behind) for _ in range(CASES)], _little().tokenizer)
    return sum(float(one.layers[layer].weights[head, -1, SUBJECT]) for one in read) / CASES


def begun(behind: bool) -> str:
    """A text that breaks off before its verb, with a subject in one number and a nearer noun in the other."""
    one, other = random.sample(BEINGS, 2)
    many = random.random() < 0.5
    subject, place = (one + "s", "village") if many else (one, "hills")
    if not behind:
        return f"The {subject} from the {place}"
    return (
        f"Last winter, an old {other} met {'two' if many else 'a'} young {subject}. The young {subject} from the"
        f" {place}"
    )


@cache
def _little():
    return load("little-gpt2")


def weights_of(text: str) -> tuple[torch.Tensor, list[str]]:
    """The weights of all heads on a text, (layers, heads, n, n), and its tokens as words."""
    read = trace(_little().model, text, _little().tokenizer)
    names = [_little().tokenizer.decode([int(i)]).strip() for i in read.ids]
    return torch.stack([layer.weights for layer in read.layers]), names
