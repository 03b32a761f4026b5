"""Questions about a story, each with the words of the story that answer it.

The answer is read off the gold annotation, and a question is only asked where nobody and nothing else in the story
would answer it as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labutils.world.clauses import BEINGS, VAGUE, Clause, Told
from labutils.world.morphology import finite

if TYPE_CHECKING:
    from labutils.world.world import Story, World

KINDS = ("who", "went", "had", "where", "still", "lost")
_GOING = frozenset(("go", "come"))
_WANTING = frozenset(("want", "need"))  # "wanted Anna to sleep" is not wanting Anna


@dataclass(frozen=True)
class Question:
    """A question whose answer is `context[start:end]`, and what is asked for.

    =====  ==============================================  ==========================
    kind   question                                        answer
    =====  ==============================================  ==========================
    who    Who guided the old fox? Who ate a red apple?    somebody
    went   Who went to the market?                         somebody
    had    Who had a ball?                                 somebody
    where  Where did Anna go? Where does the old fox live? a place, "to the market"
    still  What did Anna still have?                       a thing, at the story's end
    lost   What had Anna lost?                             the same
    =====  ==============================================  ==========================

    Where the story only has a pronoun for somebody, the answer is the nearest noun or name before it that the
    pronoun stands for.
    """

    context: str
    question: str
    answer: str
    start: int
    end: int
    kind: str


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
    """
    told = Told(story.words)
    found: dict[str, Question] = {}
    for kind, question, first, last in _asked(told):
        start, end = told.words[first].start, told.words[last].end
        found.setdefault(question, Question(story.text, question, story.text[start:end], start, end, kind))
    return tuple(found.values())


def questions(world: World, n: int, seed: int, kinds: Sequence[str] = KINDS) -> list[Question]:
    """n questions about as many stories; the same ones for the same seed.

    Each story that answers any question of these kinds gets one: first a kind is drawn, then a question of it. What
    somebody still has or has lost is told by 7 of 1000 stories, so many of these take their time.

    Raises:
        ValueError: a kind that does not exist, or none.
    """
    if not kinds or not set(kinds) <= set(KINDS):
        raise ValueError(f"The kinds of questions are {', '.join(KINDS)}: {list(kinds)} is not a choice of them.")
    rng, drawn = random.Random(seed), []
    while len(drawn) < n:
        asked = [q for q in questions_of(world.story(rng)) if q.kind in kinds]
        if asked:
            kind = rng.choice(sorted({q.kind for q in asked}))
            drawn.append(rng.choice([q for q in asked if q.kind == kind]))
    return drawn


def _asked(told: Told) -> Iterator[tuple[str, str, int, int]]:
    """(kind, question, first and last word of the answer)"""
    for c in told.clauses:
        if c.tense:
            yield from _who(told, c)
            yield from _where(told, c)
        yield from _what(told, c)


def _who(told: Told, c: Clause) -> Iterator[tuple[str, str, int, int]]:
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
        kind, rest = "had" if verb == "have" else "who", _given(told, c)
    if len({_group(told, x) for x in rivals}) == 1:
        yield kind, f"Who {_third_person(told, c)} {rest}?", *_span(told, c.subjects)


def _where(told: Told, c: Clause) -> Iterator[tuple[str, str, int, int]]:
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
            yield "where", f"Where {asked}?", case, c.place


def _what(told: Told, c: Clause) -> Iterator[tuple[str, str, int, int]]:
    """What somebody still has, or has lost, in the sentence that ends a story."""
    word, have = told.words[c.verb], told.child(c.verb, "aux", lemma="have")
    still = word.lemma == "have" and told.child(c.verb, "advmod", lemma="still") is not None
    if not c.subjects or not c.objects or not (still or word.lemma == "lose" and have is not None):
        return
    who, many, span = told.name(c.subjects[0]), told.many(c.subjects[0]), told.nominal(c.objects[0])
    if still:
        yield "still", f"What {finite('do', c.tense, many)} {who} still have?", span[0], span[-1]
    elif not any(
        told.words[x.verb].lemma == "lose" and _same(told, x.subjects[0], c.subjects[0])
        for x in told.clauses
        if x.subjects and x is not c
    ):
        yield "lost", f"What {told.words[have].text} {who} lost?", span[0], span[-1]


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
