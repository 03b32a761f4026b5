"""Gold annotation: dependencies, entities, coreference and probes, noted while a Reader reads."""

from __future__ import annotations

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import capital, finite, participle, plural
from labutils.world.story import Annotation, Probe, Word


def _lemmas() -> dict[tuple[str, str], str]:
    """(form in lower case, UPOS) -> lemma, for all words that are inflected."""
    lemmas = {("an", "DET"): "a", ("him", "PRON"): "he", ("her", "PRON"): "she",
              ("them", "PRON"): "they", ("whom", "PRON"): "who"}
    kinds = (*lex.KINDS.values(), lex.NAMED)
    verbs = {v for kind in kinds for v in (kind.does + " " + kind.handles).split()}
    verbs |= {*lex.MEETINGS, *lex.GIFTS, *lex.WISHES, *lex.SAYINGS, *lex.DWELLINGS}
    verbs |= {"have", "be", "do"}
    for verb in sorted(verbs):
        forms = {participle(verb), *(finite(verb, t, m) for t in ("past", "present")
                                     for m in (False, True))}
        for form in forms:
            lemmas[form, "VERB"] = lemmas[form, "AUX"] = verb
    for noun in (*lex.BEINGS, *(n for nouns, _ in lex.THINGS.values() for n in nouns.split())):
        lemmas[plural(noun), "NOUN"] = noun
    return lemmas


LEMMAS = _lemmas()
THINGS = {n for nouns, _ in lex.THINGS.values() for n in nouns.split()}


