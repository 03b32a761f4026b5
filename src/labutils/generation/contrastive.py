"""Contrastive search: of the k most probable tokens, the one that is probable and whose
row is least like the rows before it.

Su et al. 2022, "A Contrastive Framework for Neural Text Generation". Nothing is drawn.
"""

from collections.abc import Iterator
from numbers import Integral

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import Cache
from labutils.models import for_writing

from .writing import check_most, until


def contrast(
    odds: Float[Tensor, " k"],
    rows: Float[Tensor, "k d"],
    before: Float[Tensor, "n d"],
    alpha: float,
) -> Float[Tensor, " k"]:
    """(1 - alpha) · probability - alpha · the largest cosine with a row before.

    >>> rows, before = torch.eye(2), torch.tensor([[1.0, 0.0]])
    >>> contrast(torch.tensor([0.6, 0.4]), rows, before, alpha=0.5)
    tensor([-0.2000,  0.2000])
    """
    unit = lambda x: x / x.norm(dim=-1, keepdim=True)
    alike = (unit(rows) @ unit(before).T).amax(-1)  # (k, n) -> (k,)
    return (1 - alpha) * odds - alpha * alike


@torch.no_grad()
def contrasted(
    model: nn.Module, ids: list[int], most: int, k: int = 4, alpha: float = 0.6
) -> Iterator[int]:
    """One token after another, `most` of them. A step reads its k candidates at
    once, as k texts that share what is kept of the text before them, and the logits of
    the chosen one say which come next.

    Raises ValueError for a k below 1 or above V, an alpha outside 0 to 1, and a `most`
    below 1.
    """
    check_most(most)
    V = model.config.vocab_size
    if not (isinstance(k, Integral) and 1 <= k <= V and 0 <= alpha <= 1):
        raise ValueError(
            f"Give k from 1 to {V} and alpha from 0 to 1, not {k} and {alpha}."
        )
    model, cache = for_writing(model, last=1), Cache(len(ids) + most)
    out = model(torch.tensor([ids]), cache=cache)
    before, logits = out.hidden_states[-1][0], out.logits[0, -1]  # (n, d), (V,)
    for _ in range(most):
        odds, candidates = logits.softmax(-1).topk(k)
        cache.pick([0] * k)
        out = model(candidates[:, None], cache=cache)
        rows = out.hidden_states[-1][:, -1]  # (k, d)
        best = int(contrast(odds, rows, before, alpha).argmax())
        yield int(candidates[best])
        cache.pick([best])
        before, logits = torch.cat([before, rows[best][None]]), out.logits[best, -1]


def contrastive_search(
    model: nn.Module,
    ids: list[int],
    most: int,
    end: int | None = None,
    k: int = 4,
    alpha: float = 0.6,
) -> list[int]:
    """What is written after `ids`: up to the end sign, and at most `most` tokens.

    k = 1 or alpha = 0 is greedy.

    >>> from labutils.models import paper_model
    >>> contrastive_search(paper_model(), [0, 1, 2], most=3, k=1)  # the cat sat
    [3, 0, 4]
    """
    return until(contrasted(model, ids, most, k, alpha), end, stop=None)
