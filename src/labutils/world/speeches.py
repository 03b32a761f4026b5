"""What somebody says, of others or in its own words."""

from __future__ import annotations

from functools import cache, lru_cache

from labutils.world import vocabulary as voc
from labutils.world.morphology import finite
from labutils.world.phrases import Doing, Phrases, infinitives
from labutils.world.tables import Table, phrase
from labutils.world.tellers import QUOTE


class Speeches(Phrases):
    """What follows a verb of saying or thinking."""

    def says(self, t, d: Doing):
        """“said that it was tired”, “said Anna was glad”, or in its own words"""
        how = t.choose(_after_saying(d.verb), head=d.v)
        if how == "quote":
            t.call(self.speech, d.me, d.i, d.strangers, d.v)
            t.full_stop()
            return None, None
        mark = t.here
        who = t.choose(_said_of(self.pronouns_of(d.me), d.strangers))
        said, pronoun = t.here, None
        if isinstance(who, int):
            j, member = d.strangers[who]
            t.mention(member, j)
            t.call(self.is_feeling, member, t.keep(j), d.tense, d.v)
        else:
            pronoun = who
            t.pronoun(d.me, d.i)
            t.say((finite("be", d.tense, d.me.many),))
            self.state(t, d.me, d.i)
            t.relate(t.here, "ccomp", d.v)
        t.relate(said, "nsubj", t.here)
        t.word(mark, "SCONJ", "mark", t.here)
        self.stop(t, d.v)
        return pronoun, None

    def is_feeling(self, t, member, j, tense: str, v: int) -> None:
        """“was tired”, of somebody just named"""
        me = t.recall(member)
        t.say((finite("be", tense, me.many),))
        self.state(t, me, j)
        t.relate(t.here, "ccomp", v)

    def speech(self, t, me, i, strangers, v) -> None:
        """After `, "`: what somebody says, with the mark that ends it."""
        quote = t.here
        what = t.choose(_speech(me.many, bool(strangers)), cap=True, glue=True)
        start = quote + 1
        mark = '."'
        if what == "am":
            t.choose(_feelings_said(me.being))
            root = t.here
            t.relate(start, "nsubj", root)
            t.word(start + 1, "AUX", "cop", root)
            t.speaker(start, i)
        elif what == "want":
            t.choose(infinitives(me.being), head=start + 1)
            root = start + 1
            t.relate(t.to_here, "mark", t.here)
            t.relate(start, "nsubj", root)
            t.speaker(start, i)
        else:
            t.call(self.stranger, strangers)
            root = {"seen": start + 2, "like": start + 2, "saw": start + 1}[what]
            t.relate(t.here, "obj", root)
            mark = '."' if what == "saw" else '?"'
            if what == "saw":
                t.speaker(start, i)
        t.relate(root, "ccomp", v)
        t.word(quote, "PUNCT", "punct", root)
        t.word(quote - 1, "PUNCT", "punct", root)
        t.say((mark,))
        t.word(t.here, "PUNCT", "punct", v)


@cache
def _feelings_said(being) -> Table:
    return Table(voc.feelings(being, negative=True))


def _after_saying(verb: str) -> Table:
    quote = [(phrase(f",/PUNCT {QUOTE}/PUNCT"), 0.45, "quote")] if verb == "say" else []
    return Table([(phrase("that/SCONJ"), 0.55, "that"), *quote])


@lru_cache(4096)
def _said_of(pronouns: tuple, strangers: tuple) -> Table:
    own = 0.35 if strangers else 1.0
    others = [(m.words, (1 - own) / len(strangers), k) for k, (_, m) in enumerate(strangers)]
    return Table([(p, own * q, p) for p, q in pronouns] + others)


@cache
def _speech(many: bool, strangers: bool) -> Table:
    me, am = ("we", "are") if many else ("I", "am")
    options = [(phrase(f"{me}/PRON {am}/AUX"), 0.3, "am"), (phrase(f"{me}/PRON want/VERB to/PART"), 0.2, "want")]
    if strangers:
        options += [
            (phrase("have/AUX/aux/2 you/PRON/nsubj/1 seen/VERB"), 0.2, "seen"),
            (phrase("do/AUX/aux/2 you/PRON/nsubj/1 like/VERB"), 0.15, "like"),
            (phrase(f"{me}/PRON/nsubj/1 saw/VERB"), 0.15, "saw"),
        ]
    return Table(options)
