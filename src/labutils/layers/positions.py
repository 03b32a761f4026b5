"""Positions: a second table of rows, one for each place in the text."""

import torch
from jaxtyping import Float, Integer
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """A trained row for each place 0 … n_max - 1, as in GPT-2 and BERT. There is no row
    beyond the last place.
    """

    def __init__(self, n_max: int, d_model: int):
        super().__init__()
        self.n_max = n_max
        self.table = nn.Embedding(n_max, d_model)

    def forward(self, positions: Integer[Tensor, "B n"]) -> Float[Tensor, "B n d"]:
        """Raises ValueError for a place that the table does not have."""
        if not torch.compiler.is_compiling() and (
            positions.min() < 0 or positions.max() >= self.n_max
        ):
            raise ValueError(
                f"This model knows the positions 0 to {self.n_max - 1}; got"
                f" {positions.min()} to {positions.max()}."
            )
        return self.table(positions)  # (B, n) -> (B, n, d)


def count_positions(
    ids: Tensor, attention_mask: Tensor | None = None
) -> Integer[Tensor, "B n"]:
    """0, 1, 2, … for each text of a batch, whatever stands before it: padding tokens
    are not counted.

    ids: (B, n). attention_mask: (B, n), 1 for a token of the text; None counts every
    place. Padding gets the position 0, which no real token ever sees.

    >>> count_positions(torch.zeros(1, 4), torch.tensor([[0, 0, 1, 1]]))
    tensor([[0, 0, 0, 1]])
    """
    if attention_mask is None:
        attention_mask = torch.ones_like(ids, dtype=torch.long)
    return (attention_mask.long().cumsum(-1) - 1).clamp(min=0) * attention_mask.long()
