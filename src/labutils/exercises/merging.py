"""Exercise 2.2: find the merges again from the list of entries that they made."""

from collections.abc import Callable, Iterator
from string import ascii_lowercase

from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.showing import show
from labutils.text.bpe_train import Pair, learn_merges_naively

LETTERS = ascii_lowercase + "éßñя猫あ한🙂"


def check_merges(recover_merges: Callable[[list[str]], list[Pair]], seed: int | None = None) -> None:
    """Check `recover_merges`: a list in the order of learning, letters first -> the merges, earliest first.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        recover_merges,
        leaves_letters,
        finds_the_two_letters,
        uses_what_was_learned_before,
        cuts_as_the_trainer_saw_it,
        keeps_runs_in_step,
        agrees_on_trained_lists,
        repeat="check_merges(recover_merges, seed={seed})",
        seed=seed,
    )


def expect(recover_merges, alphabet: list[str], merges: list[Pair]) -> None:
    """Raises NotYet unless these merges are found from the entries that they make."""
    made = ["".join(pair) for pair in merges]
    entries = alphabet + made
    result = call(recover_merges, entries)
    found, right = expect_list(result, "recover_merges", "a list of pairs"), list(map(list, merges))
    if found == right:
        return
    listed = f"The entries are {', '.join(entries[:12])}{' …' if len(entries) > 12 else ''}"
    because = likely(found, mistakes(alphabet, made))
    if len(found) != len(made):
        raise NotYet(
            f"{listed}: {len(made)} of them are longer than a letter, and {len(found)} merges came back.{because}"
        )
    n = next(n for n, pair in enumerate(found) if pair != right[n])
    raise NotYet(
        f"{listed}. The merge behind {show(made[n])} came back as {show(result[n])}, expected {merges[n]}.{because}"
    )


def mistakes(alphabet: list[str], made: list[str]) -> Iterator[tuple[str, list]]:
    """What is said of the usual mistakes, and what each gives."""

    def cuts(n: int) -> list[Pair]:
        """All cuts of the entry into two earlier ones."""
        pairs = [(made[n][:i], made[n][i:]) for i in range(1, len(made[n]))]
        return [pair for pair in pairs if set(pair) <= {*alphabet, *made[:n]}]

    all_cuts = list(map(cuts, range(len(made))))
    by_length = "that was on the list before. The trainer did not look at lengths."
    yield f"This is the longest start {by_length}", [known[-1] for known in all_cuts]
    yield f"This is the longest end {by_length}", [known[0] for known in all_cuts]
    yield "Each entry was cut before its last letter.", [(entry[:-1], entry[-1]) for entry in made]
    yield "Each entry was cut after its first letter.", [(entry[0], entry[1:]) for entry in made]
    yield "These are letters. Which merges had been made by then?", [list(entry) for entry in made]


def leaves_letters(recover_merges, draw: Draw):
    """A list of letters needs no merge."""
    expect(recover_merges, draw.sample(LETTERS, draw.between(1, 5)), [])


def finds_the_two_letters(recover_merges, draw: Draw):
    """Two letters are the merge of these two."""
    a, b, c = draw.sample(LETTERS, 3)
    expect(recover_merges, [a, b, c], [(b, a), (c, b)])


def uses_what_was_learned_before(recover_merges, draw: Draw):
    """What was merged before is a part of what comes later."""
    a, b, c = draw.sample(LETTERS, 3)
    expect(recover_merges, [a, b, c], [(a, b), (a + b, c)])
    expect(recover_merges, [c, b, a], [(a, b), (c, a + b)])


def cuts_as_the_trainer_saw_it(recover_merges, draw: Draw):
    """Of two ways to cut an entry the one that the trainer saw is found."""
    a, b, c = draw.sample(LETTERS, 3)
    expect(recover_merges, [a, b, c], [(b, c), (a, b), (a, b + c)])
    expect(recover_merges, [a, b, c], [(a, b), (b, c), (a + b, c)])


def keeps_runs_in_step(recover_merges, draw: Draw):
    """Runs of one letter are cut from the left."""
    a = draw.choice(LETTERS)
    expect(recover_merges, [a], [(a, a), (a * 2, a), (a * 2, a * 2)])


def agrees_on_trained_lists(recover_merges, draw: Draw):
    """Thirty lists that were learned from random words."""
    for _ in range(30):
        alphabet = draw.sample(LETTERS, draw.between(2, 4))
        words = {"".join(draw.choices(alphabet, draw.between(2, 9))): draw.between(1, 9) for _ in range(8)}
        merges = [pair for pair, _ in learn_merges_naively(words, draw.between(1, 12), alphabet)]
        expect(recover_merges, alphabet, merges)
