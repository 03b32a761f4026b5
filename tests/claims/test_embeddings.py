"""Statements about embeddings and positions that are right, or right with a condition: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test. The most instructive of those
that are loose or wrong have a box in chapter 3.
"""

import copy
import math

import pytest
import torch
import transformers
from torch import nn
from torch.nn import functional as F

from labutils.analysis import analogy, fit_probe
from labutils.checkpoints import load
from labutils.layers import (
    BatchNorm,
    BertEmbeddings,
    GPT2Embeddings,
    LayerNorm,
    rotation,
    sinusoids,
    speeds,
    t5_buckets,
)
from labutils.making import lengths
from labutils.trace import trace
from labutils.world.lexicon import KINDS
from labutils.world.morphology import plural

NOWHERE = {"position": torch.zeros_like}
TEXT = "The cat sat on the mat."


@pytest.fixture(scope="module")
def bert():
    return load("little-bert")


@pytest.fixture(scope="module")
def gpt2():
    return load("little-gpt2")


def empty(cls, config):
    """A model of HuggingFace’s with its shapes and without its numbers."""
    with torch.device("meta"):
        return cls(config)


def gap(a, b) -> float:
    return float((a - b).abs().max())


def shuffled_rows(one, change):
    """The last rows of a text, of the same shuffled, and the order."""
    ids = torch.tensor(one.tokenizer.encode(TEXT).ids)
    order = torch.arange(len(ids)).flip(0)
    return trace(one.model, ids, change=change).final, trace(one.model, ids[order], change=change).final, order


def test_c058_attention_moves_rows_along_with_the_words(bert):
    straight, mixed, order = shuffled_rows(bert, NOWHERE)
    assert gap(mixed, straight[order]) < 1e-4 < 1 < gap(mixed, straight)
    assert gap(mixed.mean(0), straight.mean(0)) < 1e-4  # what is added up over all rows is invariant


def test_c059_berts_tokens():
    table = empty(transformers.BertModel, transformers.BertConfig()).embeddings.word_embeddings.weight
    assert tuple(table.shape) == (30522, 768) and table.numel() == 23_440_896


def test_c060_gpt2s_tokens():
    table = empty(transformers.GPT2Model, transformers.GPT2Config()).wte.weight
    assert tuple(table.shape) == (50257, 768) and table.numel() == 38_597_376


def test_c061_tables_start_at_random():
    torch.manual_seed(0)
    small = transformers.GPT2Model(transformers.GPT2Config(n_embd=64, n_layer=1, n_head=1, vocab_size=4000))
    assert float(small.wte.weight.detach().std()) == pytest.approx(0.02, rel=0.02) and small.wte.weight.requires_grad


def test_c062_shape_and_precision(gpt2):
    rows = gpt2.model.embeddings(torch.zeros(2, 3, dtype=torch.long), torch.zeros(2, 3, dtype=torch.long))
    assert tuple(rows.shape) == (2, 3, 128) and rows.dtype == torch.float32


def test_c063_segments_of_the_template(bert):
    e = bert.tokenizer.encode("the cat", "it was")
    first = e.tokens.index("[SEP]") + 1
    assert e.type_ids == [0] * first + [1] * (len(e.ids) - first)


def test_c064_twelve_tokens_need_twelve_numbers():
    tokens = "[CLS] What is AI ? [SEP] AI is artificial intelligence . [SEP]".split()
    first = tokens.index("[SEP]") + 1
    assert len(tokens) == 12 and [first, len(tokens) - first] == [6, 6] and len("0 0 0 0 0 0 1 1 1 1 1".split()) == 11


def test_c065_two_segments():
    table = empty(transformers.BertModel, transformers.BertConfig()).embeddings.token_type_embeddings.weight
    assert tuple(table.shape) == (2, 768)


def test_c066_segments_are_added(bert):
    e = bert.tokenizer.encode("the cat", "it was")
    t = trace(bert.model, e.ids, type_ids=e.type_ids)
    assert gap(t.embedding_sum, t.token + t.segment + t.position) < 1e-6


def test_c067_gpt2_takes_segments_that_it_does_not_have(gpt2):
    torch.manual_seed(0)
    config = transformers.GPT2Config(n_embd=8, n_layer=1, n_head=1, vocab_size=50)
    model, ids = transformers.GPT2Model(config).eval(), torch.tensor([[1, 2, 3]])
    with torch.no_grad():
        assert gap(model(ids, token_type_ids=0 * ids)[0], model(ids)[0]) > 1e-3
    assert not hasattr(gpt2.model.embeddings, "segment")


