"""Writing: a batch of texts goes on, one token at a time, with a seed.

Texts of different lengths are padded on the left, so that the last row of each is the
one that says what comes next.
"""

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn

from labutils.layers import Cache

from .settings import GREEDY, Settings, processed


def draw(
    odds: Float[Tensor, "B V"], generator: torch.Generator
) -> Integer[Tensor, " B"]:
    """One token for each row, as probable as the row says.

    The odds are laid end to end on a line, and the token is taken in whose stretch a
    random number falls. Odds may be on any scale; a token with 0 is never drawn.

    >>> generator = torch.Generator().manual_seed(0)
    >>> draw(torch.tensor([[0.0, 1.0, 0.0]]), generator)
    tensor([1])
    """
    ends = odds.double().cumsum(-1)  # where the stretch of each token ends
    shape, kind = (*odds.shape[:-1], 1), torch.float64
    u = torch.rand(shape, dtype=kind, generator=generator) * ends[..., -1:]
    return torch.searchsorted(ends, u, right=True).squeeze(-1)


def left_padded(
    texts: list[list[int]], pad: int
) -> tuple[Integer[Tensor, "B n"], Integer[Tensor, "B n"], Integer[Tensor, "B n"]]:
    """ids, attention mask (0 on padding), and position ids that do not count padding.

    >>> left_padded([[7, 8, 9], [5]], pad=0)[2]
    tensor([[0, 1, 2],
            [0, 0, 0]])
    """
    n = max(map(len, texts))
    ids = torch.tensor([[pad] * (n - len(text)) + text for text in texts])
    mask = torch.tensor([[0] * (n - len(text)) + [1] * len(text) for text in texts])
    return ids, mask, (mask.cumsum(-1) - 1).clamp(min=0)


@torch.no_grad()
def write(
    model: nn.Module,
    texts: list[list[int]],
    most: int,
    end: int | None = None,
    settings: Settings = GREEDY,
    seed: int = 0,
) -> list[list[int]]:
    """What is written after each text: up to the end sign, and at most `most` tokens.

    model: a causal one of ours; keys and values are kept. end: the token that ends a
    text; it stands last in what comes back. A row whose text has ended is still
    computed, and what it says is dropped. Raises ValueError for a text without a token
    and where a text would outgrow the model's positions.

    >>> from labutils.models import paper_model
    >>> write(paper_model(), [[0, 1, 2], [0, 1, 2, 3]], most=3)  # the cat sat (on)
    [[3, 0, 4], [0, 4, 0]]
    """
    _check(model, texts, most)
    generator = torch.Generator().manual_seed(seed)
    ids, mask, positions = left_padded(texts, pad=0 if end is None else end)
    cache, told, going = Cache(), [[] for _ in texts], set(range(len(texts)))
    new, real, places = ids, mask, positions
    for _ in range(most):
        logits = model(new, real, places, cache=cache).logits[:, -1]  # (B, V)
        logits = processed(logits, settings, ids, mask.bool())
        new = draw(logits.softmax(-1), generator)[:, None]  # (B, 1)
        for row in list(going):
            told[row].append(int(new[row]))
            going -= {row} if told[row][-1] == end else set()
        if not going:
            break
        real, places = torch.ones_like(new), places[:, -1:] + 1
        ids, mask = torch.cat([ids, new], -1), torch.cat([mask, real], -1)
    return told


def _check(model: nn.Module, texts: list[list[int]], most: int) -> None:
    if not texts or not all(texts):
        raise ValueError("Each text has to have a token that can be continued.")
    longest, room = max(map(len, texts)), model.config.n_positions
    if longest + most - 1 > room:
        raise ValueError(
            f"A text of {longest} tokens has room for {room - longest + 1} more in this"
            f" model, not for {most}."
        )
