"""How far two tellings of a stage may lie apart by rounding alone, number by number.

What a stage is computed of stands in the trace. So the bound of each number follows from the numbers that entered it: a
large one excuses what was computed with it and nothing else. It has two parts. What this stage rounds itself: some
roundings of the terms that were added up. And what came in already different: the gap between the two inputs, carried
through the stage. Matrices are not in a trace; how steep one is, its outputs say.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from labutils.models.stages import EMBEDDINGS, STAGES, Place

ROUNDINGS = 256  # how many roundings of what was added up are no difference
CARRIED = 16  # by how much more than it shows a matrix may enlarge the gap in what it reads
TINY = 1e-30  # a division by it is no error
NORMED = ("embedding_norm", "input", "attention_input", "attention_stream", "ffn_input", "output", "final")


class Pair(NamedTuple):
    """One stage told twice: `a` ours, `b` theirs. `gap` counts only while everything before was equal: after the first
    stage that differs nothing is excused by what came in.
    """

    a: Tensor
    b: Tensor
    gap: Tensor


Told = Mapping[Place, Pair]


def bound(
    place: Place, told: Told, out: Tensor, eps: float, norm: str = "layer", scale: float | None = None
) -> Tensor | None:
    """The largest |a - b| that is no difference, for each number of the stage at `place`; None if the stages that it is
    computed of are not there.

    told: the stages before it. out: theirs at this place. eps: the rounding of the dtype. norm: "layer" or "rms".
    scale: of the scores, 1 / √d_k unless given.
    """
    if place.stage in EMBEDDINGS:  # rows of a table
        return ROUNDINGS * eps * out.abs()
    of = [told[one] for one in made_of(place, told)]
    rule = RULES.get(place.stage)
    if place.stage in NORMED and of:
        rule = _summed if _is_sum(of, out, eps) else _rms_normed if norm == "rms" else _normed
    if place.stage == "weights" and of:
        of += [told[one] for one in made_of(place._replace(stage="scores"), told)]
    if place.stage in ("scores", "weights"):
        rule = partial(rule, scale=scale)
    found = rule(of, out, eps) if rule and of and (out.ndim > 1 or rule is _mixed) else None
    return found if found is not None and found.shape == out.shape else None


def made_of(place: Place, told: Mapping[Place, object]) -> list[Place]:
    """The stages of `told` that a stage is computed of; in the place of one that is not there, those before it."""
    found = []
    for one in _before(place, told):
        found += [one] if one in told else made_of(one, told)
    return list(dict.fromkeys(found))


def _before(place: Place, told: Mapping[Place, object]) -> list[Place]:
    stack, layer, part, stage = place
    if STAGES[stage].in_block and layer is None:  # the layer is not named
        return []
    outside = lambda name, of=stack: Place(of, None, "", name)
    if stage == "input":
        return [outside("embedding_norm") if layer == 0 else Place(stack, layer - 1, "", "output")]
    if stage == "final":
        last = max((one.layer for one in told if one.stack == stack and one.layer is not None), default=None)
        if last is None:  # asked for by a head that stands after several stacks: what the last of them hands over
            return [] if stack else [one for one in told if one.stage == "final"][-1:]
        return [Place(stack, last, "", "output")]
    if layer is None:
        return [outside(name) for name in STAGES[stage].of]
    parts = [one.part for one in told if (one.stack, one.layer, one.stage) == (stack, layer, "attention_stream")]
    found = []
    for name in STAGES[stage].of:
        if name == "ffn_gate" and place._replace(stage=name) not in told:  # a network without a gate
            continue
        if part and stage in ("k", "v"):  # of the other stack
            other = next((one.stack for one in told if one.stack not in ("", stack)), stack)
            found.append(outside("final", other))
        elif part and name == "input":
            found.append(Place(stack, layer, "", "attention_stream"))
        elif not part and name == "attention_stream" and parts:
            found.append(Place(stack, layer, parts[-1], name))
        else:
            found.append(Place(stack, layer, part, name))
    return found


def _is_sum(of: list[Pair], out: Tensor, eps: float) -> bool:
    """Whether a stage is its inputs added up, and nothing more: a stream that is not normalised."""
    if any(one.b.shape != out.shape for one in of):
        return False
    total, terms = sum(one.b for one in of), sum(one.b.abs() for one in of)
    return bool(((out - total).abs() <= ROUNDINGS * eps * terms).all())


def _summed(of: list[Pair], out: Tensor, eps: float) -> Tensor:
    terms = sum(one.b.abs() for one in of)
    return ROUNDINGS * eps * terms + 2 * sum(one.gap for one in of)


def _normed(of: list[Pair], out: Tensor, eps: float, centred: bool = True) -> Tensor | None:
    if any(one.b.shape != out.shape for one in of):
        return None
    b, a = sum(one.b for one in of), sum(one.b + one.gap for one in of)
    scale = lambda x: ((x - x.mean(-1, keepdim=True)) if centred else x).square().mean(-1, keepdim=True).sqrt()
    spread = scale(b).clamp(min=TINY)  # (n, 1)
    rough = eps * _size(b) / spread  # of a row that is nearly constant only the differences count
    z = b / spread
    return _steep(z, _size(a - b) / spread, rough / _size(z).clamp(min=TINY), out)


def _rms_normed(of: list[Pair], out: Tensor, eps: float) -> Tensor | None:
    return _normed(of, out, eps, centred=False)


def _linear(of: list[Pair], out: Tensor, eps: float) -> Tensor | None:
    x, heads = of[0], out.ndim == 3
    rows = out.transpose(0, 1).flatten(1) if heads else out  # (H, n, d_k) -> (n, H d_k)
    if len(of) > 1 or x.b.ndim != 2 or len(x.b) != len(rows):
        return None
    found = _steep(x.b, _size(x.gap), eps, rows)
    return found.unflatten(1, (len(out), -1)).transpose(0, 1) if heads else found


def _steep(x: Tensor, gap: Tensor, eps: Tensor | float, out: Tensor) -> Tensor:
    """Rows through a matrix that is not known: (n, d) -> (n, m). How much of a row arrives in a column, the other rows
    say; a column in which little arrives may have added up much, so it counts like most others.
    """
    size = _size(x).clamp(min=TINY)  # (n, 1)
    parts = out.abs() / size
    most = parts.flatten().kthvalue(max(1, 3 * parts.numel() // 4)).values
    column = parts.median(0).values.clamp(min=float(most))  # (m,)
    arrives = torch.maximum(size * column, out.abs())
    return arrives * (ROUNDINGS * eps + CARRIED * gap / size)


def _bent(of: list[Pair], out: Tensor, eps: float) -> Tensor | None:
    """An activation, and the product with what it lets through where there is a gate."""
    if any(one.b.shape != out.shape for one in of):
        return None
    terms, gap = of[0].b.abs(), of[0].gap
    for other in of[1:]:
        terms, gap = terms * other.b.abs(), gap * other.b.abs() + terms * other.gap
    return ROUNDINGS * eps * torch.maximum(terms, out.abs()) + 2 * gap


def _met(q: Pair, k: Pair, scale: float | None) -> tuple[Tensor, Tensor]:
    """Queries with keys, the largest sums of terms that there can be, and the gap that can come out: (H, n, m)."""
    each, scale = len(q.b) // len(k.b), q.b.shape[-1] ** -0.5 if scale is None else scale
    size_k, gap_k = (_size(x).repeat_interleave(each, 0).mT for x in (k.b, k.gap))
    size_q, gap_q = _size(q.b), _size(q.gap)
    return scale * size_q * size_k, scale * (gap_q * size_k + size_q * gap_k)


def _summing(width: int) -> int:
    """Roundings of a sum of so many products, whatever the order in which they are added: one for each, and a few for
    what is done to the sum. Higham 2002, "Accuracy and Stability of Numerical Algorithms", section 3.1.
    """
    return min(ROUNDINGS, width + 4)


def _scores(of: list[Pair], out: Tensor, eps: float, scale: float | None = None) -> Tensor | None:
    """Both sides of each product are known, so nothing is guessed of what a gap becomes: 2, for the gap of the gaps."""
    if [one.b.ndim for one in of] != [3, 3]:
        return None
    terms, gap = _met(*of, scale)
    seen = torch.where(out.isfinite(), out.abs(), 0.0)
    return _summing(of[0].b.shape[-1]) * eps * torch.maximum(terms, seen) + 2 * gap


def _weights(of: list[Pair], out: Tensor, eps: float, scale: float | None = None) -> Tensor | None:
    """Scores that are off by δ move the logarithm of w : (1 - w) by 2δ at most. So where one score is far above the
    others, its weight is known well, however large the scores are; where two are near, nothing may be left to tell.
    """
    scores, *both = of
    if [one.b.ndim for one in of] != [3, 3, 3]:
        return None
    seen = scores.b.isfinite()
    terms = torch.where(seen, torch.maximum(_met(*both, scale)[0], scores.b.abs()), 0.0).amax(-1, keepdim=True)
    off = _summing(both[0].b.shape[-1]) * eps * terms + torch.where(seen, scores.gap, 0.0).amax(-1, keepdim=True)
    odds = _odds(scores.b.double())
    w, low, high = (torch.sigmoid(x) for x in (odds, odds - 2 * off, odds + 2 * off))
    moved = torch.maximum(high - w, w - low).nan_to_num(0.0).to(out.dtype)
    return moved + ROUNDINGS * eps * out + TINY


def _odds(scores: Tensor) -> Tensor:
    """log w : (1 - w) of each weight, exact also where w is rounded to 1."""
    top = torch.zeros_like(scores, dtype=torch.bool).scatter_(-1, scores.argmax(-1, keepdim=True), True)
    highest = scores.amax(-1, keepdim=True)
    shares = torch.exp(scores - highest)
    beside = torch.log((shares.sum(-1, keepdim=True) - shares).clamp(min=TINY)) + highest  # of all others
    rest = scores.masked_fill(top, -torch.inf).logsumexp(-1, keepdim=True)
    return scores - torch.where(top, rest, beside)


def _context(of: list[Pair], out: Tensor, eps: float) -> Tensor | None:
    if [one.b.ndim for one in of] != [3, 3]:
        return None
    w, v = of
    each = len(w.b) // len(v.b)
    size_v, gap_v = (x.abs().repeat_interleave(each, 0) for x in (v.b, v.gap))
    merged = lambda x: x.transpose(0, 1).flatten(1)  # (H, n, d_k) -> (n, H d_k)
    terms, gap = merged(w.b @ size_v), merged(w.gap @ size_v + w.b @ gap_v)
    return ROUNDINGS * eps * terms + 2 * gap


def _mixed(of: list[Pair], out: Tensor, eps: float) -> Tensor:
    """Several layers at once, as in the heads of a BERT: the largest number that enters stands for all."""
    largest = max(1.0, *(float(one.b.abs().max()) for one in of), float(out.abs().max()))
    gap = max(float(_size(one.gap).max()) for one in of)
    return torch.full_like(out, ROUNDINGS * eps * largest + CARRIED * gap)


def _size(x: Tensor) -> Tensor:
    """The length of each row: (..., n, d) -> (..., n, 1)."""
    return x.norm(dim=-1, keepdim=True)


Rule = Callable[[list[Pair], Tensor, float], Tensor | None]
RULES: dict[str, Rule] = {
    "embedding_sum": _summed,
    "scores": _scores,
    "weights": _weights,
    "context": _context,
    "ffn_activated": _bent,
    **dict.fromkeys(("mlm_transform", "pooled", "nsp_logits"), _mixed),
    **dict.fromkeys(("q", "k", "v", "attention_output", "ffn_gate", "ffn_hidden", "ffn_output", "logits"), _linear),
}
