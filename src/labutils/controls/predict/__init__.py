"""Predict: a question before its answer. The reader's guess is kept by the browser, and the reveal answers it."""

from numbers import Real

import traitlets as t

from labutils.controls.control import Control, fixed

ASKED = ("name", "question", "choices", "right", "answer", "unit", "within", "replies", "why")


class Predict(Control):
    """A question with three to five choices, or with a number for an answer. Made by `predict`."""

    question: str = fixed()
    choices: list = fixed(default=(), kept=t.List(help="(choice, reply), in order; empty where a number is asked"))
    right: int = fixed(default=-1)
    answer: float = fixed(default=0.0)
    unit: str = fixed(default="")
    within: float = fixed(default=0.0)
    replies: list = fixed(default=(), kept=t.List(help="(low, high, reply) for wrong numbers that have a reason"))
    why: str = fixed(default="")

    def made(self, said):
        return {"choices": list(said.choices), "replies": list(said.replies)}

    def open(self):
        """Nothing yet: the box opens when it is drawn. In the frame of another control it never is, and a box that
        opens and closes at once would leave an error in JupyterLab’s console.
        """

    @property
    def model_id(self) -> str:
        super().open()
        return super().model_id

    def asked(self) -> dict:
        """What a control needs in order to ask this in its own frame."""
        return {name: getattr(self, name) for name in ASKED}

    def __repr__(self) -> str:
        return f"Predict({self.name!r})"


def predict(
    name: str,
    question: str,
    *choices: tuple[str, str],
    right: int | None = None,
    answer: float | None = None,
    unit: str = "",
    within: float = 0.0,
    replies=(),
    why: str = "",
) -> Predict:
    """Ask before telling: in a box of its own, or in the frame of a control that takes it as ``guess=``.

    In `question`, in the choices and in the replies ``*word*`` is emphasis and a word in backquotes is code.

    Args:
        name: what the browser keeps the guess under; unique in the book.
        choices: three to five pairs (choice, reply). Each reply says why, also that of the right choice.
        right: the index of the right choice, counted from 0.
        answer: instead of choices, the number that is asked for.
        unit: what the number counts, such as "tokens".
        within: a guess at most this far from `answer` is right.
        replies: (number, reply) or (low, high, reply) for wrong numbers whose reason can be guessed.
        why: what is said below the answer, whatever was guessed.

    Raises:
        ValueError: the question has neither choices nor a number for an answer, or has both, or not three to five
            choices.
    """
    if (answer is None) == (not choices):
        raise ValueError(f"Predict {name!r}: give three to five choices with right=, or a number with answer=.")
    if choices:
        if not 3 <= len(choices) <= 5:
            raise ValueError(
                f"Predict {name!r} has {len(choices)} choices; three to five can be weighed against each other."
            )
        if right is None or not 0 <= right < len(choices):
            raise ValueError(
                f"Predict {name!r}: right= is the index of the right choice, 0 to {len(choices) - 1}, not {right}."
            )
        return Predict(name=name, question=question, choices=[list(pair) for pair in choices], right=right)
    if not isinstance(answer, Real):
        raise ValueError(f"Predict {name!r}: answer= is a number, not {answer!r}.")
    return Predict(
        name=name,
        question=question,
        answer=float(answer),
        unit=unit,
        within=float(within),
        why=why,
        replies=[[*_ends(numbers), reply] for *numbers, reply in replies],
    )


def _ends(numbers) -> tuple[float, float]:
    """One number or (low, high) as an interval; one number counts with what rounds to it."""
    low, high = (numbers * 2)[:2] if len(numbers) == 1 else numbers
    slack = [1e-9 * max(1.0, abs(end)) for end in (low, high)]  # each end its own: low may be −1e300
    return float(low) - slack[0], float(high) + slack[1]