def test_c068_equivariance_needs_that_nothing_is_masked(bert, gpt2):
    straight, mixed, order = shuffled_rows(bert, NOWHERE)
    assert gap(mixed, straight[order]) < 1e-4
    straight, mixed, order = shuffled_rows(gpt2, NOWHERE)
    assert gap(mixed, straight[order]) > 1


def test_c070_both_tables_are_learned():
    for table in (
        empty(transformers.GPT2Model, transformers.GPT2Config()).wpe,
        empty(transformers.BertModel, transformers.BertConfig()).embeddings.position_embeddings,
    ):
        assert isinstance(table, nn.Embedding) and table.weight.requires_grad


def test_c071_gpt2_has_twice_as_many_places():
    bert = empty(transformers.BertModel, transformers.BertConfig()).embeddings.position_embeddings.weight
    gpt2 = empty(transformers.GPT2Model, transformers.GPT2Config()).wpe.weight
    assert tuple(bert.shape) == (512, 768) and tuple(gpt2.shape) == (1024, 768)


def test_c072_berts_input(bert):
    t = trace(bert.model, TEXT, bert.tokenizer)
    assert gap(t.embedding_norm, bert.model.embeddings.norm(t.token + t.segment + t.position)) < 1e-5


def test_c073_gpt2s_input(gpt2):
    t = trace(gpt2.model, TEXT, gpt2.tokenizer)
    assert torch.equal(t.layers[0].input, t.token + t.position)


def test_c074_the_table_ends():
    model = transformers.GPT2Model(transformers.GPT2Config(n_embd=8, n_layer=1, n_head=1, vocab_size=50)).eval()
    model(torch.zeros(1, 1024, dtype=torch.long))
    with pytest.raises(IndexError):
        model(torch.zeros(1, 1025, dtype=torch.long))


def test_c075_gpt2_normalises_inside_its_blocks():
    model = empty(transformers.GPT2Model, transformers.GPT2Config())
    norms = [name for name, module in model.named_modules() if isinstance(module, nn.LayerNorm)]
    assert norms[0] == "h.0.ln_1" and len(norms) == 2 * 12 + 1


def test_c076_berts_first_norm_is_at_the_input_and_gpt2s_inside_its_first_block():
    first = {}
    for cls, config in (
        (transformers.BertModel, transformers.BertConfig()),
        (transformers.GPT2Model, transformers.GPT2Config()),
    ):
        model = empty(cls, config)
        first[cls] = next(name for name, module in model.named_modules() if isinstance(module, nn.LayerNorm))
    assert list(first.values()) == ["embeddings.LayerNorm", "h.0.ln_1"]


def test_c077_statistics_of_layer_norm():
    x = torch.randn(3, 7, dtype=torch.float64)
    away = x - x.mean(-1, keepdim=True)
    assert gap(away / (away.square().sum(-1, keepdim=True) / 7).sqrt(), F.layer_norm(x, (7,), eps=0.0)) < 1e-12


@pytest.mark.parametrize("eps", [1e-12, 1e-5])
def test_c078_epsilon_is_inside_the_root(eps):
    x = 0.01 * torch.randn(3, 7, dtype=torch.float64)
    away = x - x.mean(-1, keepdim=True)
    assert gap(away / (away.square().mean(-1, keepdim=True) + eps).sqrt(), F.layer_norm(x, (7,), eps=eps)) < 1e-9


def test_c079_four_epsilons():
    assert transformers.BertConfig().layer_norm_eps == 1e-12
    assert transformers.GPT2Config().layer_norm_epsilon == nn.LayerNorm(1).eps == 1e-5
    assert transformers.T5Config().layer_norm_epsilon == 1e-6


def test_c080_gain_and_bias_at_the_start():
    norm = nn.LayerNorm(5)
    assert norm.weight.tolist() == [1.0] * 5 and norm.bias.tolist() == [0.0] * 5


def test_c081_gain_and_bias_move_mean_and_variance(bert):
    rows = trace(bert.model, TEXT, bert.tokenizer).embedding_norm
    assert rows.mean(-1).abs().max() > 0.01 and (rows.var(-1, unbiased=False) - 1).abs().max() > 0.1


