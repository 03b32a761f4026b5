"""Parity: two tellings of the same computation side by side, stage by stage, and the first stage at which they part.

Two tensors a and b count as equal if every single number is. In float64 that means |a - b| <= 1e-10 · (1 + |b|), so
that a large number excuses nothing in its neighbours; `check` runs both sides in it. In float32 rounding alone is
larger, so there it means
|a - b| <= 256 ε S, where ε is the rounding of the dtype and S the largest number that entered the stage or one before
it. A masked score, -inf, equals a masked score.
"""

import copy
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from typing import NamedTuple

import torch
from torch import Tensor, nn

from labutils.models.stages import titled
from labutils.trace import Trace, trace

_WORDS = {"same": "equal", "first": "first stage that differs", "after": "differs after it"}
_LAYER = re.compile(r"(?:^layer |\.h\.|\.layer\.)(\d+)[ .]")  # of a stage, or of a parameter of GPT-2 or BERT
TOLERANCE = 1e-10  # in float64
ROUNDINGS = 256  # how many roundings of the largest number are no difference


class Row(NamedTuple):
    """difference: the largest |a - b|; inf where one is masked and the other not, or the shapes differ.

    state: "same", "first" (the first stage that differs) or "after" (differs, after another one did).
    """

    stage: str
    difference: float
    state: str


@dataclass(frozen=True, repr=False)
class StageTable:
    """One row for each stage, and the `criterion` by which they are called equal, in words.

    Printed, the difference of equal stages is rounded up to a power of ten, and never below `floor`: smaller ones
    differ from machine to machine, and the text is to be the same everywhere. `first` names the first stage that
    differs, or is None; `equal` says that none does. A long table is shown folded: one layer in full (the one that
    differs first, else layer 0), the others in one line. `brief()` folds each run of equal stages as well, `detail()`
    shows every row, `layer(i)` the rows of one layer.
    """

    rows: tuple[Row, ...]
    criterion: str
    floor: float
    folded: bool = True
    equal_folded: bool = False

    @property
    def first(self) -> str | None:
        return next((row.stage for row in self.rows if row.state == "first"), None)

    @property
    def equal(self) -> bool:
        return self.first is None

    def brief(self) -> "StageTable":
        """The same rows, of which stages that agree one after the other are shown in one line."""
        return replace(self, equal_folded=True)

    def detail(self) -> "StageTable":
        return replace(self, folded=False, equal_folded=False)

    def layer(self, i: int) -> "StageTable":
        rows = tuple(row for row in self.rows if _layer_of(row) == i)
        if not rows:
            raise ValueError(
                f"This table has no layer {i}; it has {1 + max((_layer_of(row) for row in self.rows), default=-1)},"
                " counted from 0."
            )
        return replace(self, rows=rows, folded=False, equal_folded=False)

    def __repr__(self) -> str:
        cells = [("stage", "difference", "state")] + [
            (r.stage, self._number(r), _WORDS[r.state]) for r in self._shown()
        ]
        wide = max(len(stage) for stage, _, _ in cells)
        return (
            "\n".join(f"{stage:<{wide}}  {number:>12}  {words}" for stage, number, words in cells)
            + f"\n{self.criterion}"
        )

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr class="is-{row.state}"><th scope="row">{escape(row.stage)}</th><td>{escape(self._number(row))}</td>'
            f'<td><i aria-hidden="true"></i>{_WORDS[row.state]}</td></tr>'
            for row in self._shown()
        )
        head = "".join(f'<th scope="col">{title}</th>' for title in ("Stage", "Largest difference", "State"))
        return (
            f'<table class="itt-check"><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
            f"<caption>{escape(self.criterion)}</caption></table>"
        )

    def _number(self, row: Row) -> str:
        if row.state == "same":
            return f"below {10 ** math.ceil(math.log10(max(row.difference, self.floor)) - 1e-9):.0e}"
        x = float(f"{row.difference:.5g}")  # so that 0.12500001 and 0.12499999 are printed alike
        return f"{x:.2f}" if not x < 0.01 else f"{x:.0e}"

    def _shown(self) -> list[Row]:
        """A row for each line of the table: one stage, or several that are folded."""
        lines = self._by_layer() if self.folded else [(row.stage, [row]) for row in self.rows]
        return [_fold(*line) for line in (_equals_joined(lines) if self.equal_folded else lines)]

    def _by_layer(self) -> list[tuple[str, list[Row]]]:
        """(name, rows) of each line: one row, or a run of layers that is not looked at."""
        layers = sorted({_layer_of(row) for row in self.rows} - {-1})
        looked_at = next(
            (_layer_of(row) for row in self.rows if row.state == "first" and _layer_of(row) >= 0),
            min(layers, default=-1),
        )
        lines: list[tuple[str, list[Row]]] = []
        for side, group in groupby(self.rows, key=lambda row: _side(_layer_of(row), looked_at, len(layers))):
            rows = list(group)
            lines += [(_layers(rows), rows)] if side else [(row.stage, [row]) for row in rows]
        return lines


