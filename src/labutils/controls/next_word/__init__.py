"""Next word: what a model gives to each token that could come next, and a text that goes on token by token."""

import traitlets as t

from labutils.controls.control import Control, widget
from labutils.controls.kernel import KernelSource
from labutils.controls.next_word.ahead import ahead
from labutils.controls.reading import loaded, offered

CAP = 64
MODELS = ("paper-gpt2", "little-gpt2")
STARTS = {"paper-gpt2": "the cat sat"}
START = "The cat sat on the mat. It was"
TOP = (5, 10, 20)


class NextWord(KernelSource, Control):
    """The distribution over the next token; take one of the tokens, or draw one, and go on.

    Args:
        text: what the model reads; without it, "The cat sat on the mat. It was" (for the paper model "the cat sat").
        model: any GPT-2 that `labutils.checkpoints.load` knows.
        trail: how the text went on, "d512s7 p3" for token 512 drawn with seed 7 and then token 3 chosen.
        seed: of the draws; the same seed draws the same tokens. top: how many tokens are listed, 5, 10 or 20.
        number: the number before the title, such as "8.1".

    Raises:
        ValueError: no such model, a BERT, a text without a token, a trail or a seed that cannot be read.

    What the reader changes is in the traits ``model``, ``text``, ``trail``, ``seed`` and ``top``.
    """

    _esm = widget("next_word")
    control = t.Unicode("next_word").tag(sync=True)
    title = t.Unicode("What comes next").tag(sync=True)
    lede = t.Unicode("Each token has a probability of coming next. Choose one, or draw one, and go on.").tag(sync=True)
    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    model, text, trail = (t.Unicode().tag(sync=True) for _ in range(3))
    seed, top = t.Int(0, min=0).tag(sync=True), t.Int(10).tag(sync=True)
    finished = t.Dict(help="the state shown first: the trail with its probabilities, the most probable tokens, the entropy in bits").tag(sync=True)

    def __init__(self, text: str | None = None, model: str = "little-gpt2", trail: str = "", seed: int = 0, top: int = 10, number: str = "", name: str = "", **more):
        if not 0 <= seed < 2**31:
            raise ValueError(f"A seed is a whole number from 0 to {2**31 - 1}, not {seed}.")
        if top not in TOP:
            raise ValueError(f"top={top} tokens cannot be listed: choose 5, 10 or 20.")
        text = STARTS.get(model, START) if text is None else text
        finished = ahead(loaded(model), text, trail, CAP)
        models = [one | {"text": STARTS.get(one["name"], START)} for one in offered(model, MODELS)]
        super().__init__(text=text, model=model, trail=finished["trail"], seed=seed, top=top, number=number, name=name, models=models, finished=finished, **more)
        self.serve(loaded(model))

    def __repr__(self) -> str:
        return f"NextWord(model={self.model!r}, text={self.text!r})"
