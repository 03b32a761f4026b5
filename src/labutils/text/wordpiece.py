"""WordPiece, as in BERT: the longest piece that fits, again and again (Devlin et al.
2019).

>>> longest_match("embeddings", {"em", "##bed", "##ding", "##s", "##d"})
['em', '##bed', '##ding', '##s']
>>> longest_match("embeddinge", {"em", "##bed", "##ding", "##s", "##d"}) is None
True
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from labutils.text.added import AddedToken
from labutils.text.normalize import normalize
from labutils.text.pretokenize import bert_spans, bert_words
from labutils.text.saving import save_wordpiece
from labutils.text.template import Template
from labutils.text.tokenizer import Tokenizer, check_text
from labutils.text.wordpiece_train import (
    join_pieces,
    learn_frequent_pieces,
    learn_pieces,
)

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# white space whatever the settings; other kinds may be removed instead
CHUNK = re.compile(r"[^ \t\n\r]+")

# What HuggingFace's decoder repairs in each token, in this order.
CLEANUP = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def longest_match(
    word: str, vocab: Container[str], prefix: str = "##"
) -> list[str] | None:
    """Cut a word into pieces from the left, the longest possible piece each time.

    Returns:
        The pieces, or None when some rest of the word starts with no piece.
    """
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = (prefix if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return None
        pieces.append(piece)
        start = end
    return pieces


class WordPiece(Tokenizer):
    """BERT's tokenizer, with any vocabulary.

    Attributes:
        unk_token: stands for a word that cannot be cut into pieces.
        clean_text, tokenize_chinese_chars, strip_accents, lowercase: see ``normalize``.
        prefix: marks a piece that continues a word.
        max_chars: longer words become ``unk_token``.
        cleanup: decode "word ." as "word.".
        history: after training, list of ((left, right), count, score).
    """

    def __init__(
        self,
        vocab: dict[str, int],
        added_tokens: Iterable[AddedToken] | None = None,
        *,
        lowercase: bool = True,
        strip_accents: bool | None = None,
        tokenize_chinese_chars: bool = True,
        clean_text: bool = True,
        unk_token: str = "[UNK]",
        cls_token: str = "[CLS]",
        sep_token: str = "[SEP]",
        pad_token: str | None = "[PAD]",
        prefix: str = "##",
        max_chars: int = 100,
        cleanup: bool = True,
        single: Template | None = None,
        pair: Template | None = None,
    ):
        if unk_token not in vocab:
            raise ValueError(
                f"The vocabulary has no {unk_token}, which must stand for unknown"
                " words."
            )
        self.lowercase, self.strip_accents = lowercase, strip_accents
        self.tokenize_chinese_chars, self.clean_text = (
            tokenize_chinese_chars,
            clean_text,
        )
        self.unk_token, self.prefix, self.max_chars, self.cleanup = (
            unk_token,
            prefix,
            max_chars,
            cleanup,
        )
        self.history = []
        if added_tokens is None:
            added_tokens = [
                AddedToken(token) for token in SPECIAL_TOKENS if token in vocab
            ]
        if single is None:
            single = [(cls_token, 0), ("A", 0), (sep_token, 0)]
        super().__init__(
            vocab,
            added_tokens,
            single,
            pair or [*single, ("B", 1), (sep_token, 1)],
            pad_token,
        )
        roles = {"unk_token": unk_token, "sep_token": sep_token, "pad_token": pad_token}
        roles |= {"cls_token": cls_token, "mask_token": "[MASK]"}
        self.roles = {role: token for role, token in roles.items() if token in vocab}

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        vocab_size: int,
        special_tokens: Sequence[str] = SPECIAL_TOKENS,
        min_frequency: int | None = None,
        **settings: bool,
    ) -> "WordPiece":
        """Learn pieces from texts until the vocabulary has ``vocab_size`` entries or no
        pair is left.

        Ids: the special tokens, then each character seen, at the start of a word and
        (with ``##``) inside one, then the pieces in the order they were learned.

        Args:
            texts: an iterable of strings.
            vocab_size: all entries together.
            min_frequency: leave out pairs that occur less often, because the score
                favours rare ones; None takes the highest value that still fills the
                vocabulary.
            settings: ``lowercase`` and the other settings of the class.
        """
        words = count_words(texts, **settings)
        characters = sorted(set("".join(words)))
        vocab = dict.fromkeys(
            [*special_tokens, *characters, *("##" + char for char in characters)]
        )
        n_pieces = vocab_size - len(vocab)
        if n_pieces < 0:
            raise ValueError(
                f"vocab_size={vocab_size} is too small: special tokens and the"
                f" characters of the texts alone need {len(vocab)}."
            )
        if min_frequency is None:
            history = learn_frequent_pieces(words, n_pieces)
        else:
            history = learn_pieces(words, n_pieces, min_frequency)
        vocab |= dict.fromkeys(join_pieces(*pair) for pair, _, _ in history)
        tokenizer = cls(
            {token: i for i, token in enumerate(vocab)},
            [AddedToken(t) for t in special_tokens],
            **settings,
        )
        tokenizer.history = history
        return tokenizer

    def normalize(self, text: str) -> tuple[str, Sequence[int]]:
        # nothing to remove, nothing to decompose
        if text.isascii() and text.isprintable():
            return text.lower() if self.lowercase else text, range(len(text))
        return normalize(
            text,
            clean_text=self.clean_text,
            tokenize_chinese_chars=self.tokenize_chinese_chars,
            strip_accents=self.strip_accents,
            lowercase=self.lowercase,
        )

    def spans(self, text: str) -> list[tuple[int, int]]:
        return bert_spans(text)

    def cut(self, text: str) -> list[str]:
        return bert_words(text)

    def chunk_pattern(self) -> re.Pattern:
        return CHUNK

    def tokens_of_word(self, word: str) -> list[str]:
        """The longest pieces from the left, or the unknown token for the whole word."""
        pieces = (
            longest_match(word, self.model_vocab, self.prefix)
            if len(word) <= self.max_chars
            else None
        )
        return [self.unk_token] if pieces is None else pieces

    def pieces_of_word(self, word: str) -> list[tuple[str, int, int]]:
        pieces, start = [], 0
        tokens = self.tokens_of_word(word)
        if tokens == [self.unk_token]:
            return [(self.unk_token, 0, len(word))]
        for token in tokens:
            end = start + len(token) - (len(self.prefix) if start else 0)
            pieces.append((token, start, end))
            start = end
        return pieces

    def join(self, tokens: list[str]) -> str:
        """Tokens with spaces between them; continuations close up."""
        text = ""
        for i, token in enumerate(tokens):
            if i:
                token = (
                    token[len(self.prefix) :]
                    if token.startswith(self.prefix)
                    else " " + token
                )
            for seen, meant in CLEANUP if self.cleanup else ():
                token = token.replace(seen, meant)
            text += token
        return text

    def save(self, folder: str | Path) -> None:
        """Write the files that HuggingFace reads: vocab.txt, tokenizer.json,
        tokenizer_config.json.
        """
        save_wordpiece(self, folder)

    def pieces(self, token_id: int) -> str:
        """What a token stands for, made printable: the token itself."""
        return self.id_to_token(token_id)


def count_words(texts: Iterable[str], **settings: bool) -> Counter:
    """How often each word occurs after normalisation.

    >>> count_words(["The cat", "the CAT!"])
    Counter({'the': 2, 'cat': 2, '!': 1})
    """
    if isinstance(texts, str):
        raise ValueError(
            "Training takes a list of texts; put the one text into a list."
        )
    chunks, words = Counter(), Counter()
    for text in texts:
        check_text(text)
        chunks.update(CHUNK.findall(text))
    for chunk, count in chunks.items():
        for word in bert_words(normalize(chunk, **settings)[0]):
            words[word] += count
    return words
