"""What a tokenizer returns: the ids of one text (or one pair) and everything known
about them.
"""

from dataclasses import dataclass, field, fields, replace


@dataclass(frozen=True)
class Encoding:
    """One row for a model.  Every list has one entry per token.

    Attributes:
        ids: what the model reads.
        tokens: the vocabulary's spelling of each id, for example ``Ġcat`` or ``##s``.
        type_ids: 0 for the first text, 1 for the second.
        attention_mask: 1 for a token, 0 for padding.
        special_tokens_mask: 1 for what the tokenizer added itself ([CLS], [SEP],
            padding).
        offsets: (start, end) in characters of the text that the token came from; (0, 0)
            if from none.
        word_ids: index of the token's word in its text; None if from none.
        sequence_ids: 0 for the first text, 1 for the second; None if from none.
    """

    ids: list[int] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    type_ids: list[int] = field(default_factory=list)
    attention_mask: list[int] = field(default_factory=list)
    special_tokens_mask: list[int] = field(default_factory=list)
    offsets: list[tuple[int, int]] = field(default_factory=list)
    word_ids: list[int | None] = field(default_factory=list)
    sequence_ids: list[int | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        shown = " ".join(self.tokens[:12]) + (" …" if len(self) > 12 else "")
        return f"Encoding({len(self)} tokens: {shown})"

    def __add__(self, other: "Encoding") -> "Encoding":
        """The tokens of both, one after the other."""
        return Encoding(
            *(getattr(self, f.name) + getattr(other, f.name) for f in fields(self))
        )

    def __getitem__(self, span: slice) -> "Encoding":
        """The tokens of a slice, as an Encoding."""
        return Encoding(*(getattr(self, f.name)[span] for f in fields(self)))

    def with_type(self, type_id: int) -> "Encoding":
        """The same tokens as another segment."""
        return replace(self, type_ids=[type_id] * len(self))


def special(
    token: str, token_id: int, type_id: int = 0, attended: int = 1, count: int = 1
) -> Encoding:
    """``count`` tokens that came from no text: special tokens, or padding with
    ``attended=0``.
    """
    return Encoding(
        [token_id] * count,
        [token] * count,
        [type_id] * count,
        [attended] * count,
        [1] * count,
        [(0, 0)] * count,
        [None] * count,
        [None] * count,
    )
