"""Smaller numbers: none is off by more than half a scale, and four bits fit twice into a byte."""

import pytest
import torch

from labutils.layers import packed, quantise, restored, unpacked


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("dim", [-1, -2])
def test_no_number_is_off_by_more_than_half_a_scale(bits, dim):
    x = torch.randn(2, 3, 5, 7, generator=torch.Generator().manual_seed(bits)) * torch.linspace(0.1, 9, 7)
    q = quantise(x, bits, dim)
    assert q.whole.dtype == torch.int8 and q.whole.abs().max() == 2 ** (bits - 1) - 1
    assert q.scale.shape == ((2, 3, 5, 1) if dim == -1 else (2, 3, 1, 7))
    assert ((restored(q) - x).abs() <= q.scale * 0.5001).all()


def test_zeros_stay_and_other_bits_are_refused():
    assert restored(quantise(torch.zeros(2, 3))).abs().sum() == 0
    for bits in (1, 9):
        with pytest.raises(ValueError, match="2 to 8 bits"):
            quantise(torch.ones(2), bits)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_four_bits_fit_twice_into_a_byte(n):
    whole = torch.randint(-7, 8, (3, 2, n), dtype=torch.int8)
    small = packed(whole)
    assert small.nbytes == 6 * ((n + 1) // 2) and torch.equal(unpacked(small, n), whole)
