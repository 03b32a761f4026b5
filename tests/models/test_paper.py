"""The paper model, stage by stage, as it is computed with a pencil; and the same numbers from HuggingFace."""

import math

import pytest
import torch
from twins import paper_of_theirs

from labutils.models import PAPER_VOCABULARY, paper_model
from labutils.parity import compare
from labutils.trace import trace

THE, CAT, SAT, ON, MAT = range(5)
LN2, C = math.log(2), math.sqrt(2) * math.log(2) / 4


@pytest.fixture(scope="module")
def by_hand():
    return trace(paper_model(), [THE, CAT, SAT])


def close(tensor, values, tol=1e-12):
    torch.testing.assert_close(tensor, torch.tensor(values, dtype=torch.float64), rtol=0, atol=tol)


def test_embeddings(by_hand):
    close(by_hand.embeddings["token"][2], [1, 0, 0, 1])
    close(by_hand.embeddings["position"][2], [2, -1, -1, 2])
    close(by_hand.embedding_sum, [[2, 2, 0, 0], [1, -1, 1, -1], [3, -1, -1, 3]])


def test_first_norm(by_hand):
    close(by_hand.layers[0].attention_input, [[1, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]])


def test_query_key_value(by_hand):
    heads = lambda rows: torch.tensor(rows, dtype=torch.float64).view(3, 2, 2).transpose(0, 1)
    torch.testing.assert_close(
        by_hand.layers[0].q, heads([[2, 0, 2, 0], [0, 4, 2, 0], [2, 0, 2, 0]]) * C, rtol=0, atol=1e-12
    )
    close(by_hand.layers[0].k, heads([[0, 2, 2, 0], [2, 0, 0, 0], [0, 0, 0, 2]]).tolist())
    close(by_hand.layers[0].v, [[[2, 0], [0, 2], [0, 0]], [[0, 2], [0, 0], [2, 0]]])


def test_scores_in_bits(by_hand):
    hidden = -math.inf
    close(
        by_hand.layers[0].scores / LN2,
        [[[0, hidden, hidden], [2, 0, hidden], [0, 1, 0]], [[1, hidden, hidden], [1, 0, hidden], [1, 0, 0]]],
    )


def test_weights(by_hand):
    close(
        by_hand.layers[0].weights,
        [[[1, 0, 0], [4 / 5, 1 / 5, 0], [1 / 4, 1 / 2, 1 / 4]], [[1, 0, 0], [2 / 3, 1 / 3, 0], [1 / 2, 1 / 4, 1 / 4]]],
    )


def test_rest_of_the_block_row_sat(by_hand):
    layer = by_hand.layers[0]
    close(layer.context[2], [0.5, 1, 0.5, 1])
    close(layer.attention_output[2], [4, 2, 0, -2])
    close(layer.attention_stream[2], [7, 1, -1, 1])
    close(layer.ffn_input[2], [5 / 3, -1 / 3, -1, -1 / 3])
    close(layer.ffn_hidden[2], [2, -1])
    close(layer.ffn_activated[2], [2, 0])
    close(layer.ffn_output[2], [-10, 4, 4, 2])
    close(layer.output[2], [-3, 5, 3, 3])


def test_the_end(by_hand):
    close(by_hand.final[2] / (1.5 * LN2), [-5 / 3, 1, 1 / 3, 1 / 3])
    close(by_hand.logits[2] / LN2, [-1, -2, -2, 1, 0])
    close(by_hand.logits[2].softmax(-1), [1 / 8, 1 / 16, 1 / 16, 1 / 2, 1 / 4])
    close(by_hand.logits[0].softmax(-1), [64 / 89, 8 / 89, 8 / 89, 1 / 89, 8 / 89])


def test_170_parameters():
    theirs = paper_of_theirs()
    assert sum(p.numel() for p in paper_model().parameters()) == sum(p.numel() for p in theirs.parameters()) == 170


@pytest.mark.parametrize(
    "text",
    [[THE, CAT, SAT], [THE], [THE, CAT, SAT, ON], [THE, CAT, SAT, ON, THE], [THE, CAT, SAT, ON, THE, MAT]],
    ids=str,
)
def test_huggingface_computes_the_same(text):
    """By hand eps is 0, there 1e-12: all stages agree at 1e-11, relative and absolute."""
    table = compare(trace(paper_model(), text), trace(paper_of_theirs(), text), tol=1e-11)
    assert table.equal, table


def test_it_goes_on_by_itself():
    text, chances, model = [THE, CAT, SAT], [], paper_model()
    for _ in range(3):
        p = model(torch.tensor([text])).logits[0, -1].softmax(-1)
        text, chances = [*text, int(p.argmax())], [*chances, f"{p.max():.4f}"]
    assert " ".join(PAPER_VOCABULARY[i] for i in text) == "the cat sat on the mat" and chances == [
        "0.5000",
        "0.7324",
        "0.7132",
    ]