class Notes:
    """Gold annotation of the words that a Reader has read."""

    LISTENS_TO = ("word relate root mention introduce pronoun place thing object owned "
                  "probe_agreement probe_bond full_stop refrain").split()

    def __init__(self, reader: Reader):
        self.reader = reader
        self.upos: dict[int, str] = {}
        self.head: dict[int, int] = {}
        self.deprel: dict[int, str] = {}
        self.entity: dict[int, str] = {}
        self.who: dict[int, object] = {}  # word -> member of the cast, or "owned"
        self.mentions: dict[object, list[int]] = {}
        self.members: dict[int, voc.Member] = {}
        self.probes: list[Probe] = []
        self.stops: list[int] = []

    # -- dependencies -----------------------------------------------------------------------------

    def word(self, i: int, upos: str, deprel: str, head: int) -> None:
        self.upos[i] = upos
        self.relate(i, deprel, head)

    def relate(self, i: int, deprel: str, head: int) -> None:
        self.deprel[i], self.head[i] = deprel, head

    def root(self, i: int, upos: str) -> None:
        self.word(i, upos, "root", -1)

    def full_stop(self, root: int) -> None:
        here = self.reader.here
        self.word(here, "PUNCT", "punct", root)
        self.stops.append(here)

    def place(self, head: int, deprel: str = "obl") -> None:
        """The last three words: preposition, "the", noun."""
        noun = self.reader.here
        self.word(noun - 2, "ADP", "case", noun)
        self.word(noun - 1, "DET", "det", noun)
        self.word(noun, "NOUN", deprel, head)
        lemma = LEMMAS.get((self.reader.words[noun], "NOUN"), self.reader.words[noun])
        self.entity[noun] = "THING" if lemma in THINGS else "PLACE"

    def object(self, verb: int) -> None:
        """The last two words: article or "the", and a thing."""
        noun = self.reader.here
        self.word(noun - 1, "DET", "det", noun)
        self.relate(noun, "obj", verb)
        self.thing(noun)

    def thing(self, noun: int) -> None:
        self.upos[noun] = "NOUN"
        self.entity[noun] = "THING"

    # -- who is who ----------------------------------------------------------------------------

    def _mention(self, i: int, who, entity: str) -> None:
        self.entity[i] = entity
        self.who[i] = who
        self.mentions.setdefault(who, []).append(i)

    def introduce(self, member: voc.Member, who: int) -> None:
        self.members[who] = member
        self._noun_phrase(member, 1 if member.named else 3)
        self._mention(self.reader.here, who, member.entity)

    def mention(self, member: voc.Member, who: int) -> None:
        noun = self.reader.here
        self.members.setdefault(who, member)
        earlier = [i for i in self.mentions.get(who, ()) if self.upos[i] != "PRON"]
        others = sorted({m.noun for j, m in self.members.items()
                         if j != who and not m.named} - {member.noun})
        if earlier and others and not member.named:
            self._probe("recall", noun, (member.noun,), tuple(others), tuple(earlier))
        self._noun_phrase(member, len(member.words))
        self._mention(noun, who, member.entity)

    def _noun_phrase(self, member: voc.Member, length: int) -> None:
        noun = self.reader.here
        if member.named:
            self.upos[noun] = "PROPN"
            return
        self.upos[noun] = "NOUN"
        two = self.reader.words[noun - length + 1].lower() == "two"
        self.word(noun - length + 1, *(("NUM", "nummod") if two else ("DET", "det")), noun)
        if length == 3:
            self.word(noun - 1, "ADJ", "amod", noun)

    def pronoun(self, member: voc.Member, who: int, forms: dict | None = None) -> None:
        i = self.reader.here
        given = self.reader.words[i]
        shown = capital if given[0].isupper() else str
        every = [shown(forms[p] if forms else p) for p in ("he", "she", "it", "they")]
        certain = len(voc.pronouns(member, 0.7)) == 1
        wrong = tuple(p for p in every if p != given)
        if not certain:  # he or she: the other one is no mistake
            wrong = tuple(p for p in wrong if p.lower() in ("it", "they", "them"))
        answers = (given, *(p for p in every if p != given and p not in wrong))
        self._probe("pronoun" if certain else "lean", i, answers, wrong, (self.mentions[who][-1],))
        self.upos[i] = "PRON"
        self._mention(i, who, member.entity)

    def owned(self, i: int) -> None:
        earlier = self.mentions.get("owned")
        if earlier:
            word = self.reader.words[i]
            kind = next(nouns.split() for nouns, _ in lex.THINGS.values() if word in nouns.split())
            wrong = tuple(n for n in kind if n != word)
            self._probe("echo", i, (word,), wrong, (earlier[0],))
        self._mention(i, "owned", "THING")

    # -- probes -----------------------------------------------------------------------------------

    def _probe(self, kind: str, target: int, answers, wrong, sources) -> None:
        self.probes.append(Probe(kind, target, answers, wrong, sources))

    def probe_agreement(self, verb: int, subject: int, many: bool, nearest) -> None:
        """A verb whose nearest noun before it (plural if `nearest`) is not its subject."""
        word = self.reader.words[verb]
        other = OTHER_NUMBER.get(word)
        if nearest is not None and nearest != many and other:
            self._probe("agreement", verb, (word,), (other,), (subject,))

    def probe_bond(self, target: int, who: int, me: voc.Member, what: str) -> None:
        """What somebody does, handles or feels."""
        word = self.reader.words[target]
        bonded = getattr(voc.kind_of(me.being), what).split()
        form = _form_of(word, bonded)
        answers = dict.fromkeys([word, *(form(w) for w in bonded)])
        noun = next(i for i in reversed(self.mentions[who]) if self.upos[i] != "PRON")
        self._probe("bond", target, tuple(answers), (), (noun,))

    def refrain(self, comma: int, named: tuple, tape: tuple) -> None:
        """The words after "Again," repeat a sentence: so do their annotations."""
        words = self.reader.words
        old_start, new_start = tape[0] - len(named), comma + 1
        for old in range(old_start, tape[1]):
            new = old - old_start + new_start
            head = self.head[old]
            self.word(new, self.upos[old], self.deprel[old],
                      head if head < 0 else head - old_start + new_start)
            if old in self.who:
                self._mention(new, self.who[old], self.entity[old])
            elif old in self.entity:
                self.entity[new] = self.entity[old]
            if new > new_start:
                self._probe("refrain", new, (words[new],), (), (old,))
            if self.deprel[old] == "root":
                root = new
        self.word(comma - 1, "ADV", "advmod", root)
        self.word(comma, "PUNCT", "punct", root)
        self.stops.append(self.reader.here)

    # -- the result -------------------------------------------------------------------------------

    def annotation(self) -> Annotation:
        reader = self.reader
        sentence, place = 0, 0
        chains = {who: n for n, who in enumerate(
            sorted((w for w, m in self.mentions.items() if len(m) > 1),
                   key=lambda w: self.mentions[w][0]))}
        words = []
        for i, text in enumerate(reader.words):
            if i and text not in ".,":
                place += 1
            upos = self.upos[i]
            lemma = text if upos == "PROPN" else LEMMAS.get((text.lower(), upos), text.lower())
            words.append(Word(text, place, place + len(text), lemma, upos, self.head[i],
                              self.deprel[i], self.entity.get(i, ""),
                              chains.get(self.who.get(i), -1), sentence, reader.log_probs[i]))
            place += len(text)
            sentence += text == "."
        return Annotation(tuple(words), tuple(self.probes), reader.end_log_prob)


def _other_numbers() -> dict[str, str]:
    """Finite form -> the form for the other number, where they differ."""
    pairs = {"was": "were", "were": "was"}
    for (form, upos), lemma in LEMMAS.items():
        one, many = finite(lemma, "present", False), finite(lemma, "present", True)
        if upos == "VERB" and form in (one, many):
            pairs[form] = one if form == many else many
    return pairs


OTHER_NUMBER = _other_numbers()


def _form_of(word: str, bonded: list[str]):
    """The inflection that makes `word` of one of the bonded words."""
    inflections = [str, participle, *(lambda w, t=t, m=m: finite(w, t, m)
                                      for t in ("past", "present") for m in (False, True))]
    return next(f for f in inflections if word in [f(w) for w in bonded])
