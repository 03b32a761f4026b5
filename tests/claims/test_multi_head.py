"""Statements about several heads in one layer that have no box in chapter 5: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import re
from functools import cache

import pytest
import torch
import transformers
from torch import nn

from labutils.analysis.catalogue import catalogue
from labutils.analysis.estimates import mean
from labutils.analysis.gold_words import each_story
from labutils.analysis.patterns import PATTERNS
from labutils.analysis.relations import TO_DEPENDENT, TO_HEAD, contest, halves, queries_of, usual
from labutils.checkpoints import load
from labutils.layers import MultiHeadAttention, attention
from labutils.layers.multi_head import merge_heads, split_heads
from labutils.places import BOOK
from labutils.trace import trace
from labutils.world import RUNNING_TEXT, World

SIZES = {"bert-base": (12, 768, 12), "bert-large": (24, 1024, 16), "gpt2": (12, 768, 12), "gpt2-medium": (24, 1024, 16)}
SIZES |= {"gpt2-large": (36, 1280, 20), "gpt2-xl": (48, 1600, 25)}  # layers, width, heads


def drawn(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def layer(d: int, heads: int) -> MultiHeadAttention:
    torch.manual_seed(0)
    return MultiHeadAttention(d, heads).double()


def alone(ours: MultiHeadAttention, x: torch.Tensor, h: int) -> torch.Tensor:
    """What head h returns before W_O, by its own columns of the three matrices: (n, d_k)."""
    s = slice(h * (d_k := ours.output.in_features // ours.n_heads), (h + 1) * d_k)
    q, k, v = (x @ M.weight[s].T + M.bias[s] for M in (ours.query, ours.key, ours.value))
    return attention(q, k, v)[0]


@pytest.mark.parametrize("name", SIZES)
def test_c159_a_head_has_an_equal_part_of_the_width(name):
    layers, d, heads = SIZES[name]
    assert d % heads == 0 and d // heads == 64
    assert split_heads(torch.zeros(1, 2, d), heads).shape == (1, heads, 2, 64)


def test_c160_laid_side_by_side_and_then_the_output_matrix():
    ours, x = layer(12, 3), drawn(5, 12)
    side_by_side = torch.cat([alone(ours, x, h) for h in range(3)], -1)
    torch.testing.assert_close(ours(x[None])[0], ours.output(side_by_side))
    as_a_sum = sum(alone(ours, x, h) @ ours.output.weight.T[4 * h : 4 * h + 4] for h in range(3)) + ours.output.bias
    torch.testing.assert_close(ours(x[None])[0], as_a_sum)


def test_c162_the_output_matrix_is_as_wide_as_all_heads_and_as_the_model():
    assert MultiHeadAttention(768, 12).output.weight.shape == (768, 768)
    theirs = transformers.BertModel(transformers.BertConfig(num_hidden_layers=1)).encoder.layer[0].attention
    assert theirs.output.dense.weight.shape == (768, 768) and theirs.output.dense.bias.shape == (768,)


def test_c163_the_heads_of_the_large_ones_are_16_20_and_25():
    assert transformers.BertConfig().num_attention_heads == transformers.GPT2Config().n_head == 12
    assert [SIZES[name][2] for name in ("bert-large", "gpt2-medium", "gpt2-large", "gpt2-xl")] == [16, 16, 20, 25]
    theirs = transformers.GPT2Config(n_embd=1600, n_head=25, n_layer=1, vocab_size=10)
    assert transformers.GPT2Model(theirs).h[0].attn.head_dim == 64


def test_c164_the_number_of_heads_grows_and_their_width_stays():
    assert {heads for _, _, heads in SIZES.values()} == {12, 16, 20, 25}
    assert {d // heads for _, d, heads in SIZES.values()} == {64}


def test_c165_a_head_of_bert_base_projects_768_to_64():
    ours, x = MultiHeadAttention(768, 12), torch.randn(1, 3, 768)
    heads = split_heads(ours.query(x), 12)
    assert heads.shape == (1, 12, 3, 64) and merge_heads(heads).shape == (1, 3, 768)
    torch.testing.assert_close(heads[0, 5], x[0] @ ours.query.weight[320:384].T + ours.query.bias[320:384])
    assert ours.query.weight[320:384].T.shape == (768, 64) and ours.output.weight.shape == (768, 768)


def test_c166_heads_in_all_layers():
    assert [SIZES[f"gpt2{size}"][0] * SIZES[f"gpt2{size}"][2] for size in ("", "-medium", "-large", "-xl")] == [
        144,
        384,
        720,
        1200,
    ]


def test_c167_side_by_side_a_row_has_the_numbers_of_all_heads():
    x = drawn(2, 3, 5, 4)  # B, H, n, d_k
    rows = merge_heads(x)
    assert rows.shape == (2, 5, 3 * 4)
    torch.testing.assert_close(rows[1, 2], torch.cat([x[1, h, 2] for h in range(3)]))


def test_c168_here_the_count_of_heads_is_a_capital():
    """One row of the notation counts with each letter, and a layer of four heads has four wherever a number says H."""
    rows = re.findall(r"^\| (\$[^|]+\$) \| ([^|]+) \|", (BOOK / "notation.md").read_text(encoding="utf-8"), flags=re.M)
    counted = [said for letter, said in rows if letter in ("$H$", "$h$")]
    assert counted == ["attention heads of one layer"]
    assert split_heads(torch.zeros(1, 5, 12), 4).shape == (1, 4, 5, 3)  # (B, H, n, d_k)


def test_c169_self_attention_is_multi_head_attention_of_a_text_with_itself():
    ours, x = layer(12, 3), drawn(2, 5, 12)
    theirs = nn.MultiheadAttention(12, 3, batch_first=True, dtype=torch.float64)
    three = (ours.query, ours.key, ours.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([one.weight for one in three]))
        theirs.in_proj_bias.copy_(torch.cat([one.bias for one in three]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    torch.testing.assert_close(ours(x), theirs(x, x, x)[0])


def test_c170_heads_in_front_need_a_swap_and_no_reshape_alone():
    x = drawn(5, 12)
    swapped = x.view(5, 3, 4).transpose(0, 1)  # (n, H, d_k) -> (H, n, d_k)
    torch.testing.assert_close(split_heads(x[None], 3)[0], swapped)
    assert x.reshape(3, 5, 4).shape == swapped.shape and not torch.equal(x.reshape(3, 5, 4), swapped)


def test_c171_projections_are_linear():
    ours = layer(12, 3)
    for project in (ours.query, ours.key, ours.value, ours.output):
        assert type(project) is nn.Linear
        f = lambda x: project(x) - project.bias
        x, y = drawn(4, 12), drawn(4, 12, seed=1)
        torch.testing.assert_close(f(2 * x - 3 * y), 2 * f(x) - 3 * f(y))


def test_c172_all_heads_are_one_product():
    ours, x = layer(12, 3), drawn(5, 12)
    q, k, v = (split_heads(project(x[None]), 3) for project in (ours.query, ours.key, ours.value))
    together = attention(q, k, v)[0][0]  # (H, n, d_k), without a loop
    torch.testing.assert_close(together, torch.stack([alone(ours, x, h) for h in range(3)]))


@cache
def stories(n: int, seed: int):
    return World().stories(n, seed=seed)


def test_c173_some_heads_look_from_a_word_at_what_it_belongs_to():
    bert = load("little-bert")
    chosen_on, scored_on = halves(bert.model, bert.tokenizer, stories(160, 41))
    right = {}
    for relation in ("det", "case"):
        for direction in (TO_HEAD, TO_DEPENDENT):
            found = contest(*(part[relation, direction] for part in (chosen_on, scored_on))).right
            right[relation, direction] = mean(found["heads"])[0]
            assert mean(found["rules"])[0] >= right[relation, direction]
    assert right["det", TO_HEAD] > right["det", TO_DEPENDENT] + 0.1  # an article looks at its noun
    assert right["case", TO_DEPENDENT] > right["case", TO_HEAD] + 0.1  # a noun at its preposition


def test_c174_some_heads_look_at_marks_that_separate():
    little, bert = load("little-gpt2"), load("little-bert")
    heads, alike = catalogue(little.model, little.tokenizer, stories(40, 11))
    assert heads["separators"].nanmean(0).max() > 0.6 > 5 * alike["separators"].nanmean()
    special = trace(bert.model, RUNNING_TEXT, bert.tokenizer)
    at = [i for i, token in enumerate(special.tokens) if token in ("[CLS]", "[SEP]")]
    shares = torch.stack([one.weights[..., at].sum(-1).mean(-1) for one in special.layers])  # (L, H)
    assert shares.max() > 2 * len(at) / len(special.tokens)


def test_c175_no_head_of_ours_looks_for_rare_words():
    for name in ("little-gpt2", "little-bert"):
        one = load(name)
        heads, alike = catalogue(one.model, one.tokenizer, stories(40, 11))
        assert "rarest token" in PATTERNS
        assert heads["rarest token"].nanmean(0).max() < alike["rarest token"].nanmean() + 0.1


def test_c176_far_and_meant_are_two_properties():
    little, pronoun = load("little-gpt2"), None
    asking = [s for s in stories(300, 41) if any(word.upos == "PRON" and word.chain >= 0 for word in s.words)]
    chosen_on, scored_on = halves(little.model, little.tokenizer, asking)
    pronoun = usual(chosen_on, "pronoun")
    chosen, counted = (torch.stack(part[pronoun].heads).double().mean(0) for part in (chosen_on, scored_on))
    far = catalogue(little.model, little.tokenizer, stories(40, 11))[0]["far away"].nanmean(0).flatten()
    farthest, best = int(far.argmax()), int(chosen.argmax())  # best: one word before the pronoun, if 32 or more
    assert counted[[farthest, farthest + 32]].max() < 0.1 and counted[best] > 0.7 and best >= 32
    of_head, of_all = [], []
    for i, maps in each_story(little.model, little.tokenizer, asking[-60:]):
        for query in queries_of(asking[-60:][i].words, True):
            if query.name == pronoun:
                row = maps[best % 32 // 8, best % 8, query.place - 1, : query.place]
                of_head.append(float(row[: max(0, len(row) - 9)].sum()))
                of_all.append(max(0, len(row) - 9) / len(row))
    assert mean(of_head)[0] < 0.6 * mean(of_all)[0]
