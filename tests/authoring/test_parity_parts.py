"""The table of single parts is computed, and a site with one that differs is not built."""

import pytest
import torch

from labutils.authoring.pages import parity_parts
from labutils.text import ByteLevelBPE


def test_every_part_and_tokenizer_is_measured():
    rows = parity_parts.measured()
    assert len(rows) == len(list(parity_parts.parts())) >= 18
    for at, most in ((-2, 1e-5), (-1, 1e-10)):  # float32 and float64
        assert all(0 <= row[at] <= most for row in rows)
        assert sum(row[at] > 0 for row in rows) > 8  # so something was compared
    assert torch.get_default_dtype() == torch.float32
    cut = parity_parts.tokenizers()
    assert [name for name, *_ in cut] == ["little-gpt2", "little-bert", "gpt2", "bert-base-uncased"]
    assert all(tokens > 30 * stories and not other for _, stories, tokens, other in cut)


def test_a_part_that_differs_stops_the_build(monkeypatch):
    monkeypatch.setitem(parity_parts.ACTIVATIONS, "gelu", lambda x: torch.relu(x))
    with pytest.raises(ValueError, match="gelu differs from that of PyTorch by 0.1"):
        parity_parts.page()


def test_a_story_that_is_cut_in_another_way_stops_the_build(monkeypatch):
    encode = ByteLevelBPE.encode
    monkeypatch.setattr(ByteLevelBPE, "encode", lambda self, text, *more: encode(self, text + " ", *more))
    with pytest.raises(ValueError, match="tokenizer of little-gpt2 differs"):
        parity_parts.tokenizers()
