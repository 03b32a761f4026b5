"""Spectra of a head's two maps, against those of the whole matrices."""

import torch

from labutils.analysis.subspaces import directions, overlap, spectrum, strips
from labutils.layers import MultiHeadAttention, split_heads


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_strips_are_what_split_heads_cuts():
    layer, x = MultiHeadAttention(12, 3, bias=False).double(), drawn(1, 5, 12)
    W = strips(layer.query.weight.T, 3)  # (H, d, d_k)
    torch.testing.assert_close(x @ W, split_heads(layer.query(x), 3)[0])
    W_V, W_O = strips(layer.value.weight.T, 3), strips(layer.output.weight, 3)
    moved = x @ (W_V @ W_O.mT)  # (H, n, d): what each head moves
    torch.testing.assert_close(moved.sum(0)[None], layer.output(layer.value(x)))


def test_the_spectrum_is_that_of_the_whole_matrix():
    A, B = drawn(3, 20, 4), drawn(3, 20, 4, seed=1)
    whole = torch.linalg.svdvals(A @ B.mT)  # (3, 20)
    torch.testing.assert_close(spectrum(A, B), whole[:, :4])
    assert whole[:, 4:].max() < 1e-12


def test_directions():
    values = torch.tensor([[2.0, 2.0, 2.0, 2.0], [3.0, 0.0, 0.0, 0.0]])
    torch.testing.assert_close(directions(values), torch.tensor([4.0, 1.0]))


def test_overlap():
    A = drawn(20, 4)
    torch.testing.assert_close(overlap(A, A @ drawn(4, 4, seed=1)), torch.tensor(1.0, dtype=torch.float64))
    at_right_angles = torch.linalg.qr(torch.cat([A, drawn(20, 4, seed=2)], -1)).Q[:, 4:]
    assert overlap(A, at_right_angles) < 1e-20
    by_chance = torch.stack([overlap(drawn(64, 8, seed=s), drawn(64, 8, seed=100 + s)) for s in range(50)])
    assert abs(by_chance.mean() - 8 / 64) < 0.01
