"""Exercise 5.3: how much weight does a head give to the word before, where words have several tokens?"""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_tensor, likely
from labutils.exercises.drawing import Draw

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


def score(weights: Tensor, word_of: Sequence[int]) -> Tensor:
    """What is right, by a loop: (H,)."""
    return averaged(weights, word_of, lambda i, j: word_of[i] > 0 and word_of[j] == word_of[i] - 1)


def averaged(weights: Tensor, word_of: Sequence[int], wanted: Callable[[int, int], bool], rows=None) -> Tensor:
    """The mean, over the rows that have a word before or over `rows`, of the weight on the places that are wanted."""
    n = len(word_of)
    rows = [i for i in range(n) if word_of[i] > 0] if rows is None else rows
    table = torch.tensor([[wanted(i, j) for j in range(n)] for i in rows]).double()
    return (weights.double()[:, rows] * table).sum(-1).mean(-1)


def mistakes(weights: Tensor, word_of: Sequence[int]) -> Iterator[tuple[str, Tensor]]:
    n = len(word_of)
    before = lambda i, j: word_of[i] > 0 and word_of[j] == word_of[i] - 1
    first = [j for j in range(n) if word_of[j] != word_of[j - 1] or not j]
    last = [j for j in range(n) if j + 1 == n or word_of[j] != word_of[j + 1]]
    asks = [i for i in range(n) if word_of[i] > 0]
    yield "Rows that have no word before them were counted as zeros.", averaged(weights, word_of, before, range(n))
    yield (
        "Rows and columns are swapped, or “before” and “after”: that is what words give to the word after them.",
        averaged(weights.transpose(-2, -1), word_of, before),
    )
    after = averaged(weights, word_of, lambda i, j: word_of[j] > 0 and word_of[j] == word_of[i] + 1)
    yield "That is the weight on the word after.", after
    yield (
        "That is the weight on the token before, whichever word it belongs to.",
        averaged(weights, word_of, lambda i, j: j == i - 1),
    )
    token = averaged(weights, word_of, lambda i, j: j == i - 1, range(1, n))
    yield "That is the weight on the token before, whichever word it belongs to.", token
    yield (
        "Only the last token of the word before was counted.",
        averaged(weights, word_of, lambda i, j: before(i, j) and j in last),
    )
    yield (
        "Only the first token of the word before was counted.",
        averaged(weights, word_of, lambda i, j: before(i, j) and j in first),
    )
    begin = [i for i in asks if i in first]
    if begin:
        yield "Only the first token of each word asked.", averaged(weights, word_of, before, begin)
    ends = [i for i in asks if i in last]
    if ends:
        yield "Only the last token of each word asked.", averaged(weights, word_of, before, ends)
    special = lambda i, j: word_of[j] == word_of[i] - 1
    yield (
        "A special token was taken for the word before the first word.",
        averaged(weights, word_of, special, [i for i in range(n) if word_of[i] >= 0]),
    )
    behind = [w for t, w in zip(word_of, word_of[1:]) if t < 0 < w]
    if behind and (others := [i for i in asks if word_of[i] not in behind]):
        cut = "A word that follows a special token was left out; the word before it is the one before that token."
        yield cut, averaged(weights, word_of, before, others)
    by_word = [averaged(weights, word_of, before, [i for i in asks if word_of[i] == w]) for w in {*word_of} if w > 0]
    yield (
        "That is the mean over words. Each token that has a word before its own counts once.",
        torch.stack(by_word).mean(0),
    )
    kept = weights.double() * torch.tensor([w >= 0 for w in word_of])
    again = averaged(kept / kept.sum(-1, keepdim=True), word_of, before)
    yield "The rows were made to sum to 1 again without the special tokens; take the weights as they are.", again
    tokens = torch.tensor([word_of.count(w) for w in word_of])
    yield (
        "That is the mean over the tokens of the word before. Add them up.",
        averaged(weights / tokens, word_of, before),
    )
    zeros = "Special tokens were counted as rows with 0. They have no word, so they do not ask."
    yield zeros, averaged(weights, word_of, before, [i for i in range(n) if word_of[i]])
    all_before = averaged(weights, word_of, lambda i, j: 0 <= word_of[j] < word_of[i])
    yield "That is the weight on all words before, not on the one before.", all_before
    table = torch.tensor([[before(i, j) for j in range(n)] for i in range(n)])
    only = weights.double().masked_fill(~table, 0)[:, asks].amax(-1).mean(-1)
    yield "Only the largest weight on the word before was taken. Add up those on all its tokens.", only
    yield "That is the mean over places. Add up the weights on one word first.", weights.double()[:, table].mean(-1)
    largest = weights.argmax(-1)  # (H, n)
    hits = torch.stack([torch.tensor([[before(i, int(j)) for i, j in enumerate(row)] for row in largest]).double()])[0]
    yield "That is how often the largest weight is there, not how much weight is.", hits[:, asks].mean(-1)
    yield "The sum was not divided by the number of rows.", averaged(weights, word_of, before) * len(asks)


