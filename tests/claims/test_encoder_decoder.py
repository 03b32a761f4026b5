"""Statements about an encoder with a decoder: each is computed here, on small random models of HuggingFace.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import pytest
import torch
import transformers
from torch import nn
from torch.nn import functional as F

from labutils.layers import attention, merge_heads, split_heads

SOURCE, TARGET = torch.tensor([[3, 1, 4, 1, 5, 9]]), torch.tensor([[2, 7, 8]])


@pytest.fixture(scope="module")
def t5():
    """Two blocks on each side, 3 heads of 8 columns in a width of 20; no weight is zero or one."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 31, "d_model": 20, "d_kv": 8, "num_heads": 3, "d_ff": 32, "num_layers": 2}
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(**sizes, decoder_start_token_id=0))
    model.set_attn_implementation("eager")
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(std=0.5)
    return model.eval()


@pytest.fixture(scope="module")
def bart():
    return transformers.BartModel(
        transformers.BartConfig(
            vocab_size=31, d_model=24, encoder_layers=1, decoder_layers=1, encoder_attention_heads=3,
            decoder_attention_heads=3, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=40,
        )
    ).eval()  # fmt: skip


def on_meta(model, config):
    with torch.device("meta"):
        return sum(p.numel() for p in model(config).parameters())


@torch.no_grad()
def test_c259_the_decoder_reads_the_target_one_place_late(t5):
    late = torch.tensor([[0, 2, 7]])
    torch.testing.assert_close(
        t5(input_ids=SOURCE, labels=TARGET).logits, t5(input_ids=SOURCE, decoder_input_ids=late).logits
    )
    assert (t5(input_ids=SOURCE, labels=TARGET).logits - t5(SOURCE, decoder_input_ids=TARGET).logits).abs().max() > 0.1


@torch.no_grad()
def test_c260_the_weights_are_target_by_source_and_the_source_reaches_the_decoder(t5):
    found = t5(input_ids=SOURCE, decoder_input_ids=TARGET, output_attentions=True)
    assert [tuple(weights.shape) for weights in found.cross_attentions] == [(1, 3, 3, 6)] * 2
    other = t5(input_ids=SOURCE.flip(1), decoder_input_ids=TARGET)
    assert (found.logits - other.logits).abs().max() > 0.02


@torch.no_grad()
def test_c261_padding_changes_what_comes_out_unless_cross_attention_masks_it():
    torch.manual_seed(0)
    block = nn.TransformerDecoderLayer(24, 3, 32, batch_first=True).eval()
    x, memory = torch.randn(1, 4, 24), torch.randn(1, 6, 24)
    padded = torch.cat([memory, torch.randn(1, 2, 24)], 1)
    padding = torch.tensor([[False] * 6 + [True] * 2])
    torch.testing.assert_close(block(x, padded, memory_key_padding_mask=padding), block(x, memory))
    assert (block(x, padded) - block(x, memory)).abs().max() > 0.01
    norms = [part for part in block.children() if isinstance(part, nn.LayerNorm)]
    assert len({id(norm.weight) for norm in norms}) == 3


def test_c262_t5_and_bart_differ_from_the_first_transformer(t5, bart):
    names = dict(t5.named_parameters())
    assert [name for name in names if "relative_attention_bias" not in name and "bias" in name] == []
    assert sum("relative_attention_bias" in name for name in names) == 2 and not any("position" in n for n in names)
    norm = t5.encoder.block[0].layer[0].layer_norm
    assert norm(torch.ones(1, 20)).allclose(norm.weight)  # nothing is subtracted from a row of ones
    positions = bart.encoder.embed_positions
    assert positions.offset == 2 and positions.weight.shape == (42, 24) and positions.weight.requires_grad
    assert isinstance(bart.encoder.layernorm_embedding, nn.LayerNorm)
    assert isinstance(bart.encoder.layers[0].activation_fn, type(transformers.activations.ACT2FN["gelu"]))


@torch.no_grad()
def test_c263_cross_attention_of_t5_comes_out_without_the_factor_only(t5):
    part = t5.decoder.block[0].layer[1].EncDecAttention
    x, memory = torch.randn(2, 1, 5, 20, generator=torch.Generator().manual_seed(0))
    q, k, v = (split_heads(project(y), 3) for project, y in ((part.q, x), (part.k, memory), (part.v, memory)))
    theirs = part(x, key_value_states=memory)[0]
    plain, divided = (part.o(merge_heads(attention(q, k, v, scale=scale)[0])) for scale in (1.0, None))
    torch.testing.assert_close(plain, theirs)
    assert (divided - theirs).abs().max() > 0.1
    config = transformers.T5Config(vocab_size=31, d_model=256, d_kv=64, num_heads=4, d_ff=32, num_layers=1)
    part = transformers.T5EncoderModel(config).encoder.block[0].layer[0].SelfAttention  # as it starts
    assert (part.k.weight.std() / part.q.weight.std()).item() == pytest.approx(8, rel=0.05)


def test_c265_a_block_of_the_decoder_has_a_second_attention():
    T5, Bart, Bert = transformers.T5Config, transformers.BartConfig, transformers.BertConfig
    base = T5(d_model=768, d_ff=3072, num_layers=12, num_heads=12)
    assert on_meta(transformers.T5ForConditionalGeneration, base) == 222_903_552
    sizes = {"encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072, "encoder_attention_heads": 12}
    small = Bart(d_model=768, encoder_layers=6, decoder_layers=6, decoder_attention_heads=12, **sizes)
    assert on_meta(transformers.BartModel, small) == 139_420_416
    assert on_meta(transformers.BertModel, Bert()) == 109_482_240
    with torch.device("meta"):
        model = transformers.T5Model(base)
    blocks = [sum(p.numel() for p in part.block[1].parameters()) for part in (model.decoder, model.encoder)]
    assert blocks[0] - blocks[1] == 4 * 768**2 + 768  # and a norm before it


@torch.no_grad()
def test_c266_the_mean_times_the_tokens_is_the_sum(t5):
    found = t5(input_ids=SOURCE, labels=TARGET)
    chosen = found.logits.log_softmax(-1)[0, range(3), TARGET[0]]
    torch.testing.assert_close(3 * found.loss, -chosen.sum())
    torch.testing.assert_close(F.cross_entropy(found.logits[0], TARGET[0], reduction="sum"), -chosen.sum())


@torch.no_grad()
def test_c267_an_encoder_marks_an_answer_with_two_scores_a_token():
    sizes = {"vocab_size": 31, "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 3}
    model = transformers.BertForQuestionAnswering(transformers.BertConfig(**sizes, intermediate_size=32)).eval()
    found = model(SOURCE)
    assert found.start_logits.shape == found.end_logits.shape == (1, 6)
    assert model.qa_outputs.weight.shape == (2, 24) and not model.config.is_encoder_decoder
