"""Transplant: one row of one text, carried into the same place of another; and what the model says then, next or in a
hole.
"""

import numpy as np
import traitlets as t

from labutils.checkpoints import facts
from labutils.controls.control import Control, fixed, setting
from labutils.controls.kernel import KernelSource
from labutils.controls.next_word.hole import HOLE
from labutils.controls.reading import at_most, loaded
from labutils.controls.script import call
from labutils.controls.whole_words import hole_word, in_pieces, whole_word

TEXT = "The cat sat on the mat. It was"
OTHER = "The horse sat on the mat. It was"
NUMBERS = "transplant/numbers.js"
AT_ONCE = 5_000_000  # logits: of a larger model the places are tried that the author or the reader names


class Transplant(KernelSource, Control):
    """A grid of all rows at all levels of a model. A click carries one row from the second text into the first;
    everything after it is computed again, and the next word stands beside it, or with a BERT the word in the hole.

    Args:
        text, other: what receives and what gives, of equally many tokens, at most 14; for a BERT each with one [MASK],
            at the same place.
        model: any GPT-2 or BERT that `labutils.checkpoints.load` knows.
        view: "answer", how far each place that was tried moves the answer, or "lens": what each row would say if it
            were the last, to the model's own head.
        level: the place that is tried first: 2 l before the attention of layer l, 2 l + 1 after it, and 2 L, the
            highest, after the last layer. token: the row, counted from 0; both count from the end if negative.
        carried: whether the row of that place is carried.
        tried: the places that were tried, "0.2 6.1" for levels 0 and 6 of tokens 2 and 1, or "all": each is a pass
            through the model, so that those of a large one take a while.
        number: the number before the title, such as "8.1".

    Raises:
        ValueError: no such model, texts that do not have equally many tokens or not the same hole, or no such place.

    What the reader changes is in the traits of the same names. A place that was not tried is an empty outline; once
    both ends are known, a line marks the attention in which the answer travels from one row to another.
    """

    TITLE = "Carry one row into another text"
    LEDE = (
        "Choose a place: its row is taken from the second text, and everything after it is computed again."
        " Which single row holds the answer?"
    )
    CAP = 14

    text: str = setting(default=TEXT)
    other: str = setting(default=OTHER)
    model: str = fixed(default="little-gpt2")
    view: str = setting(default="answer", choices=("answer", "lens"))
    level: int = setting(default=0)
    token: int = setting(default=0)
    carried: bool = setting(default=False)
    tried: str = setting(default="")

    finished = t.Dict(help="both answers, the answer after each place, and with the lens what each row says").tag(
        sync=True
    )

    def made(self, said):
        checkpoint = loaded(said.model)
        info = facts.info(checkpoint)
        if unfit := call(NUMBERS, "misfit", info["causal"], checkpoint.name, [said.text, said.other]):
            raise ValueError(unfit)
        pair = [_ids(checkpoint, text) for text in (said.text, said.other)]
        _check(pair, (said.text, said.other))
        answers = _answering(checkpoint, info, pair)
        level = at_most("level", said.level, 2 * info["layers"] + 1)
        token = at_most("token", said.token, len(pair[0]))
        places = [(at, i) for at in range(2 * info["layers"] + 1) for i in range(len(pair[0]))]
        if len(places) * info["vocab"] > AT_ONCE:
            places = _wished(said.tried, places) + [(level, token)] * said.carried
        looks = None if said.view == "answer" else (level, token) if said.carried else ()
        self.serve(checkpoint)
        return {
            "level": level,
            "token": token,
            "finished": _finished(checkpoint, info, pair, answers, places, looks)
            | {"text": said.text, "other": said.other},
        }

    def __repr__(self) -> str:
        return f"Transplant({self.text!r}, {self.other!r})"


def _ids(checkpoint, text: str) -> list[int]:
    ids = checkpoint.tokenizer.encode(text).ids
    if not ids:
        raise ValueError(f"The text {text!r} has no token that {checkpoint.name} could read: write at least one word.")
    if len(ids) > Transplant.CAP:
        raise ValueError(f"The text {text!r} has {len(ids)} tokens: a transplant takes at most {Transplant.CAP}.")
    return list(ids)


def _check(pair: list[list[int]], texts: tuple[str, str]) -> None:
    if len(pair[0]) != len(pair[1]):
        raise ValueError(
            f"{texts[0]!r} has {len(pair[0])} tokens and {texts[1]!r} has {len(pair[1])}: change the words until they"
            " have equally many."
        )
    if pair[0] == pair[1]:
        raise ValueError("The two texts are the same: change a word of one.")


