"""The gold annotation: right on sentences annotated by hand, consistent on hundreds of stories."""

from pathlib import Path

import pytest

from labutils.world import RUNNING_TEXT, lexicon
from labutils.world import vocabulary as voc
from labutils.world.morphology import finite, participle, past_participle, plural

# One sentence a construction: a story ("^" stands for CAST), in which * marks what is annotated below it as in the
# Universal Dependencies treebank EWT: word/UPOS/head (counted from 1, 0 for the root)/relation, a sentence a paragraph.
CAST = "An old fox, two young nurses and Anna lived in the town."
BY_HAND = {}
for block in Path(__file__).with_name("gold.txt").read_text().strip().split("\n\n"):
    marked_story, *lines = block.split("\n")
    BY_HAND[marked_story] = "\n".join(lines).replace("\n    ", " ").replace("  ", "").split("\n")


@pytest.mark.parametrize("marked", BY_HAND)
def test_a_sentence_is_annotated_as_by_hand(world, marked):
    before, between, _ = marked.replace("^", CAST).split("*")
    story = world.parse(marked.replace("^", CAST).replace("*", ""))
    spans = [s for s in story.sentences if len(before) <= story.words[s.start].start < len(before) + len(between)]
    assert [
        " ".join(
            f"{w.text}/{w.upos}/{0 if w.head < 0 else w.head - span.start + 1}/{w.deprel}"
            for w in story.words[span.start : span.stop]
        )
        for span in spans
    ] == BY_HAND[marked]


def test_every_construction_is_among_those_annotated_by_hand(stories):
    """A word's kind: its relation, its part of speech and its head's, and whether it stands before it."""
    known = set()
    for sentences in BY_HAND.values():
        for sentence in sentences:
            tags = [word.rsplit("/", 3)[1:] for word in sentence.split()]
            known |= {
                (relation, upos, tags[int(head) - 1][0] if int(head) else "", i + 1 < int(head))
                for i, (upos, head, relation) in enumerate(tags)
                if relation != "punct"
            }
    seen = {
        (w.deprel, w.upos, s.words[w.head].upos if w.head >= 0 else "", i < w.head): s.text
        for s in stories
        for i, w in enumerate(s.words)
        if w.deprel != "punct"
    }
    assert set(seen) <= known, "\n".join(f"{kind}: {text}" for kind, text in seen.items() if kind not in known)


def chains(story) -> list[list[str]]:
    """The words of each chain."""
    found = {}
    for word in story.words:
        found.setdefault(word.chain, []).append(word.text)
    return [words for chain, words in sorted(found.items()) if chain >= 0]


@pytest.mark.parametrize(
    "text, expected",
    [
        (f'{CAST} Anna said, "I want to walk." The old fox was there.', [["fox", "fox"], ["Anna", "Anna", "I"]]),
        (
            f'{CAST} The young nurses said, "We saw Anna." Anna walked.',
            [["nurses", "nurses", "We"], ["Anna", "Anna", "Anna"]],
        ),
        (f'{CAST} "I am not a bear," said the old fox. Anna walked.', [["fox", "I", "fox"], ["Anna", "Anna"]]),
        (f'{CAST} Anna said, "Have you seen the old fox?" Anna walked.', [["fox", "fox"], ["Anna", "Anna", "Anna"]]),
        (
            f"{CAST} Anna saw the young nurses and thanked them. She was there.",
            [["nurses", "nurses", "them"], ["Anna", "Anna", "She"]],
        ),
        (
            f"{CAST} The old fox stole a cake because it was uneaten. It was sly.",
            [["fox", "fox", "It"], ["cake", "it"]],
        ),
        (
            f"{CAST} Anna had a ball. She was glad. In the end, Anna still had the ball and was happy.",
            [["Anna", "Anna", "She", "Anna"], ["ball", "ball"]],
        ),
        ("Do you know an old fox and Anna? They live in the town. The old fox is there.", [["fox", "fox"]]),
        (f"{CAST} Emma and Noah came in. Soon Emma and Noah went home.", [["Emma", "Emma"], ["Noah", "Noah"]]),
    ],
)
def test_mentions_of_one_being_or_thing_have_one_chain(world, text, expected):
    assert chains(world.parse(text)) == expected


