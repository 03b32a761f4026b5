"""Exercise 5.3: how much weight does a head give to the word before, where words have several tokens?"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

Detector = Callable[[Tensor, list[int]], Tensor]


def check_previous_word(to_previous_word: Detector, seed: int | None = None) -> None:
    """Check `to_previous_word`: weights (H, n, n) and the word of each token -> the mean weight on the word before.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        to_previous_word,
        finds_a_planted_head,
        counts_only_rows_that_have_a_word_before,
        adds_up_the_pieces,
        starts_from_every_piece,
        leaves_out_what_is_no_word,
        agrees_on_random_heads,
        repeat="check_previous_word(to_previous_word, seed={seed})",
        seed=seed,
    )


def to_previous_word(weights, word_of):
    words = torch.as_tensor(word_of)
    places = (words[:, None] - 1 == words) & (words >= 0)
    rows = places.any(-1)
    return (weights * places).sum(-1)[:, rows].mean(-1)


RIGHT = (to_previous_word,)
SCORE = "(weights * places).sum(-1)[:, rows].mean(-1)"
AFTER = "(words[:, None] + 1 == words) & (words[:, None] >= 0)"
PLACES = "(words[:, None] - 1 == words) & (words >= 0)"
TURNED = "Rows and columns are swapped, or “before” and “after”: that is what words give to the word after them."
TOKEN = "That is the weight on the token before, whichever word it belongs to."
LARGEST = "torch.nn.functional.one_hot(weights.argmax({}), len(words)).double() * places"
# fmt: off
MISTAKES = (
    ("counts the rows of the first word", "Rows that have no word before them were counted as zeros.", "[:, rows]", ""),
    ("columns for rows", TURNED, "weights * places", "weights.mT * places"),
    ("the word after, each row that has one", TURNED, PLACES, AFTER),
    ("the word after", "That is the weight on the word after.", PLACES, AFTER, "places.any(-1)", "words > 0"),
    ("the token before, where there is a word before", TOKEN, SCORE,
     "weights.diagonal(-1, -2, -1)[:, rows[1:]].mean(-1)"),
    ("the token before", TOKEN, SCORE, "weights.diagonal(-1, -2, -1).mean(-1)"),
    ("only the last token of the word before", "Only the last token of the word before was counted.", "* places",
     "* (places & (words != words.roll(-1)))"),
    ("only the first token of the word before", "Only the first token of the word before was counted.", "* places",
     "* (places & (words != words.roll(1)))"),
    ("only the first token asks", "Only the first token of each word asked.", "places.any(-1)",
     "places.any(-1) & (words != words.roll(1))"),
    ("only the last token asks", "Only the last token of each word asked.", "places.any(-1)",
     "places.any(-1) & (words != words.roll(-1))"),
    ("special tokens are words", "A special token was taken for the word before the first word.", " & (words >= 0)",
     ""),
    ("walks back and gives up at a special token",
     "A word that follows a special token was left out; the word before it is the one before that token.",
     "places.any(-1)", "places.any(-1) & ~torch.isin(words, words[1:][words[:-1] < 0])"),
    ("the mean over words", "That is the mean over words. Each token that has a word before its own counts once.",
     SCORE,
     "torch.stack([(weights * places).sum(-1)[:, words == w].mean(-1) for w in words.unique() if w > 0]).mean(0)"),
    ("makes the rows sum to 1 without the special tokens",
     "The rows were made to sum to 1 again without the special tokens; take the weights as they are.",
     "weights * places", "weights / (weights * (words >= 0)).sum(-1, keepdim=True) * places"),
    ("the mean over the tokens of the word before", "That is the mean over the tokens of the word before. Add them up.",
     "sum(-1)[", "sum(-1).div(places.sum(-1).clamp(min=1))["),
    ("special tokens ask", "Special tokens were counted as rows with 0. They have no word, so they do not ask.",
     "places.any(-1)", "words != 0"),
    ("all words before", "That is the weight on all words before, not on the one before.", "words[:, None] - 1 ==",
     "words[:, None] >"),
    ("the largest weight on the word before",
     "Only the largest weight on the word before was taken. Add up those on all its tokens.", ".sum(-1)", ".amax(-1)"),
    ("the mean over places", "That is the mean over places. Add up the weights on one word first.", SCORE,
     "weights[:, places].mean(-1)"),
    ("how often the largest weight is there", "That is how often the largest weight is there, not how much weight is.",
     "weights * places", LARGEST.format(-1)),
    ("the sum", "The sum was not divided by the number of rows.", "[:, rows].mean(-1)", ".sum(-1)"),
)
REFUSED = (
    ("argmax of the columns", r"head \d has [\d.]+, expected", "weights * places", LARGEST.format(-2)),
)
# fmt: on


