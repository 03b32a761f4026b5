"""Sequence to sequence: one recurrent network reads a text, another one writes.

Sutskever et al. 2014 hand over the last state and nothing else. Bahdanau et al. 2015
let the writer look back at every state of the reader, with a small network for the
score (additive). Luong et al. 2015 score with a dot product. They ask after the step of
the writer instead of before it, and feed what was found into its next step; so it is
here for both scores.

m tokens of the source, n of the target, d the width of a state.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from .hooks import See, unseen
from .recurrent import Cell, GRUCell, State, at_step, run
from .scaled_dot_product import softmax


class DotScore(nn.Module):
    """s · h: how well each state h of the reader fits each state s of the writer."""

    def __init__(self, d: int):
        super().__init__()

    def forward(
        self, s: Float[Tensor, "B n d"], h: Float[Tensor, "B m d"]
    ) -> Float[Tensor, "B n m"]:
        return s @ h.mT  # (B, n, d) @ (B, d, m) -> (B, n, m)


class AdditiveScore(nn.Module):
    """v · tanh(s A + h B): a network with one hidden layer scores each pair."""

    def __init__(self, d: int):
        super().__init__()
        self.from_writer = nn.Linear(d, d)
        self.from_reader = nn.Linear(d, d, bias=False)  # one bias is enough for a sum
        self.v = nn.Linear(d, 1, bias=False)

    def forward(
        self, s: Float[Tensor, "B n d"], h: Float[Tensor, "B m d"]
    ) -> Float[Tensor, "B n m"]:
        s, h = self.from_writer(s)[:, :, None], self.from_reader(h)[:, None]
        return self.v(torch.tanh(s + h))[..., 0]  # (B, n, m, d) -> (B, n, m)


SCORES = {"dot": DotScore, "additive": AdditiveScore}


class Seq2Seq(nn.Module):
    """A reader, a writer, and attention between them if a score is named.

    score: "dot", "additive", or None for a writer that gets the last state alone.
    Symbol 0 begins every target. All symbols of a batch are read: no padding.
    """

    def __init__(
        self, symbols: int, d: int, score: str | None = None, cell: type[Cell] = GRUCell
    ):
        super().__init__()
        wide = 2 * d if score else d  # the writer also gets what it last looked up
        self.symbols = nn.Embedding(symbols, d)
        self.reader, self.writer = cell(d, d), cell(wide, d)
        self.score = SCORES[score](d) if score else None
        self.out = nn.Linear(wide, symbols)

    def forward(
        self,
        source: Int[Tensor, "B m"],
        n: int,
        target: Int[Tensor, "B n"] | None = None,
        see: See = unseen,
    ) -> Float[Tensor, "B n V"]:
        """Logits for n symbols, each after the one before it: the right one if a target
        is given, as in training, and otherwise the most probable one.
        """
        read, state = run(self.reader, self.symbols(source))  # (B, m, d)
        symbol, context = torch.zeros_like(source[:, 0]), torch.zeros_like(read[:, 0])
        named = []
        for t in range(n):
            logits, state, context = self.step(
                symbol, state, context, read, at_step(see, t)
            )
            symbol = logits.argmax(-1) if target is None else target[:, t]
            named.append(logits)
        return torch.stack(named, 1)  # n times (B, V) -> (B, n, V)

    def step(
        self,
        symbol: Int[Tensor, " B"],
        state: State,
        context: Float[Tensor, "B d"],
        read: Float[Tensor, "B m d"],
        see: See = unseen,
    ) -> tuple[Float[Tensor, "B V"], State, Float[Tensor, "B d"]]:
        """One symbol on: its logits, the writer's state, and what it looked up."""
        x = self.symbols(symbol)
        if self.score is None:
            state = self.writer(x, state)
            return self.out(state[0]), state, context
        state = self.writer(torch.cat([x, context], -1), state)
        scores = self.score(state[0][:, None], read)  # (B, 1, m)
        weights = see("weights", softmax(scores))  # they sum to 1
        context = see("context", (weights @ read)[:, 0])  # (B, 1, d) -> (B, d)
        return self.out(torch.cat([state[0], context], -1)), state, context
