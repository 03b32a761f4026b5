"""The gold annotation: right on sentences annotated by hand, consistent on hundreds of stories."""

import pytest

from labutils.world import RUNNING_TEXT, lexicon
from labutils.world.morphology import finite, plural

CAST = "An old fox, two young nurses and Anna lived in the town."

# One sentence a construction, annotated by hand: word/UPOS/head (counted from 1, 0 for the root)/relation.
BY_HAND = {
    CAST: "An/DET/3/det old/ADJ/3/amod fox/NOUN/10/nsubj ,/PUNCT/7/punct two/NUM/7/nummod young/ADJ/7/amod "
          "nurses/NOUN/3/conj and/CCONJ/9/cc Anna/PROPN/3/conj lived/VERB/0/root in/ADP/13/case the/DET/13/det "
          "town/NOUN/10/obl ./PUNCT/10/punct",
    "The young nurses who saw Anna waited quietly.":
        "The/DET/3/det young/ADJ/3/amod nurses/NOUN/7/nsubj who/PRON/5/nsubj saw/VERB/3/acl:relcl Anna/PROPN/5/obj "
        "waited/VERB/0/root quietly/ADV/7/advmod ./PUNCT/7/punct",
    "The old fox which Anna saw did not growl on the hill.":
        "The/DET/3/det old/ADJ/3/amod fox/NOUN/9/nsubj which/PRON/6/obj Anna/PROPN/6/nsubj saw/VERB/3/acl:relcl "
        "did/AUX/9/aux not/PART/9/advmod growl/VERB/0/root on/ADP/12/case the/DET/12/det hill/NOUN/9/obl ./PUNCT/9/punct",
    "Then the old fox near the mats gave Anna a cake because it was not sly.":
        "Then/ADV/8/advmod the/DET/4/det old/ADJ/4/amod fox/NOUN/8/nsubj near/ADP/7/case the/DET/7/det mats/NOUN/4/nmod "
        "gave/VERB/0/root Anna/PROPN/8/iobj a/DET/11/det cake/NOUN/8/obj because/SCONJ/16/mark it/PRON/16/nsubj "
        "was/AUX/16/cop not/PART/16/advmod sly/ADJ/8/advcl ./PUNCT/8/punct",
    "Anna brought a ball to the old fox.":
        "Anna/PROPN/2/nsubj brought/VERB/0/root a/DET/4/det ball/NOUN/2/obj to/ADP/8/case the/DET/8/det old/ADJ/8/amod "
        "fox/NOUN/2/obl ./PUNCT/2/punct",
    "Anna saw the young nurses and thanked them.":
        "Anna/PROPN/2/nsubj saw/VERB/0/root the/DET/5/det young/ADJ/5/amod nurses/NOUN/2/obj and/CCONJ/7/cc "
        "thanked/VERB/2/conj them/PRON/7/obj ./PUNCT/2/punct",
    "Anna trusted the old fox with kindness.":
        "Anna/PROPN/2/nsubj trusted/VERB/0/root the/DET/5/det old/ADJ/5/amod fox/NOUN/2/obj with/ADP/7/case "
        "kindness/NOUN/2/obl ./PUNCT/2/punct",
    "Anna started to nod.": "Anna/PROPN/2/nsubj started/VERB/0/root to/PART/4/mark nod/VERB/2/xcomp ./PUNCT/2/punct",
    "Anna said that she was glad.":
        "Anna/PROPN/2/nsubj said/VERB/0/root that/SCONJ/6/mark she/PRON/6/nsubj was/AUX/6/cop glad/ADJ/2/ccomp "
        "./PUNCT/2/punct",
    "The young nurses were working.":
        "The/DET/3/det young/ADJ/3/amod nurses/NOUN/5/nsubj were/AUX/5/aux working/VERB/0/root ./PUNCT/5/punct",
    "Some cups near the table were not empty.":
        "Some/DET/2/det cups/NOUN/8/nsubj near/ADP/5/case the/DET/5/det table/NOUN/2/nmod were/AUX/8/cop "
        "not/PART/8/advmod empty/ADJ/0/root ./PUNCT/8/punct",
}
AFTER_A_FIRST_SENTENCE = {
    "Again, Anna had a ball.":
        "Again/ADV/4/advmod ,/PUNCT/4/punct Anna/PROPN/4/nsubj had/VERB/0/root a/DET/6/det ball/NOUN/4/obj ./PUNCT/4/punct",
    "In the end, Anna still had the ball.":
        "In/ADP/3/case the/DET/3/det end/NOUN/7/obl ,/PUNCT/7/punct Anna/PROPN/7/nsubj still/ADV/7/advmod "
        "had/VERB/0/root the/DET/9/det ball/NOUN/7/obj ./PUNCT/7/punct",
}


def by_hand(story, sentence: int) -> str:
    """A sentence of the story in the notation above."""
    span = story.sentences[sentence]
    return " ".join(f"{w.text}/{w.upos}/{0 if w.head < 0 else w.head - span.start + 1}/{w.deprel}"
                    for w in story.words[span.start:span.stop])


