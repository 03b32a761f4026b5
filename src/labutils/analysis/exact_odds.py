"""What the grammar itself gives to each token that could come next: the truth to hold a model's odds against."""

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from labutils.world import World
from labutils.world.reading import split
from labutils.world.tellers import join


def exact_odds(world: World, tokenizer, text: str, end: int) -> tuple[Integer[Tensor, " n"], Float[Tensor, "n V"]]:
    """The ids of a story with the end sign, and before each of them the exact odds of all tokens.

    The grammar knows the odds of words; those of a piece are summed over the words that go on with it after the pieces
    before. Raises OutsideTheWorld for a text that is no story.

    >>> from labutils.checkpoints import load
    >>> tokens = load("little-gpt2").tokenizer
    >>> end = tokens.token_to_id("<|endoftext|>")
    >>> ids, odds = exact_odds(World(), tokens, "The cat sat on the mat. It was tired.", end)
    >>> round(float(odds[9, tokens.encode(" tired").ids[0]]), 3), float(odds[-1, end])
    (0.238, 0.7)
    """
    words, known = split(text), {}
    ids: list[int] = []
    rows = []

    def pieces(i: int, word: str) -> tuple[int, ...]:
        """The tokens of a word in place i; the end of the story is the word ""."""
        if not word:
            return (end,)
        before = join(words[:i])
        written = join([*words[:i], word])[len(before) :]
        if written not in known:
            known[written] = tuple(tokenizer.encode(written).ids)
        return known[written]

    longer: dict[int, float] = {}  # a piece that would have made the last word a longer one
    for i, word in enumerate([*words, ""]):
        could = [(pieces(i, one), p) for one, p in world.next_word(join(words[:i])).items()]
        mine = pieces(i, word)
        for j, token in enumerate(mine):
            row = torch.zeros(len(tokenizer), dtype=torch.float64)
            for other, p in could:
                if other[:j] == mine[:j] and len(other) > j:
                    row[other[j]] += p
            if j == 0:
                row *= 1 - sum(longer.values())
                for piece, p in longer.items():
                    row[piece] += p
            rows.append(row / row.sum())
            ids.append(token)
        longer = _longer(mine, could)
    return torch.tensor(ids), torch.stack(rows)


def _longer(mine: tuple[int, ...], could: list[tuple[tuple[int, ...], float]]) -> dict[int, float]:
    """After all pieces of a word: the odds of pieces with which another word would go on, "teach" as "teacher"."""
    n = len(mine)
    same = [(other, p) for other, p in could if other[:n] == mine]
    total = sum(p for _, p in same)
    found: dict[int, float] = {}
    for other, p in same:
        if len(other) > n:
            found[other[n]] = found.get(other[n], 0.0) + p / total
    return found
