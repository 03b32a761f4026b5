"""Gold annotation: dependencies, entities, coreference and probes, noted while a Reader reads.

Dependencies are those of the Universal Dependencies treebank EWT, with its subtypes ``acl:relcl``, ``aux:pass``,
``nsubj:pass`` and ``obl:agent``. What somebody says is a ``ccomp`` of the verb of saying, before or after it.
"""

from __future__ import annotations

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import capital, finite, participle, past_participle, plural
from labutils.world.story import Annotation, Probe, Word
from labutils.world.tellers import glued

FUNCTION_LEMMAS = {
    ("an", "DET"): "a",
    ("him", "PRON"): "he",
    ("her", "PRON"): "she",
    ("them", "PRON"): "they",
    ("whom", "PRON"): "who",
    ("i", "PRON"): "I",
    ("am", "AUX"): "be",
}


def _lemmas() -> dict[tuple[str, str], str]:
    """(form in lower case, UPOS) -> lemma, for all words that are inflected."""
    lemmas = dict(FUNCTION_LEMMAS)
    kinds = (*lex.KINDS.values(), lex.NAMED)
    verbs = {v for kind in kinds for v in (kind.does + " " + kind.handles).split()}
    verbs |= {v for tends in lex.TENDS.values() for v in tends.split()}
    verbs |= {*lex.MEETINGS, *lex.COMMON, *lex.DWELLINGS, *(v for vs in voc.VERBS.values() for v in vs)}
    verbs |= {"be", "do", "sing", "meet", "call", "ask", "come"}
    for verb in sorted(verbs):
        forms = {
            participle(verb),
            past_participle(verb),
            *(finite(verb, t, m) for t in ("past", "present") for m in (False, True)),
        }
        for form in forms:
            lemmas[form, "VERB"] = lemmas[form, "AUX"] = verb
    for noun in (*lex.BEINGS, *(n for nouns, _ in lex.THINGS.values() for n in nouns.split())):
        lemmas[plural(noun), "NOUN"] = noun
    for noun in (*(n for ns in lex.PARTS.values() for n in ns), *lex.ORIGINS, *lex.FRIENDS):
        if noun.endswith("s") and noun not in ("glasses", "woods"):
            lemmas[noun, "NOUN"] = noun[:-1]
    return lemmas


LEMMAS = _lemmas()
OPENER_RELATION = {"ADV": "advmod", "NOUN": "obl", "ADJ": "obl", "PUNCT": "punct"}


