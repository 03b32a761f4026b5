"""The paper model's tokenizer: five whole words."""

import json
from pathlib import Path
from typing import Any

from labutils.text.encoding import Encoding


class WordTokenizer:
    """Splits a text at white space; each word must be in the vocabulary. There are no
    pieces and no special tokens.

    The same small interface as the other tokenizers of `labutils.text`: `encode`,
    `encode_batch`, `decode`, `vocab`, `id_to_token`, `token_to_id`, `len`.

    >>> tokenizer = WordTokenizer(["the", "cat", "sat", "on", "mat"])
    >>> tokenizer.encode("the cat sat").ids, tokenizer.decode([3, 0, 4])
    ([0, 1, 2], 'on the mat')
    """

    def __init__(self, words: list[str]):
        self.words = list(words)
        self.vocab = {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def encode(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        max_length: int | None = None,
        truncation_side: str = "right",
    ) -> Encoding:
        """Raises ValueError for an empty text, for a word outside the vocabulary, and
        for a second text.
        """
        if pair is not None:
            raise ValueError(
                "This tokenizer has no separator, so it reads one text at a time."
            )
        if not text.split():
            raise ValueError(
                f"The text is empty. Write some of the words {', '.join(self.words)}."
            )
        offsets, start = [], 0
        for word in text.split():
            if word not in self.vocab:
                raise ValueError(
                    f"{word!r} is not among the {len(self)} words this model knows:"
                    f" {', '.join(self.words)}."
                )
            start = text.index(word, start)
            offsets.append((start, start + len(word)))
            start += len(word)
        if max_length is not None and len(offsets) > max_length:
            offsets = (
                offsets[:max_length]
                if truncation_side == "right"
                else offsets[-max_length:]
            )
        tokens, n = [text[a:b] for a, b in offsets], len(offsets)
        return Encoding(
            ids=[self.vocab[t] for t in tokens],
            tokens=tokens,
            type_ids=[0] * n,
            attention_mask=[1] * n,
            special_tokens_mask=[0] * n,
            offsets=offsets,
            word_ids=list(range(n)),
            sequence_ids=[0] * n,
        )

    def encode_batch(self, texts: list[str], **options: Any) -> list[Encoding]:
        """One Encoding a text. There is no padding token, so texts of unequal length
        are refused.
        """
        encodings = [self.encode(text, **options) for text in texts]
        if len({len(e.ids) for e in encodings}) > 1:
            raise ValueError(
                "These texts have different numbers of words, and this tokenizer has no"
                " padding token. Encode them one by one."
            )
        return encodings

    def decode(self, ids: list[int], skip_special_tokens: bool = False) -> str:
        return " ".join(self.id_to_token(i) for i in ids)

    def id_to_token(self, i: int) -> str:
        if not 0 <= int(i) < len(self):
            raise ValueError(
                f"{i} is no id of this tokenizer: it has the ids 0 to {len(self) - 1}."
            )
        return self.words[int(i)]

    def token_to_id(self, token: str) -> int | None:
        return self.vocab.get(token)

    def save(self, folder: Path) -> None:
        """Write tokenizer.json and tokenizer_config.json, which HuggingFace's
        AutoTokenizer reads as the same five words.
        """
        model = {"type": "WordLevel", "vocab": self.vocab, "unk_token": "[UNK]"}
        whole = {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "WhitespaceSplit"},
            "post_processor": None,
            "decoder": None,
            "model": model,
        }
        config = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": 6,
            "clean_up_tokenization_spaces": False,
        }
        for name, value in (
            ("tokenizer.json", whole),
            ("tokenizer_config.json", config),
        ):
            (Path(folder) / name).write_text(
                json.dumps(value, indent=1) + "\n", encoding="utf-8"
            )

    def pieces(self, i: int) -> str:
        return self.id_to_token(i)
