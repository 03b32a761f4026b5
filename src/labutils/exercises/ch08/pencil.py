"""Exercise 8.1: the last norm and the table of tokens, by pencil and with a calculator."""

from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, check
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show
from labutils.models import PAPER_VOCABULARY, paper_model
from labutils.trace import trace


@dataclass(frozen=True)
class Answer:
    """The reader's numbers: how many of 89 each word has after "the", and the best word after "the cat"."""

    of_89: object
    word: object
    chance: object


def check_pencil(of_89: list[int], word: str, chance: float, seed: int | None = None) -> None:
    """Check the numbers that the paper model gives after "the" and after "the cat".

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        Answer(of_89, word, chance),
        after_the,
        after_the_cat,
        repeat="check_pencil(of_89, word, chance, seed={seed})",
        seed=seed,
    )


STATED = 'of_89 = [64, 8, 8, 1, 8]\nword, chance = "the", 0.6135'
RIGHT = (STATED,)
# fmt: off
MISTAKES = ()
REFUSED = (
    ("leaves out the last norm", "That is without the last norm", '"the", 0.6135', '"the", 0.9784'),
    ("leaves out the gain", "That is without the gain", "0.6135", "0.5996"),
    ("divides by the deviation of a sample", "That is with the deviation that divides by 3", "0.6135", "0.5635"),
    ("another word", "word is 'cat', and another word has the most", '"the",', '"cat",'),
    ("names the shares", "whole numbers that add up to 89", "[64, 8, 8, 1, 8]", "[0.719, 0.09, 0.09, 0.011, 0.09]"),
    ("gives every word the same", r"\[18, 18, 18, 17, 18\], and the row of \*the\* fits", "[64, 8, 8, 1, 8]",
     "[18, 18, 18, 17, 18]"),
    ("forgets that a bit doubles", "a power of two", "[64, 8, 8, 1, 8]", "[57, 9, 9, 5, 9]"),
)
# fmt: on


def chances(ids: list[int], gained: bool = True, normed: bool = True, spread: int = 4) -> Tensor:
    """(V,): after these words; without the gain or the norm, or with a sample's deviation, for spread 3."""
    model = paper_model()
    row = trace(model, ids).layers[0].output[-1]
    gain = model.final_norm.gain.detach() if gained else torch.ones(4, dtype=torch.float64)
    centred = row - row.mean()
    normal = centred / (centred.square().sum() / spread).sqrt() * gain
    return ((normal if normed else row) @ model.embeddings.token.weight.detach().T).softmax(-1)


def after_the(answer: Answer, draw: Draw):
    """After “the” the chances are whole numbers of 89."""
    found = fair.plain(answer.of_89)
    if not isinstance(found, list) or len(found) != 5 or not fair.all_whole(found) or sum(found) != 89:
        raise NotYet(f"of_89 is {show(found)}: five whole numbers that add up to 89, in the order of the vocabulary.")
    right = (chances([0]) * 89).round().int().tolist()
    if found != right:
        more = " One bit more is twice as much, so each number is a power of two." if max(found) < 64 else ""
        raise NotYet(f"of_89 is {found}, and the row of *the* fits the words otherwise.{more}")


def after_the_cat(answer: Answer, draw: Draw):
    """After “the cat” the best word has its chance to four decimals."""
    right = chances([0, 1])
    found, best = fair.number(answer.chance), int(right.argmax())
    slips = {
        "without the last norm": {"normed": False},
        "without the gain, 1.5 ln 2": {"gained": False},
        "with the deviation that divides by 3, and a norm divides by 4": {"spread": 3},
    }
    for said, how in slips.items():
        wrong = chances([0, 1], **how)
        if found is not None and abs(found - float(wrong.max())) < 6e-5:
            raise NotYet(f"word is {show(answer.word)} with {found}. That is {said}.")
    if answer.word != PAPER_VOCABULARY[best]:
        raise NotYet(f"word is {show(answer.word)}, and another word has the most after “the cat”.")
    if found is None or abs(found - float(right[best])) > 6e-5:
        raise NotYet(f"chance is {show(answer.chance)}, and four decimals are not yet those of “{answer.word}”.")
