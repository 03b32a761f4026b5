"""What might answer a question about a story: who may do so, what may be had so, where one may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from labutils.world import lexicon as lex
from labutils.world.clauses import BEINGS, WHERE, Told

Span = tuple[int, int]  # the first and the last word of a noun phrase
_VILLAGES, _GOALS = frozenset(v.split("-")[1] for v in lex.VILLAGES), frozenset(lex.GOALS)


def beings(told: Told, verb: str, objects: Iterable[int], taker: int | None) -> dict[object, list[Span]]:
    """Who of the cast may have done so, besides those to whom it was done: key -> its noun phrases.

    The lexicon knows who does and has what: of a pilot and a cow, only one drives a car.
    """
    involved = [told.noun(i) for i in (*objects, taker) if i is not None]
    things = [told.words[i].lemma for i in involved if told.words[i].entity == "THING"]
    outside = {told.key(i) for i in involved}
    cast = {told.key(i) for i in told.everybody()} - outside
    return _grouped(
        told,
        lambda i: (
            told.key(i) in cast
            and told.words[i].entity in BEINGS
            and _does(told.words[i].lemma, verb)
            and all(thing in _things_of(told.words[i].lemma) for thing in things)
        ),
    )


def places(told: Told, verb: str, subject: int) -> dict[object, list[Span]]:
    """Where somebody may live, go or be who does so: noun -> the phrases that say where."""
    spots = {spot.split("-")[1] for spot in _kind(told.words[told.noun(subject)].lemma).spots.split()}
    fit = {"live": _VILLAGES, "go": _GOALS, "be": spots | _VILLAGES, "work": spots | _VILLAGES}.get(verb, spots)
    return _grouped(told, lambda i: told.words[i].lemma in fit and _case(told, i) is not None, _case)


def things(told: Told, subject: int) -> dict[object, list[Span]]:
    """What somebody may have, use and give: noun -> its noun phrases."""
    fit = _things_of(told.words[told.noun(subject)].lemma)
    return _grouped(told, lambda i: told.words[i].entity == "THING" and told.words[i].lemma in fit)


def _grouped(told: Told, fits: Callable[[int], bool], first: Callable | None = None) -> dict[object, list[Span]]:
    """All nouns and names that fit, by what they mean, in the order in which the story first names them."""
    found: dict[object, list[Span]] = {}
    for i, word in enumerate(told.words):
        if word.upos in ("NOUN", "PROPN") and fits(i):
            start = first(told, i) if first else told.nominal(i)[0]
            found.setdefault(told.key(i), []).append((start, i))
    return found


def _case(told: Told, i: int) -> int | None:
    """The preposition before a place, if it says where."""
    case = told.child(i, "case")
    return case if case is not None and told.words[case].lemma in WHERE else None


def _kind(noun: str) -> lex.Kind:
    return lex.KINDS[lex.BEINGS[noun].kind] if noun in lex.BEINGS else lex.NAMED


def _things_of(noun: str) -> list[str]:
    return lex.THINGS[_kind(noun).things][0].split()


def _does(noun: str, verb: str) -> bool:
    """Whether somebody may do this to somebody or something: some verbs are of one class only."""
    kind = lex.BEINGS[noun].kind if noun in lex.BEINGS else "name"
    own = (*lex.TENDS[kind].split(), *_kind(noun).handles.split(), *lex.MEETINGS)
    return verb in own or verb not in _CLASSED


_CLASSED = frozenset(
    " ".join([*lex.TENDS.values(), *(kind.handles for kind in (*lex.KINDS.values(), lex.NAMED))]).split()
)
