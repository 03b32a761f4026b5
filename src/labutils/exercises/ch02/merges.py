"""Exercise 2.2: find the merges again from the list of entries that they made."""

from collections.abc import Callable
from string import ascii_lowercase

from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show
from labutils.text.bpe import merge_by_rank
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


def recover_merges(entries):
    ranks = {}
    for entry in entries:
        if len(entry) > 1:
            pair = tuple(merge_by_rank(entry, ranks))
            ranks[pair] = len(ranks)
    return list(ranks)


RIGHT = (recover_merges,)
PAIR, CUTS = "tuple(merge_by_rank(entry, ranks))", "[(entry[:i], entry[i:]) for i in range(1, len(entry))]"
KNOWN = f"[cut for cut in {CUTS} if {{*cut}} <= {{*entries[: entries.index(entry)]}}]"
LENGTH = "that was on the list before. The trainer did not look at lengths."
# fmt: off
MISTAKES = (
    ("the longest start", f"This is the longest start {LENGTH}", PAIR, f"{KNOWN}[-1]"),
    ("the longest end", f"This is the longest end {LENGTH}", PAIR, f"{KNOWN}[0]"),
    ("before the last letter", "Each entry was cut before its last letter.", PAIR, "(entry[:-1], entry[-1])"),
    ("after the first letter", "Each entry was cut after its first letter.", PAIR, "(entry[0], entry[1:])"),
    ("all the letters", "These are letters. Which merges had been made by then?", PAIR, "tuple(entry)"),
)
REFUSED = (
    ("the letters too", r"(?m)0 of them are longer than a letter, and \d merges came back\.$", "len(entry) > 1",
     "entry"),
    ("ranks that run backwards", "came back as .*, expected", "= len(ranks)", "= -len(ranks)"),
    ("joined pairs", r"(?m)came back as '..', expected \('.', '.'\)\.$", "list(ranks)", 'list(map("".join, ranks))'),
)
# fmt: on


def expect(answer, alphabet: list[str], merges: list[Pair]) -> None:
    """Raises NotYet unless these merges are found from the entries that they make."""
    made = ["".join(pair) for pair in merges]
    entries = alphabet + made
    result = call(answer, entries)
    found, right = expect_list(result, "recover_merges", "a list of pairs"), list(map(list, merges))
    if found == right:
        return
    listed = f"The entries are {', '.join(entries[:12])}{' …' if len(entries) > 12 else ''}"
    because = likely(found, outcomes(MISTAKES, recover_merges, entries))
    if len(found) != len(made):
        raise NotYet(
            f"{listed}: {len(made)} of them are longer than a letter, and {len(found)} merges came back.{because}"
        )
    n = next(n for n, pair in enumerate(found) if pair != right[n])
    raise NotYet(
        f"{listed}. The merge behind {show(made[n])} came back as {show(result[n])}, expected {merges[n]}.{because}"
    )


def leaves_letters(answer, draw: Draw):
    """A list of letters needs no merge."""
    expect(answer, draw.sample(LETTERS, draw.between(1, 5)), [])


def finds_the_two_letters(answer, draw: Draw):
    """Two letters are the merge of these two."""
    a, b, c = draw.sample(LETTERS, 3)
    expect(answer, [a, b, c], [(b, a), (c, b)])


def uses_what_was_learned_before(answer, draw: Draw):
    """What was merged before is a part of what comes later."""
    a, b, c = draw.sample(LETTERS, 3)
    expect(answer, [a, b, c], [(a, b), (a + b, c)])
    expect(answer, [c, b, a], [(a, b), (c, a + b)])


def cuts_as_the_trainer_saw_it(answer, draw: Draw):
    """Of two ways to cut an entry the one that the trainer saw is found."""
    a, b, c = draw.sample(LETTERS, 3)
    expect(answer, [a, b, c], [(b, c), (a, b), (a, b + c)])
    expect(answer, [a, b, c], [(a, b), (b, c), (a + b, c)])


def keeps_runs_in_step(answer, draw: Draw):
    """Runs of one letter are cut from the left."""
    a = draw.choice(LETTERS)
    expect(answer, [a], [(a, a), (a * 2, a), (a * 2, a * 2)])


def agrees_on_trained_lists(answer, draw: Draw):
    """Thirty lists that were learned from random words."""
    for _ in range(30):
        alphabet = draw.sample(LETTERS, draw.between(2, 4))
        words = {"".join(draw.choices(alphabet, draw.between(2, 9))): draw.between(1, 9) for _ in range(8)}
        merges = [pair for pair, _ in learn_merges_naively(words, draw.between(1, 12), alphabet)]
        expect(answer, alphabet, merges)
