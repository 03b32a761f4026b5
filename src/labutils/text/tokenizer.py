"""The pipeline that byte-level BPE and WordPiece share.

    text -> added tokens cut out -> chunks -> normalise -> words -> pieces -> template
    -> Encoding

A tokenizer says how to normalise, where words end, how a word falls into pieces and
how tokens join again; all the rest is here.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from labutils.text.added import AddedToken, Splitter, split_all
from labutils.text.encoding import Encoding
from labutils.text.memory import Memory
from labutils.text.template import Template, check_side, cut, fill, pad, room_for


class Tokenizer:
    """Text to ids and back.

    Attributes:
        vocab: token -> id, added tokens included.
        model_vocab: the part of it that words can fall into.
        added_tokens: list of AddedToken, cut out of texts before anything else.
        special_tokens: set of the spellings that decoding may skip.
        single, pair: templates for one and for two texts (see ``template.py``).
        pad_token: what ``encode_batch`` fills up with, or None.
        roles: role -> token, as ``{"bos_token": "<|endoftext|>"}``; ``extra`` are the
            special tokens without a role.
        padding_side, truncation_side: where ``encode_batch`` fills up and ``encode``
            cuts, unless it is told otherwise.
        clean_up: decode "word ." as "word." in the whole text.
        rows: how many rows the table of the model has; one without a token is shown as
            its number, and leaves no trace in a text.
    """

    lead = ""  # what stands in front of a text that does not start with it
    padding_side = truncation_side = "right"
    clean_up = False
    rows = 0

    def __init__(
        self,
        vocab: dict[str, int],
        added_tokens: Iterable[AddedToken],
        single: Template,
        pair: Template,
        pad_token: str | None,
    ):
        for token, token_id in vocab.items():
            if type(token_id) is not int or token_id < 0:
                raise ValueError(
                    f"An id is a whole number from 0 on, but {token} has the id"
                    f" {token_id!r}."
                )
        self.model_vocab, self.added_tokens = dict(vocab), list(added_tokens)
        new = dict.fromkeys(
            token.content for token in self.added_tokens if token.content not in vocab
        )
        above = [vocab[t.content] for t in self.added_tokens if t.content in vocab]
        first = max([len(vocab), *(i + 1 for i in above)])
        self.vocab = self.model_vocab | {
            content: i for i, content in enumerate(new, start=first)
        }
        self.special_tokens = {
            token.content for token in self.added_tokens if token.special
        }
        self.single, self.pair, self.pad_token = single, pair, pad_token
        self.roles, self.extra, self.usual_pad = {}, [], pad_token
        self._tokens = {token_id: token for token, token_id in self.vocab.items()}
        self._decoded = {
            self.vocab[t.content]: self.normalize(t.content)[0]
            for t in self.added_tokens
            if t.normalized
        }
        self._raw = [
            Splitter({t.content: t for t in self.added_tokens if not t.normalized})
        ]
        self._normalized = Splitter(
            {self.normalize(t.content)[0]: t for t in self.added_tokens if t.normalized}
        )
        self._pieces = Memory(self.pieces_of_word)
        self._chunks = Memory(self._columns)
        self._word_ids = Memory(self._ids_of_word)
        self._chunk_ids = Memory(self._ids_of_chunk)
        for slot in {slot for slot, _ in single + pair} - {"A", "B"} - set(self.vocab):
            raise ValueError(
                f"The vocabulary has no {slot}, which the tokenizer adds to each text."
            )
        if pad_token is not None and pad_token not in self.vocab:
            raise ValueError(f"The vocabulary has no {pad_token} to pad with.")

    # What the two tokenizers do differently

    def normalize(self, text: str) -> tuple[str, Sequence[int]]:
        """The normalised text, and for each of its characters the index in ``text`` it
        came from.
        """
        return text, range(len(text))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """(start, end) of each word of a normalised text."""
        raise NotImplementedError

    def cut(self, text: str) -> list[str]:
        """The words of a normalised text themselves."""
        raise NotImplementedError

    def tokens_of_word(self, word: str) -> list[str]:
        """The tokens of one word."""
        raise NotImplementedError

    def pieces_of_word(self, word: str) -> list[tuple[str, int, int]]:
        """(token, start, end) of each token of a word; start and end are characters of
        the word.
        """
        raise NotImplementedError

    def chunk_pattern(self) -> re.Pattern:
        """A regular expression that cuts a text where words are sure to end, in larger
        pieces than words.
        """
        raise NotImplementedError

    def finish(self, segment: Encoding) -> Encoding:
        """A last change to the tokens of one text before the template."""
        return segment

    def join(self, tokens: list[str]) -> str:
        """Tokens as one text."""
        raise NotImplementedError

    # Text to ids

    def encode(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        max_length: int | None = None,
        truncation_side: str | None = None,
    ) -> Encoding:
        """Encode one text, or a pair of texts as two segments.

        Args:
            text, pair: strings without lone surrogates; an empty string is fine.
            add_special_tokens: put in what the template asks for, such as [CLS] and
                [SEP].
            max_length: keep at most so many tokens, special ones included; of two texts
                the longer one is cut first.
            truncation_side: cut at the ``"right"`` or the ``"left"`` end of each text;
                if not given, at the tokenizer's own.

        Raises:
            ValueError: for a lone surrogate, or a ``max_length`` that leaves no room
                for the special tokens.
        """
        truncation_side = truncation_side or self.truncation_side
        check_side("truncation_side", truncation_side)
        segments = {"A": self._segment(text, 0)}
        if pair is not None:
            segments["B"] = self._segment(pair, 1)
        template = self.single if pair is None else self.pair
        if max_length is not None:
            added = (
                sum(slot not in ("A", "B") for slot, _ in template)
                if add_special_tokens
                else 0
            )
            if max_length < added:
                raise ValueError(
                    f"max_length={max_length} is too small: the special tokens alone"
                    f" need {added}."
                )
            lengths = room_for(
                len(segments["A"]), len(segments.get("B", ())), max_length - added
            )
            segments = {
                slot: cut(segments[slot], n, truncation_side)
                for slot, n in zip(segments, lengths)
            }
        segments = {slot: self.finish(segment) for slot, segment in segments.items()}
        return fill(template, segments, self.vocab, add_special_tokens)

    def encode_batch(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        add_special_tokens: bool = True,
        max_length: int | None = None,
        truncation_side: str | None = None,
        padding_side: str | None = None,
        length: int | None = None,
    ) -> list[Encoding]:
        """Encode several texts as rows of one length: that of the longest, or
        ``length`` if that is more.

        Raises:
            ValueError: when padding is needed and the tokenizer has no ``pad_token``,
                or ``pairs`` has another length than ``texts``.
        """
        padding_side = padding_side or self.padding_side
        check_side("padding_side", padding_side)
        if isinstance(texts, str):
            raise ValueError(
                "encode_batch takes a list of texts; for one text use encode."
            )
        pairs = [None] * len(texts) if pairs is None else pairs
        if len(pairs) != len(texts):
            raise ValueError(
                f"There are {len(texts)} texts but {len(pairs)} second texts."
            )
        rows = [
            self.encode(t, p, add_special_tokens, max_length, truncation_side)
            for t, p in zip(texts, pairs)
        ]
        longest = max([len(row) for row in rows] + [length or 0], default=0)
        if any(len(row) < longest for row in rows) and self.pad_token is None:
            raise ValueError(
                "The texts differ in length and this tokenizer has no pad_token: set"
                " tok.pad_token."
            )
        pad_id = self.vocab.get(self.pad_token)
        return [pad(row, longest, self.pad_token, pad_id, padding_side) for row in rows]

    def encode_ids(self, text: str) -> list[int]:
        """The ids of one text, without special tokens and without anything else, as
        fast as possible.

        Equal to ``encode(text, add_special_tokens=False).ids``.
        """
        check_text(text)
        if self._normalized.pattern or any(
            splitter.finds(text) for splitter in self._raw
        ):
            return self._segment(text, 0).ids
        if text and not text.startswith(self.lead):
            text = self.lead + text
        return list(
            chain.from_iterable(
                map(self._chunk_ids.__getitem__, self.chunk_pattern().findall(text))
            )
        )

    def _ids_of_word(self, word: str) -> list[int]:
        return [self.vocab[token] for token in self.tokens_of_word(word)]

    def _ids_of_chunk(self, chunk: str) -> tuple[int, ...]:
        return tuple(
            chain.from_iterable(
                map(self._word_ids.__getitem__, self.cut(self.normalize(chunk)[0]))
            )
        )

    def tokenize(self, text: str) -> list[str]:
        """The tokens of one text, without special tokens.  See ``encode`` for
        everything else.
        """
        return self._segment(text, 0).tokens

    def words_of(self, text: str) -> list[list[tuple[str, int, tuple[int, int]]]]:
        """The words of a text as the model's alphabet has them: normalise, cut, take to
        pieces.

        Returns:
            One list a word of (token, id, (start, end)), in characters of ``text``.
        """
        words = []
        normal, origin = self.normalize(text)
        for start, end, content in self._normalized.split(normal):
            if content is not None:
                words.append(
                    [
                        (
                            normal[start:end],
                            self.vocab[content],
                            (origin[start], origin[end - 1] + 1),
                        )
                    ]
                )
                continue
            for first, last in self.spans(normal[start:end]):
                place = origin[start + first : start + last]
                pieces = self._pieces[normal[start + first : start + last]]
                words.append(
                    [
                        (token, self.vocab[token], (place[a], place[b - 1] + 1))
                        for token, a, b in pieces
                    ]
                )
        return words

    def _columns(self, chunk: str) -> tuple:
        """``words_of`` a chunk, turned for quick appending: ids, tokens, offsets, word
        indices, number of words.
        """
        words = self.words_of(chunk)
        rows = [
            (token_id, token, offset, i)
            for i, word in enumerate(words)
            for token, token_id, offset in word
        ]
        return (*(zip(*rows) if rows else ((), (), (), ())), len(words))

    def _segment(self, text: str, sequence: int) -> Encoding:
        """One text as an Encoding without special tokens.

        Words repeat, so what was found in a chunk of text is remembered and only its
        place is new.
        """
        check_text(text)
        ids, tokens, offsets, words, n_words = [], [], [], [], 0
        for start, end, content in split_all(self._raw, text):
            if content is not None:
                found = [
                    (
                        start,
                        (
                            (self.vocab[content],),
                            (text[start:end],),
                            ((0, end - start),),
                            (0,),
                            1,
                        ),
                    )
                ]
            else:
                found = self._find_chunks(text[start:end], start)
            for at, (its_ids, its_tokens, its_offsets, its_words, count) in found:
                ids += its_ids
                tokens += its_tokens
                offsets += [
                    (max(start, at + a), max(start + 1, at + b)) for a, b in its_offsets
                ]
                words += [n_words + word for word in its_words]
                n_words += count
        n = len(ids)
        return Encoding(
            ids,
            tokens,
            [sequence] * n,
            [1] * n,
            [0] * n,
            offsets,
            words,
            [sequence] * n,
        )

    def _find_chunks(self, text: str, start: int) -> list[tuple[int, tuple]]:
        """(place in the whole text, columns) of each chunk of a text without raw added
        tokens.
        """
        # such a token may hold white space, so no cut is safe
        if self._normalized.pattern:
            return [(start, self._columns(text))]
        # the lead was not in the text: it takes no room there
        if not text.startswith(self.lead):
            text, start = self.lead + text, start - len(self.lead)
        return [
            (start + match.start(), self._chunks[match[0]])
            for match in self.chunk_pattern().finditer(text)
        ]

    # Ids to text

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = False) -> str:
        """Ids as text.  WordPiece cannot give back what its normalisation took away.

        Raises:
            ValueError: for an id outside the vocabulary, or what is no id.
        """
        ids = list(ids)
        for i in ids:
            if isinstance(i, str):
                raise ValueError(
                    f"decode reads ids, whole numbers, and not {i!r}: token_to_id says"
                    " which id a token has."
                )
        tokens = [
            self._decoded.get(int(i)) or self.id_to_token(i)
            for i in ids
            if not self.is_nameless(i)
        ]
        text = self.join(
            [
                t
                for t in tokens
                if not (skip_special_tokens and t in self.special_tokens)
            ]
        )
        return tidied(text) if self.clean_up else text

    def id_to_token(self, token_id: int) -> str:
        """The vocabulary's spelling of an id, or the number of a row without a token.
        Raises ValueError for an id of neither.
        """
        if self.is_nameless(token_id):
            return f"⟨row {int(token_id)}⟩"
        try:
            return self._tokens[int(token_id)]
        except KeyError:
            raise ValueError(
                f"There is no token {token_id}: ids go from 0 to"
                f" {max([*self._tokens, self.rows - 1])}."
            ) from None

    def is_nameless(self, token_id: int) -> bool:
        """Whether an id is a row of the model's table that no token has."""
        return int(token_id) not in self._tokens and 0 <= int(token_id) < self.rows

    def token_to_id(self, token: str) -> int | None:
        """The id of a token, or None."""
        return self.vocab.get(token)

    def __len__(self) -> int:
        return len(self.vocab)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self):,} tokens)"


# What HuggingFace's ``clean_up_tokenization`` repairs, in this order.
TIDIED = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def tidied(text: str) -> str:
    """A text without the spaces that stand before its marks.

    >>> tidied("It 's late , isn 't it ?")
    "It's late, isn 't it?"
    """
    for seen, meant in TIDIED:
        text = text.replace(seen, meant)
    return text


def check_text(text: str) -> None:
    """Raises ValueError for a text that has no UTF-8 form, TypeError for no text at
    all.
    """
    if not isinstance(text, str):
        raise TypeError(f"A tokenizer reads text (str), not {type(text).__name__}.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueError(
            f"Character {error.start} of the text is half of a pair (the lone surrogate"
            f" U+{code:04X}) and stands for nothing: remove it or replace it."
        ) from None