def _answering(checkpoint, info: dict, pair: list[list[int]]) -> int:
    """The row that answers: the last, or that of the hole."""
    if info["causal"]:
        return len(pair[0]) - 1
    here, there = (ids.index(checkpoint.tokenizer.token_to_id(HOLE)) for ids in pair)
    if here != there:
        raise ValueError(call(NUMBERS, "apart"))
    return here


def _wished(tried: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of the places those that are named, "0.2 6.1" or "all".

    >>> _wished("1.0 9.9", [(0, 0), (1, 0)]), _wished("all", [(0, 0), (1, 0)])
    ([(1, 0)], [(0, 0), (1, 0)])
    """
    words = tried.split()
    return [place for place in places if words == ["all"] or ".".join(map(str, place)) in words]


class _Levels:
    """The stream at each level of two texts, and the logits after a change of it."""

    def __init__(self, checkpoint, layers: int, pair: list[list[int]]):
        from labutils.trace import trace  # here, because the models take seconds to import

        self.checkpoint, self.layers, self.pair, self.trace = checkpoint, layers, pair, trace
        self.mine, self.theirs = (trace(checkpoint.model, ids) for ids in pair)

    def stage(self, level: int) -> str:
        if level == 2 * self.layers:
            return f"layer {self.layers - 1} output"
        return f"layer {level // 2} {'attention_stream' if level % 2 else 'input'}"

    def carrying(self, level: int, token: int):
        """The trace of the first text with one row of the second."""
        row = self.theirs.stages()[self.stage(level)][token]

        def change(x):
            x = x.clone()  # (B, n, d)
            x[..., token, :] = row
            return x

        return self.trace(self.checkpoint.model, self.pair[0], change={self.stage(level): change})

    def read_as_last(self, traced, level: int) -> np.ndarray:
        """(n, V): last LayerNorm and head on the rows of a level."""
        rows = traced.stages()[self.stage(level)]
        last = {self.stage(2 * self.layers): lambda x: rows.expand_as(x)}
        return self.trace(self.checkpoint.model, self.pair[0], change=last).logits.numpy()


def _finished(checkpoint, info: dict, pair: list[list[int]], answers: int, places: list, looks: tuple | None) -> dict:
    at = _Levels(checkpoint, info["layers"], pair)
    n, levels, V = len(pair[0]), 2 * info["layers"] + 1, info["vocab"]
    both = [t.logits.numpy() for t in (at.mine, at.theirs)]
    own = [_bytes(one[answers]) for one in both]
    seen, some = call(NUMBERS, "first", V, *own, [], b""), max(1, AT_ONCE // V)
    for part in (places[i : i + some] for i in range(0, len(places), some)):
        after = np.array([at.carrying(*place).logits[answers].numpy() for place in part])
        seen["places"] |= call(NUMBERS, "first", V, *own, [f"{i}.{j}" for i, j in part], _bytes(after))["places"]
    ones = [(answers, one) for one in [*seen["ones"], *(found["best"] for found in seen["places"].values())]]
    if looks is not None:
        traced = at.carrying(*looks) if looks else at.mine
        said = (_bytes(at.read_as_last(traced, level)) for level in range(levels))
        seen["lens"] = [call(NUMBERS, "saying", V, n, rows)[0] for rows in said]
        seen["looks"] = ".".join(map(str, looks))
        ones += [(i, one) for row in seen["lens"] for i, one in enumerate(row)]
    _name(checkpoint, pair, both, answers, ones)
    tokens, theirs = ([checkpoint.tokenizer.pieces(i) for i in ids] for ids in pair)
    return seen | {"info": info, "L": info["layers"], "n": n, "at": answers, "tokens": tokens, "theirs": theirs}


def _name(
    checkpoint, pair: list[list[int]], both: list[np.ndarray], answers: int, ones: list[tuple[int, dict]]
) -> None:
    """Tokens get their names, and pieces the words that they begin: after the text in which they are more probable."""
    causal = facts.info(checkpoint)["causal"]
    shares = [np.exp(x - x.max(-1, keepdims=True)) for x in both]
    shares = [x / x.sum(-1, keepdims=True) for x in shares]
    known: dict[tuple[int, int], str] = {}
    for i, one in ones:
        one["token"] = checkpoint.tokenizer.pieces(one["id"])
        if not (in_pieces(checkpoint) if causal else i == answers):
            continue
        if (i, one["id"]) not in known:
            ids = pair[int(shares[1][i, one["id"]] > shares[0][i, one["id"]])]
            known[i, one["id"]] = (
                whole_word(checkpoint, ids[: i + 1], one["id"]) if causal else hole_word(checkpoint, ids, i, one["id"])
            )
        one["word"] = known[i, one["id"]]


def _bytes(values: np.ndarray) -> bytes:
    return np.ascontiguousarray(values, dtype="<f8").tobytes()
