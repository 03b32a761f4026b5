"""What a model may be given. Anything else gets one sentence that says what was wrong
and what to do.

While torch compiles, exports or maps a model there are no values to look at, so what
looks at values steps aside.
"""

import torch
from torch import Tensor

from labutils.layers import readable


def register_output(output: type) -> type:
    """Let torch.export take the dataclass apart that a model returns, and write it into
    a file under its full name.
    """
    name = f"{output.__module__}.{output.__qualname__}"
    torch.export.register_dataclass(output, serialized_type_name=name)
    return output


def check_ids(ids: Tensor, vocab_size: int, n_max: int, past: int = 0) -> None:
    """ids: (B, n) of whole numbers below vocab_size, 1 <= n, and past + n <= n_max,
    where `past` tokens were read before. Raises ValueError.
    """
    _check_whole_numbers(ids, "ids")
    if ids.ndim != 2:
        raise ValueError(
            f"ids have the shape {tuple(ids.shape)}, expected (batch, tokens): for one"
            " text pass ids[None]."
        )
    if ids.numel() == 0:
        raise ValueError(
            f"ids have the shape {tuple(ids.shape)}: there is no token to read. Give at"
            " least one text with one token."
        )
    length = past + ids.shape[1]
    if length > n_max:
        raise ValueError(
            f"The text has {length} tokens and this model has positions for"
            f" {n_max}: shorten or split it."
        )
    _check_range(ids, vocab_size, "id", "the vocabulary")


def check_attention_mask(
    attention_mask: Tensor | None, ids: Tensor, cached: bool = False
) -> None:
    """attention_mask: None, or the shape of ids with 1 for a token and 0 for padding,
    one token at least in each row. `cached`: ids are a part of each text, so a row may
    be padding alone, before a text begins and after it has ended. Raises ValueError.
    """
    if attention_mask is None:
        return
    _check_tensor(attention_mask, "attention_mask", "1 and 0")
    if attention_mask.shape != ids.shape:
        raise ValueError(
            f"attention_mask has the shape {tuple(attention_mask.shape)}, the ids have"
            f" {tuple(ids.shape)}: they must be equal."
        )
    if not readable(attention_mask):
        return
    if not ((attention_mask == 0) | (attention_mask == 1)).all():
        raise ValueError(
            "attention_mask may hold only 1, for a token of the text, and 0, for"
            " padding."
        )
    hidden = (attention_mask == 0).all(-1).nonzero()
    if len(hidden) and not cached:
        raise ValueError(
            f"attention_mask hides every token of text {int(hidden[0])} in the batch:"
            " leave that text out, or unmask one token."
        )


def check_rows(
    values: Tensor | None, ids: Tensor, size: int, name: str, table: str
) -> None:
    """values (position_ids, type_ids): None, or whole numbers below `size` in the shape
    of ids. Raises ValueError.
    """
    if values is None:
        return
    _check_whole_numbers(values, name)
    if values.shape != ids.shape:
        raise ValueError(
            f"{name} have the shape {tuple(values.shape)}, the ids have"
            f" {tuple(ids.shape)}: they must be equal."
        )
    _check_range(values, size, name, table)


def tensor_of(values, name: str) -> Tensor:
    """Numbers as a caller has them: in a tensor, an array of NumPy's, lists or tuples,
    which may hold tensors. Raises ValueError, one sentence, for anything else, and for
    rows of unequal length.
    """
    if isinstance(values, list | tuple):
        rows = [tensor_of(one, name) for one in values]
        if len({row.shape for row in rows}) > 1:
            raise ValueError(
                f"{name} has rows of {sorted({row.numel() for row in rows})} numbers:"
                " fill the shorter ones up."
            )
        return torch.stack(rows) if rows else torch.zeros(0, dtype=torch.int64)
    try:
        return torch.as_tensor(values)
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(
            f"{name} must be numbers, in a tensor, an array or lists, not {values!r}."
        ) from None


def _check_tensor(values: Tensor, name: str, of: str) -> None:
    if not isinstance(values, Tensor):
        raise ValueError(
            f"{name} must be a tensor of {of}, not {type(values).__name__}: use"
            " torch.tensor(...)."
        )


def _check_whole_numbers(values: Tensor, name: str) -> None:
    _check_tensor(values, name, "whole numbers")
    if values.dtype not in (torch.int64, torch.int32):
        raise ValueError(
            f"{name} must be whole numbers (torch.long), not {values.dtype}."
        )


def _check_range(values: Tensor, size: int, name: str, table: str) -> None:
    if not readable(values):
        return
    wrong = ((values < 0) | (values >= size)).nonzero()
    if len(wrong):
        row, place = wrong[0].tolist()
        raise ValueError(
            f"{name} {int(values[row, place])} (text {row}, place {place}) is outside"
            f" {table}, which has 0 to {size - 1}."
        )
