"""A GPT-2 of the published size, with random weights: the same logits and the same hidden states as HuggingFace's."""

import torch
import transformers

from labutils.models import GPT2, GPT2Config


def test_twelve_layers_of_width_768():
    torch.manual_seed(0)
    theirs = transformers.GPT2LMHeadModel(transformers.GPT2Config()).eval()
    with torch.device("meta"):
        ours = GPT2(GPT2Config())
    ours = ours.to_empty(device="cpu")
    ours.load_hf_state_dict(theirs.state_dict())
    assert sum(p.numel() for p in ours.parameters()) == 124_439_808
    ids = torch.tensor([[464, 3797, 3332, 319]])  # The cat sat on
    with torch.no_grad():
        there, here = theirs(ids, output_hidden_states=True), ours(ids)
    torch.testing.assert_close(here.logits, there.logits, rtol=1e-4, atol=1e-4)
    assert len(here.hidden_states) == len(there.hidden_states) == 13
    for one, other in zip(here.hidden_states, there.hidden_states, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_a_layer_in_another_place_is_noticed():
    """What the test above rests on: two blocks exchanged, and the states differ."""
    torch.manual_seed(0)
    model = GPT2(GPT2Config(vocab_size=50, n_positions=8, d_model=32, n_layers=3, n_heads=4))
    ids = torch.tensor([[1, 2, 3]])
    with torch.no_grad():
        before = model(ids).hidden_states[2]
        model.blocks[0], model.blocks[1] = model.blocks[1], model.blocks[0]
        assert (model(ids).hidden_states[1] - before).abs().max() > 1e-3