def test_c083_the_way_back_through_the_statistics_matters():
    """The same stable rows in both; where mean and variance count as constants on the way back, training suffers."""

    def last_loss(detached: bool) -> float:
        torch.manual_seed(0)
        layers = [nn.Linear(16, 16, dtype=torch.float64) for _ in range(8)]
        x = torch.randn(64, 16, dtype=torch.float64)
        wanted = torch.randn(64, 16, dtype=torch.float64)
        adam = torch.optim.SGD([p for layer in layers for p in layer.parameters()], lr=0.1)
        for _ in range(150):
            rows = x
            for layer in layers:
                rows = layer(rows)
                mean, size = rows.mean(-1, keepdim=True), rows.var(-1, unbiased=False, keepdim=True).add(1e-5).sqrt()
                rows = torch.relu((rows - mean.detach()) / size.detach() if detached else (rows - mean) / size)
            loss = (rows - wanted).square().mean()
            adam.zero_grad(), loss.backward(), adam.step()
        return float(loss.detach())

    assert last_loss(detached=True) > 1.1 * last_loss(detached=False)


def test_c084_who_listens_to_other_rows():
    x = torch.randn(4, 5)
    other = torch.cat([x[:3], 9 + x[3:]])
    assert torch.equal(LayerNorm(5)(x)[:3], LayerNorm(5)(other)[:3])
    assert gap(BatchNorm(5)(x)[:3], BatchNorm(5)(other)[:3]) > 0.1


