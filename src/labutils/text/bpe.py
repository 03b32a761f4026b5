"""Byte-level byte-pair encoding, as in GPT-2 (Sennrich et al. 2016; Radford et al.
2019, section 2.2).

Nothing is counted when a text is encoded: the merges that training found are
applied by rank, the earliest learned first.

>>> ranks = {("c", "a"): 0, ("ca", "t"): 1, ("s", "at"): 9, ("a", "t"): 2}
>>> ranks["cat", "s"] = 3
>>> merge_by_rank("catsat", ranks)
['cats', 'at']
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from labutils.text.added import SPACES, AddedToken, Splitter
from labutils.text.bpe_fast import Ranks, merge_fast
from labutils.text.bpe_train import count_words, merge_pair
from labutils.text.bpe_train_fast import learn_merges
from labutils.text.bytes import ALPHABET, BYTE, from_symbols, to_symbols
from labutils.text.encoding import Encoding
from labutils.text.pretokenize import chunk_pattern, gpt2_spans, gpt2_words
from labutils.text.saving import save_bpe
from labutils.text.template import Template
from labutils.text.tokenizer import Tokenizer

BLANK = SPACES + to_symbols(" ")


def merge_by_rank(symbols: Sequence[str], ranks: Ranks) -> list[str]:
    """Merge neighbours until no pair has a rank.

    The pair of lowest rank is merged wherever it stands, as in training; then again.

    Args:
        symbols: the word as symbols, one for each byte.
        ranks: (left, right) -> rank, in the order in which they were learned.

    Returns:
        The tokens of the word.
    """
    symbols = list(symbols)
    while True:
        known = [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]
        if not known:
            return symbols
        symbols = merge_pair(symbols, min(known, key=ranks.get))


class ByteLevelBPE(Tokenizer):
    """GPT-2's tokenizer, with any vocabulary.

    Attributes:
        merges: list of (left, right) in rank order.
        history: after training, list of ((left, right), count) in the same order.
        add_prefix_space: treat the first word like all others by putting a space before
            it.
        trim_offsets: leave white space out of the offsets (GPT-2's own files say no);
            ``keeps_lead``: but for one space at the start of the text.
        ignore_merges: a word that is a token needs no merges.
    """

    def __init__(
        self,
        vocab: dict[str, int],
        merges: Iterable[tuple[str, str]],
        added_tokens: Iterable[AddedToken] = (),
        *,
        add_prefix_space: bool = False,
        trim_offsets: bool = False,
        ignore_merges: bool = False,
        single: Template | None = None,
        pair: Template | None = None,
        pad_token: str | None = None,
    ):
        self.merges = [tuple(pair) for pair in merges]
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        for left, right in self.merges:
            for token in (left, right, left + right):
                if token not in vocab:
                    raise ValueError(
                        f"The merge {left} + {right} needs {token}, which is not in the"
                        " vocabulary."
                    )
        self.missing_symbols = set(ALPHABET) - set(vocab)
        self.history = []
        self.add_prefix_space, self.trim_offsets, self.ignore_merges = (
            add_prefix_space,
            trim_offsets,
            ignore_merges,
        )
        self.keeps_lead = add_prefix_space
        single, pair = single or [("A", 0)], pair or [("A", 0), ("B", 1)]
        super().__init__(vocab, added_tokens, single, pair, pad_token)
        if add_prefix_space:
            self.lead = " "
        # nothing is normalised here: these tokens are looked for in the raw text too
        if self._normalized.pattern:
            self._raw, self._normalized = [*self._raw, self._normalized], Splitter({})
        # GPT-2 has no padding token: its end of text serves
        if pad_token is None and self.special_tokens:
            self.pad_token = max(self.special_tokens, key=self.vocab.get)
        self.usual_pad = self.pad_token
        if self.pad_token:
            ends = ("bos_token", "eos_token", "unk_token")
            self.roles = dict.fromkeys(ends, self.pad_token)

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        vocab_size: int,
        special_tokens: Sequence[str] = ("<|endoftext|>",),
        min_frequency: int = 1,
    ) -> "ByteLevelBPE":
        """Learn merges from texts until the vocabulary has ``vocab_size`` entries or no
        pair is left.

        Ids as in GPT-2: the 256 bytes, then the merges in order, then the special
        tokens.

        Args:
            texts: an iterable of strings.
            vocab_size: all entries together, bytes and special tokens included.
            min_frequency: stop at pairs that occur less often.
        """
        n_merges = vocab_size - len(ALPHABET) - len(special_tokens)
        if n_merges < 0:
            needed = len(ALPHABET) + len(special_tokens)
            raise ValueError(
                f"vocab_size={vocab_size} is too small: bytes and special tokens alone"
                f" need {needed}."
            )
        history = learn_merges(count_words(texts), n_merges, ALPHABET, min_frequency)
        merges = [pair for pair, _ in history]
        tokens = [
            *ALPHABET,
            *dict.fromkeys(left + right for left, right in merges),
            *special_tokens,
        ]
        vocab = {token: i for i, token in enumerate(dict.fromkeys(tokens))}
        tokenizer = cls(vocab, merges, [AddedToken(token) for token in special_tokens])
        tokenizer.history = history
        return tokenizer

    def spans(self, text: str) -> list[tuple[int, int]]:
        return gpt2_spans(text)

    def cut(self, text: str) -> list[str]:
        return gpt2_words(text)

    def chunk_pattern(self) -> re.Pattern:
        return chunk_pattern()

    def tokens_of_word(self, word: str) -> list[str]:
        """The tokens of one word: its bytes as symbols, merged by rank.

        Raises:
            ValueError: when the vocabulary lacks one of the bytes (GPT-2's has all
                256).
        """
        symbols = to_symbols(word)
        if self.ignore_merges and symbols in self.model_vocab:
            return [symbols]
        for symbol in self.missing_symbols.intersection(symbols):
            raise ValueError(
                f"The vocabulary lacks the symbol {symbol} for the byte"
                f" 0x{BYTE[symbol]:02X}."
            )
        return merge_fast(symbols, self.ranks)

    def pieces_of_word(self, word: str) -> list[tuple[str, int, int]]:
        """(token, start, end); a token of half a character counts as the whole
        character.
        """
        character = range(len(word))  # which character each byte belongs to
        if not word.isascii():
            character = [i for i, char in enumerate(word) for _ in char.encode("utf-8")]
        pieces, done = [], 0
        for token in self.tokens_of_word(word):
            pieces.append(
                (token, character[done], character[done + len(token) - 1] + 1)
            )
            done += len(token)
        return pieces

    def finish(self, segment: Encoding) -> Encoding:
        """Leave white space at the ends of tokens out of their offsets, if asked to."""
        if not self.trim_offsets:
            return segment
        offsets = [
            trim(token, offset, keep_one=self.keeps_lead and (i == 0 or offset[0] == 0))
            for i, (token, offset) in enumerate(zip(segment.tokens, segment.offsets))
        ]
        return replace(segment, offsets=offsets)

    def join(self, tokens: list[str]) -> str:
        """The bytes of all tokens; bytes that are no UTF-8 become U+FFFD."""
        return b"".join(map(token_bytes, tokens)).decode("utf-8", errors="replace")

    def save(self, folder: str | Path) -> None:
        """Write the files that HuggingFace reads: vocab.json, merges.txt,
        tokenizer.json, tokenizer_config.json.
        """
        save_bpe(self, folder)

    def pieces(self, token_id: int) -> str:
        """What a token stands for, made printable: ␣ for a space, ⟨E2 82⟩ for bytes
        that are no whole character.
        """
        if self.is_nameless(token_id):
            return self.id_to_token(token_id)
        data = token_bytes(self.id_to_token(token_id))
        try:
            return printable(data.decode("utf-8"))
        except UnicodeDecodeError:
            return "⟨" + data.hex(" ").upper() + "⟩"


def trim(token: str, offset: tuple[int, int], keep_one: bool) -> tuple[int, int]:
    """Offsets without the white space at the ends of a token; ``keep_one``: a single
    space in front was not in the text.

    >>> trim("Ġcat", (3, 7), keep_one=False)
    (4, 7)
    """
    front, back = (
        len(token) - len(rest) for rest in (token.lstrip(BLANK), token.rstrip(BLANK))
    )
    start, end = offset
    if front and not (front == 1 and keep_one):
        start = min(start + front, end)
    if back and end >= back:
        end = max(end - back, start)
    return start, end


def token_bytes(token: str) -> bytes:
    """The bytes that a token stands for; an added token with other characters stands
    for its own text.
    """
    try:
        return from_symbols(token)
    except KeyError:
        return token.encode("utf-8")


def printable(text: str) -> str:
    """Visible spaces and escaped control characters.

    >>> printable(" a\\n")
    '␣a\\\\n'
    """
    return "".join(
        "␣" if c == " " else c if c.isprintable() else repr(c)[1:-1] for c in text
    )
