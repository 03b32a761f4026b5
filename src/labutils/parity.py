"""Parity: two tellings of the same computation side by side, stage by stage, and the first stage at which they part.

Two tensors a and b count as equal if |a - b| <= tol · (1 + max |b|) everywhere: relative for large numbers, absolute for
small ones, for a key's bias has the gradient 0 and no relative error. A masked score, -inf, equals a masked score.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import torch
from torch import Tensor, nn

from labutils.trace import Trace

_WORDS = {"same": "equal", "first": "first stage that differs", "after": "differs after it"}
_LAYER_STAGES = {       # name in the table: name in LayerTrace, in the order in which they are computed
    "input": "input", "attention input": "attention_input", "q": "q", "k": "k", "v": "v", "scores": "scores", "weights": "weights",
    "context": "context", "attention output": "attention_output", "attention stream": "attention_stream",
    "feed-forward input": "ffn_input", "feed-forward hidden": "ffn_hidden", "feed-forward activated": "ffn_activated",
    "feed-forward output": "ffn_output", "output": "output",
}
_NORMED_FIRST = ("attention input", "feed-forward input")       # in BERT these are the input and the stream themselves
_LAYER = re.compile(r"(?:^layer |\.h\.|\.layer\.)(\d+)[ .]")    # of a stage, or of a parameter of GPT-2 or BERT


class Row(NamedTuple):
    """difference: the largest |a - b|; inf where one is masked and the other not, or the shapes differ.

    state: "same", "first" (the first stage that differs) or "after" (differs, after another one did).
    """

    stage: str
    difference: float
    state: str


@dataclass(frozen=True, repr=False)
class StageTable:
    """One row for each stage. Printed, a difference within `tol` is only called that, so the text is the same everywhere.

    `first` names the first stage that differs, or is None; `equal` says that none does. A long table is shown folded:
    one layer in full (the one that differs first, else layer 0), the others in one line. `detail()` shows every row,
    `layer(i)` the rows of one layer.
    """

    rows: tuple[Row, ...]
    tol: float
    folded: bool = True

    @property
    def first(self) -> str | None:
        return next((row.stage for row in self.rows if row.state == "first"), None)

    @property
    def equal(self) -> bool:
        return self.first is None

    def detail(self) -> "StageTable":
        return StageTable(self.rows, self.tol, folded=False)

    def layer(self, i: int) -> "StageTable":
        rows = tuple(row for row in self.rows if _layer_of(row) == i)
        if not rows:
            raise ValueError(f"This table has no layer {i}; it has {1 + max((_layer_of(row) for row in self.rows), default=-1)}, counted from 0.")
        return StageTable(rows, self.tol, folded=False)

    def __repr__(self) -> str:
        cells = [("stage", "difference", "state")] + [(r.stage, self._number(r), _WORDS[r.state]) for r in self._shown()]
        wide = max(len(stage) for stage, _, _ in cells)
        return "\n".join(f"{stage:<{wide}}  {number:>12}  {words}" for stage, number, words in cells)

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr class="is-{row.state}"><th scope="row">{escape(row.stage)}</th><td>{escape(self._number(row))}</td>'
            f'<td><i aria-hidden="true"></i>{_WORDS[row.state]}</td></tr>' for row in self._shown()
        )
        head = "".join(f'<th scope="col">{title}</th>' for title in ("Stage", "Largest difference", "State"))
        return f'<table class="itt-check"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    def _number(self, row: Row) -> str:
        if row.state == "same":
            return f"within {self.tol:.0e}"
        x = float(f"{row.difference:.5g}")      # so that 0.12500001 and 0.12499999 are printed alike
        return f"{x:.2f}" if not x < 0.01 else f"{x:.0e}"

    def _shown(self) -> list[Row]:
        """The rows, but each run of layers that is not looked at becomes one row."""
        layers = sorted({_layer_of(row) for row in self.rows} - {-1})
        if not self.folded or len(layers) < 2:
            return list(self.rows)
        looked_at = next((_layer_of(row) for row in self.rows if row.state == "first" and _layer_of(row) >= 0), layers[0])
        shown, runs = [], {}
        for row in self.rows:
            i = _layer_of(row)
            if i in (-1, looked_at):
                shown.append(row)
                continue
            run = runs.setdefault(i > looked_at, [])
            if not run:
                shown.append(run)
            run.append(row)
        return [_fold(item) if type(item) is list else item for item in shown]


def compare(ours: Trace | Mapping[str, Tensor], theirs: Trace | Mapping[str, Tensor], tol: float = 1e-5) -> StageTable:
    """Compare two traces of the same text, or two mappings from stage to tensor, in the order of `ours`.

    Raises ValueError if they are not tellings of the same thing: another text, another kind of model, other stages.
    """
    if isinstance(ours, Trace) and isinstance(theirs, Trace):
        _same_thing(ours, theirs)
        ours, theirs = stages(ours), stages(theirs)
    alone = [name for name in [*ours, *theirs] if (name in ours) != (name in theirs)]
    if alone:
        raise ValueError(f"Only one of the two has the stage {alone[0]!r}: compare the same stages.")
    return _table([(name, ours[name], theirs[name]) for name in ours], tol)


def compare_gradients(ours: nn.Module, theirs: nn.Module, tol: float = 1e-5) -> StageTable:
    """Compare the gradients of every parameter after a backward pass through both, under HuggingFace's names.

    ours: GPT2 or Bert of labutils; theirs: the model of transformers with the same weights. No gradient counts as 0.
    """
    found = {name: p.new_zeros(p.shape) if p.grad is None else p.grad for name, p in theirs.named_parameters()}
    return compare(ours.to_hf_gradients(), found, tol)


def stages(trace: Trace) -> dict[str, Tensor]:
    """The tensors of a trace by readable names, in the order in which they are computed."""
    parts = [part for part in ("token", "segment", "position") if part in trace.embeddings]
    named = {f"{part} embedding": trace.embeddings[part] for part in parts} | {"embedding sum": trace.embedding_sum}
    if trace.embedding_norm is not None:
        named["embedding norm"] = trace.embedding_norm
    for i, layer in enumerate(trace.layers):
        named |= {f"layer {i} {stage}": getattr(layer, name) for stage, name in _LAYER_STAGES.items()
                  if trace.kind == "gpt2" or stage not in _NORMED_FIRST}
    last = {"final": trace.final, "mlm transform": trace.mlm_transform, "logits": trace.logits,
            "pooled": trace.pooled, "nsp logits": trace.nsp_logits}
    return named | {name: tensor for name, tensor in last.items() if tensor is not None}


def agree(a: Tensor, b: Tensor, tol: float) -> tuple[float, bool]:
    """The largest |a - b|, and whether it is at most tol · (1 + max |b|). See `Row` for inf; nan agrees with nothing."""
    if a.shape != b.shape or a.numel() == 0:
        return (0.0, True) if a.shape == b.shape else (float("inf"), False)
    a, b = a.detach(), b.detach()
    masked = b == -torch.inf
    if masked.any() or (a == -torch.inf).any():
        if not torch.equal(masked, a == -torch.inf):
            return float("inf"), False
        a, b = a.masked_fill(masked, 0.0), b.masked_fill(masked, 0.0)
    gap = float((a - b).abs().max())
    return gap, gap <= tol * (1 + float(b.abs().max()))


def _table(triples: list[tuple[str, Tensor, Tensor]], tol: float) -> StageTable:
    rows, found = [], False
    for stage, a, b in triples:
        gap, equal = agree(torch.as_tensor(a), torch.as_tensor(b), tol)
        rows.append(Row(stage, gap, "same" if equal else "after" if found else "first"))
        found = found or not equal
    return StageTable(tuple(rows), tol)


def _same_thing(ours: Trace, theirs: Trace) -> None:
    if ours.kind != theirs.kind:
        raise ValueError(f"One trace is of a {ours.kind}, the other of a {theirs.kind}: they have no stages in common.")
    if not torch.equal(ours.ids, theirs.ids):
        raise ValueError(f"The traces are of different texts: {ours.ids.tolist()[:8]} … and {theirs.ids.tolist()[:8]} …")
    if len(ours.layers) != len(theirs.layers):
        raise ValueError(f"One model has {len(ours.layers)} layers, the other {len(theirs.layers)}.")


def _layer_of(row: Row) -> int:
    """The number in "layer 3 scores" or "transformer.h.3.ln_1.weight"; -1 outside the layers."""
    found = _LAYER.search(row.stage)
    return int(found[1]) if found else -1


def _fold(rows: list[Row]) -> Row:
    first, last = _layer_of(rows[0]), _layer_of(rows[-1])
    name = f"layer {first}" if first == last else f"layers {first} to {last}"
    worst = max(rows, key=lambda row: (row.state != "same", row.difference))
    return Row(f"{name}, {len(rows)} stages", worst.difference, worst.state)
