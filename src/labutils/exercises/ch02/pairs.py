"""Exercise 2.1: bring the counts of pairs up to date after a merge, from the words that hold its pair."""

from collections import Counter
from collections.abc import Callable, Mapping
from string import ascii_lowercase

from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes
from labutils.exercises.showing import show
from labutils.text.bpe_train import Pair, count_pairs, merge_pair

Counts = Mapping[Pair, int]
Words = list[tuple[list[str], int]]


def check_pairs(update_pairs: Callable[[Counts, Words, Pair], Counts], seed: int | None = None) -> None:
    """Check `update_pairs`: counts, the words that hold a pair, and the pair -> the counts after it is merged.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        update_pairs,
        changes_the_neighbours,
        keeps_all_other_words,
        counts_a_word_as_often_as_it_occurs,
        merges_at_two_places,
        merges_what_overlaps,
        agrees_on_random_words,
        repeat="check_pairs(update_pairs, seed={seed})",
        seed=seed,
    )


def update_pairs(pairs, words, pair):
    merged = [(merge_pair(symbols, pair), count) for symbols, count in words]
    after = Counter(pairs)
    after.subtract(count_pairs(words))
    after.update(count_pairs(merged))
    return after


RIGHT = (update_pairs,)
TAKE, ADD = "after.subtract(count_pairs(words))", "after.update(count_pairs(merged))"
NO_CAUSE = r"(?m)expected \S+\.$"  # nothing is guessed where no known mistake gives this value
# fmt: off
MISTAKES = (
    ("changes nothing", "Nothing has changed.", TAKE, "pass", ADD, "pass"),
    ("counts the given words anew", "These are the pairs of the given words alone; `pairs` counts all the others too.",
     "Counter(pairs)", "Counter()", TAKE, "pass"),
    ("takes nothing away", "The new pairs are there, and the old ones of these words still count as well.", TAKE,
     "pass"),
    ("adds nothing", "The old pairs of these words are gone. The new ones are missing.", ADD, "pass"),
    ("takes only the pair away", "The pair is gone, but the pairs to its left and right still count as before.", TAKE,
     "pass", "return after", "del after[pair]\n    return after"),
    ("forgets how often a word occurs", "Each word was taken once, and it occurs more often: its count is beside it.",
     "merged = [", "words = [(symbols, 1) for symbols, _ in words]\n    merged = ["),
)
REFUSED = (
    ("changes what it was given", "update_pairs changed what it was given", "Counter(pairs)", "pairs"),
    ("the neighbours of each place by themselves", NO_CAUSE, """
        def update_pairs(pairs, words, pair):
            after = Counter(pairs)
            new = "".join(pair)
            for symbols, count in words:
                for i in range(len(symbols) - 1):
                    if (symbols[i], symbols[i + 1]) == pair:
                        after[pair] -= count
                        if i:
                            after[symbols[i - 1], pair[0]] -= count
                            after[symbols[i - 1], new] += count
                        if i + 2 < len(symbols):
                            after[pair[1], symbols[i + 2]] -= count
                            after[new, symbols[i + 2]] += count
            return after"""),
    ("sets where it should add", NO_CAUSE, ADD, "after |= {one: n for row, n in merged for one in zip(row, row[1:])}"),
    ("sorts the pairs", NO_CAUSE, "return after",
     "again = Counter()\n    for one, n in after.items():\n        again[tuple(sorted(one))] += n\n    return again"),
    ("joins the pairs", r"A key of the result is '..'. Each key is a pair of symbols", "return after",
     'return {"".join(one): n for one, n in pairs.items()}'),
    ("returns nothing", "should return a dict or a Counter, and it returned None", "return after", ""),
)
# fmt: on


def expect(answer, vocabulary: Words, pair: Pair) -> None:
    """Raises NotYet unless the counts of the vocabulary come out right when `pair` is merged."""
    words = [(symbols, count) for symbols, count in vocabulary if pair in zip(symbols, symbols[1:])]
    before, right = count_pairs(vocabulary), without_zeros(count_pairs(merged(vocabulary, pair)))
    found = counted(call(answer, before, words, pair))
    for one in sorted(found.keys() | right.keys()):
        if found.get(one, 0) != right.get(one, 0):
            shown = ", ".join(f"{' '.join(symbols)} ×{count}" for symbols, count in vocabulary)
            mistakes = outcomes(MISTAKES, update_pairs, before, words, pair)
            cause = likely(found, ((said, without_zeros(gives)) for said, gives in mistakes))
            raise NotYet(
                f"{'+'.join(pair)} is merged in {shown}. The pair {one} then counts {show(found.get(one, 0))}, expected"
                f" {right.get(one, 0)}.{cause}"
            )


def counted(pairs) -> dict[Pair, int]:
    """The reader's counts without zeros. Raises NotYet where they are no counts of pairs."""
    expect_type(pairs, Mapping, "update_pairs", "a dict or a Counter")
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(part, str) for part in pair)):
            raise NotYet(f"A key of the result is {show(pair)}. Each key is a pair of symbols, like ('c', 'at').")
    return without_zeros(pairs)


def without_zeros(pairs: Mapping) -> dict:
    return {pair: count for pair, count in pairs.items() if count != 0}


def merged(words: Words, pair: Pair) -> Words:
    return [(merge_pair(symbols, pair), count) for symbols, count in words]


def changes_the_neighbours(answer, draw: Draw):
    """A merge changes the pairs to its left and right."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(answer, [([c, a, b, d], 1)], (a, b))


def keeps_all_other_words(answer, draw: Draw):
    """What stands in other words still counts."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(answer, [([c, a, b], 1), ([c, a, d], draw.between(2, 9)), ([b, a], 1), ([d], 3)], (a, b))


def counts_a_word_as_often_as_it_occurs(answer, draw: Draw):
    """A pair counts as often as its word occurs."""
    a, b, c, d = draw.sample(ascii_lowercase, 4)
    expect(answer, [([c, a, b], draw.between(2, 99)), ([a, b, d], draw.between(2, 99))], (a, b))


def merges_at_two_places(answer, draw: Draw):
    """A pair that stands twice in a word is merged twice."""
    a, b, c = draw.sample(ascii_lowercase, 3)
    expect(answer, [([a, b, c, a, b], draw.between(1, 9))], (a, b))
    expect(answer, [([a, b, a, b], draw.between(1, 9)), ([c, a, b, a, b, a], 2)], (a, b))


def merges_what_overlaps(answer, draw: Draw):
    """A pair of equal symbols is merged from the left."""
    a, b = draw.sample(ascii_lowercase, 2)
    for n in (3, 4, 5):
        expect(answer, [([b, *[a] * n, b], draw.between(1, 9)), ([a] * n, draw.between(1, 9))], (a, a))


def agrees_on_random_words(answer, draw: Draw):
    """Twenty random vocabularies, some with merges before."""
    for _ in range(20):
        letters = draw.sample(ascii_lowercase, 3)
        words = [(draw.choices(letters, draw.between(1, 7)), draw.between(1, 9)) for _ in range(6)]
        for _ in range(draw.between(0, 3)):
            words = merged(words, draw.choice(sorted(count_pairs(words)) or [("", "")]))
        if pairs := sorted(count_pairs(words)):
            expect(answer, words, draw.choice(pairs))
