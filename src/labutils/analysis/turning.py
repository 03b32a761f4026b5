"""A whole GPT-2 in other columns: every row turned, and every matrix that reads or writes rows adapted to it."""

import copy

import torch
from jaxtyping import Float
from torch import Tensor, nn


def turned(model: nn.Module, R: Float[Tensor, "d d"]) -> nn.Module:
    """The same GPT-2 with every row turned by R, in a copy whose head has a table of its own.

    A row x becomes xR. A matrix W that reads rows becomes RᵀW, because (xR)(RᵀW) = xW, and one that writes rows becomes
    WR. The gain and the bias of each LayerNorm belong to single columns and would not survive the turn, so they are
    first folded into the matrices that read the normalised rows.

    R has to be orthogonal and to keep (1, 1, …, 1), which LayerNorm removes; another R gives another model.
    """
    new = copy.deepcopy(model)
    words = new.embeddings.token.weight.data
    new.head = nn.Linear(*words.shape[::-1]).to(R.dtype)  # untied: the table at the input is turned, this one is not
    new.head.weight.data, new.head.bias.data = words.clone(), words[:, 0] * 0
    steps = [(new.final_norm, [new.head], None)]
    for block in new.blocks:
        a, f = block.attention, block.feed_forward
        steps += [(block.norm1, [a.query, a.key, a.value], a.output), (block.norm2, [f.expand], f.contract)]
    for norm, readers, writer in steps:
        for r in readers:  # a Linear keeps W transposed
            r.bias.data += r.weight.data @ norm.bias.data
            r.weight.data = r.weight.data * norm.gain.data @ R
        norm.gain.data, norm.bias.data = torch.ones_like(norm.gain.data), torch.zeros_like(norm.bias.data)
        if writer:
            writer.weight.data, writer.bias.data = R.T @ writer.weight.data, writer.bias.data @ R
    for rows in (new.embeddings.token, new.embeddings.position.table):
        rows.weight.data = rows.weight.data @ R
    return new


@torch.no_grad()
def next_word(model: nn.Module, ids: list[int]) -> Float[Tensor, " V"]:
    """The probability of each token to come next, by a model that `turned` made."""
    last = model(torch.tensor([ids])).hidden_states[-1][0, -1]  # (d,)
    return (last @ model.head.weight.T + model.head.bias).softmax(-1)


def random_turn(d: int, keep_ones: bool = True, seed: int = 0) -> Float[Tensor, "d d"]:
    """An orthogonal matrix drawn at random, in double precision; with keep_ones one that leaves (1, 1, …, 1) alone."""
    draws = torch.Generator().manual_seed(seed)
    free = torch.linalg.qr(torch.randn(d, d, generator=draws, dtype=torch.float64))[0]
    if not keep_ones:
        return free
    first = torch.randn(d, d, generator=draws, dtype=torch.float64)
    first[:, 0] = 1
    basis = torch.linalg.qr(first)[0]  # its first column is (1, …, 1), up to its length
    inner = torch.eye(d, dtype=torch.float64)
    inner[1:, 1:] = torch.linalg.qr(free[1:, 1:])[0]
    return basis @ inner @ basis.T