def check(ours: nn.Module, theirs: nn.Module, text_or_ids, tokenizer=None, **given) -> StageTable:
    """Run both models on a text in float64 and compare every stage.

    ours: GPT2 or Bert of labutils; theirs: the model of transformers with the same weights. Both stay as they are: what
    runs are copies. text_or_ids, tokenizer and what else is given are those of `trace`. Raises ValueError as `trace`
    and `compare` do.
    """
    return compare(*(trace(_double(model), text_or_ids, tokenizer, **given) for model in (ours, theirs)))


def _double(model: nn.Module) -> nn.Module:
    exact = all(p.dtype == torch.float64 for p in model.parameters())
    return model if exact else copy.deepcopy(model).double()


def compare(
    ours: Trace | Mapping[str, Tensor], theirs: Trace | Mapping[str, Tensor], tol: float | None = None
) -> StageTable:
    """Compare two traces of the same text, or two mappings from stage to tensor, in the order of `ours`.

    tol: 1e-10 in float64 and 0 otherwise, unless given. Raises ValueError if they are not tellings of the same thing:
    another text, another kind of model, other stages.
    """
    if isinstance(ours, Trace) and isinstance(theirs, Trace):
        _same_thing(ours, theirs)
        ours, theirs = stages(ours), stages(theirs)
    alone = [name for name in [*ours, *theirs] if (name in ours) != (name in theirs)]
    if alone:
        raise ValueError(f"Only one of the two has the stage {alone[0]!r}: compare the same stages.")
    return _table([(name, torch.as_tensor(ours[name]), torch.as_tensor(theirs[name])) for name in ours], tol)


def compare_gradients(ours: nn.Module, theirs: nn.Module, tol: float | None = None) -> StageTable:
    """Compare the gradients of every parameter after a backward pass through both, under HuggingFace's names.

    ours: GPT2 or Bert of labutils; theirs: the model of transformers with the same weights. No gradient counts as 0.
    What enters a gradient comes from all the others, so S is the largest of them.
    """
    found = {name: p.new_zeros(p.shape) if p.grad is None else p.grad for name, p in theirs.named_parameters()}
    largest = max(_size(gradient) for gradient in found.values())
    named = ours.to_hf_gradients()
    if set(named) != set(found):
        raise ValueError(
            f"Only one of the two has {sorted(set(named) ^ set(found))[0]!r}: compare models with the same parameters."
        )
    return _table([(name, named[name], found[name]) for name in found], tol, largest)


def stages(traced: Trace) -> dict[str, Tensor]:
    """The tensors of a trace by readable names, in the order in which they are computed."""
    return {titled(name): tensor for name, tensor in traced.stages().items()}


def agree(a: Tensor, b: Tensor, tol: float, rounding: float = 0.0) -> tuple[float, bool]:
    """The largest |a - b|, and whether |a - b| <= tol · (1 + |b|) + rounding everywhere. See `Row` for inf; nan agrees
    with nothing.
    """
    if a.shape != b.shape or a.numel() == 0:
        return (0.0, True) if a.shape == b.shape else (float("inf"), False)
    a, b = a.detach(), b.detach()
    masked = b == -torch.inf
    if masked.any() or (a == -torch.inf).any():
        if not torch.equal(masked, a == -torch.inf):
            return float("inf"), False
        a, b = a.masked_fill(masked, 0.0), b.masked_fill(masked, 0.0)
    gaps = (a - b).abs()
    return float(gaps.max()), bool((gaps <= tol * (1 + b.abs()) + rounding).all())