def test_lemmas(stories):
    verbs = {v for kind in (*lexicon.KINDS.values(), lexicon.NAMED) for v in (kind.does + " " + kind.handles).split()}
    verbs |= {v for tends in lexicon.TENDS.values() for v in tends.split()} | {*lexicon.MEETINGS, *lexicon.COMMON}
    verbs |= {v for vs in voc.VERBS.values() for v in vs} | {*lexicon.DWELLINGS}
    verbs |= {"be", "do", "meet", "call", "ask", "come"}
    inflected = {
        verb: {
            verb,
            participle(verb),
            past_participle(verb),
            *(finite(verb, tense, many) for tense in ("past", "present") for many in (False, True)),
        }
        for verb in verbs
    }
    inflected["come"] |= {"came"}
    inflected["be"] |= {"am"}
    for word in (w for s in stories for w in s.words):
        form = word.text.lower()
        if word.upos == "VERB":
            assert form in inflected[word.lemma], word
        elif word.upos == "NOUN":
            assert form in (word.lemma, plural(word.lemma)), word
        elif word.upos == "ADJ":
            assert form == word.lemma


def test_running_text(world):
    words = world.parse(RUNNING_TEXT).words
    assert [(w.text, w.lemma, w.entity, w.chain) for w in words if w.chain >= 0 or w.entity] == [
        ("cat", "cat", "ANIMAL", 0),
        ("mat", "mat", "THING", -1),
        ("It", "it", "ANIMAL", 0),
    ]
    assert [w.lemma for w in words] == "the cat sit on the mat . it be tired .".split()


def test_each_sentence_is_a_tree_with_one_root(stories):
    for story in stories:
        for sentence in story.sentences:
            roots = [i for i in sentence if story.words[i].head == -1]
            assert len(roots) == 1 and story.words[roots[0]].deprel == "root", story
            for i in sentence:
                seen = set()
                while i != roots[0]:
                    assert i in sentence and i not in seen, story
                    seen.add(i)
                    i = story.words[i].head


def test_spans_are_the_text(stories):
    for story in stories:
        assert all(story.text[w.start : w.end] == w.text for w in story.words)
        gaps = [story.text[a.end : b.start] for a, b in zip(story.words, story.words[1:])]
        assert set(gaps) <= {"", " "}
        assert story.words[0].start == 0 and story.words[-1].end == len(story.text)
        assert story.text.isascii()


def test_sentences_are_two_to_eight_and_counted_right(stories):
    for story in stories:
        assert 2 <= len(story.sentences) <= 8
        for n, sentence in enumerate(story.sentences):
            assert {story.words[i].sentence for i in sentence} == {n}
            first, last = story.words[sentence.start].text, story.words[sentence.stop - 1].text
            assert first[0].isupper() or first == '"' and story.words[sentence.start + 1].text[0].isupper()
            assert last in (".", "?", '."', '?"')
        assert [
            story.text[story.words[s.start].start : story.words[s.stop - 1].end] for s in story.sentences
        ] == story.sentence_texts


