"""Output heads: a question put to the last hidden states."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from labutils.layers import ACTIVATIONS, LayerNorm, See, unseen


class MaskedLanguageHead(nn.Module):
    """Which token stands here? One more layer, then the token table once more, and a
    bias for each token.

    Devlin et al. 2019, section 3.1, task 1; the extra layer is in the published code,
    not in the paper.
    """

    def __init__(self, d_model: int, vocab_size: int, activation: str, eps: float):
        super().__init__()
        self.transform = nn.Linear(d_model, d_model)
        self.activation = activation
        self.norm = LayerNorm(d_model, eps)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(
        self,
        x: Float[Tensor, "B n d"],
        token_table: Float[Tensor, "V d"],
        see: See = unseen,
    ) -> Float[Tensor, "B n V"]:
        x = see(
            "mlm_transform", self.norm(ACTIVATIONS[self.activation](self.transform(x)))
        )
        return x @ token_table.T + self.bias  # (B, n, d) -> (B, n, V)


class Pooler(nn.Module):
    """tanh(W h + b) of the first row, [CLS]: one vector for the whole text."""

    def __init__(self, d_model: int):
        super().__init__()
        self.dense = nn.Linear(d_model, d_model)

    def forward(self, x: Float[Tensor, "B n d"]) -> Float[Tensor, "B d"]:
        return torch.tanh(self.dense(x[:, 0]))  # (B, n, d) -> (B, d)
