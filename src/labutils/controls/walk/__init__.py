"""Walk: one text through a whole model, stage by stage, with the numbers of each; GPT-2 and BERT alike."""

import numpy as np
import traitlets as t

from labutils.checkpoints.facts import info as info_of
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.needed import doubles, without_each_head
from labutils.controls.reading import at_most, fitted, loaded, offered
from labutils.controls.script import call
from labutils.controls.whole_words import whole_word

LIKELY = 0.005  # from this share on, which is written as 1%, a next token stands with its word
MODELS = ("little-gpt2", "little-bert", "paper-gpt2")
STARTS = {"paper-gpt2": "the cat sat", "little-gpt2": "The cat sat on the", "little-bert": "The cat sat on the [MASK]."}
LEFT_OUT = ("pooled", "nsp_logits")  # of the whole text: not on the way to a word
FIRST = "Choose a station, or walk through all of them. Then change the words."
ENDS = ("text", "ids", "odds", "all")  # what stands before the first stage and after the last


class Walk(KernelSource, Control):
    """Every stage between a text and a word: open one and see its formula and its numbers, or walk through all of them.

    Args:
        text: what the model reads, up to 24 tokens; without it, "The cat sat on the" (for a BERT with a hole).
        model: any name that `labutils.checkpoints.load` knows.
        stage: what is open first: "text", "ids", a name of `labutils.models.stages`, or "odds"; of the stations also
            "all".
        layer: the block whose stages are shown, counted from 0; a negative number counts from the end. Without it, the
            first one; of the stations the one with the head that the answer needs.
        head: of the stations, the head that is shown; -1 is the one that the answer needs. Each head of the model is
            switched off in turn: of those that cost the answer at least half of what the dearest one costs, it is the
            one that takes most from another token.
        row: the token whose row is followed; -1 is the one that is asked for a word.
        seed: of the next token that is drawn.
        view: "stages", all of them with their formulas, or "stations", the few of a first walk, drawn as strips.
        then: the text that is read as soon as the guess of this control has been made.
        number: the number before the title, such as "0.1".

    Raises:
        ValueError: no such model, stage, layer, head, row or view, or a text without a token.

    What the reader changes is in the traits of the same names. Setting one of them changes the picture.
    """

    TITLE = "From a text to a word"
    LEDE = "Choose a stage and see its formula and its numbers, or walk through all of them."
    CAP = 24

    text: str | None = setting(default=None)
    model: str = setting(default="little-gpt2")
    stage: str = setting(default="")
    layer: int | None = setting(default=None)
    head: int = setting(default=-1)
    row: int = setting(default=-1)
    seed: int = setting(default=0, least=0, most=2**31 - 1)
    view: str = setting(default="stages", choices=("stages", "stations"))
    then: str = fixed(default="")

    models = t.List(help="those the reader can choose: name, title, text to start with").tag(sync=True)
    table = t.List(help="the stages in order: name, title, meaning, axes, in a block").tag(sync=True)
    known = t.Dict(help="kind of model -> the names of the stages that it has").tag(sync=True)
    finished = t.Dict(help="all stages of the starting text, of the first block shown, in float32").tag(sync=True)

    def made(self, said):
        checkpoint, stations = loaded(said.model), said.view == "stations"
        info = info_of(checkpoint)
        like = "little-gpt2" if info["causal"] else "little-bert"  # what goes on with a text, or fills its hole
        text = STARTS.get(said.model, STARTS[like]) if said.text is None else said.text
        known, stage = _known(), said.stage or ("all" if stations else "odds")
        if stage not in (*ENDS, *known[info["kind"]]):
            raise ValueError(
                f"There is no stage {stage!r} in {said.model}. Choose 'text', 'ids', 'odds' or a stage's name."
            )
        layer = None if said.layer is None else at_most("layer", said.layer, info["layers"])
        ids = _read(checkpoint, info, text)
        row = -1 if said.row == -1 else at_most("row", said.row, len(ids))
        tried = _tried(checkpoint, info, ids, row) if stations else {}
        if layer is None:
            layer = next(iter(tried.values()))["layer"] if tried else 0
        finished = _finished(checkpoint, info, text, ids, layer, known[info["kind"]])
        self.serve(checkpoint)
        return {
            "lede": FIRST if stations and said.lede == self.LEDE else said.lede,
            "text": text,
            "stage": stage,
            "layer": -1 if said.layer is None else layer,
            "head": -1 if said.head == -1 else at_most("head", said.head, info["heads"]),
            "row": row,
            "models": [one | {"text": STARTS.get(one["name"], text)} for one in offered(said.model, MODELS)],
            "table": _table(),
            "known": known,
            "finished": finished | ({"spare": tried} if tried else {}),
        }

    def __repr__(self) -> str:
        return f"Walk(model={self.model!r}, text={self.text!r}, stage={self.stage!r})"


