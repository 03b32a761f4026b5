"""What concerns two: who sees, helps and thanks whom, and who gives what to whom."""

from __future__ import annotations

from functools import cache, lru_cache

from labutils.world import lexicon as lex
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.phrases import AND, BECAUSE, OBJECT_FORM, STOP, Doing, Phrases, belongings, is_many, learn
from labutils.world.tables import Table, phrase, zipf


class Meetings(Phrases):
    """What follows a verb that is done to somebody else."""

    def meets(self, t, cast, i, tense, reasons) -> tuple:
        """“saw Anna”, perhaps “and thanked her”. -> cast"""
        v = t.here
        j = t.call(self.other, cast, i, "obj", v)
        how = t.call(self.after_meeting, cast[j], bool(reasons), tense, v)
        if how == "and":
            joint = t.here
            t.call(self.thanks, cast[i], tense, v)
            second = t.here
            t.word(joint, "CCONJ", "cc", second)
            cast = learn(cast, j, t.call(self.object_pronoun, cast[j], t.keep(j), second))
            t.say(STOP, head=v)
        elif how == "because":
            because = t.here
            other = reasons.startswith(">")
            who = j if other else i
            cast = learn(
                cast, who, t.call(self.feels_somebody, cast[who], t.keep(who), tense, reasons.lstrip(">"), "advcl", v)
            )
            t.word(because, "SCONJ", "mark", t.here)
            t.say(STOP, head=v)
        t.full_stop()
        return cast

    def after_meeting(self, t, member, reason: bool, tense: str, v: int) -> str:
        """“with the long ears”, “who was tired”; then how the sentence goes on"""
        me = t.recall(member)
        noun = t.here
        how = t.choose(_after_meeting(me.being, reason, True), head=noun)
        if how == "with":
            how = t.choose(_after_meeting(me.being, reason, False), head=v)
        elif how == "who":
            who = t.here
            t.say((finite("be", tense, me.many),))
            t.choose(_feelings_relative(me.being), head=noun)
            t.word(who, "PRON", "nsubj", t.here)
            t.word(who + 1, "AUX", "cop", t.here)
            how = t.choose(_after_meeting(me.being, reason, False), head=v)
        elif how in ("ness", "stop"):
            t.again_under(noun, v)
        if how == "ness":
            t.say(STOP, head=v)
        return "stop" if how == "ness" else how

    def thanks(self, t, member, tense: str, v: int) -> None:
        """“thanked”, or another verb that anybody may do to anybody"""
        t.choose(_also_meets(t.recall(member, is_many), tense), head=v)

    def object_pronoun(self, t, member, j, verb: int):
        """“... and thanked her”: somebody just named as object. -> the member"""
        somebody = t.recall(member)
        pronoun = t.choose(Table((OBJECT_FORM[p], q, p) for p, q in self.pronouns_of(somebody)))
        t.pronoun(somebody, j, OBJECT_FORM)
        t.relate(t.here, "obj", verb)
        return t.know(member, pronoun)

    def gives(self, t, d: Doing):
        """“gave a growl”, “gave Anna a ball” or “gave a ball to Anna”"""
        way = t.choose(_after_giving(d.me.being, d.strangers, d.verb == "give"), head=d.v)
        if isinstance(way, int):
            j, member = d.strangers[way]
            t.mention(member, j)
            t.relate(t.here, "iobj", d.v)
            t.choose(belongings(d.me.being), head=d.v)
            t.thing(t.here)
        elif way == "thing":
            t.thing(t.here)
            t.say(_TO_SOMEBODY)
            case = t.here
            t.call(self.stranger, d.strangers)
            t.relate(t.here, "obl", d.v)
            t.word(case, "ADP", "case", t.here)
        self.stop(t, d.v)
        return None, None


_TO_SOMEBODY = phrase("to/ADP")


@cache
def _feelings_relative(being) -> Table:
    words, weights = voc.bond(voc.kind_of(being).feels, being)
    return Table((phrase(f"{w}/ADJ/acl:relcl/^"), p, None) for w, p in zip(words, weights))


@cache
def _after_meeting(being, reason: bool, modified: bool) -> Table:
    options = [
        (STOP, 0.46 if reason else 0.66, "stop"),
        (AND, 0.20, "and"),
        *(
            (phrase(f"with/ADP/case/1 {n}/NOUN/obl/^"), 0.08 * p, "ness")
            for n, p in zip(lex.NESSES, zipf(len(lex.NESSES)))
        ),
    ]
    if reason:
        options.append((BECAUSE, 0.24, "because"))
    if modified and being.kind != "name":
        looks = ((), 0.3), (("long",), 0.4), (("green",), 0.3)
        parts = [
            (phrase(f"with/ADP/case/{len(a) + 2} {voc.nominal('the', a, n, 'nmod', entity='')}"), 0.14 * p * q, "with")
            for n, p in zip(lex.PARTS[being.person], zipf(4))
            for a, q in looks
        ]
        words = ("who", "that") if being.person else ("that",)
        options += [*parts, *((phrase(f"{word}/PRON"), 0.12 / len(words), "who") for word in words)]
    return Table(options)


@cache
def _also_meets(many: bool, tense: str) -> Table:
    verbs = lex.MEETINGS
    return Table(
        (phrase(f"{finite(v, tense, many)}/VERB/conj/^"), p, None)
        for v, p in zip(verbs, zipf(len(verbs), verbs.index("thank")))
    )


@lru_cache(4096)
def _after_giving(being, strangers: tuple, light: bool) -> Table:
    options = [*voc.light(being, "give", 0.6, "light")] if light or not strangers else []
    if strangers:
        options += [(words, 0.25 * p, "thing") for words, p, _ in voc.belongings(being)]
        options += [(m.words, 0.35 / len(strangers), k) for k, (_, m) in enumerate(strangers)]
    return Table(options)