def expect(to_previous_word: Detector, weights: Tensor, word_of: list[int]) -> None:
    found = call(to_previous_word, weights, word_of)
    found = torch.as_tensor(fair.plain(found)) if isinstance(found, list | tuple) else found
    expect_tensor(found, (len(weights),), "to_previous_word")
    found, right = found.detach().double(), score(weights, word_of)
    if fair.alike(found, right):
        return
    head = int((~torch.isclose(found, right, rtol=1e-4, atol=1e-4)).nonzero()[0])
    raise NotYet(
        f"word_of = {word_of}: head {head} has {found[head]:.3f}, expected {right[head]:.3f}."
        f"{likely(found, mistakes(weights, word_of))}"
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


def finds_a_planted_head(to_previous_word: Detector, draw: Draw):
    """A head that was planted stands out from one that looks at itself."""
    words = drawn_words(draw, special=False, pieces=1)
    noise = (2 * draw.normal(2, len(words), len(words))).softmax(-1)
    expect(to_previous_word, 0.75 * torch.stack([planted(words), torch.eye(len(words))]) + 0.25 * noise, words)


def counts_only_rows_that_have_a_word_before(to_previous_word: Detector, draw: Draw):
    """Words of one token; only rows that have a word before them count."""
    words = drawn_words(draw, special=False, pieces=1)
    expect(to_previous_word, heads(draw, len(words)), words)


def adds_up_the_pieces(to_previous_word: Detector, draw: Draw):
    """The weights on all tokens of the word before are added up."""
    words = [0, *[1] * draw.between(3, 4), 2, 3]  # with two there are as many places as tokens: mistakes look alike
    expect(to_previous_word, heads(draw, len(words)), words)


def starts_from_every_piece(to_previous_word: Detector, draw: Draw):
    """Every token of a word asks for the word before, not for the piece before."""
    words = [0, 1, *[2] * draw.between(2, 4)]
    expect(to_previous_word, heads(draw, len(words)), words)


def leaves_out_what_is_no_word(to_previous_word: Detector, draw: Draw):
    """Special tokens, -1, are no words: they neither ask nor are asked for, at the ends or in between."""
    words = drawn_words(draw, special=True)
    expect(to_previous_word, heads(draw, len(words)), words)
    words = [-1, 0, *[1] * draw.between(1, 3), -1, *[2] * draw.between(1, 3), 3, -1]
    expect(to_previous_word, heads(draw, len(words)), words)


def agrees_on_random_heads(to_previous_word: Detector, draw: Draw):
    """Twenty random texts and heads."""
    for _ in range(20):
        words = drawn_words(draw, special=bool(draw.between(0, 1)))
        expect(to_previous_word, heads(draw, len(words)), words)