@pytest.mark.parametrize("sentence", BY_HAND)
def test_a_sentence_is_annotated_as_by_hand(world, sentence):
    text = CAST if sentence == CAST else f"{CAST} {sentence}"
    if sentence == CAST:  # no story is one sentence long
        text += " Anna started to nod."
    story = world.parse(text)
    assert by_hand(story, 0 if sentence == CAST else 1) == BY_HAND[sentence]


@pytest.mark.parametrize("sentence", AFTER_A_FIRST_SENTENCE)
def test_what_is_told_again_is_annotated_as_by_hand(world, sentence):
    story = world.parse(f"{CAST} Anna had a ball. She was glad. {sentence}")
    assert by_hand(story, 3) == AFTER_A_FIRST_SENTENCE[sentence]


def test_running_text(world):
    words = world.parse(RUNNING_TEXT).words
    assert [(w.text, w.lemma, w.entity, w.chain) for w in words if w.chain >= 0 or w.entity] == [
        ("cat", "cat", "ANIMAL", 0), ("mat", "mat", "THING", -1), ("It", "it", "ANIMAL", 0)]
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
        assert all(story.text[w.start:w.end] == w.text for w in story.words)
        gaps = [story.text[a.end:b.start] for a, b in zip(story.words, story.words[1:])]
        assert set(gaps) <= {"", " "}
        assert story.words[0].start == 0 and story.words[-1].end == len(story.text)
        assert story.text.isascii()


def test_sentences_are_two_to_six_and_counted_right(stories):
    for story in stories:
        assert 2 <= len(story.sentences) <= 6
        for n, sentence in enumerate(story.sentences):
            assert {story.words[i].sentence for i in sentence} == {n}
            assert story.words[sentence.start].text[0].isupper()
            assert story.words[sentence.stop - 1].text == "."


def test_relations_fit_the_parts_of_speech(stories):
    allowed = {"det": {"DET"}, "nummod": {"NUM"}, "amod": {"ADJ"}, "case": {"ADP"}, "cc": {"CCONJ"},
               "aux": {"AUX"}, "cop": {"AUX"}, "mark": {"SCONJ", "PART"}, "advmod": {"ADV", "PART"},
               "punct": {"PUNCT"}, "nmod": {"NOUN"}, "acl:relcl": {"VERB"}, "advcl": {"ADJ"},
               "ccomp": {"ADJ"}, "xcomp": {"VERB"}, "root": {"VERB", "ADJ"},
               "conj": {"VERB", "NOUN", "PROPN"}, "iobj": {"NOUN", "PROPN"},
               "obl": {"NOUN", "PROPN"}, "nsubj": {"NOUN", "PROPN", "PRON"},
               "obj": {"NOUN", "PROPN", "PRON"}}
    seen = set()
    for story in stories:
        for w in story.words:
            assert w.upos in allowed[w.deprel], (w, story)
            seen.add(w.deprel)
    assert seen == set(allowed)


PLURALS = {plural(n) for n in (*lexicon.BEINGS, *(n for nouns, _ in lexicon.THINGS.values()
                                                  for n in nouns.split()))}


def is_plural(story, i: int) -> bool:
    """From the annotation alone: is this subject plural?"""
    word = story.words[i]
    if word.upos == "PRON" and word.deprel == "nsubj" and word.text in ("who", "that", "which", "whom"):
        return is_plural(story, story.words[word.head].head)
    joined = any(w.head == i and w.deprel == "conj" for w in story.words)
    return joined or word.text.lower() == "they" or word.text in PLURALS


def test_finite_verbs_agree_with_their_subjects(stories):
    checked = 0
    for story in stories:
        for i, w in enumerate(story.words):
            if w.deprel != "nsubj":
                continue
            verbs = [w.head, *(j for j, x in enumerate(story.words)
                               if x.head == w.head and x.deprel in ("aux", "cop"))]
            verb = story.words[verbs[-1]]
            forms = {finite(verb.lemma, tense, is_plural(story, i)) for tense in ("past", "present")}
            assert verb.text in forms, (verb, story)
            checked += 1
    assert checked > 2000


def test_pronouns_fit_their_chains(stories):
    kinds = {"it": {"ANIMAL"}, "they": {"PERSON", "ANIMAL"}, "he": {"PERSON"}, "she": {"PERSON"}}
    for story in stories:
        singles = {}
        for i, w in enumerate(story.words):
            if w.upos != "PRON" or not w.entity:
                continue
            nouns = [j for j, x in enumerate(story.words) if x.chain == w.chain and x.upos != "PRON"]
            assert w.chain >= 0 and nouns and nouns[0] < i, story
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


def test_the_world_is_rich_enough(world):
    words = [w for story in world.stories(2000, seed=3) for w in story.words if w.upos != "PUNCT"]
    assert len({w.lemma for w in words}) >= 300
    forms = {w.text.lower() for w in words}
    assert len(forms) >= 600
    assert {"walk", "walked", "walks", "walking", "unhappy", "breakable", "kindness"} <= forms
