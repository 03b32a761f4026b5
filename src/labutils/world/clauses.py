"""Who did what to whom, and where: noun phrases and clauses, read off the gold annotation of a story."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from labutils.world.morphology import finite
from labutils.world.story import Word
from labutils.world.tellers import QUOTE

BEINGS = ("PERSON", "ANIMAL")
WHERE = frozenset("in at on under near beside behind to".split())
VAGUE = frozenset("there in on behind home".split())  # adverbs that answer "Where?", but not with a place
PERSONAL = frozenset("he she it they".split())
_NOUNS = ("NOUN", "PROPN")
_BEFORE_A_NOUN = ("det", "nummod", "amod")


class Clause(NamedTuple):
    """What one verb says; all but the last two are indices of words.

    `subjects` and `objects` are heads of noun phrases, `agents` included after "by"; `taker` is who was given
    something, `company` who went along. `tense` is "past" or "present", None where the clause does not say that
    something happened: "could not guide", "wanted to guide", or anything in quotation marks. `passive` is said
    of the sentence's form; subjects and objects are those of the active one.
    """

    verb: int
    subjects: tuple[int, ...]
    objects: tuple[int, ...]
    taker: int | None
    company: int | None
    place: int | None
    tense: str | None
    passive: bool


class Told:
    """A story by its clauses and noun phrases."""

    def __init__(self, words: tuple[Word, ...]):
        self.words = words
        self.below: dict[int, list[int]] = {}
        for i, word in enumerate(words):
            self.below.setdefault(word.head, []).append(i)

    @cached_property
    def quoted(self) -> frozenset[int]:
        """The words between quotation marks, marks included."""
        inside, open_ = set(), False
        for i, word in enumerate(self.words):
            if word.text == QUOTE:
                open_ = True
            if open_:
                inside.add(i)
            if word.text != QUOTE and word.text.endswith(QUOTE):
                open_ = False
        return frozenset(inside)

    def child(self, i: int, *relations: str, lemma: str = "") -> int | None:
        """The first word under i in one of these relations."""
        return next(
            (
                j
                for j in self.below.get(i, ())
                if self.words[j].deprel in relations and lemma in ("", self.words[j].lemma)
            ),
            None,
        )

    # -- noun phrases ------------------------------------------------------------------------------

    def nominal(self, i: int) -> range:
        """The noun or name at i with the article and adjectives before it."""
        first = i
        while first - 1 >= 0 and self.words[first - 1].head == i and self.words[first - 1].deprel in _BEFORE_A_NOUN:
            first -= 1
        return range(first, i + 1)

    def noun(self, i: int) -> int:
        """The noun or name that the word at i stands for: itself, what a relative clause is about, or the
        nearest noun or name before it with the same chain.
        """
        word = self.words[i]
        if word.upos in _NOUNS:
            return i
        if word.chain < 0 and word.deprel in ("nsubj", "obj") and self.words[word.head].deprel == "acl:relcl":
            return self.words[word.head].head
        return next(
            (
                j
                for j in range(i - 1, -1, -1)
                if word.chain >= 0 and self.words[j].chain == word.chain and self.words[j].upos in _NOUNS
            ),
            i,
        )

    def everybody(self) -> tuple[int, ...]:
        """The nouns and names of the first sentence's beings."""
        return tuple(i for i, w in enumerate(self.words) if w.sentence == 0 and w.entity in BEINGS and w.upos in _NOUNS)

    def key(self, i: int):
        """Equal for two words if they mean the same being; things are the same by their noun."""
        i = self.noun(i)
        word = self.words[i]
        return word.chain if word.entity in BEINGS and word.chain >= 0 else i if word.entity in BEINGS else word.lemma

    def definite(self, i: int) -> list[tuple[str, int]]:
        """The noun phrase as it is said of somebody known, "the old fox", each word with the index that it is from."""
        span = self.nominal(i)
        known = [(self.words[j].text, j) for j in span]
        if self.words[span[0]].deprel in ("det", "nummod"):
            known[0] = ("the", span[0])
        return known

    def name(self, i: int) -> str:
        """What the word at i means, by its definite noun phrase."""
        return " ".join(text for text, _ in self.definite(self.noun(i)))

    def many(self, i: int) -> bool:
        word = self.words[self.noun(i)]
        return word.upos == "NOUN" and word.text != word.lemma

    # -- clauses -----------------------------------------------------------------------------------

    @cached_property
    def clauses(self) -> list[Clause]:
        return [c for i in range(len(self.words)) if (c := self._clause(i))]

    def _clause(self, v: int) -> Clause | None:
        """What is said with the word at v as its verb, or with a place: "was in the garden"."""
        word = self.words[v]
        copula = self.child(v, "cop")
        is_there = copula is not None and self.child(v, "case") is not None
        if word.upos != "VERB" and not is_there:
            return None
        subject, asserted = self._subject(v)
        if subject is None:
            return None
        passive = self.child(v, "aux:pass") is not None
        agent, objects = self.child(v, "obl:agent"), self._joined(self.child(v, "obj"))
        subjects = self._joined(subject)
        if passive:
            subjects, objects = self._joined(agent), subjects
        helper = self.child(v, "aux")
        said = asserted and helper is None and v not in self.quoted and not self._negated(v)
        finite_at = next((x for x in (self.child(v, "aux:pass"), copula) if x is not None), v)
        return Clause(
            v,
            subjects,
            objects,
            self._oblique(v, "iobj", *BEINGS),
            self._oblique(v, "with", *BEINGS),
            v if is_there else self._oblique(v, "", "PLACE", "THING"),
            self._tense(finite_at) if said else None,
            passive,
        )

    def _subject(self, v: int) -> tuple[int | None, bool]:
        """(the subject, whether the clause says that it did so) of the verb at v."""
        word = self.words[v]
        own = self.child(v, "nsubj", "nsubj:pass")
        if own is not None or word.deprel not in ("conj", "xcomp"):
            return own, True
        above = self.child(word.head, "obj") if word.deprel == "xcomp" else None
        subject, asserted = (above, False) if above is not None else self._subject(word.head)
        return subject, asserted and word.deprel == "conj"

    def _joined(self, i: int | None) -> tuple[int, ...]:
        if i is None:
            return ()
        word = self.words[i]
        if word.lemma == "they" and word.chain < 0:
            return self.everybody()
        if word.upos not in _NOUNS:
            return (i,)
        return (i, *(j for j in self.below.get(i, ()) if self.words[j].deprel == "conj"))

    def _oblique(self, v: int, case: str, *entities: str) -> int | None:
        """Who or what stands after a preposition: `case`, one that says where (""), or none or "to" ("iobj")."""
        for j in self.below.get(v, ()):
            before = self.child(j, "case")
            lemma = self.words[before].lemma if before is not None else ""
            relation = self.words[j].deprel
            fits = {"": lemma in WHERE, "iobj": lemma == "to" or relation == "iobj"}.get(case, lemma == case)
            if fits and relation in ("obl", "iobj") and self.words[j].entity in entities:
                return j
        return None

    def _negated(self, v: int) -> bool:
        return self.child(v, "advmod", lemma="not") is not None

    def _tense(self, i: int) -> str:
        word = self.words[i]
        now = (finite(word.lemma, "present", False), finite(word.lemma, "present", True))
        return "present" if word.text.lower() in now else "past"
