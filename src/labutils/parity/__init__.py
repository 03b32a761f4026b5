"""Parity: two tellings of the same computation side by side, stage by stage, and the first stage at which they part.

Two tensors a and b count as equal if every single number is. In float64 that means |a - b| <= 1e-10 · (1 + |b|), so
that a large number excuses nothing in its neighbours; `check` runs both sides in it. To this comes what may be
rounding, which is all that counts in float32: some roundings of the numbers that entered this one number
(`parity.rounding`), or, where nobody knows which these are, of its row and the rows before it (`parity.rows`). Where
that is too much to tell anything, the table says so. A masked score, -inf, equals a masked score.
"""

import copy
from collections.abc import Mapping
from statistics import median_high
from typing import NamedTuple

import torch
from torch import Tensor, nn

from labutils.models import family_of
from labutils.models.stages import STAGES, Place, titled
from labutils.parity.rounding import ROUNDINGS, Pair, bound
from labutils.parity.rows import RowsBefore
from labutils.parity.table import Row, StageTable
from labutils.trace import Trace, trace

__all__ = ["ROUNDINGS", "Row", "StageTable", "agree", "check", "compare", "compare_gradients", "stages"]

TOLERANCE = 1e-10  # in float64
SHOWS = 0.1  # of the largest number of a row: where that much is excused, nothing can be told


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

    tol: in float64 1e-10, or what the record of the architecture says; otherwise 0, unless given. Raises ValueError if
    they are not tellings of the same thing: another text, another kind of model, other stages.
    """
    norm, scale, exact = "layer", None, TOLERANCE
    if isinstance(ours, Trace) and isinstance(theirs, Trace):
        _same_thing(ours, theirs)
        family = family_of(ours.kind)
        norm, scale, exact = family.norm, family.scale, family.tolerance
        ours, theirs = stages(ours), stages(theirs)
    alone = [name for name in [*ours, *theirs] if (name in ours) != (name in theirs)]
    if alone:
        raise ValueError(f"Only one of the two has the stage {alone[0]!r}: compare the same stages.")
    told = [_Told(name, torch.as_tensor(ours[name]), torch.as_tensor(theirs[name])) for name in ours]
    return _table([one._replace(place=_place(one.stage)) for one in told], tol, exact, norm, scale)


def compare_gradients(ours: nn.Module, theirs: nn.Module, tol: float | None = None) -> StageTable:
    """Compare the gradients of every parameter after a backward pass through both, under HuggingFace's names.

    ours: GPT2 or Bert of labutils; theirs: the model of transformers with the same weights. No gradient counts as 0.
    What enters a gradient comes from all the others and from all numbers of the forward pass, so what may be rounding
    in it follows from the largest of all gradients, and the table says where that tells nothing of a layer.
    """
    family = family_of(theirs)
    found = {name: p.new_zeros(p.shape) if p.grad is None else p.grad for name, p in theirs.named_parameters()}
    largest = max(_size(gradient) for gradient in found.values())
    named = ours.to_hf_gradients()
    if set(named) != set(found):
        raise ValueError(
            f"Only one of the two has {sorted(set(named) ^ set(found))[0]!r}: compare models with the same parameters."
        )
    usual = _usual_sizes({name: (family.layer_of(name), gradient) for name, gradient in found.items()})
    told = [_Told(name, named[name], found[name], None, family.layer_of(name), usual[name]) for name in found]
    exact = family.tolerance if family.gradient_tolerance is None else family.gradient_tolerance
    return _table(told, tol, exact, largest=largest)


def _usual_sizes(gradients: Mapping[str, tuple[str, Tensor]]) -> dict[str, float]:
    """The size of most gradients of the layer that each is of: of a table's rows most may be near 0, as those of tokens
    that are not in the text.
    """
    of: dict[str, list[float]] = {}
    for layer, gradient in gradients.values():
        of.setdefault(layer, []).append(_size(gradient))
    return {name: median_high(of[layer]) for name, (layer, _) in gradients.items()}


def stages(traced: Trace) -> dict[str, Tensor]:
    """The tensors of a trace by readable names, in the order in which they are computed."""
    return {titled(name): tensor for name, tensor in traced.stages().items()}


def agree(a: Tensor, b: Tensor, tol: float, rounding: Tensor | float = 0.0) -> tuple[float, bool]:
    """The largest |a - b|, and whether |a - b| <= tol · (1 + |b|) + rounding everywhere; rounding may be one for each
    number. See `Row` for inf; nan agrees with nothing.
    """
    if a.shape != b.shape or a.numel() == 0:
        return (0.0, True) if a.shape == b.shape else (float("inf"), False)
    a, b = a.detach(), b.detach()
    largest = (a - b).abs().max()
    if largest.is_floating_point():  # most are near enough wherever they stand, and no masked number or nan among them
        close = (tol + float(torch.as_tensor(rounding).min())) * (1 - 4 * torch.finfo(largest.dtype).eps)
        if float(largest) <= close:
            return float(largest), True
    masked = b == -torch.inf
    if masked.any() or (a == -torch.inf).any():
        if not torch.equal(masked, a == -torch.inf):
            return float("inf"), False
        a, b = a.masked_fill(masked, 0.0), b.masked_fill(masked, 0.0)
    gaps = (a - b).abs()
    return float(gaps.max()), bool((gaps <= tol * (1 + b.abs()) + rounding).all())


class _Told(NamedTuple):
    """One stage told twice, and where it stands: `place` is None where the name says nothing of that. `usual`: the size
    of the rows that a small one is judged like.
    """

    stage: str
    a: Tensor
    b: Tensor
    place: Place | None = None
    layer: str = ""
    usual: float = 0.0


def _place(title: str) -> Place | None:
    """Of a stage by its title in tables, as "layer 0 feed-forward input", or by its full name."""
    called = {stage.title: name for name, stage in STAGES.items()} | {name: name for name in STAGES}
    fits = [one for one in called if title == one or title.endswith(f" {one}")]
    if not fits:
        return None
    longest = max(fits, key=len)  # "attention input", not "input"
    try:
        return Place.of(title.removesuffix(longest) + called[longest])
    except ValueError:  # "layer" without its number
        return None


def _table(
    told: list[_Told],
    tol: float | None,
    exact: float,
    norm: str = "layer",
    scale: float | None = None,
    largest: float | None = None,
) -> StageTable:
    """`exact`: the tolerance in float64. `largest`: the largest number that entered any stage, where that is all that
    is known.
    """
    dtypes = {t.dtype for one in told for t in (one.a, one.b) if t.is_floating_point()}
    dtype = max(dtypes, key=lambda d: torch.finfo(d).eps, default=torch.float64)
    double, eps = dtype == torch.float64, torch.finfo(dtype).eps
    tol = (exact if double else 0.0) if tol is None else tol
    rows, known, before, found = [], {}, RowsBefore(), False
    for stage, a, b, place, layer, usual in told:
        b = b.detach()
        excused = bound(place, known, b, eps, norm, scale) if place else None
        if excused is None:
            excused = before.bound(b, eps) if largest is None else torch.full_like(b, ROUNDINGS * eps * largest)
        gap, equal = agree(a, b, tol, excused)
        state = "same" if equal else "after" if found else "first"
        if equal and not found and _hides(b, excused, usual):
            state = "unclear"
        if place and place.layer is not None:
            layer = str(place._replace(part="", stage="")).strip()
        rows.append(Row(stage, gap, state, layer, float(excused.max()) if excused.numel() else 0.0))
        found = found or not equal
        if largest is None or place:
            came_in = _gap(a, b) if not found else torch.zeros_like(b)
        if largest is None:
            before.add(b, came_in)
        if place:
            known[place] = Pair(a, b, came_in)
    return StageTable(tuple(rows), _criterion(tol, dtype), 1e-12 if double else 1e-5)


def _gap(a: Tensor, b: Tensor) -> Tensor:
    return torch.where(b.isfinite(), (a.detach() - b).abs(), 0.0)


def _hides(b: Tensor, excused: Tensor, usual: float = 0.0) -> bool:
    """Whether, in some row, what is excused is as large as what stands there, or in rows of zeros in most others."""
    if not b.numel():
        return False
    b, excused = b.reshape(-1, b.shape[-1] if b.ndim else 1), excused.reshape(-1, b.shape[-1] if b.ndim else 1)
    seen = b.isfinite()
    largest = torch.where(seen, b.abs(), 0.0).amax(-1)
    largest = largest.clamp(min=usual or float(largest.median()))
    if not largest.any():
        return False
    return bool((torch.where(seen, excused, 0.0).amax(-1) > SHOWS * largest).any())


def _criterion(tol: float, dtype: torch.dtype) -> str:
    name = str(dtype).removeprefix("torch.")
    start = f"{tol:.0e} · (1 + |b|) and " if tol else ""
    rounding = f"{ROUNDINGS} roundings of what was added up"
    if dtype == torch.float64:
        rounding = "rounding"
    return f"equal: |a - b| at most {start}{rounding}, for every number, in {name}"


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


def _same_thing(ours: Trace, theirs: Trace) -> None:
    if ours.kind != theirs.kind:
        raise ValueError(f"One trace is of a {ours.kind}, the other of a {theirs.kind}: they have no stages in common.")
    for name in family_of(ours.kind).stacks:
        a, b = (getattr(one, name) if name else one for one in (ours, theirs))
        if not torch.equal(a.ids, b.ids):
            raise ValueError(f"The traces are of different texts: {a.ids.tolist()[:8]} … and {b.ids.tolist()[:8]} …")
        if len(a.layers) != len(b.layers):
            raise ValueError(f"One {name or 'model'} has {len(a.layers)} layers, the other {len(b.layers)}.")