def expect(answer: Detector, weights: Tensor, word_of: list[int]) -> None:
    found = call(answer, weights, word_of)
    found = torch.as_tensor(fair.plain(found)) if isinstance(found, list | tuple) else found
    expect_tensor(found, (len(weights),), "to_previous_word")
    found, right = found.detach().double(), to_previous_word(weights.double(), word_of)
    if fair.alike(found, right):
        return
    head = int((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).nonzero()[0])
    raise NotYet(
        f"word_of = {word_of}: head {head} has {found[head]:.3f}, expected {right[head]:.3f}."
        f"{likely(found, outcomes(MISTAKES, to_previous_word, weights.double(), word_of))}"
    )


def drawn_words(draw: Draw, special: bool, pieces: int = 3) -> list[int]:
    """The word of each token: three words or more, of one to `pieces` tokens; -1 for a special token at either end."""
    words = [w for w in range(draw.between(3, 6)) for _ in range(draw.between(1, pieces))]
    return [-1] * special + words + [-1] * special


def heads(draw: Draw, n: int) -> Tensor:
    return (2 * draw.normal(draw.between(2, 4), n, n)).softmax(-1)


def planted(word_of: Sequence[int]) -> Tensor:
    """A head that looks at the last token of the word before, and at itself where there is none: (n, n)."""
    n = len(word_of)
    weights = torch.zeros(n, n)
    for i in range(n):
        there = [j for j in range(n) if word_of[i] > 0 and word_of[j] == word_of[i] - 1]
        weights[i, there[-1] if there else i] = 1.0
    return weights


def finds_a_planted_head(answer: Detector, draw: Draw):
    """A head that was planted stands out from one that looks at itself."""
    words = drawn_words(draw, special=False, pieces=1)
    noise = (2 * draw.normal(2, len(words), len(words))).softmax(-1)
    expect(answer, 0.75 * torch.stack([planted(words), torch.eye(len(words))]) + 0.25 * noise, words)


def counts_only_rows_that_have_a_word_before(answer: Detector, draw: Draw):
    """Words of one token; only rows that have a word before them count."""
    words = drawn_words(draw, special=False, pieces=1)
    expect(answer, heads(draw, len(words)), words)


def adds_up_the_pieces(answer: Detector, draw: Draw):
    """The weights on all tokens of the word before are added up."""
    words = [0, *[1] * draw.between(3, 4), 2, 3]  # with two there are as many places as tokens: mistakes look alike
    expect(answer, heads(draw, len(words)), words)


def starts_from_every_piece(answer: Detector, draw: Draw):
    """Every token of a word asks for the word before, not for the piece before."""
    words = [0, 1, *[2] * draw.between(2, 4)]
    expect(answer, heads(draw, len(words)), words)


def leaves_out_what_is_no_word(answer: Detector, draw: Draw):
    """Special tokens, -1, are no words: they neither ask nor are asked for, at the ends or in between."""
    words = drawn_words(draw, special=True)
    expect(answer, heads(draw, len(words)), words)
    words = [-1, 0, *[1] * draw.between(1, 3), -1, *[2] * draw.between(1, 3), 3, -1]
    expect(answer, heads(draw, len(words)), words)


def agrees_on_random_heads(answer: Detector, draw: Draw):
    """Twenty random texts and heads."""
    for _ in range(20):
        words = drawn_words(draw, special=bool(draw.between(0, 1)))
        expect(answer, heads(draw, len(words)), words)
