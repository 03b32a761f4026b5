"""The paper model: a whole GPT-2 of 170 parameters that can be computed with a pencil.

All weights are small whole numbers but for two constants. W_Q and b_Q carry c = √2 · ln
2 / 4, so that the scores of "the cat sat on the" are whole multiples of ln 2 and every
softmax a ratio of powers of two. The last LayerNorm has the gain 1.5 · ln 2 for the
same reason. Row vectors: y = x W + b, the way HuggingFace's Conv1D holds W.
"""

import math

import torch
from torch import Tensor

from .gpt2 import GPT2, GPT2Config

PAPER_VOCABULARY = ("the", "cat", "sat", "on", "mat")

_QUERY_SCALE = math.sqrt(2) * math.log(2) / 4
_FINAL_GAIN = 1.5 * math.log(2)

_TOKENS = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1], [1, 1, 2, 0]]
_POSITIONS = [
    [1, 1, 0, 0],
    [0, -1, 0, -1],
    [2, -1, -1, 2],
    [0, 2, -1, 1],
    [1, -3, 2, -2],
    [0, 0, 0, 0],
]
_W_Q = [[1, 2, 0, 0], [0, 0, 0, 0], [-1, 2, 0, 0], [0, 0, 0, 0]]  # times c
_B_Q = [0, 0, 2, 0]  # times c
_W_K = [[1, 1, 1, 1], [0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
_W_V = [[1, 1, 1, 1], [1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
_W_O = [[2, 2, -2, -2], [1, -1, 1, -1], [2, 2, 2, 2], [1, 1, -1, -1]]
_W_1 = [[1, 0], [-1, 0], [0, 1], [0, 0]]
_W_2 = [[-5, 2, 2, 1], [1, 0, 0, -1]]


def paper_config(eps: float = 1e-12) -> GPT2Config:
    """One block, two heads of width 2, ReLU. By hand eps is 0; then a text must not
    start with "on", whose variance is 0.
    """
    return GPT2Config(
        vocab_size=5,
        n_positions=6,
        d_model=4,
        n_layers=1,
        n_heads=2,
        d_ff=2,
        activation="relu",
        layer_norm_eps=eps,
        embedding_dropout=0.0,
        attention_dropout=0.0,
        residual_dropout=0.0,
    )


def paper_state_dict(dtype: torch.dtype = torch.float64) -> dict[str, Tensor]:
    """The 170 parameters under HuggingFace's names. Only float64 holds the two
    constants well enough for a test at 1e-11.
    """
    number = lambda values: torch.tensor(values, dtype=torch.float64)
    zeros, ones = (
        (lambda n: torch.zeros(n, dtype=torch.float64)),
        (lambda n: torch.ones(n, dtype=torch.float64)),
    )
    block = {
        "ln_1.weight": ones(4),
        "ln_1.bias": zeros(4),
        "ln_2.weight": ones(4),
        "ln_2.bias": zeros(4),
        # (4, 12)
        "attn.c_attn.weight": torch.cat(
            [number(_W_Q) * _QUERY_SCALE, number(_W_K), number(_W_V)], dim=1
        ),
        "attn.c_attn.bias": torch.cat([number(_B_Q) * _QUERY_SCALE, zeros(8)]),  # (12,)
        "attn.c_proj.weight": number(_W_O),
        "attn.c_proj.bias": zeros(4),
        "mlp.c_fc.weight": number(_W_1),
        "mlp.c_fc.bias": zeros(2),
        "mlp.c_proj.weight": number(_W_2),
        "mlp.c_proj.bias": zeros(4),
    }
    tensors = {
        "transformer.wte.weight": number(_TOKENS),
        "transformer.wpe.weight": number(_POSITIONS),
    }
    tensors |= {f"transformer.h.0.{name}": tensor for name, tensor in block.items()}
    tensors |= {
        "transformer.ln_f.weight": ones(4) * _FINAL_GAIN,
        "transformer.ln_f.bias": zeros(4),
    }
    return {name: tensor.to(dtype) for name, tensor in tensors.items()}


def paper_model(eps: float = 0.0, dtype: torch.dtype = torch.float64) -> GPT2:
    """The paper model, ready to run, as it is computed by hand.

    >>> logits = paper_model()(torch.tensor([[0, 1, 2]])).logits  # the cat sat
    >>> bits = (logits[0, -1] / math.log(2)).round(decimals=6) + 0
    >>> bits.tolist()  # for the, cat, sat, on, mat
    [-1.0, -2.0, -2.0, 1.0, 0.0]
    """
    model = GPT2(paper_config(eps)).to(dtype)
    model.load_hf_state_dict(paper_state_dict(dtype))
    return model
