"""Small grammars listed in full: every derivation, told one after another, against what Reader and Reckoner say.

A small grammar is the real one with fewer choices: `cut` leaves a few options in each table, for all tellers alike.
"""

import math
from collections import Counter

import pytest

from labutils.world import grammar as module
from labutils.world import lexicon as lex
from labutils.world import openings
from labutils.world import vocabulary as voc
from labutils.world.exact import Reckoner
from labutils.world.grammar import Grammar, Plot
from labutils.world.lexicon import BEINGS
from labutils.world.morphology import capital
from labutils.world.reading import Reader
from labutils.world.tables import Table
from labutils.world.tellers import Sampler, glued, join
from labutils.world.vocabulary import NAMES, Member


def cut(table: Table, kinds: int | None, each: int) -> Table:
    """The table with `each` options of each kind of payload, and with so many `kinds` at most.

    With None all kinds are left, each as probable as it was, as the Reckoner's parts that recall somebody need it.
    """
    if kinds is None and each >= len(table.p):
        return table  # all are left
    made = table.__dict__.setdefault("cut", {})
    if (kinds, each) not in made:
        groups = {}
        for option in table.options:
            kind = table.lump(option[2]) if table.lump else option[2]
            if kinds is None and isinstance(kind, tuple) and isinstance(kind[0], str) and kind[0] != "member":
                kind = kind[0]
            groups.setdefault(kind, []).append(option)
        step = -(-len(groups) // (kinds or len(groups)))
        left = []
        for kind, group in list(groups.items())[::step]:
            few = group if kind == "again" else group[:each]  # all pronouns, or none would be left to learn
            share = math.fsum(p for _, p, _ in group) / math.fsum(p for _, p, _ in few)
            left += [(words, p * share, payload) for words, p, payload in few]
        made[kinds, each] = Table(left, lump=table.lump)
    return made[kinds, each]


class Lister(Sampler):
    """Takes the first way at each choice that `script` leaves open, and notes the others in `todo`."""

    def __init__(self, script, size, todo):
        super().__init__(None)
        self.script, self.size, self.todo, self.taken = script, size, todo, []

    def choose(self, table, cap=False, glue=False, head=-1):
        table = cut(table, *self.size)
        if len(self.taken) == len(self.script):
            self.todo += [[*self.script, i] for i in range(1, len(table.p))]
            self.script = [*self.script, 0]
        i = self.script[len(self.taken)]
        self.taken.append(i)
        self.log_prob += math.log(table.p[i])
        words = [w for w in table.phrases[i] if w]
        self.words += [capital(w) if cap and n == 0 else w for n, w in enumerate(words)]
        self.here = len(self.words) - 1
        return table.payloads[i]


def listed(grammar, size) -> dict[str, float]:
    """Each text of the small grammar, with its log-probability."""
    todo, texts = [[]], {}
    while todo:
        teller = Lister(todo.pop(), size, todo)
        grammar.story(teller)
        text = join(teller.words)
        assert text not in texts, "two derivations of one text"
        texts[text] = teller.log_prob, tuple(teller.words)
    return texts


def read(grammar, words, size) -> float:
    class Small(Reader):
        def choose(self, table, **how):
            return super().choose(cut(table, *size), **how)

    reader = Small(list(words))
    grammar.story(reader)
    return reader.log_prob


class SmallReckoner(Reckoner):
    def __init__(self, grammar, size):
        super().__init__(grammar)
        self.size = size

    def table(self, table, cap, glue):
        return super().table(cut(table, *self.size), cap, glue)


def check(grammar, size, texts, reckoner):
    """Probabilities sum to 1, the entropy is the Reckoner's, every tenth text is read with its probability."""
    assert math.fsum(math.exp(p) for p, _ in texts.values()) == pytest.approx(1)
    nats, printed = reckoner.total()
    assert nats == pytest.approx(-math.fsum(math.exp(p) * p for p, _ in texts.values()))
    for p, words in list(texts.values())[::10]:
        assert read(grammar, words, size) == pytest.approx(p, abs=1e-9)
    return printed


@pytest.mark.parametrize("noun, many", [("cat", False), ("nurse", True)])
def test_stories_about_one_being(monkeypatch, noun, many):
    class Scenes(Grammar):
        def story(self, t):
            t.say(("The",), glue=True)
            t.call(self.scene)

    one = Table([(Member(BEINGS[noun], many).noun, 1.0, (BEINGS[noun], many))])
    monkeypatch.setattr(module, "_NUMBERED_NOUNS", one)
    monkeypatch.setattr(module, "_SCENE_GOES_ON", Table([("", 1.0, False)]))
    grammar, size = Scenes(0.8), (4, 2)
    texts = listed(grammar, size)
    print(len(texts), "texts")
    assert len(texts) > 2000
    printed = check(grammar, size, texts, SmallReckoner(grammar, size))
    mean = Counter()
    for p, words in texts.values():
        for i, word in enumerate(words):
            mean[word if i == 0 or glued(words[i - 1], word) else " " + word] += math.exp(p)
    assert printed == pytest.approx(mean)


# Who may be first and second in a cast: of the same three sorts, equally often.
SORTS = [
    [(m.words, p, m) for m, p in zip(who, (0.3, 0.5, 0.2))]
    for who in (
        (Member(NAMES["Anna"]), Member(BEINGS["nurse"], False, ("old",)), Member(BEINGS["nurse"], True, ("shy",))),
        (Member(NAMES["Lucy"]), Member(BEINGS["nurse"], False, ("odd",)), Member(BEINGS["nurse"], True, ("big",))),
    )
]
FIRST, SECOND = map(Table, SORTS)


class Pairs(Grammar):
    """Two beings of three sorts, and what is told of them."""

    def story(self, t):
        t.call(self.rest, t.cast((t.choose(FIRST), t.choose(SECOND))), Plot("past", 1))


@pytest.fixture
def fewer(monkeypatch):
    """Sets what the next sentence may be and, if given, what somebody may do in it."""

    def fewer(next_sentence: dict, modifiers: dict, actions: dict = voc.ACTIONS):
        monkeypatch.setattr(module, "NEXT", dict.fromkeys(module.NEXT, 0.0) | next_sentence)
        monkeypatch.setattr(voc, "ACTIONS", actions)
        monkeypatch.setattr(voc, "MODIFIERS", modifiers)
        voc.predicates.cache_clear()

    yield fewer
    voc.predicates.cache_clear()


def check_pairs(monkeypatch, sentences):
    monkeypatch.setattr(module, "END", {n: float(n >= sentences) for n in range(1, 12)})
    grammar, size = Pairs(0.8), (None, 1)
    texts = listed(grammar, size)
    print(len(texts), "texts")
    reckoner = SmallReckoner(grammar, size)
    for known in (False, True):
        reckoner.anybody[known] = [
            (member._replace(pronoun=pronoun), p * q)
            for _, p, member in SORTS[0]
            for pronoun, q in (grammar.pronouns_of(member) if known else ((None, 1.0),))
        ]
    check(grammar, size, texts, reckoner)
    return texts


def test_a_sentence_about_a_cast(monkeypatch, fewer):
    fewer(
        {"member": 0.3, "quote": 0.2, "asked": 0.1, "crowd": 0.1, "there": 0.1, "opener": 0.2},
        {"with": 0.2, "whom": 0.2},
    )
    assert len(check_pairs(monkeypatch, 2)) > 1000


def test_sentences_that_depend_on_earlier_ones(monkeypatch, fewer):
    fewer(
        {"member": 0.3, "again": 0.4, "refrain": 0.3, "still": 0.5},
        {},
        {"first": {"has": 0.5, "meets": 0.3, "hears": 0.2}, "later": {"hears": 1.0}, "again": {"hears": 1.0}},
    )
    texts = check_pairs(monkeypatch, 4)
    assert any("Again, " in text for text in texts) and any("still had the" in text for text in texts)


class Introduced(Grammar):
    """A list of two or three, and what the second of them does."""

    def story(self, t):
        t.say(("Meet",), glue=True)
        present, _ = self.pair_or_three(t)
        t.say((".", "Then"))
        t.call(self.does_something, t.cast(present)[1], "past", 0)


@pytest.fixture
def few_words(monkeypatch):
    """Sets a lexicon of so many names, three looks and two nouns."""

    def few(names):
        monkeypatch.setattr(lex, "NAMES", dict(list(lex.NAMES.items())[:names]))
        monkeypatch.setattr(voc, "NAMES", {name: NAMES[name] for name in lex.NAMES})
        monkeypatch.setattr(lex, "LOOKS", ("old", "shy", "big"))
        monkeypatch.setattr(lex, "FONDNESS", ("dear",))
        monkeypatch.setattr(voc, "NOUN_P", {BEINGS["cat"]: 0.6, BEINGS["nurse"]: 0.4})
        for many in (False, True):
            nouns = [((Member(being, many).noun,), p, being) for being, p in voc.NOUN_P.items()]
            monkeypatch.setitem(openings._ANY_NOUN, many, Table(nouns, lump=openings._any))

    return few


@pytest.mark.parametrize("names", [1, 3])
def test_names_that_run_out_are_refused_because_the_means_would_be_wrong(monkeypatch, few_words, names):
    few_words(names)
    grammar, size = Introduced(0.8), (None, 1000)
    if names < 3:
        with pytest.raises(ValueError, match="at least 3 words in the lexicon's NAMES"):
            SmallReckoner(grammar, size)
        monkeypatch.setattr("labutils.world.exact._check_lists", lambda: None)
    printed, mean = SmallReckoner(grammar, size).total()[1], Counter()
    texts = listed(grammar, size)
    assert math.fsum(math.exp(p) for p, _ in texts.values()) == pytest.approx(1)
    for p, words in texts.values():
        for i, word in enumerate(words):
            mean[word if i == 0 or glued(words[i - 1], word) else " " + word] += math.exp(p)
    if names == 3:
        assert printed == pytest.approx(mean)
    else:
        assert abs(printed[" walked"] - mean[" walked"]) > 0.01  # what names do: second of a cast, and yet never a name


@pytest.mark.parametrize(
    "name, words",
    [
        ("LOOKS", ("old", "shy")),
        ("LOOKS", ("old", "shy", "shy", "big")),
        ("CROWD", ["Emma", "Noah", "Ada"]),
        ("CROWD", []),
        ("NAMES", {"Anna": "she", "Ben": "he"}),
    ],
)
def test_lists_that_run_out(monkeypatch, name, words):
    monkeypatch.setattr(lex, name, words)
    with pytest.raises(ValueError, match=f"words in the lexicon's {name}, each once"):
        Reckoner(Grammar(0.8))


@pytest.mark.parametrize("name, word, other", [("CROWD", "Anna", "NAMES"), ("FONDNESS", "old", "LOOKS")])
def test_a_word_in_two_lists(monkeypatch, name, word, other):
    monkeypatch.setattr(lex, name, [*getattr(lex, name), word])
    with pytest.raises(ValueError, match=f"whether {word} is from the lexicon's {other} or {name}"):
        Reckoner(Grammar(0.8))
