"""The feed-forward network: the same two layers for every row, alone. No row hears of
another one here.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from .hooks import See, unseen


def relu(x: Tensor) -> Tensor:
    """max(x, 0), with the slope 0 at 0, as torch has it. Vaswani et al. 2017, section
    3.3.
    """
    return torch.where(x > 0, x, 0.0)


def gelu(x: Tensor) -> Tensor:
    """x · Φ(x), where Φ is the normal distribution function. BERT. Hendrycks and Gimpel
    2016, section 2.
    """
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


def gelu_tanh(x: Tensor) -> Tensor:
    """`gelu`, approximated by a hyperbolic tangent; `gelu_new` in HuggingFace. GPT-2.
    The same paper.

    It is at most 4.73e-4 away from `gelu`: too little to see in a text, enough to fail
    every parity test.
    """
    return (
        0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))
    )


def silu(x: Tensor) -> Tensor:
    """x · σ(x), where σ is the logistic function; the gate of LLaMA. Hendrycks and
    Gimpel 2016, section 2 name it; Elfwing et al. 2018.
    """
    return x * torch.sigmoid(x)


ACTIVATIONS = {"relu": relu, "gelu": gelu, "gelu_tanh": gelu_tanh, "silu": silu}


class FeedForward(nn.Module):
    """activation(x W_1 + b_1) W_2 + b_2: from width d to a wider f, and back.

    Vaswani et al. 2017, section 3.3.
    """

    def __init__(self, d_model: int, d_ff: int, activation: str):
        super().__init__()
        self.expand = nn.Linear(d_model, d_ff)
        self.activation = activation
        self.contract = nn.Linear(d_ff, d_model)

    def forward(
        self, x: Float[Tensor, "B n d"], see: See = unseen
    ) -> Float[Tensor, "B n d"]:
        hidden = see("ffn_hidden", self.expand(x))  # (B, n, d) -> (B, n, f)
        activated = see("ffn_activated", ACTIVATIONS[self.activation](hidden))
        return self.contract(activated)  # (B, n, f) -> (B, n, d)


class GatedFeedForward(nn.Module):
    """(activation(x W_g) ⊙ x W_1) W_2: each inner column is let through by a gate that
    is computed beside it. Without biases, unless asked for.

    Shazeer 2020, "GLU Variants Improve Transformer", equation 6: with "silu" it is
    SwiGLU, as in LLaMA, with "gelu_tanh" GEGLU, as in T5 1.1.
    """

    def __init__(self, d_model: int, d_ff: int, activation: str, bias: bool = False):
        super().__init__()
        self.gate = nn.Linear(d_model, d_ff, bias)
        self.expand = nn.Linear(d_model, d_ff, bias)
        self.activation = activation
        self.contract = nn.Linear(d_ff, d_model, bias)

    def forward(
        self, x: Float[Tensor, "B n d"], see: See = unseen
    ) -> Float[Tensor, "B n d"]:
        gate = see("ffn_gate", self.gate(x))  # (B, n, d) -> (B, n, f)
        hidden = see("ffn_hidden", self.expand(x))  # (B, n, d) -> (B, n, f)
        opened = ACTIVATIONS[self.activation](gate) * hidden
        return self.contract(see("ffn_activated", opened))  # (B, n, f) -> (B, n, d)
