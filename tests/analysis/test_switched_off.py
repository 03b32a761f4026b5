"""Silent heads: the same as a matrix without their rows, and by hand in the paper model."""

import pytest
import torch
from torch.nn import functional as F

from labutils.analysis.switched_off import losses, next_tokens, one_by_one, silent, two_by_two, usual_context
from labutils.models import GPT2, Bert, BertConfig, GPT2Config, paper_model
from labutils.trace import trace

SHAPE = dict(vocab_size=11, n_positions=12, d_model=12, n_layers=2, n_heads=3, d_ff=16)


@pytest.fixture
def gpt2():
    torch.manual_seed(0)
    model = GPT2(GPT2Config(**SHAPE)).double()
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.5)
    return model


ROWS = next_tokens([[1, 2, 3, 4, 5, 6], [7, 8, 9], [2, 2]])


def test_labels_are_the_next_ids_and_never_padding():
    assert ROWS.labels.tolist() == [[2, 3, 4, 5, 6, -100], [8, 9, -100, -100, -100, -100], [2] + [-100] * 5]
    assert ROWS.real.sum(-1).tolist() == [6, 3, 2]


def test_the_loss_of_a_row_does_not_depend_on_the_padding(gpt2):
    alone = losses(gpt2, next_tokens([[7, 8, 9]]))
    torch.testing.assert_close(losses(gpt2, ROWS)[1:2], alone)
    logits = gpt2(torch.tensor([[7, 8, 9]])).logits[0, :-1]
    torch.testing.assert_close(alone[0], F.cross_entropy(logits, torch.tensor([8, 9])).detach())


def test_many_rows_are_read_in_parts_and_handed_back_in_their_order(gpt2):
    rows = [[i % 11] * (2 + i * 7 % 11) for i in range(45)]
    alone = torch.cat([losses(gpt2, next_tokens([row]), [(1, 2)], 4) for row in rows])
    torch.testing.assert_close(losses(gpt2, next_tokens(rows), [(1, 2)], 4), alone)


@pytest.mark.parametrize("family", ["gpt2", "bert"])
def test_a_silent_head_is_a_head_whose_columns_of_the_output_matrix_are_0(gpt2, family):
    torch.manual_seed(1)
    model = gpt2 if family == "gpt2" else Bert(BertConfig(**SHAPE)).double()
    cut = trace(model, [1, 2, 3, 4], change=silent([(0, 2), (1, 0)], 4)).logits
    with torch.no_grad():
        for layer, head in ((0, 2), (1, 0)):
            model.blocks[layer].attention.output.weight[:, 4 * head : 4 * (head + 1)] = 0  # nn.Linear: (out, in)
    torch.testing.assert_close(trace(model, [1, 2, 3, 4]).logits, cut)


def test_the_paper_model_by_hand():
    """After “the cat sat” on has 0.5 with both heads."""
    model = paper_model()

    def chance(ids, word, *heads):
        return float(trace(model, ids, change=silent([(0, head) for head in heads], 2)).logits[-1].softmax(-1)[word])

    assert [round(chance([0, 1, 2], 3, *off), 4) for off in ([], [0], [1])] == [0.5, 0.6425, 0.6154]
    both = [round(chance([0, 1, 2, 3], 0, *off), 4) for off in ([], [0], [1], [0, 1])]
    assert both == [0.7324, 0.6874, 0.5036, 0.3077]


def test_one_by_one_and_two_by_two(gpt2):
    cost = one_by_one(gpt2, ROWS, 2, 3, 4)
    assert cost.shape == (2, 3, 3)
    torch.testing.assert_close(cost[1, 2], losses(gpt2, ROWS, [(1, 2)], 4) - losses(gpt2, ROWS))
    pairs = two_by_two(gpt2, ROWS, [(0, 0), (1, 2), (0, 1)], 4)
    assert list(pairs) == [((0, 0), (1, 2)), ((0, 0), (0, 1)), ((1, 2), (0, 1))]
    both = losses(gpt2, ROWS, [(0, 0), (1, 2)], 4) - losses(gpt2, ROWS)
    torch.testing.assert_close(pairs[(0, 0), (1, 2)], both - cost[0, 0] - cost[1, 2])


def test_a_head_that_says_the_usual_loses_nothing_where_it_says_the_same_anyway(gpt2):
    with torch.no_grad():
        gpt2.blocks[1].attention.value.weight[4:8] = 0  # head 1 hands over its bias and nothing else
    usual = usual_context(gpt2, ROWS, 3)
    assert usual.shape == (2, 3, 4)
    torch.testing.assert_close(usual[1, 1], gpt2.blocks[1].attention.value.bias[4:8].detach())
    torch.testing.assert_close(losses(gpt2, ROWS, [(1, 1)], 4, usual), losses(gpt2, ROWS))
    assert not torch.allclose(losses(gpt2, ROWS, [(1, 1)], 4), losses(gpt2, ROWS))


def test_what_is_usual_is_a_mean_over_tokens_and_not_over_padding(gpt2):
    rows = ([1, 2, 3, 4, 5, 6], [7, 8, 9], [2, 2])
    alone = [usual_context(gpt2, next_tokens([row]), 3) * len(row) for row in rows]
    torch.testing.assert_close(usual_context(gpt2, ROWS, 3), sum(alone) / sum(map(len, rows)))
