"""Exercise 2.3: cut a word into as few pieces of a WordPiece vocabulary as possible."""

from collections.abc import Callable, Container, Iterator
from string import ascii_lowercase

from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.text import wordpiece

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


def fewest(word: str, vocabulary: Container[str], mark: str = "##") -> list[str] | None:
    """A shortest cut; None where there is none."""
    best: list[list[str] | None] = [[]]  # for each place, a shortest cut of what stands before it
    for end in range(1, len(word) + 1):
        pieces = [(start, (mark if start else "") + word[start:end]) for start in range(end)]
        cuts = [best[start] + [piece] for start, piece in pieces if best[start] is not None and piece in vocabulary]
        best.append(min(cuts, key=len, default=None))
    return best[-1]


def expect(fewest_pieces, word: str, vocabulary: set[str]) -> None:
    """Raises NotYet unless the word comes back in as few pieces as possible; any shortest cut will do."""
    found = expect_list(call(fewest_pieces, word, Patient(vocabulary)), "fewest_pieces", "a list of pieces")
    shortest = fewest(word, vocabulary)
    right = found == UNKNOWN if shortest is None else is_cut(found, word, vocabulary) and len(found) == len(shortest)
    if not right:
        wanted = UNKNOWN if shortest is None else f"{len(shortest)} piece{'s' * (len(shortest) > 1)} such as {shortest}"
        raise NotYet(
            f'With {", ".join(sorted(vocabulary)[:9])} in the vocabulary, "{word}" became {found}, expected {wanted}.'
            f"{likely(found, mistakes(word, vocabulary))}"
        )


def is_cut(pieces: list, word: str, vocabulary: set[str]) -> bool:
    """Whether the pieces are in the vocabulary, spell the word and are marked from the second on."""
    if not all(isinstance(piece, str) and piece in vocabulary for piece in pieces):
        return False
    if any(piece.startswith("##") != (i > 0) for i, piece in enumerate(pieces)):
        return False
    return "".join(piece.removeprefix("##") for piece in pieces) == word


def mistakes(word: str, vocabulary: set[str]) -> Iterator[tuple[str, list[str]]]:
    """What is said of the usual mistakes, and what each gives."""
    yield "This is what taking the longest piece first gives.", wordpiece.longest_match(word, vocabulary) or UNKNOWN
    yield "Inside a word the pieces are those with ##.", fewest(word, vocabulary, mark="") or UNKNOWN
    cut = fewest(word, vocabulary) or UNKNOWN
    yield "The pieces have lost their ##.", [piece.removeprefix("##") for piece in cut]
    yield "That is no piece at all.", []


def finds_a_whole_word(fewest_pieces, draw: Draw):
    """A word of the vocabulary is one piece."""
    a, b, c = draw.sample(ascii_lowercase, 3)
    expect(fewest_pieces, a + b + c, {a + b + c, a, a + b, "##" + b, "##" + c, "##" + b + c})
    expect(fewest_pieces, a, {a, "##" + a})


def marks_what_continues(fewest_pieces, draw: Draw):
    """Pieces with ## stand inside a word, the others at its start."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(fewest_pieces, a + b + c + d, {a + b, c + d, "##" + c, "##" + d, "##" + a + b})
    expect(fewest_pieces, a + b + c, {"##" + a + b, a + b + c + d, a, "##" + b, "##" + c, b + c})


def needs_fewer_than_the_longest_first(fewest_pieces, draw: Draw):
    """Where the longest piece first needs more, fewer are found."""
    a, b, c, d, e = draw.sample(ascii_lowercase, 5)
    vocabulary = {a + b, a + b + c, "##" + c + d + e, "##" + d, "##" + e}
    expect(fewest_pieces, a + b + c + d + e, vocabulary)
    expect(fewest_pieces, a + b + c + d + e, vocabulary | {a, "##" + b, "##" + c})


def finds_a_cut_where_the_longest_first_gives_up(fewest_pieces, draw: Draw):
    """Where the longest piece first gives up, a cut is found."""
    a, b, c = draw.sample(ascii_lowercase, 3)
    expect(fewest_pieces, a + b + c, {a, a + b, "##" + b + c})


def says_unknown(fewest_pieces, draw: Draw):
    """A word without any cut is [UNK]."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(fewest_pieces, a + b + c, {a, "##" + b, a + b, c})
    expect(fewest_pieces, a + b, {"##" + a + b, "##" + a, "##" + b, d})


def agrees_on_random_words(fewest_pieces, draw: Draw):
    """A hundred random words."""
    a, b = draw.sample(ascii_lowercase, 2)
    for _ in range(100):
        pieces = ["".join(draw.choices((a, b), draw.between(1, 4))) for _ in range(9)]
        vocabulary = {draw.choice(["", "##"]) + piece for piece in pieces} | {a, "##" + b}
        expect(fewest_pieces, "".join(draw.choices((a, b), draw.between(1, 8))), vocabulary)


def is_quick(fewest_pieces, draw: Draw):
    """A word of forty letters does not take long."""
    a, b = draw.sample(ascii_lowercase, 2)
    word = a * draw.between(38, 44)
    vocabulary = {a, "##" + a, "##" + a * 2, "##" + a * 3}
    expect(fewest_pieces, word, vocabulary)
    expect(fewest_pieces, word + b, vocabulary)
