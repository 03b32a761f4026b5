"""What a model can do, measured on gold: one question a case, right or wrong, and the head that looks at the deciding
words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch

from labutils.analysis.estimates import largest, mean, share
from labutils.analysis.passes import passes
from labutils.making.rows import END

# skill -> what is asked; the kinds of labutils.world.Probe
SKILLS = {
    "agreement": "is the verb in its subject's number, with a noun of the other number nearer?",
    "pronoun": "which of he, she, it, they means the one spoken of?",
    "recall": "which noun belongs to “the old”, when another being is in the story too?",
    "refrain": "which word comes next when a sentence is told again after “Again,”?",
    "copy": "which word comes next when words are told again and nothing says so?",
    "echo": "which thing does somebody still have at the end?",
    "bond": "how much probability goes to words that fit the being (what it does or feels)?",
}
CHOICE = ("agreement", "pronoun")  # asked as a choice between the right word and the wrong ones; the others are open
MASS = ("bond",)  # several words are right: the share is the probability of them all
MOST = 1000  # cases a skill
HEADS = 200  # cases of these for the best head


@dataclass(frozen=True)
class Case:
    """One question about one word of one story.

    `text[start:end]` is the word asked for and `place` its index among the story's words. `answers` are all right
    words, the exact one first, `wrong` the alternatives; `sources` are the character spans of the words that decide.
    """

    skill: str
    text: str
    start: int
    end: int
    place: int
    answers: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    sources: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Answer:
    """What a model says of one word in one place: log p in nats, and whether the word is its first choice."""

    log_prob: float
    first: bool


def cases_of(story) -> list[Case]:
    """The questions that the gold annotation of a story of the world offers."""
    span = lambda i: (story.words[i].start, story.words[i].end)
    return [
        Case(p.kind, story.text, *span(p.target), p.target, p.answers, p.wrong, tuple(span(i) for i in p.sources))
        for p in story.probes
        if p.kind in SKILLS
    ]


def case_of(story, i: int) -> Case:
    """The plain question which word stands at place i."""
    word = story.words[i]
    return Case("word", story.text, word.start, word.end, i, (word.text,))


def skills_card(model, tokenizer, world, held_out: list, most: int = MOST, heads: int = HEADS) -> list[dict[str, Any]]:
    """One entry a skill: the share that is right, the same for a reader who knows the grammar, the best head."""
    found: dict[str, list] = {skill: [] for skill in SKILLS}
    for story in held_out:
        for case in cases_of(story):
            if len(found[case.skill]) < most:
                found[case.skill].append((story, case))
    card = []
    for skill, pairs in found.items():
        if pairs:
            mine = [case for _, case in pairs]
            best = [best_score(grammar(world, tokenizer, story, case), case) for story, case in pairs]
            value, error = (mean if skill in MASS else share)(scores(model, tokenizer, mine))
            card.append(
                {
                    "name": skill,
                    "asked": SKILLS[skill],
                    "choice": skill in CHOICE,
                    "n": len(mine),
                    "accuracy": value,
                    "error": error,
                    "best_possible": sum(best) / len(best),
                    "best_head": best_head(model, tokenizer, mine[:heads]),
                }
            )
    return card


def scores(model, tokenizer, cases: Sequence[Case]) -> list[float]:
    """For each case 1 if the model is right, else 0; for a skill in MASS, the probability that it gives the right
    words.

    GPT-2 has read the text before the word; BERT reads the whole text with the word hidden, piece by piece. A choice is
    right if the right word gets the most probability of all that are offered, an open question if each of its pieces is
    the most probable.
    """
    offered = [_offered(tokenizer, case) for case in cases]
    said = iter(ask(model, tokenizer, [(case, word) for case, words in zip(cases, offered) for word in words]))
    each = [[next(said) for _ in words] for words in offered]
    return [_score(case, answers) for case, answers in zip(cases, each)]


def _offered(tokenizer, case: Case) -> list[str]:
    """The words that the model is asked about, the exact one first.

    BERT is told by the number of hidden places how many pieces the word has, and its probabilities for two and for
    three places belong to two distributions: they may not be added. So only right words of as many pieces as the exact
    one count.
    """
    if case.skill in CHOICE:
        return [case.answers[0], *case.wrong]
    return as_long(tokenizer, case, case.answers) if case.skill in MASS else [case.answers[0]]


def _score(case: Case, answers: list[Answer]) -> float:
    if case.skill in MASS:
        return sum(torch.tensor([a.log_prob for a in answers], dtype=torch.float64).exp().tolist())
    if case.skill in CHOICE:
        return float(max(a.log_prob for a in answers) == answers[0].log_prob)
    return float(answers[0].first)


def as_long(tokenizer, case: Case, words: Iterable[str]) -> list[str]:
    """For BERT those of `words` that have as many pieces in this place as the word asked for; for GPT-2 all."""
    if END in tokenizer.vocab:
        return list(words)
    pieces = lambda word: len(tokenizer.encode(word, add_special_tokens=False).ids)
    return [word for word in words if pieces(word) == pieces(case.answers[0])]


def grammar(world, tokenizer, story, case: Case) -> dict[str, float]:
    """The exact distribution over the word, given what the model is given: the words before (GPT-2), or all other words
    and the number of its pieces (BERT).
    """
    if END in tokenizer.vocab:
        return world.next_word(story.text[: case.start].rstrip(" "))
    return told(tokenizer, case, world.fill(story, case.place))


def told(tokenizer, case: Case, distribution: dict[str, float]) -> dict[str, float]:
    """A distribution over the word, once the number of its pieces is known."""
    left = {word: distribution[word] for word in as_long(tokenizer, case, distribution)}
    total = sum(left.values())
    return {word: p / total for word, p in left.items()}


def best_score(distribution: dict[str, float], case: Case) -> float:
    """The same as `scores` for a reader who knows the grammar, from its exact distribution over the word."""
    if case.skill in MASS:
        return sum(distribution.get(word, 0.0) for word in case.answers)
    offered = [case.answers[0], *case.wrong] if case.skill in CHOICE else list(distribution)
    return float(max(offered, key=lambda word: distribution.get(word, 0.0)) == case.answers[0])


def ask(model, tokenizer, questions: Sequence[tuple[Case, str]]) -> list[Answer]:
    """What the model says of each word in the place that the case asks about."""
    asked = [(_after if END in tokenizer.vocab else hide)(tokenizer, case, word) for case, word in questions]
    rows = list(dict.fromkeys(tuple(ids) for ids, _, _ in asked))  # BERT sees the same text for all words of one length
    mine: dict[tuple, list[int]] = {row: [] for row in rows}
    for q, (ids, _, _) in enumerate(asked):
        mine[tuple(ids)].append(q)
    answers: list[Any] = [None] * len(asked)
    for i, made in passes(model, [list(row) for row in rows]):
        for q in mine[rows[i]]:
            _, places, pieces = asked[q]
            log_p = made.logits[places].log_softmax(-1)
            ends = _ending(tokenizer, questions[q][1], log_p[-1]) if END in tokenizer.vocab else 0.0
            chosen = log_p[: len(pieces)].argmax(-1).tolist() == pieces
            # more than one half
            answers[q] = Answer(float(log_p[range(len(pieces)), pieces].sum()) + ends, chosen and ends > -0.6931)
    return answers


def hide(tokenizer, case: Case, word: str) -> tuple[list[int], list[int], list[int]]:
    """The text with `word` in the asked place, hidden: its ids, the places of the mask, the ids that were hidden."""
    e = tokenizer.encode(case.text[: case.start] + word + case.text[case.end :])
    places = covering(e.offsets, [(case.start, case.start + len(word))])
    hidden = set(places)
    ids = [tokenizer.token_to_id("[MASK]") if i in hidden else token for i, token in enumerate(e.ids)]
    return ids, places, [e.ids[i] for i in places]


def _after(tokenizer, case: Case, word: str) -> tuple[list[int], list[int], list[int]]:
    """The text up to the asked place and `word` in it: its ids, the places that predict the pieces of the word and what
    follows it, the ids of the pieces.
    """
    before = [tokenizer.token_to_id(END), *tokenizer.encode_ids(case.text[: case.start].rstrip(" "))]
    pieces = tokenizer.encode_ids((" " if case.text[case.start - 1 : case.start] == " " else "") + word)
    return before + pieces, list(range(len(before) - 1, len(before) + len(pieces))), pieces


def _ending(tokenizer, word: str, log_p: torch.Tensor) -> float:
    """log p that `word` ends here. Else "dig" could never lose against "digs", which is "dig" and one piece more."""
    more = _longer(tokenizer, word[-1].isalpha()) if word[-1] in ".,?!" or word[-1].isalpha() else []
    return float((1 - log_p[more].exp().sum()).clamp(min=1e-12).log()) if more else 0.0


@lru_cache
def _longer(tokenizer, letters: bool) -> list[int]:
    """The tokens that go on with a word of letters, or with a punctuation mark: no space stands before them."""
    marks = set('.,?!"')
    return [
        i
        for token, i in tokenizer.vocab.items()
        if (token.isascii() and token.isalpha() if letters else set(token) <= marks)
    ]


def best_head(model, tokenizer, cases: Iterable[Case]) -> dict[str, float] | None:
    """The head with the largest mean attention weight from the place of the prediction to the deciding words.

    {"layer", "head", "weight", "error", "cases"}, counted from 0. GPT-2 predicts from the token before the word, BERT
    from the first piece of the hidden word itself. The weights of all pieces of all deciding words are added. None if
    no case has a deciding word.
    """
    looks = [(_look(tokenizer, case)) for case in cases if case.sources]
    if not looks:
        return None
    weights = [
        made.weights[:, :, looks[i][1], looks[i][2]].sum(-1)
        for i, made in passes(model, [ids for ids, _, _ in looks], weights=True)
    ]
    return largest(torch.stack(weights)) | {"cases": len(looks)}


def _look(tokenizer, case: Case) -> tuple[list[int], int, list[int]]:
    """The ids to read, the place that predicts, the places of the deciding words."""
    e = tokenizer.encode(case.text)
    if END not in tokenizer.vocab:
        ids, places, _ = hide(tokenizer, case, case.answers[0])
        return ids, places[0], covering(e.offsets, case.sources)
    offsets = [(0, 0), *e.offsets]
    return (
        [tokenizer.token_to_id(END), *e.ids],
        covering(offsets, [(case.start, case.end)])[0] - 1,
        covering(offsets, case.sources),
    )


def covering(offsets: Sequence[tuple[int, int]], spans: Iterable[tuple[int, int]]) -> list[int]:
    """The tokens that share a character with one of the spans."""
    spans = list(spans)
    return [i for i, (a, b) in enumerate(offsets) if any(a < end and b > start for start, end in spans)]
