"""Exercise 0.5: a word far back that decides the next one, and a word close by that hardly matters."""

from functools import cache

import torch
from torch import Tensor

from labutils.checkpoints import Checkpoint, load
from labutils.exercises.checking import NotYet, check
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show

CAP, FAR, NEAR = 24, 9, 2  # tokens: of a text at most; before its end at least, and at most
MUCH, LITTLE = 0.5, 0.05  # of all chances together


# fmt: off
REFUSED = (
    ("too near", "number 8 from the end; more than 9", " near the old bridge", ""),
    ("too far", "it should be the last or the one before it", 'print(f"', 'hardly = matters\nprint(f"'),
    ("two tokens", "differ in 2 tokens", 'print(f"',
     'hardly = "The cat sat on the mat", "The dog sat on the bench"\nprint(f"'),
    ("a rare word", "so more than one differs", "It was happy", "It was xylophone"),
    ("moves little", "of the chance moves, expected more than 50%", "sat on the mat near the old bridge. It was",
     "saw Anna in the garden. The cat was"),
    ("moves much", "of the chance moves, expected less than 5%", "The cat sat on the mat. It was tired",
     "The cat sat on the nice", "The cat sat on the mat. It was happy", "The cat sat on the large"),
    ("one text", "should be two texts", 'print(f"{moved(*matters):.2f} {moved(*hardly):.2f}")', 'matters = "The cat"'),
    ("too long", "from 1 to 24 are allowed", "near the old bridge. It was",
     "near the old bridge. " + 8 * "It was tired. "),
)
# fmt: on


@cache
def _little() -> Checkpoint:
    return load("little-gpt2")


def ids_of(text: str) -> list[int]:
    return list(_little().tokenizer.encode(text).ids)


def chances(text: str) -> Tensor:
    """(V,): the little GPT-2's chances of each next token."""
    with torch.no_grad():
        return _little().model(torch.tensor([ids_of(text)])).logits[0, -1].double().softmax(-1)


def moved(one: str, other: str) -> float:
    """The part of the chance that moves to another token: from 0, nothing, to 1, everything."""
    return float((chances(one) - chances(other)).abs().sum() / 2)


def check_words(matters: tuple[str, str], hardly: tuple[str, str], seed: int | None = None) -> None:
    """Check two pairs of texts: one token far back that moves much, and one close to the end that moves little.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        (matters, hardly),
        are_pairs_that_differ_in_one_token,
        stand_where_they_should,
        one_moves_more_than_half,
        one_moves_less_than_a_twentieth,
        repeat="check_words(matters, hardly, seed={seed})",
        seed=seed,
    )


def place_of(pair, name: str) -> tuple[int, int]:
    """(how many tokens from the end the differing token stands, 1 for the last; how many tokens there are)."""
    if not (isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(text, str) for text in pair)):
        raise NotYet(f"{name} should be two texts, and it is {show(pair)}.")
    one, other = map(ids_of, pair)
    if not 1 <= len(one) <= CAP or not 1 <= len(other) <= CAP:
        raise NotYet(f"The texts of {name} have {len(one)} and {len(other)} tokens; from 1 to {CAP} are allowed.")
    if len(one) != len(other):
        raise NotYet(
            f"The texts of {name} have {len(one)} and {len(other)} tokens, so more than one differs. A rare word has"
            " several: take another."
        )
    differ = [i for i, (a, b) in enumerate(zip(one, other)) if a != b]
    if len(differ) != 1:
        raise NotYet(f"The texts of {name} differ in {len(differ)} tokens; it should be one.")
    return len(one) - differ[0], len(one)


def are_pairs_that_differ_in_one_token(answer, draw: Draw):
    """Both pairs differ in one token, and are short enough."""
    for pair, name in zip(answer, ("matters", "hardly")):
        place_of(pair, name)


def stand_where_they_should(answer, draw: Draw):
    """One token is far from the end, the other close to it."""
    far, near = (place_of(pair, name)[0] for pair, name in zip(answer, ("matters", "hardly")))
    if far <= FAR:
        raise NotYet(f"In matters the token is number {far} from the end; more than {FAR} are needed.")
    if near > NEAR:
        raise NotYet(f"In hardly the token is number {near} from the end; it should be the last or the one before it.")


def one_moves_more_than_half(answer, draw: Draw):
    """The far one moves more than half of the chance."""
    if (share := moved(*answer[0])) <= MUCH:
        raise NotYet(f"In matters {share:.0%} of the chance moves, expected more than {MUCH:.0%}.")


def one_moves_less_than_a_twentieth(answer, draw: Draw):
    """The close one moves less than a twentieth of them."""
    if (share := moved(*answer[1])) >= LITTLE:
        raise NotYet(f"In hardly {share:.0%} of the chance moves, expected less than {LITTLE:.0%}.")
