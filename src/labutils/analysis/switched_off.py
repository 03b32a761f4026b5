"""What a model loses when heads hand nothing over: one head, or two.

A head is silent when its strip of the context is 0 for every token, so that W_O has nothing of it to add; or when it
says the same everywhere, which is the milder cut (`instead`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import torch
from torch import Tensor
from torch.nn import functional as F

from labutils.layers import Recorder

Head = tuple[int, int]  # layer, head
TOGETHER = 20  # rows of about one length are read together, so that little of what is read is padding


@dataclass(frozen=True)
class Rows:
    """ids (B, n), 1 in `real` where they are no padding, and for each place the id that is to be told, -100 where
    none is.
    """

    ids: Tensor
    real: Tensor
    labels: Tensor


def next_tokens(rows: Sequence[Sequence[int]]) -> Rows:
    """Rows of ids for a model that tells the next one."""
    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])
    real = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
    labels = torch.full_like(ids, -100)
    labels[:, :-1] = ids[:, 1:].masked_fill(real[:, 1:] == 0, -100)
    return Rows(ids, real, labels)


def silent(heads: Iterable[Head], d_k: int, instead: Tensor | None = None) -> Mapping[str, Callable[[Tensor], Tensor]]:
    """What a trace or a Recorder has to change for these heads to be silent.

    instead: (L, H, d_k), what they say in place of zeros, the same for every token.
    """
    by_layer = defaultdict(list)
    for layer, head in heads:
        by_layer[layer].append(head)

    def cut(layer: int) -> Callable[[Tensor], Tensor]:
        def change(context: Tensor) -> Tensor:  # (B, n, d)
            context = context.clone()
            for head in by_layer[layer]:
                context[..., head * d_k : (head + 1) * d_k] = 0.0 if instead is None else instead[layer, head]
            return context

        return change

    return {f"layer {layer} context": cut(layer) for layer in by_layer}


def losses(model, rows: Rows, heads: Iterable[Head] = (), d_k: int = 0, instead: Tensor | None = None) -> Tensor:
    """For each row the mean loss in nats of the ids that are to be told, (B,), while these heads are silent."""
    see = Recorder(lambda name: False, silent(heads, d_k, instead))
    long = rows.real.sum(-1)
    order, found = long.argsort(), []
    for some in order.split(TOGETHER):
        n = int(long[some].max())
        labels = rows.labels[some, :n]
        with torch.no_grad():
            logits = model(rows.ids[some, :n], attention_mask=rows.real[some, :n], see=see).logits  # (B, n, V)
        each = F.cross_entropy(logits.mT, labels, ignore_index=-100, reduction="none")
        found.append(each.sum(-1) / (labels != -100).sum(-1))
    return torch.cat(found)[order.argsort()]


def usual_context(model, rows: Rows, n_heads: int) -> Tensor:
    """What each head says on average, (L, H, d_k), over all tokens that are no padding."""
    see = Recorder(lambda name: name.endswith(" context"))
    with torch.no_grad():
        model(rows.ids, attention_mask=rows.real, see=see)
    said = torch.stack(list(see.stages.values()))[:, rows.real.bool()].mean(1)  # (L, tokens, d) -> (L, d)
    return said.unflatten(-1, (n_heads, -1))


def one_by_one(model, rows: Rows, n_layers: int, n_heads: int, d_k: int, instead: Tensor | None = None) -> Tensor:
    """How much each row loses without each head: (L, H, B) nats, more than with all of them."""
    whole = losses(model, rows)
    return torch.stack(
        [
            torch.stack([losses(model, rows, [(i, j)], d_k, instead) - whole for j in range(n_heads)])
            for i in range(n_layers)
        ]
    )


def two_by_two(model, rows: Rows, heads: Sequence[Head], d_k: int) -> dict[tuple[Head, Head], Tensor]:
    """For each pair of heads, how much more each row loses without both than the two cuts cost one by one: (B,).

    Above 0 the two can stand in for each other, in part; below 0 they serve the same end, and it is lost with either.
    """
    whole = losses(model, rows)
    alone = {head: losses(model, rows, [head], d_k) for head in heads}
    return {(a, b): losses(model, rows, [a, b], d_k) - alone[a] - alone[b] + whole for a, b in combinations(heads, 2)}
