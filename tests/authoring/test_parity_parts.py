"""The table of single parts is computed, and a site with one that differs is not built."""

import pytest
import torch

from labutils.authoring import parity_parts
from labutils.text import ByteLevelBPE


def test_every_part_and_tokenizer_is_measured():
    rows = parity_parts.measured()
    assert len(rows) == len(list(parity_parts.parts())) >= 13
    assert all(0 <= difference <= parity_parts.ROUNDING for *_, difference in rows)
    assert any(difference > 0 for *_, difference in rows)  # so something was compared
    cut = parity_parts.tokenizers()
    assert [name for name, *_ in cut] == ["little-gpt2", "little-bert"]
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
