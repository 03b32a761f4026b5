"""Statements about the cache that are wrong or loose and have no box: each is computed here.

A name begins with the number of the claim, so that the page of claims finds its test.
"""

import ast

import pytest
import torch

from labutils.layers import Recorder, operations
from labutils.models import GPT2, Bert, BertConfig, GPT2Config

LISTING = """
class KVCache:
    def __init__(self, heads, most, d_k):
        self.keys, self.length = torch.zeros(1, heads, most, d_k), 0

    def update(self, new):
        self.keys[:, :, self.length : self.length + 1] = new
        self.length += 1
        return self.keys[:, :, : self.length]
"""


@pytest.fixture
def printed():
    """The listing as it was meant, with its names put right, for two heads and three tokens."""
    scope = {"torch": torch}
    exec(LISTING, scope)
    return scope["KVCache"](2, 3, 4)


def test_c268_old_keys_change_in_bert_and_when_the_window_moves():
    """And only there: in a causal model that reads on, they stay."""
    torch.manual_seed(0)
    ids, gpt2 = torch.arange(1, 8)[None], GPT2(GPT2Config(31, 16, 24, 2, 3))
    bert = Bert(BertConfig(31, 16, d_model=24, n_layers=2, n_heads=3))

    def key(model, ids, layer, row):
        see = Recorder()
        model(ids, see=see)
        return next(x for name, x in see.stages.items() if name.endswith(f"layer {layer} k"))[0, :, row]

    for layer in (0, 1):
        torch.testing.assert_close(key(gpt2, ids, layer, 3), key(gpt2, ids[:, :5], layer, 3))
        assert (key(gpt2, ids, layer, 3) - key(gpt2, ids[:, 1:], layer, 2)).abs().max() > 1e-3
    torch.testing.assert_close(key(bert, ids, 0, 3), key(bert, ids[:, :5], 0, 3))
    assert (key(bert, ids, 1, 3) - key(bert, ids[:, :5], 1, 3)).abs().max() > 1e-4


def test_c269_a_step_has_two_terms_and_only_one_of_them_was_quadratic():
    whole, last = (operations(t, 768, 12, 3072, past) for t, past in ((100, 0), (1, 99)))
    assert (sum(whole), sum(last)) == (24 * 100 * 768**2 + 4 * 100**2 * 768, 24 * 768**2 + 4 * 100 * 768)


def test_c270_the_terms_left_out_are_the_larger_ones():
    t, d = 1024, 768
    found = operations(t, d, 12, 4 * d)
    assert (found.projecting + found.feed_forward) / found.comparing == pytest.approx(4.5)


def test_c272_scores_take_four_times_the_room_for_twice_the_tokens():
    model, taken = GPT2(GPT2Config(31, 64, 24, 1, 3)), []
    for n in (16, 32, 64):
        see = Recorder()
        model(torch.zeros(1, n, dtype=torch.long), see=see)
        taken.append(next(x.nbytes for name, x in see.stages.items() if name.endswith("scores")))
    assert taken[1] == 4 * taken[0] and taken[2] == 4 * taken[1]


def test_c274_a_prompt_costs_as_many_rows_as_it_has_tokens():
    assert operations(50, 768, 12, 3072).projecting == 50 * operations(1, 768, 12, 3072).projecting
    assert operations(50, 768, 12, 3072).comparing == 50**2 * operations(1, 768, 12, 3072).comparing


def test_c277_the_names_of_the_listing_are_damaged():
    with pytest.raises(SyntaxError):
        ast.parse(LISTING.replace("__init__", r"_\_\1nit__"))


def test_c278_a_prompt_of_five_tokens_does_not_fit_into_its_one_slot(printed):
    with pytest.raises(RuntimeError, match="must match"):
        printed.update(torch.ones(1, 2, 5, 4))


def test_c280_a_second_text_does_not_fit(printed):
    with pytest.raises(RuntimeError):
        printed.update(torch.ones(2, 2, 1, 4))
