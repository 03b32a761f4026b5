"""Drawings of layouts say what the code does."""

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from labutils import layers
from labutils.checkpoints import load_tokenizer
from labutils.figures import figure
from labutils.figures.layouts import (
    ATTENTION,
    DECODER,
    POST_NORM,
    PRE_NORM,
    WHOLE,
    attention,
    blocks,
    models,
    stacks,
    translator,
)
from labutils.layers import FeedForward, LayerNorm, MultiHeadAttention, PostNormBlock, PreNormBlock
from labutils.models import FAMILIES, GPT2, Bert, BertConfig, GPT2Config


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


def met_by_the_rows(model: nn.Module) -> list[str]:
    """What is written on the parts of a model, in the order in which they run; equal blocks count as one."""
    met, summed = [], []
    words = {PreNormBlock: "pre-norm blocks", PostNormBlock: "post-norm blocks", LayerNorm: "LayerNorm"}
    for name, module in model.named_modules():
        inside = name.startswith("blocks.") and name.count(".") > 1
        said = None if inside else words.get(type(module))
        if said := "matrix and GELU" if name == "mlm.transform" and model.config.activation == "gelu" else said:
            module.register_forward_hook(lambda *_, said=said: met.append(said))

    def see(name, value):
        if name in ("token", "segment", "position"):
            summed.append(name.replace("position", "place"))
        if name in ("embedding_sum", "logits"):
            met.append(" + ".join(summed) if name == "embedding_sum" else "the table of tokens")
        return value

    with torch.no_grad():
        model(torch.tensor([[1, 2, 3]]), see=see)
    return [said for i, said in enumerate(met) if said not in met[:i] or said == "LayerNorm"]


def test_the_drawn_models_are_those_of_the_code():
    sizes = dict(vocab_size=7, n_positions=4, d_model=8, n_layers=3, n_heads=2)
    for title, model, name in (("BERT", Bert(BertConfig(**sizes)), "bert-base-uncased"),
                               ("GPT-2", GPT2(GPT2Config(**sizes)), "gpt2")):  # fmt: skip
        (_, tokens), *parts = WHOLE[title]
        assert met_by_the_rows(model) == [words for _, words in parts]
        written = load_tokenizer(name).encode("the cat sat").tokens
        assert [token.strip("Ġ") for token in written] == tokens.split()


def test_the_drawn_decoder_is_that_of_pytorch():
    """What is added comes out of a dropout; before the norm, which is on the stream."""
    words = {"self_attn": "attention", "multihead_attn": "cross-attention", "linear1": "feed-forward"}
    words |= {f"dropout{i}": "add" for i in (1, 2, 3)} | {f"norm{i}": "norm" for i in (1, 2, 3)}
    translator = nn.Transformer(8, 2, 1, 1, 12, batch_first=True)
    for layer, parts in ((translator.encoder.layers[0], POST_NORM), (translator.decoder.layers[0], DECODER)):
        met = []
        for name, module in layer.named_children():
            if name in words:
                module.register_forward_hook(lambda *_, said=words[name], met=met: met.append(said))
        given = [torch.randn(1, 3, 8)] * (2 if parts is DECODER else 1)
        layer(*given)
        assert met == list(parts)


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


@pytest.mark.parametrize("draw", [attention, blocks, stacks, models, translator])
def test_both_widths_hold_their_words(draw):
    html = figure(draw, "A finding", "<b>Figure 1.</b> A caption.", "What is seen, in 2 words.", height=4).html
    assert html.count("<svg") == 2
    words = {
        attention: ("queries", *ATTENTION),
        blocks: ("LayerNorm", "attention", "feed-forward"),
        stacks: ("Encoder: BERT", "Decoder: GPT-2"),
        models: ("BERT", "GPT-2", "token + segment + place", "pre-norm blocks"),
        translator: ("Encoder", "Decoder", "cross-attention"),
    }
    for word in words[draw]:
        assert html.count(word) >= 2, word
    assert html.count(">LayerNorm<") == {blocks: 8, models: 6, translator: 10}.get(draw, 0)
