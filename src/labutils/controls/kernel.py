"""The Python side of a control's source of numbers: answers `engine/kernel_source.js` with any model that the loader
can load.

A control's widget mixes `KernelSource` in and says once which model it shows:

    class Steps(KernelSource, Control):
        def made(self, said):
            self.serve(said.model)

Questions come as custom messages {id, ask, name, …}. An answer is {id, answer, arrays} with one binary buffer for each
array; an error is {id, error}, one sentence for the reader. A question may bring stages to go on with: `put` are their
full names, the buffers their numbers.
"""

from collections.abc import Callable
from typing import Any

import torch

from labutils.analysis.contributions import contributions
from labutils.checkpoints import Checkpoint
from labutils.checkpoints.facts import info
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.reading import following, loaded, named, tokenizer_of
from labutils.controls.whole_words import known_words
from labutils.models import family_of
from labutils.models.inputs import check_ids
from labutils.models.stages import STAGES
from labutils.text.unicode import table
from labutils.trace import Trace, trace

LARGEST = 64_000_000  # bytes of one answer; a browser tab takes more only slowly


class KernelSource:
    """Mixin for an anywidget.AnyWidget. `serve` tells it which model stands behind the control. Its argument ``model``
    is a name, the path of a folder, or what `labutils.checkpoints.load` returned.
    """

    @staticmethod
    def taken(name: str, value: Any) -> Any:
        return named(value) if name == "model" else value

    def serve(self, model: Checkpoint | str) -> None:
        """Answer for `model`, a Checkpoint (ours or HuggingFace's) or a name for `labutils.checkpoints.load`.

        Questions about another name load that model, from this machine only.
        Raises CheckpointError for a name that cannot be loaded.
        """
        checkpoint = loaded(model) if isinstance(model, str) else model
        self.listen()
        self._served[checkpoint.name] = checkpoint

    def listen(self) -> None:
        """Answer from now on; a control that shows no model, only tokenizers, needs no more."""
        if not hasattr(self, "_served"):
            self._served: dict[str, Checkpoint] = {}
            self.on_msg(self._hear)

    def _hear(self, _: Any, content: dict, buffers: list) -> None:
        if not isinstance(content, dict) or "ask" not in content:
            return
        try:
            answer, arrays = self._answer(content, buffers)
            self.send(
                {"id": content.get("id"), "answer": answer, "arrays": [_described(*pair) for pair in arrays.items()]},
                [_contiguous(array).numpy().tobytes() for array in arrays.values()],
            )
        except ValueError as error:
            self.send({"id": content.get("id"), "error": _sentence(str(error))})
        except Exception as error:  # whatever it is, the reader gets a sentence and the control goes on
            self.send(
                {
                    "id": content.get("id"),
                    "error": _sentence(f"Python could not answer ({type(error).__name__}: {error})"),
                }
            )

    def _answer(self, content: dict, buffers: list) -> tuple[dict, dict[str, torch.Tensor]]:
        """(what goes as JSON, what goes as binary arrays)."""
        name = content.get("name")
        if content["ask"] == "tokenizer" and name not in self._served:  # it may have no model beside it
            return {"data": tokenizer_file(tokenizer_of(str(name))), "unicode": table()}, {}
        if name not in self._served:
            self.serve(str(name))
        return answer(self._served[name], content, buffers)


def answer(checkpoint: Checkpoint, content: dict, buffers: list = ()) -> tuple[dict, dict[str, torch.Tensor]]:
    """Answer one question about a model. Raises ValueError, one sentence, for bad input."""
    ask, tokenizer, ids = content["ask"], checkpoint.tokenizer, content.get("ids", [])
    if not all(type(i) is int for i in ids):
        raise ValueError("Ids are whole numbers.")
    if ask == "hello":
        return {"info": info(checkpoint)}, {}
    if ask == "tokenizer":
        return {"data": tokenizer_file(tokenizer), "unicode": table()}, {}
    if ask == "encode":
        return _encoding(tokenizer, tokenizer.encode(content["text"], content.get("pair"))), {}
    if ask == "tokens":
        return {"tokens": [tokenizer.pieces(i) for i in ids]}, {}
    if ask == "decode":
        return {"text": tokenizer.decode(ids)}, {}
    if ask == "known":
        return {"words": sorted(known_words(checkpoint))}, {}
    if ask == "trace":
        return _trace(checkpoint, content, _change(content, buffers))
    if ask == "stage":
        return _stage(checkpoint, content, _change(content, buffers))
    if ask == "next":
        return {}, {"logits": _next(checkpoint, ids)}
    raise ValueError(
        f"The control asked for {ask!r}, which this version of labutils does not know: restart the kernel."
    )


def _change(content: dict, buffers: list) -> dict[str, Callable[[torch.Tensor], torch.Tensor]]:
    """What the model is to go on with, as `trace` takes it."""
    put = {
        name: torch.frombuffer(bytearray(buffer), dtype=torch.float64)
        for name, buffer in zip(content.get("put", ()), buffers)
    }
    return {name: lambda value, other=other: other.to(value).view_as(value) for name, other in put.items()}