def test_c085_the_other_form_makes_small_rows_three_times_as_long():
    rows = 0.001 * torch.randn(100, 768, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    away, right = rows - rows.mean(-1, keepdim=True), F.layer_norm(rows, (768,), eps=1e-5)
    other = away / (away.square().mean(-1, keepdim=True).sqrt() + 1e-5)
    assert other.norm() / right.norm() > 3


def test_c086_std_divides_by_one_less():
    x = torch.randn(9, 768, dtype=torch.float64)
    by_std = (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)
    right = F.layer_norm(x, (768,), eps=0.0)
    torch.testing.assert_close(right / by_std, torch.full_like(x, math.sqrt(768 / 767)))
    assert 1e-3 < gap(by_std, right) < 4e-3


def test_c087_gpt2s_epsilon_is_larger():
    assert transformers.BertConfig().layer_norm_eps == 1e-12 and transformers.GPT2Config().layer_norm_epsilon == 1e-5


def test_c088_the_other_form_fails_the_same_test():
    x = 0.01 * torch.randn(3, 768, dtype=torch.float64)
    away, right = x - x.mean(-1, keepdim=True), F.layer_norm(x, (768,), eps=1e-5)
    sigma = away.square().mean(-1, keepdim=True).sqrt()
    assert gap(away / (sigma.square() + 1e-5).sqrt(), right) < 1e-9 < 0.1 < gap(away / (sigma + 1e-5), right)


def test_c089_a_look_up_is_a_product():
    table, ids = torch.randn(9, 4), torch.tensor([3, 3, 8])
    assert torch.equal(F.one_hot(ids, 9).float() @ table, table[ids])


def test_c090_angles_of_a_sinusoid():
    table = sinusoids(20, 10, dtype=torch.float64)
    for k in range(5):
        angle = torch.arange(20, dtype=torch.float64) / 10000 ** (2 * k / 10)
        assert gap(table[:, 2 * k], angle.sin()) < 1e-12 > gap(table[:, 2 * k + 1], angle.cos())


def test_c091_every_row_has_one_length():
    table = sinusoids(5000, 768)
    assert table.abs().max() <= 1 and f"{table[0].norm():.3f}" == "19.596"
    assert gap(table.norm(dim=-1), torch.full((5000,), math.sqrt(384))) < 1e-3


def test_c092_from_fast_to_slow():
    turns = 2 * math.pi / speeds(768)
    assert f"{turns[0]:.2f}" == "6.28" and 61_000 < turns[-1] < 62_832 and (turns[1:] > turns[:-1]).all()


def test_c093_learned_rows_need_not_grow(gpt2):
    length = gpt2.model.embeddings.position.table.weight.norm(dim=-1)
    assert length[200:].max() < 0.5 * length[:100].min()


def test_c094_a_bucket_is_a_number_of_its_own():
    near, mirrored = t5_buckets(torch.tensor([-3, 3]))
    assert near != mirrored  # the direction picks the bucket, and what is learned there is free
    theirs = transformers.models.t5.modeling_t5.T5Attention._relative_position_bucket(torch.tensor([-3, 3]))
    assert theirs.tolist() == [near, mirrored]


def test_c095_adding_keeps_the_shape():
    assert (torch.randn(7, 16) + sinusoids(7, 16)).shape == (7, 16)


@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_c096_bert_and_gpt2_do_not_scale(name):
    ours, theirs = load(name), load(name, library="transformers").model
    one, other = (trace(model, TEXT, ours.tokenizer).embedding_sum for model in (ours.model, theirs))
    scaled = trace(ours.model, TEXT, ours.tokenizer, change={"token": lambda x: x * math.sqrt(128)}).embedding_sum
    assert gap(one, other) < 1e-5 and gap(scaled, other) > 1


def test_c097_both_parts_can_be_read_back():
    draws = torch.Generator().manual_seed(0)
    words, spots = torch.randn(200, 128, generator=draws), torch.randn(64, 128, generator=draws)
    word, spot = (torch.randint(n, (6000,), generator=draws) for n in (200, 64))
    rows = words[word] + spots[spot]
    for classes in (word, spot):
        assert fit_probe(rows[:3000], classes[:3000]).accuracy(rows[3000:], classes[3000:]) > 0.95


def test_c098_concatenating_is_adding():
    a, b, w = torch.randn(2, 5, 8).unbind() + (torch.randn(16, 8),)
    assert gap(torch.cat([a, b], -1) @ w, a @ w[:8] + b @ w[8:]) < 1e-5


def test_c099_bert_needs_the_segments_and_the_norm(bert):
    theirs = trace(load("little-bert", library="transformers").model, TEXT, bert.tokenizer).embedding_norm
    t = trace(bert.model, TEXT, bert.tokenizer)
    assert gap(t.embedding_norm, theirs) < 1e-4
    assert gap(t.token + t.position, theirs) > 0.1 < gap(bert.model.embeddings.norm(t.token + t.position), theirs)


def test_c100_who_scales():
    assert transformers.BartConfig().scale_embedding is False
    small = dict(d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=1, decoder_attention_heads=1)
    bart = transformers.BartModel(transformers.BartConfig(vocab_size=20, scale_embedding=True, **small))
    assert bart.encoder.embed_tokens.embed_scale == pytest.approx(4.0)


def test_c101_the_factor_suits_tables_that_start_small(gpt2):
    """With the factor √d a row of standard deviation 1/√d comes near a sinusoid's length; PyTorch's own is far
    beyond it, and a model that was trained without the factor is spoilt by it.
    """
    d, draws = 512, torch.Generator().manual_seed(0)
    place = float(sinusoids(8, d).norm(dim=-1).mean())
    length = {std: float((std * torch.randn(4000, d, generator=draws)).norm(dim=-1).mean()) for std in (d**-0.5, 1.0)}
    assert length[d**-0.5] * math.sqrt(d) < 1.5 * place < 10 * place < length[1.0] * math.sqrt(d)
    ids = torch.tensor(gpt2.tokenizer.encode("<|endoftext|>The cat sat on the mat. It was").ids)
    usual, larger = (
        F.cross_entropy(trace(gpt2.model, ids, change=change).logits[:-1], ids[1:])
        for change in ({}, {"token": lambda rows: rows * math.sqrt(128)})
    )
    assert larger > usual + 1


def test_c102_both_stacks_are_told_places():
    bart = empty(transformers.BartModel, transformers.BartConfig())
    assert bart.encoder.embed_positions.weight.shape == bart.decoder.embed_positions.weight.shape


def test_c103_gpt2s_positions_are_a_table_that_training_moves(gpt2):
    """The little GPT-2's began as sinusoids; where texts reached, they no longer are."""
    table = gpt2.model.embeddings.position.table.weight.detach()
    alike = F.cosine_similarity(table, sinusoids(256, 128))
    assert alike[:60].max() < 0.9 and alike[200:].min() > 0.999
    assert isinstance(empty(transformers.GPT2Model, transformers.GPT2Config()).wpe, nn.Embedding)


@pytest.fixture(scope="module")
def rehearsed(gpt2):
    from labutils.world import World

    told = lengths.texts(lengths.stream(World(), gpt2.tokenizer, "training", 60), lengths.TRAINED)
    rows = lengths.texts(lengths.stream(World(), gpt2.tokenizer, "test", 30), lengths.LONGEST)
    torch.manual_seed(0)
    return {scheme: lengths.losses(lengths.trained(scheme, 0, told, stop_at=2), rows) for scheme in lengths.SCHEMES}


def test_c104_sinusoids_lose_beyond_the_trained_length():
    for (near, _, far), (_, _, cut) in zip(lengths.stored()["read"]["sinusoids"], lengths.stored()["cut"]["sinusoids"]):
        assert far > near + 0.1 and far > cut + 0.1  # showing the last 32 tokens alone would be better


def test_c105_sinusoids_exist_beyond_it(rehearsed):
    assert rehearsed["sinusoids"].isfinite().all() and rehearsed["learned"][32:].isnan().all()


def test_c106_a_look_up_knows_no_context(gpt2):
    one, other = (trace(gpt2.model, text, gpt2.tokenizer) for text in ("The cat sat.", "A cat slept."))
    assert torch.equal(one.token[1], other.token[1]) and gap(one.layers[0].output[1], other.layers[0].output[1]) > 0.1


def test_c108_a_reversed_text_comes_out_reversed_or_under_a_mask_quite_different(bert, gpt2):
    straight, mixed, order = shuffled_rows(bert, NOWHERE)
    assert gap(mixed[order], straight) < 1e-4 < 1 < gap(mixed, straight)
    straight, mixed, order = shuffled_rows(gpt2, NOWHERE)
    assert min(gap(mixed[order], straight), gap(mixed, straight)) > 1


def test_c109_gpt2_has_1024_places():
    assert tuple(empty(transformers.GPT2Model, transformers.GPT2Config()).wpe.weight.shape) == (1024, 768)


def test_c110_longest_texts():
    assert transformers.GPT2Config().n_positions == 1024
    assert transformers.BertConfig().max_position_embeddings == 512


def test_c111_nobody_cuts_unasked(gpt2):
    long = "cat " * 400
    assert len(gpt2.tokenizer.encode(long).ids) > 256 == len(gpt2.tokenizer.encode(long, max_length=256).ids)
    with pytest.raises(ValueError):
        gpt2.model(torch.tensor([gpt2.tokenizer.encode(long).ids]))


def test_c112_a_shift_is_linear():
    table = sinusoids(200, 64, dtype=torch.float64)
    assert gap(table[:-7] @ rotation(7, 64), table[7:]) < 1e-12


def test_c113_the_additions_are_right_and_a_seeded_table_does_as_well():
    """The paper model instead of invented numbers: the sum of token and position, recomputed number by number."""
    paper = load("paper-gpt2", dtype=torch.float64)
    t = trace(paper.model, "the cat sat", paper.tokenizer)
    summed = [[a + b for a, b in zip(*pair)] for pair in zip(t.token.tolist(), t.position.tolist())]
    assert summed == t.embedding_sum.tolist() == [[2, 2, 0, 0], [1, -1, 1, -1], [3, -1, -1, 3]]


def test_c115_a_difference_is_a_plural_now_and_then(gpt2):
    table = gpt2.model.embeddings.token.weight.detach()
    words = [noun for kind in KINDS.values() for noun in kind.nouns.split()][:24]
    encoded = [[gpt2.tokenizer.encode(" " + w).ids for w in (word, plural(word))] for word in words]
    pairs = [(one[0], many[0]) for one, many in encoded if len(one) == len(many) == 1]
    right = [analogy(table, a, b, c) == d for a, b in pairs for c, d in pairs if a != c]
    assert 0.05 < sum(right) / len(right) < 0.6


def test_c116_dropout_is_part_of_both():
    assert transformers.BertConfig().hidden_dropout_prob == transformers.GPT2Config().embd_pdrop == 0.1
    assert transformers.BertConfig().attention_probs_dropout_prob == transformers.GPT2Config().resid_pdrop == 0.1
    ids, places = torch.zeros(1, 50, dtype=torch.long), torch.zeros(1, 50, dtype=torch.long)
    for fresh, inputs in (
        (GPT2Embeddings(5, 60, 8, dropout=0.1), (ids, places)),
        (BertEmbeddings(5, 60, 2, 8, 1e-12, None, dropout=0.1), (ids, places, ids)),
    ):
        drops, keeps = copy.deepcopy(fresh).train(), fresh.eval()
        assert not torch.equal(drops(*inputs), drops(*inputs)) and torch.equal(keeps(*inputs), keeps(*inputs))
