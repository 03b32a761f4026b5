"""A tokenizer as data for the page: vocabulary, merges and settings, as `tokenizer.js` reads them."""

from dataclasses import asdict
from typing import Any

from labutils.text import ByteLevelBPE, WordPiece
from labutils.text.tokenizer import TIDIED
from labutils.text.words import WordTokenizer

BPE = ("add_prefix_space", "keeps_lead", "trim_offsets", "ignore_merges")


def tokenizer_file(tokenizer: Any) -> dict:
    """The content of a tokenizer's file. Raises ValueError for a tokenizer that is none of ours."""
    if isinstance(tokenizer, ByteLevelBPE):
        kind, settings = "bpe", {"merges": [f"{left} {right}" for left, right in tokenizer.merges], "unk_token": None}
        settings |= {name: getattr(tokenizer, name) for name in BPE}
    elif isinstance(tokenizer, WordPiece):
        names = (
            "clean_text",
            "tokenize_chinese_chars",
            "strip_accents",
            "lowercase",
            "unk_token",
            "prefix",
            "max_chars",
            "cleanup",
        )
        kind, settings = "wordpiece", {name: getattr(tokenizer, name) for name in names}
    elif isinstance(tokenizer, WordTokenizer):
        kind, settings = "words", {"unk_token": None}
    else:
        raise ValueError(f"Only the tokenizers of labutils can be written for a page, not {type(tokenizer).__name__}.")
    tokens: list = [None] * max(1 + max(tokenizer.vocab.values()), getattr(tokenizer, "rows", 0))
    for token, i in tokenizer.vocab.items():
        tokens[i] = token
    nameless = getattr(tokenizer, "is_nameless", lambda i: False)
    return {
        "kind": kind,
        "tokens": tokens,
        "pieces": [tokenizer.pieces(i) if t is not None or nameless(i) else None for i, t in enumerate(tokens)],
        # words never fall into these
        "outside": sorted(tokenizer.vocab.keys() - getattr(tokenizer, "model_vocab", tokenizer.vocab).keys()),
        "added": [asdict(token) for token in getattr(tokenizer, "added_tokens", [])],
        "special": sorted(getattr(tokenizer, "special_tokens", [])),
        "pad": getattr(tokenizer, "pad_token", None),
        "single": getattr(tokenizer, "single", [("A", 0)]),
        "pair": getattr(tokenizer, "pair", [("A", 0), ("B", 1)]),
        "truncation_side": getattr(tokenizer, "truncation_side", "right"),
        "padding_side": getattr(tokenizer, "padding_side", "right"),
        "clean_up": TIDIED if getattr(tokenizer, "clean_up", False) else [],
        **settings,
    }
