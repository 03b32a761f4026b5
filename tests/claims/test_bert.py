"""Statements about BERT that are wrong or loose and have no box, and some that are right: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import pytest
import torch
import transformers

from labutils.checkpoints import load
from labutils.models import Bert, BertConfig

LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}


@pytest.fixture(scope="module")
def bert():
    return load("little-bert")


def count(kind, **config) -> int:
    with torch.device("meta"):
        return sum(p.numel() for p in kind(transformers.BertConfig(**config)).parameters())


def test_c222_the_base_model_has_these_sizes():
    c = transformers.BertConfig()
    assert (c.num_hidden_layers, c.hidden_size, c.num_attention_heads, c.intermediate_size) == (12, 768, 12, 3072)
    assert not c.is_decoder


def test_c223_four_depths_of_gpt2_and_two_of_bert():
    """12 and 24 are BERT’s; a GPT-2 of 12 layers is the smallest of four."""
    assert transformers.BertConfig().num_hidden_layers == transformers.GPT2Config().n_layer == 12
    with torch.device("meta"):
        xl = transformers.GPT2Model(transformers.GPT2Config(n_layer=48, n_embd=1600, n_head=25))
    assert sum(p.numel() for p in xl.parameters()) == 1_557_611_200


def test_c224_and_more_exactly():
    assert count(transformers.BertModel) == 109_482_240
    assert count(transformers.BertForMaskedLM) == 109_514_298
    assert count(transformers.BertForPreTraining) == 110_106_428


def test_c225_the_large_model_has_335_million():
    assert count(transformers.BertModel, **LARGE) == 335_141_888
    assert count(transformers.BertForPreTraining, **LARGE) == 336_226_108


def test_c226_the_large_model_has_these_sizes():
    """With them the published count comes out, and with another number of heads as well: heads cost nothing."""
    assert count(transformers.BertModel, **LARGE | {"num_attention_heads": 8}) == 335_141_888


def test_c229_the_table_of_the_base_model():
    c = transformers.BertConfig()
    assert (c.vocab_size, c.max_position_embeddings, c.type_vocab_size) == (30522, 512, 2)
    assert (c.hidden_act, c.hidden_dropout_prob, c.layer_norm_eps) == ("gelu", 0.1, 1e-12)


def test_c231_the_word_under_another_hole_is_not_in_sight(bert):
    """What is predicted from is the text with all its holes: hidden words are no part of it."""
    ids = bert.tokenizer.encode("The [MASK] sat on the mat.").ids
    hidden = [*ids[:6], bert.tokenizer.token_to_id("[MASK]"), *ids[7:]]
    one, two = (bert.model(torch.tensor([row])).logits[0, 2] for row in (ids, hidden))
    assert bert.tokenizer.encode("The [MASK] sat on the [MASK].").ids == hidden
    assert (one - two).abs().max() > 0.5  # with the word in sight it would be another answer


def test_c232_it_writes_if_it_may_read_again(bert):
    """One hole after the other, three times over: a sentence of the little world, which begins as it was told to."""
    from labutils.world import World

    mask, special = bert.tokenizer.token_to_id("[MASK]"), [0, *bert.tokenizer.encode("[UNK]").ids]
    page = [*bert.tokenizer.encode("The cat").ids[:-1], *[mask] * 11, bert.tokenizer.encode("").ids[-1]]

    def best(ids):
        with torch.no_grad():
            logits = bert.model(torch.tensor([ids])).logits[0]
        logits[:, [*special, mask]] = -torch.inf
        return logits.argmax(-1).tolist()

    page[3:-1] = best(page)[3:-1]
    for _ in range(3):
        for i in range(3, len(page) - 1):
            page[i] = mask
            page[i] = best(page)[i]
    text = bert.tokenizer.decode(page[1:-1])
    assert text.startswith("the cat ") and World().next_word(text[0].upper() + text[1:])  # it can be told


def test_c233_attention_goes_both_ways(bert):
    from labutils.trace import trace

    for layer in trace(bert.model, "The cat sat on the mat.", bert.tokenizer).layers:
        assert (layer.weights > 0).all()


def test_c234_two_tasks_and_two_heads():
    theirs = transformers.BertForPreTraining(
        transformers.BertConfig(
            vocab_size=9, hidden_size=8, num_attention_heads=2, num_hidden_layers=1, intermediate_size=8
        )
    )
    out = theirs(torch.tensor([[1, 2, 3]]))
    assert out.prediction_logits.shape == (1, 3, 9) and out.seq_relationship_logits.shape == (1, 2)


def test_c235_attention_sum_norm_network_sum_norm():
    """As in PyTorch’s layer with norm_first=False."""
    ours = Bert(BertConfig(vocab_size=9, n_positions=8, d_model=8, n_layers=1, n_heads=2, d_ff=12, nsp=False)).blocks[0]
    theirs = torch.nn.TransformerEncoderLayer(8, 2, 12, 0.0, "gelu", 1e-12, batch_first=True).eval()
    a = ours.attention
    with torch.no_grad():
        for kind in ("weight", "bias"):
            parts = torch.cat([getattr(part, kind) for part in (a.query, a.key, a.value)])
            getattr(theirs.self_attn, f"in_proj_{kind}").copy_(parts)
            getattr(theirs.self_attn.out_proj, kind).copy_(getattr(a.output, kind))
            getattr(theirs.linear1, kind).copy_(getattr(ours.feed_forward.expand, kind))
            getattr(theirs.linear2, kind).copy_(getattr(ours.feed_forward.contract, kind))
    x = torch.randn(2, 5, 8)
    torch.testing.assert_close(ours(x), theirs(x), rtol=1e-4, atol=1e-5)


def test_c237_the_table_of_positions_ends_at_512():
    model = Bert(BertConfig(vocab_size=9, n_positions=512, d_model=8, n_layers=1, n_heads=2, d_ff=8, nsp=False))
    assert model(torch.ones(1, 512, dtype=torch.long)).logits.shape == (1, 512, 9)
    with pytest.raises(ValueError, match="512"):
        model(torch.ones(1, 513, dtype=torch.long))


def test_c238_a_causal_model_is_trained_on_a_whole_text_at_once_too():
    """Of n tokens it is asked for n - 1 at once, a BERT for the 15% or so that are hidden."""
    gpt2, text = load("little-gpt2"), "The cat sat on the mat. It was tired."
    ids = torch.tensor([gpt2.tokenizer.encode(text).ids])
    losses = torch.nn.functional.cross_entropy(gpt2.model(ids).logits[0, :-1], ids[0, 1:], reduction="none")
    assert len(losses) == ids.shape[1] - 1 > 0.15 * ids.shape[1]


@pytest.fixture(scope="module")
def by_layer(bert):
    """For each layer how often a probe reads the place of a word, fitted on half of 80 stories, scored on the others."""
    from labutils.analysis import fit_probe
    from labutils.analysis.word_states import word_states
    from labutils.world import World

    states = word_states(bert.model, bert.tokenizer, World().stories(80, seed=4))
    rows = [torch.cat([one[:, :12] for one in part], 1) for part in (states[:40], states[40:])]
    places = [torch.cat([torch.arange(min(12, one.shape[1])) for one in part]) for part in (states[:40], states[40:])]
    return [fit_probe(fit, places[0], 12).accuracy(score, places[1]) for fit, score in zip(*rows)]


def test_c239_early_layers_hold_the_surface(by_layer):
    """Which place a word has is read off the embeddings, and no longer off the last layer."""
    assert by_layer[0] > 0.9 > 0.6 > by_layer[-1]


def test_c240_the_last_layer_holds_least_of_the_surface(by_layer):
    assert min(by_layer) == by_layer[-1]
