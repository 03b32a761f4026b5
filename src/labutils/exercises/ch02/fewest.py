"""Exercise 2.3: cut a word into as few pieces of a WordPiece vocabulary as possible."""

from collections.abc import Callable, Iterator
from string import ascii_lowercase

from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

UNKNOWN = ["[UNK]"]
MOST_LOOKS = 100_000  # a word of 45 letters has 1,035 parts


def check_fewest(fewest_pieces: Callable[[str, set[str]], list[str]], seed: int | None = None) -> None:
    """Check `fewest_pieces`: a word and a vocabulary -> as few pieces as possible, or ``["[UNK]"]``.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        fewest_pieces,
        finds_a_whole_word,
        marks_what_continues,
        needs_fewer_than_the_longest_first,
        finds_a_cut_where_the_longest_first_gives_up,
        says_unknown,
        agrees_on_random_words,
        is_quick,
        repeat="check_fewest(fewest_pieces, seed={seed})",
        seed=seed,
    )


class Patient(set):
    """A vocabulary whose patience ends: it stops a search that looks into it again and again."""

    looks = 0

    def __contains__(self, piece) -> bool:
        self._count(1)
        return super().__contains__(piece)

    def __iter__(self) -> Iterator[str]:
        self._count(len(self))
        return super().__iter__()

    def _count(self, looks: int) -> None:
        self.looks += looks
        if self.looks > MOST_LOOKS:
            raise NotYet(
                f"Your search has looked into the vocabulary more than {MOST_LOOKS:,} times for one word. It has at"
                " most 1,035 parts: keep what you found out about each place instead of finding it out again."
            )


def fewest_pieces(word, vocab):
    best = [[]]  # for each place, a shortest cut of what stands before it
    for end in range(1, len(word) + 1):
        cuts = []
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if best[start] is not None and piece in vocab:
                cuts.append(best[start] + [piece])
        best.append(min(cuts, key=len, default=None))
    return ["[UNK]"] if best[-1] is None else best[-1]


RIGHT = (fewest_pieces,)
RESULT = '["[UNK]"] if best[-1] is None else best[-1]'
# fmt: off
MISTAKES = (
    ("the longest piece first", "This is what taking the longest piece first gives.", """
        def fewest_pieces(word, vocab):
            pieces, start = [], 0
            while start < len(word):
                for end in range(len(word), start, -1):
                    piece = ("##" if start else "") + word[start:end]
                    if piece in vocab:
                        break
                else:
                    return ["[UNK]"]
                pieces.append(piece)
                start = end
            return pieces"""),
    ("forgets ##", "Inside a word the pieces are those with ##.", '("##" if start else "") + ', ""),
    ("loses ## on the way", "The pieces have lost their ##.", "[piece]", "[word[start:end]]"),
    ("gives nothing back for the unknown", "That is no piece at all.", RESULT, "best[-1] or []"),
)
REFUSED = (
    ("the first cut that works", "expected 2 pieces such as", """
        def fewest_pieces(word, vocab, start=0):
            if start == len(word):
                return []
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in vocab:
                    rest = fewest_pieces(word, vocab, end)
                    if rest != ["[UNK]"]:
                        return [piece] + rest
            return ["[UNK]"]"""),
    ("all cuts", "looked into the vocabulary more than 100,000 times", """
        def fewest_pieces(word, vocab):
            def cuts(start):
                if start == len(word):
                    yield []
                for end in range(start + 1, len(word) + 1):
                    piece = ("##" if start else "") + word[start:end]
                    if piece in vocab:
                        for rest in cuts(end):
                            yield [piece] + rest
            return min(cuts(0), key=len, default=["[UNK]"])"""),
    ("says nothing about the unknown", "should return a list of pieces, and it returned None", RESULT, "best[-1]"),
)
# fmt: on


def expect(answer, word: str, vocabulary: set[str]) -> None:
    """Raises NotYet unless the word comes back in as few pieces as possible; any shortest cut will do."""
    found = expect_list(call(answer, word, Patient(vocabulary)), "fewest_pieces", "a list of pieces")
    shortest = fewest_pieces(word, vocabulary)
    right = found == UNKNOWN if shortest == UNKNOWN else is_cut(found, word, vocabulary) and len(found) == len(shortest)
    if not right:
        wanted = (
            UNKNOWN if shortest == UNKNOWN else f"{len(shortest)} piece{'s' * (len(shortest) > 1)} such as {shortest}"
        )
        raise NotYet(
            f'With {", ".join(sorted(vocabulary)[:9])} in the vocabulary, "{word}" became {found}, expected {wanted}.'
            f"{likely(found, outcomes(MISTAKES, fewest_pieces, word, vocabulary))}"
        )


def is_cut(pieces: list, word: str, vocabulary: set[str]) -> bool:
    """Whether the pieces are in the vocabulary, spell the word and are marked from the second on."""
    if not all(isinstance(piece, str) and piece in vocabulary for piece in pieces):
        return False
    if any(piece.startswith("##") != (i > 0) for i, piece in enumerate(pieces)):
        return False
    return "".join(piece.removeprefix("##") for piece in pieces) == word


def finds_a_whole_word(answer, draw: Draw):
    """A word of the vocabulary is one piece."""
    a, b, c = draw.sample(ascii_lowercase, 3)
    expect(answer, a + b + c, {a + b + c, a, a + b, "##" + b, "##" + c, "##" + b + c})
    expect(answer, a, {a, "##" + a})


def marks_what_continues(answer, draw: Draw):
    """Pieces with ## stand inside a word, the others at its start."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(answer, a + b + c + d, {a + b, c + d, "##" + c, "##" + d, "##" + a + b})
    expect(answer, a + b + c, {"##" + a + b, a + b + c + d, a, "##" + b, "##" + c, b + c})


def needs_fewer_than_the_longest_first(answer, draw: Draw):
    """Where the longest piece first needs more, fewer are found."""
    a, b, c, d, e = draw.sample(ascii_lowercase, 5)
    vocabulary = {a + b, a + b + c, "##" + c + d + e, "##" + d, "##" + e}
    expect(answer, a + b + c + d + e, vocabulary)
    expect(answer, a + b + c + d + e, vocabulary | {a, "##" + b, "##" + c})


def finds_a_cut_where_the_longest_first_gives_up(answer, draw: Draw):
    """Where the longest piece first gives up, a cut is found."""
    a, b, c = draw.sample(ascii_lowercase, 3)
    expect(answer, a + b + c, {a, a + b, "##" + b + c})


def says_unknown(answer, draw: Draw):
    """A word without any cut is [UNK]."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(answer, a + b + c, {a, "##" + b, a + b, c})
    expect(answer, a + b, {"##" + a + b, "##" + a, "##" + b, d})


def agrees_on_random_words(answer, draw: Draw):
    """A hundred random words."""
    a, b = draw.sample(ascii_lowercase, 2)
    for _ in range(100):
        pieces = ["".join(draw.choices((a, b), draw.between(1, 4))) for _ in range(9)]
        vocabulary = {draw.choice(["", "##"]) + piece for piece in pieces} | {a, "##" + b}
        expect(answer, "".join(draw.choices((a, b), draw.between(1, 8))), vocabulary)


def is_quick(answer, draw: Draw):
    """A word of forty letters does not take long."""
    a, b = draw.sample(ascii_lowercase, 2)
    word = a * draw.between(38, 44)
    vocabulary = {a, "##" + a, "##" + a * 2, "##" + a * 3}
    expect(answer, word, vocabulary)
    expect(answer, word + b, vocabulary)