def _table() -> list[list]:
    from labutils.models.stages import STAGES  # here, because the models take seconds to import

    return [
        [one.name, one.title, one.meaning, list(one.axes), one.in_block]
        for one in STAGES.values()
        if one.name not in LEFT_OUT
    ]


def _known() -> dict[str, list[str]]:
    """The stages of each family that are values of their own, in order."""
    from labutils.models import FAMILIES
    from labutils.models.stages import STAGES

    return {
        kind: [name for name in STAGES if name in family.stages - set(family.same) - set(LEFT_OUT)]
        for kind, family in FAMILIES.items()
    }


def _read(checkpoint, info: dict, text: str) -> list[int]:
    encoding = checkpoint.tokenizer.encode(text)
    if not encoding.ids:
        raise ValueError(f"The text {text!r} has no token that {checkpoint.name} could read: write at least one word.")
    return fitted(encoding, min(Walk.CAP, info["maxTokens"]))


def _tried(checkpoint, info: dict, ids: list[int], row: int) -> dict[str, dict]:
    """Of one row, the one that is asked where it is -1: what its answer keeps without each head. Nothing for a model
    with too many heads.
    """
    from labutils.trace import trace

    if not call("walk/needed.js", "isTried", info):
        return {}
    pieces = [checkpoint.tokenizer.pieces(i) for i in ids]
    row = call("walk/numbers.js", "asking", {"tokens": pieces, "info": info}) if row == -1 else row
    weights, logits = without_each_head(checkpoint.model, ids, row)
    plain = trace(checkpoint.model, ids).logits[row]
    found = call("walk/needed.js", "first", info, len(ids), row, doubles(plain), doubles(logits), doubles(weights))
    for one in found["instead"]:
        one["token"] = checkpoint.tokenizer.pieces(one["id"])
    return {str(row): found}


def _finished(checkpoint, info: dict, text: str, ids: list[int], layer: int, names: list[str]) -> dict:
    from labutils.trace import trace

    traced = trace(checkpoint.model, ids, checkpoint.tokenizer)
    values = {name: getattr(traced.layers[layer] if name in traced.layers[layer] else traced, name) for name in names}
    logits = values.pop("logits").numpy()
    pieces = checkpoint.tokenizer.pieces
    ahead = call("walk/numbers.js", "first", *logits.shape, logits.astype("<f8").tobytes())
    for one in (one for row in ahead for one in row):
        one["token"] = pieces(one["id"])
    for one in ahead[-1] if info["causal"] else ():
        if one["p"] >= LIKELY and one["token"].startswith("␣"):
            one["word"] = whole_word(checkpoint, ids, one["id"])
    return {
        "text": text,
        "info": info,
        "tokens": [pieces(i) for i in ids],
        "ids": ids,
        "layer": layer,
        "ahead": ahead,
        "arrays": {name: np.ascontiguousarray(value.numpy(), dtype="<f4").tobytes() for name, value in values.items()},
    }
