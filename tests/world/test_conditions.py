"""What makes the world more than a word list: nothing in it can be told by place or by form alone."""

from collections import Counter, defaultdict

import pytest

from labutils.world import lexicon

# The share of the commonest distance to the head, for each relation, in written English (UD English EWT, dev).
IN_ENGLISH = {
    "amod": 0.75,
    "case": 0.38,
    "nmod": 0.23,
    "obl": 0.19,
    "cop": 0.35,
    "xcomp": 0.56,
    "nummod": 0.69,
    "ccomp": 0.25,
    "cc": 0.45,
    "aux": 0.54,
    "conj": 0.27,
    "mark": 0.52,
    "advcl": 0.12,
    "obj": 0.36,
    "nsubj": 0.34,
    "det": 0.59,
}
STATIC = {"in", "on", "at", "near", "beside", "behind", "under"}


@pytest.mark.parametrize("relation", IN_ENGLISH)
def test_heads_are_about_as_hard_to_place_as_in_english(stories, relation):
    distances = Counter(
        w.head - i for s in stories for i, w in enumerate(s.words) if w.deprel.split(":")[0] == relation
    )
    share = max(distances.values()) / distances.total()
    print(f"{relation}: {distances.total()} times, commonest distance {share:.2f}, in English {IN_ENGLISH[relation]}")
    assert distances.total() > 300
    assert share <= IN_ENGLISH[relation] + 0.15


@pytest.fixture(scope="module")
def tags(world):
    """How often each form (in lower case) has which part of speech. In few stories a rare form would seem to have only
    one.
    """
    counts = defaultdict(Counter)
    for word in (w for s in world.stories(6000, seed=13) for w in s.words):
        counts[word.text.lower()][word.upos] += 1
    return counts


def test_forms_have_more_than_one_part_of_speech(tags):
    content = {
        f for f, c in tags.items() if c.total() >= 40 and ({"NOUN", "VERB"} <= set(c) or {"NOUN", "ADJ"} <= set(c))
    }
    print(len(content), sorted(content))
    assert len(content) >= 25
    words = sum(c.total() for c in tags.values())
    assert sum(c.total() for c in tags.values() if len(c) > 1) >= words / 6
    assert sum(max(c.values()) for c in tags.values()) <= 0.95 * words


def test_stories_begin_in_more_than_ten_ways(stories):
    skeletons = Counter(
        tuple(w.upos if w.upos in ("NOUN", "PROPN", "ADJ", "VERB") else w.text for w in s.words[:3]) for s in stories
    )
    assert len(skeletons) > 10
    assert max(skeletons.values()) <= 0.25 * len(stories)


def subject_of(words, verb: int) -> int:
    """The chain of a verb's subject, -1 where it has none; of a joint verb or an infinitive that of its head."""
    while words[verb].deprel in ("xcomp", "conj") and words[verb].head >= 0:
        if any(w.deprel == "obj" and w.head == words[verb].head for w in words) and words[verb].deprel == "xcomp":
            return -1
        verb = words[verb].head
    return next((w.chain for w in words if w.head == verb and w.deprel.startswith("nsubj")), -1)


def places(story):
    """[(chain, where it is or goes, whether it stays there)] of all that says where somebody is, in order."""
    words = story.words
    for i, word in enumerate(words):
        case = next((w.text for w in words if w.head == i and w.deprel == "case"), "")
        if word.entity in ("PLACE", "THING") and case in STATIC | {"to"}:
            if word.deprel == "obl" and word.sentence and words[word.head].lemma not in ("live", "work", "be", "come"):
                yield subject_of(words, word.head), word, case != "to"
            elif word.deprel == "root":
                yield subject_of(words, i), word, True


def test_a_being_is_in_one_place_at_a_time(stories):
    checked = 0
    for story in stories:
        where = {}
        for chain, word, stays in places(story):
            if chain < 0 or story.sentence_texts[word.sentence].startswith("Again, "):
                continue
            assert not stays or chain not in where, (where[chain], word.text, story.text)
            where[chain] = word.text
            checked += stays
    print(checked, "places")
    assert checked > 100


def test_nobody_has_a_colour(stories):
    beings = [(s, i) for s in stories for i, w in enumerate(s.words) if w.entity in ("PERSON", "ANIMAL")]
    for story, i in beings:
        looks = {w.text.lower() for w in story.words if w.head == i and w.deprel == "amod"}
        assert not looks & {*lexicon.COLOURS, "golden"}, story


def test_what_is_told_again_is_an_action_of_somebody_who_is_still_there(stories):
    again = 0
    for story in stories:
        for n, sentence in enumerate(story.sentence_texts):
            if not sentence.startswith("Again, "):
                continue
            again += 1
            words = story.words
            told = [words[i] for i in story.sentences[n]]
            assert not any(
                w.deprel == "root"
                and w.lemma == "have"
                and any(x.deprel == "obj" and x.entity == "THING" and words[x.head] is w for x in told)
                for w in told
            ), story
            who = next(w.chain for w in told if w.deprel.startswith("nsubj"))
            assert all(stays or chain != who for chain, word, stays in places(story) if word.sentence < n), story
    assert again > 50
