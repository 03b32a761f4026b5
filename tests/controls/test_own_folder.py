"""A reader's own folder of GPT-2, as HuggingFace writes it: each control takes its path, and shows the model's numbers."""

import shutil

import pytest
import torch
from engine.own_files import drawn, folder

from labutils.checkpoints.loader import VOCABULARIES
from labutils.controls import Explorer, NextWord, Transplant, Walk
from labutils.trace import trace

TEXT = "The cat sat on the mat. It was"


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A small GPT-2 with the real vocabulary, and the path of its folder."""
    model = drawn(n_layer=6, n_embd=64, n_head=1, vocab_size=50257)
    path = folder(model, tmp_path_factory.mktemp("own") / "gpt2")
    shutil.copytree(VOCABULARIES / "gpt2", path, dirs_exist_ok=True)
    return model, str(path)


def test_next_word_walk_and_explorer_take_the_path(own):
    model, path = own
    ahead = NextWord(TEXT, model=path)
    ids = [464, 3797, 3332, 319, 262, 2603, 13, 632, 373]
    t = trace(model, ids)
    best = t.logits[-1].softmax(-1).topk(20)
    assert [one["id"] for one in ahead.finished["top"]] == best.indices.tolist()
    assert [one["p"] for one in ahead.finished["top"]] == pytest.approx(best.values.tolist(), abs=1e-7)
    assert ahead.models[-1]["title"] == "gpt2" and "gpt2" in ahead.picture()

    walk = Walk(TEXT, model=path, layer=5)
    found = torch.frombuffer(bytearray(walk.finished["arrays"]["output"]), dtype=torch.float32)
    torch.testing.assert_close(found.view(9, 64), t.layers[5].output, rtol=0, atol=1e-5)
    assert walk.finished["ahead"][-1][0]["id"] == best.indices[0]

    explorer = Explorer(TEXT, model=path, layer=3)
    triangle = torch.frombuffer(bytearray(explorer.finished["exact_weights"]), dtype=torch.float32)
    torch.testing.assert_close(triangle, t.layers[3].weights[0][*torch.tril_indices(9, 9)], rtol=0, atol=1e-6)


def test_a_transplant_of_a_large_model_tries_a_place_when_its_reader_does(own):
    model, path = own
    assert Transplant(TEXT, "The horse sat on the mat. It was", model=path).finished["places"] == {}
    one = Transplant(TEXT, "The horse sat on the mat. It was", model=path, level=12, token=8, carried=True)
    theirs = trace(model, [464, 8223, 3332, 319, 262, 2603, 13, 632, 373]).logits[-1].softmax(-1)
    (place,) = one.finished["places"].values()  # the last row after the last layer: the other text's answer
    assert place["best"]["id"] == theirs.argmax() and place["best"]["p"] == pytest.approx(float(theirs.max()), abs=1e-7)
