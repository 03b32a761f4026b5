"""Claims about output heads that have no box in chapter 9: what is right is shown, what is loose is refuted."""

import pytest
import torch
import transformers

from labutils.checkpoints import load


@pytest.fixture(scope="module")
def bert():
    """HuggingFace's BERT with two heads, small, every parameter drawn."""
    config = transformers.BertConfig(
        vocab_size=40, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24
    )
    return drawn(transformers.BertForPreTraining(config))


@pytest.fixture(scope="module")
def gpt2():
    return drawn(transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=40, n_embd=16, n_layer=1, n_head=2)))


def drawn(model):
    torch.manual_seed(0)
    with torch.no_grad():
        for p in model.parameters():
            p.normal_(0, 0.4)
    return model.eval()


IDS = torch.tensor([[3, 9, 4, 1]])


def test_c299_the_output_matrix_of_bert_is_always_the_token_table_and_has_a_bias(bert):
    predictions = bert.cls.predictions
    assert predictions.decoder.weight is bert.bert.embeddings.word_embeddings.weight
    assert predictions.decoder.bias.shape == (40,)


def test_c304_the_loss_of_a_hidden_word_does_not_reach_the_last_row_of_cls():
    model = load("little-bert").model
    out = model(IDS)
    reached = lambda loss: bool(torch.autograd.grad(loss, out.hidden_states[-1], retain_graph=True)[0][0, 0].any())
    assert not reached(out.logits[0, 2].log_softmax(-1)[5])
    assert reached(out.nsp_logits[0].log_softmax(-1)[0])


def test_c305_the_rows_times_a_matrix_are_not_the_logits_before_the_last_norm(gpt2):
    with torch.no_grad():
        out = gpt2.transformer.h[0](gpt2.transformer.wte(IDS) + gpt2.transformer.wpe(torch.arange(4)))
        x = out[0] if isinstance(out, tuple) else out
        wanted = gpt2(IDS).logits
        assert not torch.allclose(x @ gpt2.lm_head.weight.T, wanted, atol=1e-3)
        assert torch.allclose(gpt2.transformer.ln_f(x) @ gpt2.lm_head.weight.T, wanted, atol=1e-4)


def test_c306_the_table_does_not_read_the_row_itself(bert):
    with torch.no_grad():
        x, head = bert.bert(IDS).last_hidden_state, bert.cls.predictions
        table, wanted = bert.bert.embeddings.word_embeddings.weight, bert(IDS).prediction_logits
    assert not torch.allclose(x @ table.T, wanted, atol=1e-3)
    assert not torch.allclose(x @ table.T + head.decoder.bias, wanted, atol=1e-3)
    assert torch.allclose(head.transform(x) @ table.T + head.decoder.bias, wanted, atol=1e-4)


def test_c307_the_bias_behind_the_table_is_missing(bert):
    with torch.no_grad():
        x, head = bert.bert(IDS).last_hidden_state, bert.cls.predictions
        bare = head.transform(x) @ bert.bert.embeddings.word_embeddings.weight.T
        wanted = bert(IDS).prediction_logits
    assert not torch.allclose(bare, wanted, atol=1e-3)
    assert torch.allclose(bare + head.decoder.bias, wanted, atol=1e-4)


def test_c308_the_head_of_gpt2_is_tied_and_has_no_bias(gpt2):
    assert gpt2.lm_head.weight is gpt2.transformer.wte.weight and gpt2.lm_head.bias is None


def test_c310_cls_goes_through_the_pooler(bert):
    with torch.no_grad():
        x, pooler = bert.bert(IDS).last_hidden_state[:, 0], bert.bert.pooler
        wanted, head = bert(IDS).seq_relationship_logits, bert.cls.seq_relationship
    assert not torch.allclose(head(x), wanted, atol=1e-3)
    assert torch.allclose(head(torch.tanh(pooler.dense(x))), wanted, atol=1e-5)
