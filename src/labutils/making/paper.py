"""The paper model as a folder that `load` and HuggingFace read."""

from pathlib import Path
from typing import Any

import torch

from labutils.making.write import write_folder
from labutils.models.paper import PAPER_VOCABULARY, paper_config, paper_model, paper_state_dict
from labutils.text.words import WordTokenizer

TEXT = "the cat sat"


def make_paper(folder: Path) -> dict[str, Any]:
    """Write the folder; nothing is trained. The weights stay float64, because two of them are no short binary
    fractions.
    """
    config = paper_config().to_hf() | {"bos_token_id": None, "eos_token_id": None, "dtype": "float64"}
    weights, tokenizer = paper_state_dict(torch.float64), WordTokenizer(list(PAPER_VOCABULARY))
    write_folder(folder, config, weights, tokenizer, card := paper_card(tokenizer, weights))
    return card


def paper_card(tokenizer: WordTokenizer, weights: dict[str, torch.Tensor]) -> dict[str, Any]:
    """What the card states: the shape, the number of parameters, and what the model says after "the cat sat"."""
    logits = paper_model(eps=1e-12)(torch.tensor([tokenizer.encode(TEXT).ids])).logits[0, -1]
    return {
        "name": "paper-gpt2",
        "kind": "gpt2",
        "parameters": sum(t.numel() for t in weights.values()),
        "shape": {
            "layers": 1,
            "heads": 2,
            "width": 4,
            "head_width": 2,
            "feed_forward": 2,
            "vocabulary": 5,
            "positions": 6,
        },
        "text": TEXT,
        "next_word": {word: round(p, 10) for word, p in zip(tokenizer.words, logits.softmax(-1).tolist())},
    }
