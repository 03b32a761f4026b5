"""Models of ours and HuggingFace's with the same weights, and the chi-square test that drawn tokens have to pass."""

import torch
import transformers

from labutils.checkpoints import load
from labutils.models import GPT2, GPT2Config


def random_pair(seed: int = 0, std: float = 0.4):
    """A tiny GPT-2 with random weights, large ones: it has opinions. In float64."""
    torch.manual_seed(seed)
    ours = GPT2(GPT2Config(17, 24, d_model=12, n_layers=2, n_heads=3, initializer_range=std)).double()
    return ours, twin(ours, 16)


def little_pair():
    """The shipped GPT-2 in float64, its twin and the id of its end sign."""
    checkpoint = load("little-gpt2", dtype=torch.float64)
    end = checkpoint.tokenizer.token_to_id("<|endoftext|>")
    return checkpoint, twin(checkpoint.model, end), end


def twin(ours, end: int):
    sizes = transformers.GPT2Config(**ours.config.to_hf(), bos_token_id=end, eos_token_id=end, pad_token_id=end)
    theirs = transformers.GPT2LMHeadModel(sizes).double().eval()
    assert theirs.load_state_dict(ours.to_hf_state_dict(), strict=False) == (["lm_head.weight"], [])
    return theirs


def chance_of_more(counts: torch.Tensor, odds: torch.Tensor) -> float:
    """How probable it is that counts drawn from these odds miss them by as much: Pearson's chi-square. Outcomes that
    are expected fewer than five times are put together.
    """
    counts, expected = counts.double().flatten(), odds.double().flatten() * counts.sum()
    rare = expected < 5
    both = [torch.cat([x[~rare], x[rare].sum()[None]]) for x in (counts, expected)]
    if both[1][-1] == 0:
        assert both[0][-1] == 0, "what has no chance was drawn"
        both = [x[:-1] for x in both]
    square = ((both[0] - both[1]) ** 2 / both[1]).sum()
    freedom = torch.tensor((len(both[0]) - 1) / 2, dtype=torch.float64)
    return float(torch.special.gammaincc(freedom, square / 2))
