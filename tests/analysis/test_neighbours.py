"""Neighbours and analogies against loops over the whole table."""

import pytest
import torch

from labutils.analysis import analogy, cosines, nearest


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_cosines_are_pytorchs(dtype):
    a, b = torch.randn(3, 5, dtype=dtype), torch.randn(7, 5, dtype=dtype)
    right = torch.nn.functional.cosine_similarity(a[:, None], b[None], dim=-1)
    torch.testing.assert_close(cosines(a, b), right)
    assert cosines(torch.zeros(1, 5), torch.zeros(2, 5)).tolist() == [[0.0, 0.0]]


def test_gradients_go_through_cosines():
    a = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: cosines(x, x), a)


@pytest.mark.parametrize("k, without", [(1, ()), (4, (0, 6)), (19, (3,))])
def test_nearest_is_what_a_loop_finds(k, without):
    table = torch.randn(20, 6)
    ids, values = nearest(table, table[[3, 5]], k, without)
    for row, found, cosine in zip((3, 5), ids, values):
        ranked = sorted(
            (i for i in range(20) if i not in without),
            key=lambda i: -float(torch.nn.functional.cosine_similarity(table[row], table[i], dim=0)),
        )
        assert found.tolist() == ranked[:k]
        assert (cosine[:-1] >= cosine[1:]).all()
    assert k > 1 or ids[0, 0] == 3  # nothing is nearer than the row itself


@pytest.mark.parametrize("k, without", [(0, ()), (4, (0,))])
def test_there_must_be_enough_entries(k, without):
    with pytest.raises(ValueError, match="nearest ones"):
        nearest(torch.eye(4), torch.eye(4)[:1], k, without)


def test_an_analogy_leaves_the_question_out():
    """Planted: man, woman, king, queen as corners of a parallelogram, and a word nearer to king than queen is."""
    table = torch.tensor([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [3.0, 0.0, 1.0], [3.0, 1.0, 1.0], [0.0, 0.0, 9.0]])
    assert analogy(table, 0, 1, 2) == 3
    assert analogy(table, 1, 0, 3) == 2
