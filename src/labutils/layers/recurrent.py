"""Recurrent networks: one state is carried along a text and renewed at each token.

A cell makes the next state of an input and the state before it; `run` carries it
along a text. Elman 1990 (the plain cell); Hochreiter & Schmidhuber 1997, with the
forget gate of Gers et al. 2000 (LSTM); Cho et al. 2014 (GRU, in the form of torch).

d_in is the width of an input, d the width of a state. Where a cell has several parts,
they lie side by side in one product, in the order of torch.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from .hooks import See, unseen

State = tuple[Float[Tensor, "B d"], ...]  # what is carried; the first is seen


class Cell(nn.Module):
    """What the cells share: a product with the input and one with the state.

    Each is `parts` strips of width d; the state is `carries` rows, at first of zeros.
    """

    parts, carries = 1, 1  # later

    def __init__(self, d_in: int, d: int):
        super().__init__()
        self.d = d
        # at first: self.from_input = nn.Linear(d_in, d)
        self.from_input = nn.Linear(d_in, self.parts * d)
        # at first: self.from_state = nn.Linear(d, d)
        self.from_state = nn.Linear(d, self.parts * d)

    def start(self, x: Float[Tensor, "B d_in"]) -> State:
        """The state before the first token."""
        # at first: return (x.new_zeros(len(x), self.d),)
        return (x.new_zeros(len(x), self.d),) * self.carries


class RNNCell(Cell):
    """tanh(x W + h U + b): the whole state is computed anew at each token."""

    def forward(
        self, x: Float[Tensor, "B d_in"], state: State, see: See = unseen
    ) -> State:
        (h,) = state
        total = see("total", self.from_input(x) + self.from_state(h))  # (B, d)
        return (see("state", torch.tanh(total)),)


class LSTMCell(Cell):
    """Two rows: a cell c that gates add to, and a state h that is seen.

    Each gate is a number from 0 to 1 for each column: i how much of the candidate g
    is written, f how much of c is kept, o how much of c is shown.
    """

    parts, carries = 4, 2

    def forward(
        self, x: Float[Tensor, "B d_in"], state: State, see: See = unseen
    ) -> State:
        h, c = state
        total = self.from_input(x) + self.from_state(h)  # (B, 4 d)
        i, f, g, o = total.chunk(4, dim=-1)  # (B, d) each
        i, f, o = (torch.sigmoid(gate) for gate in (i, f, o))
        i, f, o = see("input_gate", i), see("forget_gate", f), see("output_gate", o)
        g = see("candidate", torch.tanh(g))
        c = see("cell", f * c + i * g)  # a sum, so the way back has the factor f
        return see("state", o * torch.tanh(c)), c


class GRUCell(Cell):
    """One row, and a gate z that mixes the state before with a candidate.

    r says how much of the old state the candidate hears. torch applies it after the
    product with U; Cho et al. 2014 apply it before.
    """

    parts = 3

    def forward(
        self, x: Float[Tensor, "B d_in"], state: State, see: See = unseen
    ) -> State:
        (h,) = state
        r_x, z_x, g_x = self.from_input(x).chunk(3, dim=-1)  # (B, d) each
        r_h, z_h, g_h = self.from_state(h).chunk(3, dim=-1)
        r = see("reset_gate", torch.sigmoid(r_x + r_h))
        z = see("update_gate", torch.sigmoid(z_x + z_h))
        g = see("candidate", torch.tanh(g_x + r * g_h))
        return (see("state", z * h + (1 - z) * g),)


def run(
    cell: Cell,
    x: Float[Tensor, "B n d_in"],
    state: State | None = None,  # later
    see: See = unseen,
) -> tuple[Float[Tensor, "B n d"], State]:
    """Carry a state along: the row that is seen at each token, and the last state.

    state: the one before the first token; zeros unless given. see: is shown what each
    step computes, as "step 0 state". Raises ValueError for a text without a token.
    """
    if not x.shape[1]:  # later
        raise ValueError("A text without a token has no last state.")
    # at first: state, seen = cell.start(x[:, 0]), []
    state, seen = state or cell.start(x[:, 0]), []
    for token in x.unbind(1):  # (B, d_in): one after another
        state = cell(token, state, at_step(see, len(seen)))
        seen.append(state[0])
    return torch.stack(seen, 1), state  # n times (B, d) -> (B, n, d)


def at_step(see: See, t: int) -> See:
    """`see` for token t: the names get "step t " in front."""
    return see if see is unseen else lambda name, x: see(f"step {t} {name}", x)