def _table(triples: list[tuple[str, Tensor, Tensor]], tol: float | None, entered: float = 1.0) -> StageTable:
    """`entered`: the largest number that entered the first stage."""
    dtypes = {t.dtype for _, *pair in triples for t in pair if t.is_floating_point()}
    dtype = max(dtypes, key=lambda d: torch.finfo(d).eps, default=torch.float64)
    exact = dtype == torch.float64
    tol = (TOLERANCE if exact else 0.0) if tol is None else tol
    rows, found = [], False
    for stage, a, b in triples:
        entered = max(entered, _size(b))
        gap, equal = agree(a, b, tol, 0.0 if exact else ROUNDINGS * torch.finfo(dtype).eps * entered)
        rows.append(Row(stage, gap, "same" if equal else "after" if found else "first"))
        found = found or not equal
    return StageTable(tuple(rows), _criterion(tol, dtype), 1e-12 if exact else 1e-5)


def _size(tensor: Tensor) -> float:
    """The largest number of a tensor, without its sign; of scores, of those that are not masked."""
    tensor = tensor.detach()
    if tensor.numel() == 0:
        return 0.0
    ends = torch.stack(tensor.aminmax())
    if not ends.isfinite().all():
        finite = tensor[tensor.isfinite()]
        return _size(finite)
    return float(ends.abs().max())


def _criterion(tol: float, dtype: torch.dtype) -> str:
    name = str(dtype).removeprefix("torch.")
    if dtype == torch.float64:
        return f"equal: |a - b| at most {tol:.0e} · (1 + |b|) for every number, in {name}"
    start = f"{tol:.0e} · (1 + |b|) + " if tol else ""
    return (
        f"equal: |a - b| at most {start}{ROUNDINGS} roundings of the largest number so far, for every number, in {name}"
    )


def _same_thing(ours: Trace, theirs: Trace) -> None:
    if ours.kind != theirs.kind:
        raise ValueError(f"One trace is of a {ours.kind}, the other of a {theirs.kind}: they have no stages in common.")
    if not torch.equal(ours.ids, theirs.ids):
        raise ValueError(
            f"The traces are of different texts: {ours.ids.tolist()[:8]} … and {theirs.ids.tolist()[:8]} …"
        )
    if len(ours.layers) != len(theirs.layers):
        raise ValueError(f"One model has {len(ours.layers)} layers, the other {len(theirs.layers)}.")


def _layer_of(row: Row) -> int:
    """The number in "layer 3 scores" or "transformer.h.3.ln_1.weight"; -1 outside the layers."""
    found = _LAYER.search(row.stage)
    return int(found[1]) if found else -1


def _side(layer: int, looked_at: int, n_layers: int) -> int:
    """-1 or 1 for a stage of a layer before or after the one that is looked at, 0 for a stage that is shown."""
    return 0 if layer == -1 or n_layers < 2 else (layer > looked_at) - (layer < looked_at)


def _layers(rows: list[Row]) -> str:
    first, last = _layer_of(rows[0]), _layer_of(rows[-1])
    return f"layer {first}" if first == last else f"layers {first} to {last}"


def _equals_joined(lines: list[tuple[str, list[Row]]]) -> list[tuple[str, list[Row]]]:
    """Lines that follow one another and in which every stage is equal become one line."""
    joined: list[tuple[str, list[Row]]] = []
    for equal, run in groupby(lines, key=lambda line: all(row.state == "same" for row in line[1])):
        run = list(run)
        rows = [row for _, its in run for row in its]
        joined += [(f"{rows[0].stage} to {rows[-1].stage}", rows)] if equal and len(run) > 1 else run
    return joined


def _fold(name: str, rows: list[Row]) -> Row:
    if name == rows[0].stage:
        return rows[0]
    worst = max(rows, key=lambda row: (row.state != "same", row.difference))
    return Row(f"{name}, {len(rows)} stages", worst.difference, worst.state)