class Notes:
    """Gold annotation of the words that a Reader has read."""

    LISTENS_TO = (
        "word relate root become upos_of again_under tagged full_stop opener introduce mention "
        "passes_by pronoun speaker together thing thing_pronoun owned mood refrain told_again "
        "probe_agreement probe_bond"
    ).split()

    def __init__(self, reader):
        self.reader = reader
        self.upos: dict[int, str] = {}
        self.head: dict[int, int] = {}
        self.deprel: dict[int, str] = {}
        self.entity: dict[int, str] = {}
        self.who: dict[int, object] = {}  # word -> member of the cast, "owned", or a thing
        self.mentions: dict[object, list[int]] = {}
        self.members: dict[int, voc.Member] = {}
        self.probes: list[Probe] = []
        self.stops: list[int] = []
        self.ending: str | None = None

    # -- dependencies -----------------------------------------------------------------------------

    def word(self, i: int, upos: str, deprel: str, head: int) -> None:
        self.upos[i] = upos
        self.relate(i, deprel, head)

    def relate(self, i: int, deprel: str, head: int) -> None:
        self.deprel[i], self.head[i] = deprel, head

    def upos_of(self, i: int, upos: str) -> None:
        self.upos[i] = upos

    def tagged(self, words: tuple, start: int, head: int) -> None:
        """Tags of a phrase that was just told from `start` on; "^" in them is `head`."""
        for k, (upos, deprel, to, entity) in enumerate(getattr(words, "tags", ())):
            i = start + k
            self.upos[i] = upos
            if words[k] == "to" and upos == "PART":
                self.reader.to_here = i
            if deprel:
                self.deprel[i] = deprel
            if to is not None:
                self.head[i] = head if to == "^" else i + to
            if entity:
                self.entity[i] = entity

    def root(self, i: int) -> None:
        self.relate(i, "root", -1)
        self.reader.root_here = i

    def become(self, verb: int, root: int) -> None:
        """The root is not this verb, as it seemed, but a later word."""
        self.root(root)
        for i, head in self.head.items():
            if head == verb and i != root:
                self.head[i] = root

    def again_under(self, noun: int, verb: int) -> None:
        """What stands behind the noun belongs to the verb."""
        for i, head in self.head.items():
            if head == noun and i > noun:
                self.head[i] = verb

    def full_stop(self) -> None:
        self.stops.append(self.reader.here)

    def opener(self, last: int, root: int) -> None:
        """The words from the start of the sentence to `last` that have no head yet stand under the root."""
        first = max((stop + 1 for stop in self.stops if stop < last), default=0)
        for i in range(first, last + 1):
            if i not in self.head:
                self.relate(i, OPENER_RELATION[self.upos[i]], root)

    # -- who is who ----------------------------------------------------------------------------

    def _mention(self, i: int, who, entity: str) -> None:
        self.entity[i] = entity
        self.who[i] = who
        self.mentions.setdefault(who, []).append(i)

    def introduce(self, member: voc.Member, who: int) -> None:
        self.members[who] = member
        self._noun_phrase(member, 1 if member.named else 2 + len(member.look))
        self._mention(self.reader.here, who, member.entity)

    def mention(self, member: voc.Member, who: int) -> None:
        noun = self.reader.here
        self.members.setdefault(who, member)
        earlier = [i for i in self.mentions.get(who, ()) if self.upos[i] != "PRON"]
        others = sorted({m.noun for j, m in self.members.items() if j != who and not m.named} - {member.noun})
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
        first = noun - length + 1
        two = self.reader.words[first].lower() == "two"
        self.word(first, *(("NUM", "nummod") if two else ("DET", "det")), noun)
        for i in range(first + 1, noun):
            self.word(i, "ADJ", "amod", noun)

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

    def passes_by(self, i: int) -> None:
        """A name of somebody who has no part in the story, but may pass by again."""
        self._mention(i, ("passer-by", self.reader.words[i]), "PERSON")

    def speaker(self, i: int, who: int) -> None:
        """“I” or “we” is whoever speaks."""
        self._mention(i, who, self.members[who].entity)

    def together(self, i: int) -> None:
        """“They” is the whole cast: a chain of its own."""
        self._mention(i, "all", "")

    def thing(self, noun: int) -> None:
        self.upos[noun] = "NOUN"
        self.entity[noun] = "THING"
        self.reader.thing_here = noun

    def thing_pronoun(self, i: int, thing: int) -> None:
        self.upos[i] = "PRON"
        self._mention(thing, ("thing", thing), "THING")
        self._mention(i, ("thing", thing), "THING")

    def owned(self, i: int) -> None:
        earlier = self.mentions.get("owned")
        if earlier and self.reader.words[i - 1] == "the":
            word = self.reader.words[i]
            kind = next(nouns.split() for nouns, _ in lex.THINGS.values() if word in nouns.split())
            wrong = tuple(n for n in kind if n != word)
            self._probe("echo", i, (word,), wrong, (earlier[-1],))
        elif earlier:  # something else is had by now
            self.mentions["owned", earlier[-1]] = self.mentions.pop("owned")
            for j in earlier:
                self.who[j] = ("owned", earlier[-1])
        self._mention(i, "owned", "THING")

    def mood(self, mood: str) -> None:
        self.ending = mood

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
        if form is None:  # what anybody may do
            return
        answers = dict.fromkeys([word, *(form(w) for w in bonded)])
        noun = next(i for i in reversed(self.mentions[who]) if self.upos[i] != "PRON")
        self._probe("bond", target, tuple(answers), (), (noun,))

    def refrain(self, comma: int, named: tuple, tape: tuple) -> None:
        """The words after "Again," repeat a sentence: so do their annotations."""
        self.told_again(tape[0] - len(named), tape, {}, "refrain")
        root = next(i for i in range(comma + 1, self.reader.here + 1) if self.deprel[i] == "root")
        self.opener(comma, root)
        self.full_stop()

    def told_again(self, start: int | None, tape: tuple, heads: dict, kind: str = "copy") -> None:
        """The words from `start` (default: the tape's) to the end of the tape were just told again."""
        start = tape[0] if start is None else start
        new_start = self.reader.here + 1 - (tape[1] - start)
        for old in range(start, tape[1]):
            new = old - start + new_start
            head = self.head[old]
            self.word(
                new, self.upos[old], self.deprel[old], heads.get(head, head if head < 0 else head - start + new_start)
            )
            if old in self.who:
                self._mention(new, self.who[old], self.entity[old])
            elif old in self.entity:
                self.entity[new] = self.entity[old]
            if new > new_start and (kind == "refrain" or self.upos[old] != "PUNCT"):
                self._probe(kind, new, (self.reader.words[new],), (), (old,))

    # -- the result -------------------------------------------------------------------------------

    def annotation(self) -> Annotation:
        reader = self.reader
        sentence, place = 0, 0
        chains = {
            who: n
            for n, who in enumerate(
                sorted((w for w, m in self.mentions.items() if len(m) > 1), key=lambda w: self.mentions[w][0])
            )
        }
        stops, words = set(self.stops), []
        for i, text in enumerate(reader.words):
            if i and not glued(reader.words[i - 1], text):
                place += 1
            upos = self.upos[i]
            lemma = text if upos == "PROPN" else LEMMAS.get((text.lower(), upos), text.lower())
            words.append(
                Word(
                    text,
                    place,
                    place + len(text),
                    lemma,
                    upos,
                    self.head[i],
                    self.deprel[i],
                    self.entity.get(i, ""),
                    chains.get(self.who.get(i), -1),
                    sentence,
                    reader.log_probs[i],
                )
            )
            place += len(text)
            sentence += i in stops
        return Annotation(tuple(words), tuple(self.probes), reader.end_log_prob, self.ending)


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
    inflections = [
        str,
        participle,
        past_participle,
        *(lambda w, t=t, m=m: finite(w, t, m) for t in ("past", "present") for m in (False, True)),
    ]
    return next((f for f in inflections if word in [f(w) for w in bonded]), None)
