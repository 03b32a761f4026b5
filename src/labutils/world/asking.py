"""Questions about a story, each with the words of the story that answer it and with what else might.

The answer is read off the gold annotation, and a question is only asked where nobody and nothing else in the story
would answer it as well. Which questions are drawn, ``questions`` below: none of the rules of ``baselines.py`` answers
more than half of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from labutils.world import candidates
from labutils.world.balance import AtMostHalf
from labutils.world.baselines import ANSWERING
from labutils.world.clauses import BEINGS, VAGUE, Clause, Told
from labutils.world.items import Question
from labutils.world.morphology import finite

if TYPE_CHECKING:
    from labutils.world.world import Story, World

KINDS = ("who", "went", "where", "what")
_GOING = frozenset(("go", "come"))
_WANTING = frozenset(("want", "need"))  # "wanted Anna to sleep" is not wanting Anna
# What happens more or less often in the stories that are asked about: casts of three, clauses with somebody else in
# them, and what is asked for. Without, 1 story in 100 has a question whose answer no rule finds.
_BUSY = {",": 6, "who": 10, "whom": 12, "when": 5, "modal": 0.3, "wishes": 0.3, "says": 0.3, "has": 0.3, "again": 0.3}
_BUSY |= {"scene": 0.0, "with": 0.2, "from": 0.2, "there": 0.1, "quote": 0.3, "chant": 0.2, "crowd": 0.3, "mood": 0.3}
_TASTES = {
    "who": _BUSY | {"meets": 6.0, "be": 4.0, "found": 20.0, "handles": 2.0, "gives": 2.0},
    "went": _BUSY | {"goes": 8.0, "goal": 8.0, "again": 1.0},
    "where": _BUSY | {"goes": 14.0, "goal": 12.0},
    "what": _BUSY | {"has": 4.0, "own": 10.0, "light": 0.2, "done": 0.1, "handles": 8.0, "gives": 8.0, "thing": 3.0},
}


class _Asked(NamedTuple):
    """A question, the nouns that answer it, the first and last word of the answer; key -> spans of all that might."""

    kind: str
    question: str
    heads: tuple[int, ...]
    first: int
    last: int
    others: dict[object, list[candidates.Span]]


def questions_of(story: Story) -> tuple[Question, ...]:
    """All questions that the story answers, in the order in which it does.

    >>> from labutils.world import World
    >>> text = "An old fox and Anna lived in the town. Anna went to the market. The old fox guided Anna."
    >>> for q in questions_of(World().parse(text)):
    ...     print(q.kind, q.question, q.answer)
    where Where did the old fox live? in the town
    where Where did Anna live? in the town
    went Who went to the market? Anna
    where Where did Anna go? to the market
    who Who guided Anna? The old fox
    >>> [text[start:end] for spans in q.candidates for start, end in spans]
    ['An old fox', 'The old fox']
    """
    told = Told(story.words)
    found: dict[str, Question] = {}
    for asked in _asked(told):
        found.setdefault(asked.question, _question(story, told, asked))
    return tuple(found.values())


def questions(world: World, n: int, seed: int, kinds: Sequence[str] = KINDS) -> list[Question]:
    """n questions about as many stories, of each kind as many or one more; the same ones for the same seed.

    Each has two candidates or more, and of each kind, no rule of ``baselines.ANSWERING`` is right for more than half
    (or the half and one). For that, stories in which several do the like are drawn more often than they are told.

    Raises:
        ValueError: a kind that does not exist, or none.
    """
    if not kinds or not set(kinds) <= set(KINDS):
        raise ValueError(f"The kinds of questions are {', '.join(KINDS)}: {list(kinds)} is not a choice of them.")
    rng, drawn = random.Random(seed), []
    kinds = [kind for kind in KINDS if kind in kinds]
    for k, kind in enumerate(kinds):
        drawn += _of_kind(world, kind, n // len(kinds) + (k < n % len(kinds)), rng)
    rng.shuffle(drawn)
    return drawn


def _of_kind(world: World, kind: str, n: int, rng: random.Random) -> list[Question]:
    fair, drawn = AtMostHalf(ANSWERING), []
    while len(drawn) < n:
        asked = [q for q in questions_of(world.story(rng, _TASTES[kind])) if q.kind == kind and len(q.candidates) > 1]
        rng.shuffle(asked)
        taken = next((q for q in asked if fair.takes(q)), None)
        drawn += [taken] if taken else []
    return drawn


def _question(story: Story, told: Told, asked: _Asked) -> Question:
    start, end = told.words[asked.first].start, told.words[asked.last].end
    answer, spans, gold = story.text[start:end], (), -1
    if len(asked.heads) == 1:
        named = asked.others.values()
        spans = tuple(tuple((told.words[a].start, told.words[b].end) for a, b in phrases) for phrases in named)
        gold = list(asked.others).index(told.key(asked.heads[0]))
    return Question(story.text, asked.question, answer, start, end, asked.kind, spans, gold)


def _asked(told: Told) -> Iterator[_Asked]:
    for c in told.clauses:
        if c.tense:
            yield from _who(told, c)
            yield from _where(told, c)
            yield from _what(told, c)


def _who(told: Told, c: Clause) -> Iterator[_Asked]:
    verb = told.words[c.verb].lemma
    if not c.subjects or verb in _WANTING:
        return
    if verb in _GOING:
        rivals = [x for x in told.clauses if told.words[x.verb].lemma in _GOING and _same(told, x.place, c.place)]
        if c.place is None or any(x.company is not None for x in rivals):
            return
        kind, rest = "went", _place(told, c.place)
    else:
        if len(c.objects) != 1 or told.words[told.noun(c.objects[0])].entity not in (*BEINGS, "THING"):
            return
        rivals = [
            x
            for x in told.clauses
            if told.words[x.verb].lemma == verb
            and _same(told, x.taker, c.taker)
            and any(_same(told, o, c.objects[0]) for o in x.objects)
        ]
        kind, rest = "who", _given(told, c)
    if len({_group(told, x) for x in rivals}) == 1:
        others = candidates.beings(told, verb, c.objects, c.taker)
        heads = tuple(told.noun(i) for i in c.subjects)
        yield _Asked(kind, f"Who {_third_person(told, c)} {rest}?", heads, *_span(told, c.subjects), others)


def _where(told: Told, c: Clause) -> Iterator[_Asked]:
    verb = "be" if told.words[c.verb].upos == "NOUN" else told.words[c.verb].lemma
    if c.place is None or verb == "come":  # nobody asks where somebody came
        return
    for subject in c.subjects:
        if told.words[told.noun(subject)].entity not in BEINGS:
            continue
        rivals = [
            x
            for x in told.clauses
            if verb in ("be", told.words[x.verb].lemma)
            and any(_same(told, s, subject) for s in (*x.subjects, x.company) if s is not None)
        ]
        places = {told.words[x.place].lemma for x in rivals if x.place is not None}
        vague = any(_vague(told, x) for x in rivals) or verb == "be" and _there(told, subject)
        if len(places) == 1 and not vague:
            many = told.many(subject)
            asked = (
                f"{finite('be', c.tense, many)} {told.name(subject)}"
                if verb == "be"
                else (f"{finite('do', c.tense, many)} {told.name(subject)} {verb}")
            )
            case = told.child(c.place, "case")
            others = candidates.places(told, verb, subject)
            yield _Asked("where", f"Where {asked}?", (c.place,), case, c.place, others)


def _what(told: Told, c: Clause) -> Iterator[_Asked]:
    verb = told.words[c.verb].lemma
    if len(c.subjects) != 1 or len(c.objects) != 1 or verb in _WANTING:
        return
    subject, thing = c.subjects[0], told.noun(c.objects[0])
    if told.words[told.noun(subject)].entity not in BEINGS or told.words[thing].entity != "THING":
        return
    rivals = [
        x
        for x in told.clauses
        if told.words[x.verb].lemma == verb
        and _same(told, x.taker, c.taker)
        and any(_same(told, s, subject) for s in x.subjects)
    ]
    if len({told.key(o) for x in rivals for o in x.objects}) == 1:
        to = "" if c.taker is None else f" to {_text(told, c.taker)}"
        asked = f"What {finite('do', c.tense, told.many(subject))} {told.name(subject)} {verb}{to}?"
        yield _Asked("what", asked, (thing,), told.nominal(thing)[0], thing, candidates.things(told, subject))


def _third_person(told: Told, c: Clause) -> str:
    """The verb as it stands after "Who"."""
    word = told.words[c.verb]
    return finite(word.lemma, c.tense, False) if c.passive or c.tense == "present" else word.text


def _group(told: Told, c: Clause) -> frozenset:
    return frozenset(told.key(s) for s in c.subjects)


def _same(told: Told, a: int | None, b: int | None) -> bool:
    return a is None and b is None or a is not None and b is not None and told.key(a) == told.key(b)


def _vague(told: Told, c: Clause) -> bool:
    """Whether a clause says where without naming a place: "slept there", "went home"."""
    return any(told.words[j].deprel == "advmod" and told.words[j].lemma in VAGUE for j in told.below.get(c.verb, ()))


def _there(told: Told, i: int) -> bool:
    """Whether the being is said to be "there", or somebody asks where it is."""
    return any(
        w.deprel == "nsubj" and told.words[w.head].upos == "ADV" and _same(told, j, i) for j, w in enumerate(told.words)
    )


def _span(told: Told, heads: tuple[int, ...]) -> tuple[int, int]:
    nouns = [told.noun(i) for i in heads]
    return told.nominal(nouns[0])[0], nouns[-1]


def _text(told: Told, i: int) -> str:
    """A being by its definite noun phrase, a thing as the story says it."""
    noun = told.noun(i)
    if told.words[noun].entity in BEINGS:
        return told.name(noun)
    return " ".join(told.words[j].text for j in told.nominal(noun))


def _place(told: Told, place: int) -> str:
    return " ".join(told.words[j].text for j in range(told.child(place, "case"), place + 1))


def _given(told: Told, c: Clause) -> str:
    """The object, with whom it was given to: "Anna a ball", "a ball to Anna"."""
    thing = _text(told, c.objects[0])
    if c.taker is None:
        return thing
    to = _text(told, c.taker)
    return f"{to} {thing}" if told.words[c.taker].deprel == "iobj" else f"{thing} to {to}"
