"""Exercise 1.1: three steps of the pencil network, and the word after which it has forgotten all."""

from collections.abc import Callable, Sequence

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show


def check_by_pencil(by_pencil: Callable[[], Sequence[float]], seed: int | None = None) -> None:
    """Check `by_pencil`: nothing -> the states after *sat*, *the* and *the*, and the word that brings *sat the* to 0.

    Raises NotYet with the property that does not hold. `seed` repeats a run, in which nothing is drawn.
    """
    check(
        by_pencil,
        returns_four_numbers,
        reads_the_first_word,
        reads_the_second_word,
        carries_a_state_along,
        forgets_all,
        repeat="check_by_pencil(by_pencil, seed={seed})",
        seed=seed,
    )


SQUEEZED = "The tanh is missing: this is z."
THIRD = (  # said, and what comes out: z is 1 of the word, and 1/2 that is carried along
    ("This is the state of *the* alone: what is carried along counts too.", 3 / 5),
    (SQUEEZED, 3 / 2),
    ("This is the tanh where z is 2: of the state 3/5 only five sixths are carried along, one half.", 15 / 17),
    ("This is what is carried along, without the word.", 1 / 3),
)
FORGETS = (
    ("*sat* is 0: it adds nothing, and what is carried along stays.", 0.0),
    ("That is the state itself, and what is carried along is five sixths of it.", -3 / 5),
    ("The word has to take away what is carried along, so it needs the other sign.", 1 / 2),
    ("It has to take away what is carried along, and that is less than the word *the* brings.", -1.0),
)
# fmt: off
REFUSED = (
    ("begins with the word *the*", "The state begins at 0, and .sat. is 0", "after_sat = 0", "after_sat = 3 / 5"),
    ("leaves out the tanh of the second word", "The tanh is missing", "after_the = 3 / 5", "after_the = 1"),
    ("carries nothing", "what is carried along counts too", "after_both = 7 / 9", "after_both = 3 / 5"),
    ("leaves out the tanh", "The tanh is missing", "after_both = 7 / 9", "after_both = 1.5"),
    ("counts the state twice", "where z is 2", "after_both = 7 / 9", "after_both = 15 / 17"),
    ("leaves out the word", "without the word", "after_both = 7 / 9", "after_both = 1 / 3"),
    ("takes a word that adds nothing", "it adds nothing", "forgets = -1 / 2", "forgets = 0"),
    ("takes the state away", "five sixths of it", "forgets = -1 / 2", "forgets = -3 / 5"),
    ("adds what is carried along", "the other sign", "forgets = -1 / 2", "forgets = 1 / 2"),
    ("takes a whole word away", "less than the word", "forgets = -1 / 2", "forgets = -1"),
    ("forgets the word", "four numbers, and it returned 3", "after_both, forgets", "after_both"),
    ("writes words", "Number 4 of the four is .one., which is not a number", "forgets = -1 / 2", "forgets = 'one'"),
)
# fmt: on


def four(by_pencil) -> list[float]:
    """The reader's four numbers. Raises NotYet where they are none."""
    found = expect_list(call(by_pencil), "by_pencil", "four numbers")
    if len(found) != 4:
        raise NotYet(f"by_pencil should return four numbers, and it returned {len(found)}.")
    numbers = [fair.number(value) for value in found]
    for i, number in enumerate(numbers):
        if number is None:
            raise NotYet(f"Number {i + 1} of the four is {show(found[i])}, which is not a number.")
    return numbers


def expect(found: float, right: float, what: str, written: str, mistakes: Sequence[tuple[str, float]]) -> None:
    if not fair.alike(found, right):
        raise NotYet(f"{what} you have {found:.4g}, expected {written}.{likely(found, mistakes)}")


def returns_four_numbers(by_pencil, draw: Draw):
    """Four numbers."""
    four(by_pencil)


def reads_the_first_word(by_pencil, draw: Draw):
    """The state after *sat*."""
    found = four(by_pencil)[0]
    if not fair.alike(found, 0.0):
        raise NotYet(f"For it you have {found:.4g}. The state begins at 0, and *sat* is 0 as well.")


def reads_the_second_word(by_pencil, draw: Draw):
    """The state after *sat the*."""
    expect(four(by_pencil)[1], 3 / 5, "For it", "the tanh where z is 1", ((SQUEEZED, 1.0),))


def carries_a_state_along(by_pencil, draw: Draw):
    """The state after *sat the the*."""
    expect(four(by_pencil)[2], 7 / 9, "For it", "the tanh of what the word and the state bring together", THIRD)


def forgets_all(by_pencil, draw: Draw):
    """The word that makes it forget."""
    expect(four(by_pencil)[3], -1 / 2, "For its number", "one that makes z zero", FORGETS)