def test_relations_fit_the_parts_of_speech(stories):
    allowed = {
        "det": {"DET"},
        "nummod": {"NUM"},
        "amod": {"ADJ"},
        "case": {"ADP"},
        "cc": {"CCONJ"},
        "aux": {"AUX"},
        "aux:pass": {"AUX"},
        "cop": {"AUX"},
        "mark": {"SCONJ", "PART"},
        "advmod": {"ADV", "PART"},
        "punct": {"PUNCT"},
        "expl": {"PRON"},
        "nmod": {"NOUN", "PROPN"},
        "acl:relcl": {"VERB", "ADJ"},
        "advcl": {"ADJ", "VERB"},
        "ccomp": {"ADJ", "VERB", "NOUN"},
        "xcomp": {"VERB", "ADJ"},
        "root": {"VERB", "ADJ", "ADV", "NOUN"},
        "conj": {"VERB", "ADJ", "NOUN", "PROPN", "NUM"},
        "iobj": {"NOUN", "PROPN"},
        "obl": {"NOUN", "PROPN", "ADJ"},
        "obl:agent": {"NOUN", "PROPN"},
        "nsubj": {"NOUN", "PROPN", "PRON"},
        "nsubj:pass": {"NOUN", "PROPN"},
        "obj": {"NOUN", "PROPN", "PRON", "NUM"},
    }
    seen = set()
    for story in stories:
        for w in story.words:
            assert w.upos in allowed[w.deprel], (w, story)
            seen.add(w.deprel)
    assert seen == set(allowed)


PLURALS = {plural(n) for n in (*lexicon.BEINGS, *(n for nouns, _ in lexicon.THINGS.values() for n in nouns.split()))}


def is_plural(story, i: int) -> bool:
    """From the annotation alone: is this subject plural?"""
    word = story.words[i]
    if word.text in ("who", "that", "which", "whom"):
        return is_plural(story, story.words[word.head].head)
    joined = any(w.head == i and w.deprel == "conj" for w in story.words)
    return joined or word.text.lower() in ("they", "we", "children", "you") or word.text in PLURALS


def test_finite_verbs_agree_with_their_subjects(stories):
    checked = 0
    for story in stories:
        for i, w in enumerate(story.words):
            if not w.deprel.startswith("nsubj") or w.text == "I":
                continue
            with_it = [
                j for j, x in enumerate(story.words) if x.head == w.head and x.deprel in ("aux", "aux:pass", "cop")
            ]
            if any(story.words[j].lemma in ("can", "could", "will", "would") for j in with_it):
                continue
            verb = story.words[w.head]
            if with_it:
                verb = story.words[with_it[0]]
            elif verb.deprel == "xcomp" or verb.upos != "VERB":
                continue
            forms = {finite(verb.lemma, tense, is_plural(story, i)) for tense in ("past", "present")}
            assert verb.text.lower() in forms, (verb, story)
            checked += 1
    assert checked > 4000


def test_pronouns_fit_their_chains(stories):
    kinds = {"it": {"ANIMAL"}, "they": {"PERSON", "ANIMAL"}, "he": {"PERSON"}, "she": {"PERSON"}}
    for story in stories:
        singles = {}
        for i, w in enumerate(story.words):
            if w.lemma not in kinds or w.chain < 0:
                continue
            nouns = [j for j, x in enumerate(story.words) if x.chain == w.chain and x.upos != "PRON"]
            assert nouns and nouns[0] < i, story
            if w.entity != "THING":
                assert w.entity in kinds[w.lemma] and {story.words[j].entity for j in nouns} == {w.entity}
            assert {story.words[j].text in PLURALS for j in nouns} == {w.lemma == "they"}, story
            singles.setdefault(w.chain, set()).add(w.lemma)
        assert all(len(pronouns) == 1 for pronouns in singles.values()), story


def test_a_chain_is_one_being_with_one_noun(stories):
    for story in stories:
        chains = {}
        for w in story.words:
            if w.chain >= 0 and w.upos != "PRON":
                chains.setdefault(w.chain, []).append(w.text)
        assert all(len(set(nouns)) == 1 for nouns in chains.values()), story
        assert sorted(chains) == list(range(len(chains)))
        counts = [sum(w.chain == c for w in story.words) for c in chains]
        assert all(n > 1 for n in counts)


def test_the_world_is_rich_enough(stories):
    words = [w for story in stories for w in story.words if w.upos != "PUNCT"]
    assert len({w.lemma for w in words}) >= 500
    forms = {w.text.lower() for w in words}
    assert len(forms) >= 800
    assert {"walk", "walked", "walks", "walking", "unhappy", "breakable", "kindness"} <= forms
