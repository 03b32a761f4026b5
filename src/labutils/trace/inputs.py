"""From what a caller has (a text, ids, an encoding, or several) to one padded batch."""

from dataclasses import dataclass

import torch
from torch import Tensor

from labutils.models.inputs import tensor_of


@dataclass(frozen=True)
class Batch:
    """What a model reads, (B, n) each. `single`: the caller gave one text, not a list."""

    ids: Tensor
    attention_mask: Tensor
    type_ids: Tensor
    position_ids: Tensor
    single: bool

    def to(self, device) -> "Batch":
        move = {name: getattr(self, name).to(device) for name in ("ids", "attention_mask", "type_ids", "position_ids")}
        return Batch(**move, single=self.single)


def read(given, tokenizer=None, attention_mask=None, type_ids=None) -> Batch:
    """Raises ValueError with one sentence if `given` is nothing that can be read."""
    single = _is_one(given)
    rows = [given] if single else list(given)
    if not rows:
        raise ValueError("There is no text to trace: the list is empty.")
    encodings = [_encode(row, tokenizer) for row in rows]
    if any(not len(ids) for ids, _, _ in encodings):
        raise ValueError("There is no token to trace: the text is empty. Give at least one token.")
    width = max(len(ids) for ids, _, _ in encodings)
    fill = lambda values: torch.tensor([list(v) + [0] * (width - len(v)) for v in values])
    ids, masks, types = (fill(column) for column in zip(*encodings))
    masks = masks if attention_mask is None else _shaped(attention_mask, ids, "attention_mask")
    types = types if type_ids is None else _shaped(type_ids, ids, "type_ids")
    if not (masks == 1).any(-1).all():
        raise ValueError("attention_mask hides every token of a text: leave that text out, or unmask one token.")
    positions = (masks.cumsum(-1) - 1).clamp(min=0) * masks  # padding takes up no place, on whichever side it stands
    return Batch(ids, masks, types, positions, single)


def _is_one(given) -> bool:
    if isinstance(given, Tensor):
        if given.ndim not in (1, 2):
            raise ValueError(
                f"ids have the shape {tuple(given.shape)}; expected (tokens,) for one text or (batch, tokens)."
            )
        return given.ndim == 1
    if isinstance(given, str) or hasattr(given, "ids"):
        return True
    if isinstance(given, (list, tuple)):
        return bool(given) and _is_number(given[0])
    if _is_array(given):
        return _is_one(tensor_of(given, "ids"))
    raise ValueError(f"A trace reads a text, ids, an encoding, or a list of them, not {type(given).__name__}.")


def _is_array(given) -> bool:
    """Of NumPy's, say."""
    return hasattr(given, "__array__") and hasattr(given, "ndim")


def _is_number(one) -> bool:
    return isinstance(one, (int, float)) or getattr(one, "ndim", None) == 0


def _encode(row, tokenizer) -> tuple[list[int], list[int], list[int]]:
    """ids, attention mask and segments of one text."""
    if isinstance(row, str):
        if tokenizer is None:
            raise ValueError("To trace a text, pass its tokenizer too: trace(model, text, tokenizer).")
        row = tokenizer.encode(row)
    if hasattr(row, "ids"):  # an Encoding of labutils.text
        return list(row.ids), list(row.attention_mask), list(row.type_ids)
    found = tensor_of(row, "ids")  # HuggingFace's tokenizer.encode returns a list of ids
    if found.ndim != 1:
        raise ValueError(f"The ids of one text have the shape {tuple(found.shape)}; expected (tokens,).")
    if found.is_floating_point() and found.numel():
        raise ValueError(f"ids must be whole numbers (torch.long), not {found.dtype}.")
    ids = found.tolist()
    return ids, [1] * len(ids), [0] * len(ids)


def _shaped(values, ids: Tensor, name: str) -> Tensor:
    values = tensor_of(values, name)
    values = values[None] if values.ndim == 1 else values
    if values.shape != ids.shape:
        raise ValueError(
            f"{name} has the shape {tuple(values.shape)}, the ids have {tuple(ids.shape)}: they must be equal."
        )
    if (values != values.long()).any():
        raise ValueError(f"{name} must be whole numbers.")
    return values.long()


def names(ids: list[int], tokenizer) -> list[str]:
    """The tokens as the vocabulary writes them; without a tokenizer, the ids as text."""
    if tokenizer is None:
        return [str(i) for i in ids]
    if hasattr(tokenizer, "id_to_token"):
        return [tokenizer.id_to_token(i) for i in ids]
    return tokenizer.convert_ids_to_tokens(ids)  # HuggingFace's tokenizers
