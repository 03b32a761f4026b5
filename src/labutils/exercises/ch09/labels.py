"""Exercise 9.2: one label a word becomes one a token, and the answers of the tokens become one a word again."""

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_list, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.mistakes import outcomes

IGNORE = -100


def check_labels(answers, seed: int | None = None) -> None:
    """Check `(to_tokens, to_words)`: word ids and one label a word -> a label for each token; and the way back.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        answers,
        labels_whole_words,
        passes_over_special_tokens,
        passes_over_later_pieces,
        comes_back_to_words,
        takes_two_parts,
        repeat="check_labels((to_tokens, to_words), seed={seed})",
        seed=seed,
    )


def to_tokens(word_ids, labels):
    out, before = [], None
    for word in word_ids:
        out.append(-100 if word is None or word == before else labels[word])
        before = word
    return out


def to_words(word_ids, answers):
    out = {}
    for word, answer in zip(word_ids, answers):
        if word is not None:
            out.setdefault(word, answer)
    return list(out.values())


RIGHT = (to_tokens, to_words)
# fmt: off
MISTAKES = (
    ("labels every piece", "Later pieces of a word have its label too: a long word then counts several times.",
     "word is None or word == before", "word is None"),
    ("one label after the other", "The labels were dealt to the tokens in order: after the first word of two pieces"
     " all are one place late.", "labels[word]", "labels[min(len(out) - 1, len(labels) - 1)]"),
    ("0 for what does not count", "0 is a class like any other: what does not count is −100.", "-100 if", "0 if"),
    ("labels the last piece", "The last piece has the label, and the first was asked for.",
     "    for word in word_ids:\n        out.append(-100 if word is None or word == before else labels[word])",
     "    for i, word in enumerate(word_ids):\n        last = word is not None and word not in word_ids[i + 1:]\n"
     "        out.append(labels[word] if last else -100)"),
    ("the last piece answers", "The last piece answered for the word: only the first one was trained to.",
     "out.setdefault(word, answer)", "out[word] = answer"),
    ("takes word 0 for none", "Word 0 is a word: its number counts as False, so ask whether it is None.",
     "word is None or", "not word or"),
    ("takes word 0 for none on the way back", "Word 0 is a word: its number counts as False, so ask whether it is"
     " None.", "if word is not None:", "if word:"),
    ("takes the first and the last token for special", "Special tokens may stand anywhere, and everywhere their word is"
     " None.", "for word, answer in zip(word_ids, answers):\n        if word is not None:",
     "for word, answer in zip(word_ids[1:-1], answers[1:-1]):\n        if True:"),
    ("special tokens answer", "Special tokens are no words, and theirs is an answer too many.", "if word is not None:",
     "if True:"),
)
REFUSED = (
    ("compares labels, not words", "neighbours have one label", "word is None or word == before", "word is None or"
     " labels[word] == before", "before = word", "before = None if word is None else labels[word]"),
    ("an answer a token", "answers for", "return list(out.values())", "return list(answers)"),
)
# fmt: on


def sequence(draw: Draw, pieces: bool, specials: bool) -> tuple[list, list]:
    """Word ids of a text and a label for each word; the labels differ from word to word."""
    n = draw.between(3, 6)
    word_ids = [w for w in range(n) for _ in range(draw.between(1, 3) if pieces else 1)]
    if pieces:
        word_ids = sorted([*word_ids, 1, 1])  # one word has several for sure, and not the last one
    labels = draw.sample(range(1, 20), n)
    return ([None, *word_ids, None] if specials else word_ids), labels


def expect_tokens(answer, word_ids, labels, told: str = "With") -> None:
    found = expect_list(call(answer, word_ids, labels), "to_tokens", "a list of labels")
    right = to_tokens(word_ids, labels)
    if len(found) != len(right):
        raise NotYet(f"There are {len(found)} labels for {len(right)} tokens.")
    if fair.plain(found) != right:
        cause = likely(found, outcomes(MISTAKES, to_tokens, word_ids, labels))
        raise NotYet(f"{told} the words {word_ids} and the labels {labels}: {found}, expected {right}.{cause}")


def expect_words(answer, word_ids, given) -> None:
    found = expect_list(call(answer, word_ids, given), "to_words", "a list of answers")
    right = to_words(word_ids, given)
    if fair.plain(found) != right:
        cause = likely(found, outcomes(MISTAKES, to_words, word_ids, given))
        raise NotYet(f"{len(found)} answers for {len(right)} words: {found}, expected {right}.{cause}")


def labels_whole_words(answers, draw: Draw):
    """A word that is one token has its label."""
    word_ids, labels = sequence(draw, pieces=False, specials=False)
    expect_tokens(answers[0], word_ids, labels)
    expect_tokens(answers[0], word_ids, [labels[0], labels[0], *labels[2:]], "Where neighbours have one label: with")


def passes_over_special_tokens(answers, draw: Draw):
    """Special tokens do not count."""
    expect_tokens(answers[0], *sequence(draw, pieces=False, specials=True))


def passes_over_later_pieces(answers, draw: Draw):
    """Of a word in pieces the first one counts."""
    expect_tokens(answers[0], *sequence(draw, pieces=True, specials=True))


def comes_back_to_words(answers, draw: Draw):
    """The way back gives one answer a word."""
    word_ids, _ = sequence(draw, pieces=True, specials=True)
    expect_words(answers[1], word_ids, draw.sample(range(100), len(word_ids)))


def takes_two_parts(answers, draw: Draw):
    """Two parts with a special token between them, and there and back again."""
    word_ids, labels = sequence(draw, pieces=True, specials=True)
    middle = word_ids.index(2)
    word_ids = [*word_ids[:middle], None, *word_ids[middle:], None, None]  # a second part, and padding
    expect_tokens(answers[0], word_ids, labels)
    expect_words(answers[1], word_ids, draw.sample(range(100), len(word_ids)))
    back = call(answers[1], word_ids, call(answers[0], word_ids, labels))
    if fair.plain(back) != labels:
        raise NotYet(f"From {labels} there and back came {fair.plain(back)}.")
