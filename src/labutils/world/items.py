"""What the tasks hand over, one item at a time, each with its right answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A question whose answer is `context[start:end]`, and what is asked for.

    =====  ==================================================  =======================
    kind   question                                            answer
    =====  ==================================================  =======================
    who    Who guided the old fox? Who had a red apple?        somebody
    went   Who went to the market?                             somebody
    where  Where did Anna go? Where does the old fox live?     a place, "to the market"
    what   What did Anna have? What does Tom give to the cow?  a thing, "a ball"
    =====  ==================================================  =======================

    Where the story only has a pronoun for somebody, the answer is the nearest noun or name before it that the
    pronoun stands for.

    `candidates` are all in the context that might be the answer, judging by the question alone, in the order in which
    they are first named, each with the (start, end) of its noun phrases: number `gold` is right. Somebody whom the
    question names is no candidate, nor one who never does what is asked: only pilots and their like drive. An answer
    of several ("Emma and Noah") has no candidates and -1.
    """

    context: str
    question: str
    answer: str
    start: int
    end: int
    kind: str
    candidates: tuple[tuple[tuple[int, int], ...], ...] = ()
    gold: int = -1


@dataclass(frozen=True)
class Ending:
    """A story that ends with what became of a thing and how its owner feels; `fits`: both go together.

    "In the end, Anna had lost the ball and was sad." fits, and so does "still had the ball and was happy". The other
    two of these four ends do not, and the world never tells them.
    """

    text: str
    fits: bool


@dataclass(frozen=True)
class Halves:
    """How a story begins, and the rest of it in two parts; `in_order`: `first` comes before `second`.

    One of the parts begins with a pronoun. In one order it means the one of whom the sentence before tells, in the
    other that sentence is about somebody whom this pronoun cannot mean, so only one order is a story of the world.
    """

    opening: str
    first: str
    second: str
    in_order: bool
