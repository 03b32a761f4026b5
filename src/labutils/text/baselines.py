"""Letters or words as tokens: the two ends between which all subwords lie.

A list of the most frequent pieces, and ``[UNK]`` for whatever is not on it; what
HuggingFace calls WordLevel.

>>> words = ListTokenizer.train(["the cat sat on the mat"], 3, words_of)
>>> words.tokenize("the dog sat on the cat")
['the', '[UNK]', '[UNK]', '[UNK]', 'the', 'cat']
>>> letters = ListTokenizer.train(["the cat sat on the mat"], 20, letters_of)
>>> letters.decode(letters.encode_ids("a hat"))
'a hat'
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from labutils.text.tokenizer import check_text

UNKNOWN = "[UNK]"
WORD = re.compile(r"\w+|[^\w\s]+")


def letters_of(text: str) -> list[str]:
    """Every character, spaces among them."""
    return list(text)


def words_of(text: str) -> list[str]:
    """Words and marks, without the white space between them."""
    return WORD.findall(text)


class ListTokenizer:
    """A text in whole pieces, each on the list or unknown.

    Attributes:
        vocab: piece -> id. ``[UNK]`` is 0, then the pieces by how frequent they are.
        cut: the function that cuts a text into pieces, letters_of or words_of.
    """

    def __init__(self, pieces: Sequence[str], cut: Callable[[str], list[str]]):
        self.vocab = {piece: i for i, piece in enumerate((UNKNOWN, *pieces))}
        self.cut = cut
        self._pieces = (UNKNOWN, *pieces)

    @classmethod
    def train(
        cls, texts: Iterable[str], size: int, cut: Callable[[str], list[str]]
    ) -> "ListTokenizer":
        """The size - 1 most frequent pieces; of equally frequent ones the first in the
        order of their letters.

        Raises:
            ValueError: there is no room for ``[UNK]``.
        """
        if size < 1:
            raise ValueError(f"A list needs a place for {UNKNOWN}; {size} is too few.")
        counts = Counter(piece for text in texts for piece in cut(text))
        ranked = sorted(counts, key=lambda piece: (-counts[piece], piece))
        return cls(ranked[: size - 1], cut)

    def __len__(self) -> int:
        return len(self._pieces)

    def tokenize(self, text: str) -> list[str]:
        """The pieces of a text, ``[UNK]`` in place of those not on the list."""
        check_text(text)
        return [piece if piece in self.vocab else UNKNOWN for piece in self.cut(text)]

    def encode_ids(self, text: str) -> list[int]:
        return [self.vocab[piece] for piece in self.tokenize(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The pieces of the ids in one text, words with a space between them."""
        between = "" if self.cut is letters_of else " "
        return between.join(self._pieces[i] for i in ids)
