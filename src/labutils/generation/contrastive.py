"""Contrastive search: of the k most probable tokens, the one that is probable and whose
row is least like the rows before it.

Su et al. 2022, "A Contrastive Framework for Neural Text Generation". Nothing is drawn.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


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
def contrastive_search(
    model: nn.Module,
    ids: list[int],
    most: int,
    end: int | None = None,
    k: int = 4,
    alpha: float = 0.6,
) -> list[int]:
    """What is written after `ids`: up to the end sign, and at most `most` tokens.

    Each step reads the text k times, once with each candidate, to see its row. k = 1 or
    alpha = 0 is greedy. Raises ValueError for a k below 1 or an alpha outside 0 to 1.

    >>> from labutils.models import paper_model
    >>> contrastive_search(paper_model(), [0, 1, 2], most=3, k=1)  # the cat sat
    [3, 0, 4]
    """
    if k < 1 or not 0 <= alpha <= 1:
        raise ValueError(
            f"Give k of at least 1 and alpha from 0 to 1, not {k} and {alpha}."
        )
    told: list[int] = []
    for _ in range(most):
        text = torch.tensor([[*ids, *told]])
        odds, candidates = model(text).logits[0, -1].softmax(-1).topk(k)
        longer = torch.cat([text.expand(k, -1), candidates[:, None]], -1)  # (k, n + 1)
        states = model(longer).hidden_states[-1]  # (k, n + 1, d)
        scores = contrast(odds, states[:, -1], states[0, :-1], alpha)
        told.append(int(candidates[scores.argmax()]))
        if told[-1] == end:
            break
    return told