def _read(checkpoint: Checkpoint, content: dict) -> dict:
    """The ids of the question and what belongs to each."""
    text, ids, facts = content.get("text"), content.get("ids", []), info(checkpoint)
    types = content.get("typeIds") or [0] * len(ids)
    if len(types) != len(ids) or not all(t in (0, 1) for t in types):
        raise ValueError("Each token needs a segment, 0 or 1.")
    described = {"typeIds": types, "ids": ids, "offsets": None}
    if text is not None:
        described = _encoding(checkpoint.tokenizer, checkpoint.tokenizer.encode(text))
    _check(described["ids"], facts["vocab"], facts["maxTokens"])
    return described


def _stage(checkpoint: Checkpoint, content: dict, change: dict) -> tuple[dict, dict[str, torch.Tensor]]:
    """Of the places in `of`, the one that is computed first, with its value."""
    described = _read(checkpoint, content)
    types = torch.tensor([described["typeIds"]])
    found = trace(checkpoint.model, described["ids"], type_ids=types, change=change).stages()
    if missing := [name for name in content["of"] if name not in found]:
        raise ValueError(
            f"This model has no stage “{missing[0]}” to change. A stage of a block is called “layer 0 weights”, say."
        )
    first = next(name for name in found if name in content["of"])
    return {"place": first}, {"value": found[first]}


def _trace(checkpoint: Checkpoint, content: dict, change: dict) -> tuple[dict, dict[str, torch.Tensor]]:
    described, facts, tokenizer, want = (
        _read(checkpoint, content),
        info(checkpoint),
        checkpoint.tokenizer,
        content["want"],
    )
    ids = described["ids"]
    t = trace(checkpoint.model, ids, type_ids=torch.tensor([described["typeIds"]]), change=change)
    arrays = {name: _whole(t, checkpoint.model, name) for name in want}
    if (size := sum(a.numel() * a.element_size() for a in arrays.values())) > LARGEST:
        raise ValueError(
            f"For {len(ids)} tokens the answer would take {size / 1e6:.0f} MB, more than a control can draw: shorten"
            " the text."
        )
    named = {"L": "layers", "H": "heads", "G": "keyHeads", "dk": "headDim", "d": "width", "f": "ffn", "V": "vocab"}
    shape = {"n": len(ids)} | {letter: facts[name] for letter, name in named.items()}
    return described | {"tokens": [tokenizer.pieces(i) for i in ids], "shape": shape}, arrays


def _next(checkpoint: Checkpoint, ids: list[int]) -> torch.Tensor:
    """Logits (V) of the token that follows."""
    if not family_of(checkpoint.model).causal:
        raise ValueError("This model reads a whole text at once and does not continue one: choose a GPT-2.")
    facts = info(checkpoint)
    _check(ids, facts["vocab"], facts["maxTokens"])
    return following(checkpoint.model)(ids)


def _check(ids: list[int], vocab: int, most: int) -> None:
    if not ids:
        raise ValueError("The text is empty: there is no token to read. Write at least one word.")
    if len(ids) > most:
        raise ValueError(f"The text has {len(ids)} tokens and this model reads at most {most}: shorten it.")
    check_ids(torch.tensor([ids]), vocab, most)


def _whole(t: Trace, model: torch.nn.Module, name: str) -> torch.Tensor:
    """One stage by name, with the layers in front."""
    if name == "contributions":
        return contributions(t, model)
    in_block = name in STAGES and STAGES[name].in_block
    if name not in STAGES or name not in (t.layers[0] if in_block else t):
        raise ValueError(f"A trace of this model has no stage called “{name}”.")
    return torch.stack([getattr(layer, name) for layer in t.layers]) if in_block else getattr(t, name)


def _encoding(tokenizer: Any, encoding: Any) -> dict:
    return {
        "ids": encoding.ids,
        "tokens": [tokenizer.pieces(i) for i in encoding.ids],
        "offsets": encoding.offsets,
        "typeIds": encoding.type_ids,
        "special": encoding.special_tokens_mask,
        "wordIds": encoding.word_ids,
        "sequenceIds": encoding.sequence_ids,
    }


def _described(name: str, array: torch.Tensor) -> dict:
    return {"name": name, "shape": list(array.shape), "dtype": "float64" if array.dtype == torch.float64 else "float32"}


def _contiguous(array: torch.Tensor) -> torch.Tensor:
    """As it travels: float64 stays, everything else becomes float32."""
    return array.detach().cpu().to(torch.float64 if array.dtype == torch.float64 else torch.float32).contiguous()


def _sentence(text: str) -> str:
    """The first line of a message, ended by a full stop."""
    line = (text.strip().splitlines() or ["Python could not answer"])[0].strip()
    return line if line.endswith((".", "!", "?")) else f"{line}."
