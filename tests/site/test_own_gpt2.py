"""The page of the reader's own GPT-2, as built: its figures change over to a file, from a server and from disk."""

import pytest
import torch
from engine.own_files import drawn, published
from playwright.sync_api import expect

from labutils.checkpoints import load_tokenizer
from labutils.trace import trace


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A small GPT-2 with the real vocabulary, and its file."""
    model = drawn(dtype=torch.float16, n_embd=64, n_head=1, vocab_size=50257)
    return model, published(model, tmp_path_factory.mktemp("own") / "model.safetensors", torch.float16)


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_the_figures_of_the_page_show_the_readers_file(visit, own, scheme):
    model, path = own
    seen = visit("notebooks/own_gpt2", scheme)
    seen.wake()
    live = seen.page.locator(".itt-live > .itt")
    expect(live).to_have_count(6)
    live.nth(0).locator("input[type=file]").set_input_files(path)
    expect(live.nth(0).locator(".om-facts")).to_contain_text("WebAssembly")
    for i in range(1, 6):
        expect(live.nth(i).locator(".itt-source")).to_contain_text("Your GPT-2, 3,319,104 parameters")
    logits = trace(model, load_tokenizer("gpt2").encode("The capital of France is").ids).logits[-1]
    entropy = float(torch.distributions.Categorical(logits=logits).entropy() / torch.tensor(2.0).log())
    expect(live.nth(1).locator(".nw-bits")).to_have_text(f"{entropy:.2f}")
    assert seen.complaints == []
