"""Drawings of layouts say what the code does."""

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from labutils import layers
from labutils.figures import figure
from labutils.figures.layouts import ATTENTION, POST_NORM, PRE_NORM, attention, blocks, stacks
from labutils.layers import FeedForward, LayerNorm, MultiHeadAttention, PostNormBlock, PreNormBlock
from labutils.models import FAMILIES


def parts_of(block: nn.Module) -> list[str]:
    """What a row meets in a block, in the order in which it runs; a norm in a branch stands in brackets."""
    met, stream = [], []

    def note(word):
        def hook(module, args, result):
            on_stream = any(torch.equal(args[0], value) for value in stream)
            met.append(f"({word})" if word == "norm" and on_stream else word)

        return hook

    def see(name, value):
        if name in ("input", "attention_stream", "output"):
            stream.append(value)
        if name in ("attention_output", "ffn_output"):
            met.append("add")
        return value

    for name, module in block.named_children():
        if name != "dropout":
            word = "norm" if name.startswith("norm") else "attention" if name == "attention" else "feed-forward"
            module.register_forward_hook(note(word))
    with torch.no_grad():
        block(torch.randn(1, 3, 8, generator=torch.Generator().manual_seed(0)), see=see)
    return met


def test_the_drawn_parts_are_those_of_the_code():
    new = lambda: (LayerNorm(8), MultiHeadAttention(8, 2), LayerNorm(8), FeedForward(8, 12, "relu"))
    norm1, attention, norm2, network = new()
    assert parts_of(PreNormBlock(norm1, attention, norm2, network)) == list(PRE_NORM)
    norm1, attention, norm2, network = new()
    assert parts_of(PostNormBlock(attention, norm1, network, norm2)) == list(POST_NORM)
    assert FAMILIES["bert"].layout.startswith("post-norm") and FAMILIES["gpt2"].layout.startswith("pre-norm")


class Steps(TorchFunctionMode):
    """Notes what attention does to its numbers, and the shape that each step leaves; a softmax counts as one step."""

    NAMES = {"matmul": "compare", "mul": "scale", "masked_fill": "mask"}

    def __init__(self):
        super().__init__()
        self.met, self.inside = [], False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = self.NAMES.get(function.__name__.strip("_"))
        if name and not self.inside:
            self.met.append(("mix" if name == "compare" and self.met else name, tuple(result.shape)))
        return result

    def see(self, name, value):
        self.inside = name == "scores"  # between the scores and the weights stands the softmax
        if name == "weights":
            self.met.append(("softmax", tuple(value.shape)))
        return value


def test_the_drawn_steps_of_attention_are_those_of_the_code():
    n_q, n_k, d_k, d_v = 2, 3, 5, 4
    with Steps() as steps:
        layers.attention(torch.ones(n_q, d_k), torch.ones(n_k, d_k), torch.ones(n_k, d_v),
                         torch.ones(n_q, n_k, dtype=torch.bool), see=steps.see)  # fmt: skip
    sizes = {"$(n_q, n_k)$": (n_q, n_k), "$(n_q, d_v)$": (n_q, d_v)}
    assert steps.met == [(part, sizes[shape]) for part, (_, shape) in ATTENTION.items()]


@pytest.mark.parametrize("draw", [attention, blocks, stacks])
def test_both_widths_hold_their_words(draw):
    html = figure(draw, "A finding", "<b>Figure 1.</b> A caption.", "What is seen, in 2 words.", height=4).html
    assert html.count("<svg") == 2
    words = {
        attention: ("queries", *ATTENTION),
        blocks: ("LayerNorm", "attention", "feed-forward"),
        stacks: ("Encoder: BERT", "Decoder: GPT-2"),
    }
    for word in words[draw]:
        assert html.count(word) >= 2, word
    assert html.count(">LayerNorm<") == (8 if draw is blocks else 0)
