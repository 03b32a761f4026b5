"""Probes: the places where a skill can be tested, and that they test it."""

from collections import Counter

from labutils.world.morphology import capital


def test_probes_name_the_word_that_stands_there(stories):
    for story in stories:
        for probe in story.probes:
            word = story.words[probe.target].text
            assert probe.answers[0] == word, probe
            assert not set(probe.answers) & set(probe.wrong), probe
            assert all(i < probe.target for i in probe.sources) and probe.sources


def test_there_are_enough_probes(stories):
    per_story = Counter(p.kind for story in stories for p in story.probes)
    least = {
        "agreement": 0.1,
        "recall": 1.0,
        "pronoun": 0.4,
        "lean": 0.08,
        "bond": 0.4,
        "echo": 0.015,
        "refrain": 0.3,
        "copy": 0.6,
    }
    for kind, share in least.items():
        assert per_story[kind] > share * len(stories), kind
    assert set(per_story) == set(least)


def test_agreement_is_across_a_nearer_noun_of_the_other_number(world, stories):
    for story in stories:
        for probe in story.probes:
            if probe.kind == "agreement":
                assert len(probe.wrong) == 1
                subject, verb = story.words[probe.sources[0]], story.words[probe.target]
                assert probe.target - probe.sources[0] >= 3
                assert subject.deprel.startswith("nsubj")
                assert subject.head in (probe.target, verb.head)
    story = world.parse("The cats from the village sit on the mat. They are tired.")
    (probe,) = (p for p in story.probes if p.kind == "agreement")
    assert (probe.answers, probe.wrong, probe.sources) == (("sit",), ("sits",), (1,))
    story = world.parse("The cats from the hills sit on the mat. They are tired.")
    assert not [p for p in story.probes if p.kind == "agreement"]


def test_what_is_wrong_cannot_stand_there(world, stories):
    """The grammar itself gives the wrong forms no probability, and the right ones some."""
    for story in stories[:60]:
        for probe in story.probes:
            prefix = story.text[: story.words[probe.target - 1].end]
            possible = world.next_word(prefix)
            assert probe.answers[0] in possible
            assert not set(probe.wrong) & set(possible), (probe, story)
            if probe.kind in ("recall", "refrain", "copy"):
                assert list(possible) == [probe.answers[0]]


def test_recall_cannot_be_solved_by_copying_the_other_noun(stories):
    for story in stories:
        for probe in story.probes:
            if probe.kind == "recall":
                look = story.words[probe.target - 1]
                assert look.upos == "ADJ"
                told_before = {w.text for w in story.words[: probe.target] if w.upos == "NOUN"}
                assert probe.wrong and set(probe.wrong) <= told_before
                assert all(story.words[i].text == probe.answers[0] for i in probe.sources)
                assert {story.words[i - 1].text for i in probe.sources} == {look.text}


def test_bond_names_the_being_even_across_a_modifier(world):
    story = world.parse("An old fox and Anna live in the town. The old fox from the hills is not sly.")
    (bond,) = (p for p in story.probes if p.kind == "bond")
    assert story.words[bond.sources[0]].text == "fox"
    assert set(bond.answers) == {"sly", "fierce", "angry", "untamed"}


def test_a_pronoun_is_decided_by_the_last_mention(stories):
    for story in stories:
        for probe in story.probes:
            if probe.kind in ("pronoun", "lean"):
                chain = story.words[probe.target].chain
                before = [i for i in range(probe.target) if story.words[i].chain == chain]
                assert probe.sources == (before[-1],)
                every = {"he", "she", "it", "they"}, {"him", "her", "it", "them"}
                shown = capital if probe.answers[0][0].isupper() else str
                assert {*probe.answers, *probe.wrong} in [{shown(p) for p in e} for e in every]
                assert len(probe.answers) == (1 if probe.kind == "pronoun" else 2)
