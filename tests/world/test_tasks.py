"""Tasks made from stories: answers right by hand, consistent on stories that are drawn, out of reach of easy rules."""

import math
import random

import pytest

from labutils.world import (
    RUNNING_TEXT,
    Halves,
    OutsideTheWorld,
    World,
    baselines,
    endings,
    halves,
    questions,
    questions_of,
    resolve,
    resolved,
    voices,
    voices_of,
)
from labutils.world.asking import KINDS

CAST = "An old fox, two young nurses and Anna lived in the town."
HOMES = [
    ("Where did the old fox live?", "in the town"),
    ("Where did the young nurses live?", "in the town"),
    ("Where did Anna live?", "in the town"),
]


@pytest.fixture(scope="module")
def drawn(world):
    return world.stories(150, seed=12)


# -- questions ---------------------------------------------------------------------------------------

ASKED = {  # sentences after the cast -> questions and answers, besides those about homes
    "Anna had a ball. She went to the market. In the end, Anna still had the ball and was happy.": [
        ("Who had a ball?", "Anna"),
        ("What did Anna have?", "a ball"),
        ("Who went to the market?", "Anna"),
        ("Where did Anna go?", "to the market"),
        ("Who had the ball?", "Anna"),
    ],
    "Anna had a ball. She went to the market. In the end, Anna had lost the ball and was sad.": [
        ("Who had a ball?", "Anna"),
        ("What did Anna have?", "a ball"),
        ("Who went to the market?", "Anna"),
        ("Where did Anna go?", "to the market"),
    ],
    "Anna saw the young nurses and thanked them. The old fox was seen by Anna.": [
        ("Who saw the young nurses?", "Anna"),
        ("Who thanked the young nurses?", "Anna"),
        ("Who saw the old fox?", "Anna"),
    ],
    "The old fox which Anna saw had a large red apple. Then Anna guided the old fox.": [
        ("Who saw the old fox?", "Anna"),
        ("Who had a large red apple?", "The old fox"),
        ("What did the old fox have?", "a large red apple"),
        ("Who guided the old fox?", "Anna"),
    ],
    "Anna gave the old fox a ball. The young nurses gave a cup to Anna.": [
        ("Who gave the old fox a ball?", "Anna"),
        ("What did Anna give to the old fox?", "a ball"),
        ("Who gave a cup to Anna?", "The young nurses"),
        ("What did the young nurses give to Anna?", "a cup"),
    ],
    "Emma and Noah came to the market. Then Emma and Noah went home.": [("Who came to the market?", "Emma and Noah")],
}
PAIR = "Lucy and Anna lived in the town."
NOT_ASKED = {  # what would have another answer too, or did not happen
    "two did the same": f"{CAST} Anna guided the old fox. The young nurses guided the old fox.",
    "one of them in the passive": f"{CAST} Anna guided the old fox. Then the old fox was guided by the young nurses.",
    "two things of one noun": f"{PAIR} Anna bought a ball. Lucy bought a red ball.",
    "two had one": f"{PAIR} Anna had a ball. Lucy had a large ball.",
    "nobody is wanted": f"{CAST} Anna wanted the old fox to walk. There was a ball on the table.",
    "only wanted": f"{CAST} Anna wanted to guide the old fox. Anna could not guide the old fox.",
    "only said": f'{CAST} Anna said, "I saw the old fox." There was a ball on the table.',
    "two went there": f"{CAST} Anna went to the market with the old fox. There was a ball on the table.",
}


@pytest.mark.parametrize("sentences", ASKED)
def test_questions_of_a_story_are_those_by_hand(world, sentences):
    found = questions_of(world.parse(f"{CAST} {sentences}"))
    assert [(q.question, q.answer) for q in found] == HOMES + ASKED[sentences]


@pytest.mark.parametrize("why", NOT_ASKED)
def test_a_question_with_two_answers_or_none_is_not_asked(world, why):
    assert [q for q in questions_of(world.parse(NOT_ASKED[why])) if q.kind in ("who", "went")] == []


def test_a_second_place_silences_the_question_where(world):
    story = world.parse("An old fox and Anna worked in the town. Anna worked in the street. The old fox worked there.")
    assert questions_of(story) == ()


def test_somebody_whose_place_nobody_knows_is_not_asked_for(world):
    there = "There were an old fox and Anna in the town."
    asked = questions_of(world.parse(f"{there} Where could Anna be? Nobody knew. The old fox had a rest."))
    assert [q.question for q in asked] == ["Where was the old fox?"]


def test_a_pronoun_is_answered_by_its_noun(world):
    story = world.parse("The nurses waited near the window. They went to the market.")
    went = next(q for q in questions_of(story) if q.kind == "went")
    assert (went.answer, went.start, went.question) == ("The nurses", 0, "Who went to the market?")


def test_the_whole_cast_lives_where_they_live(world):
    text = "Do you know an old fox and Anna? They live in the village. The old fox has a rest."
    assert [(q.question, q.answer) for q in questions_of(world.parse(text))] == [
        ("Where does the old fox live?", "in the village"),
        ("Where does Anna live?", "in the village"),
    ]


def test_answers_are_whole_phrases_of_their_story(drawn):
    kinds = set()
    for story in drawn:
        asked = questions_of(story)
        assert len({q.question for q in asked}) == len(asked)
        for q in asked:
            kinds.add(q.kind)
            assert q.context == story.text and story.text[q.start : q.end] == q.answer and q.question.endswith("?")
            inside = [i for i, w in enumerate(story.words) if q.start <= w.start < q.end]
            last = story.words[inside[-1]]
            assert last.end == q.end and last.upos in ("NOUN", "PROPN")
            entities = {"where": ("PLACE", "THING"), "what": ("THING",)}
            assert last.entity in entities.get(q.kind, ("PERSON", "ANIMAL")), q
    assert kinds == set(KINDS)


def test_what_two_had_is_asked_of_each_with_both_things_as_candidates(world):
    story = world.parse(f"{PAIR} Anna had a ball. Lucy had a large drum.")
    asked = [q for q in questions_of(story) if q.kind == "what"]
    assert [(q.question, q.answer, q.gold) for q in asked] == [
        ("What did Anna have?", "a ball", 0),
        ("What did Lucy have?", "a large drum", 1),
    ]
    for q in asked:
        assert [story.text[slice(*spans[0])] for spans in q.candidates] == ["a ball", "a large drum"]


def test_somebody_who_had_two_things_is_not_asked_what(world):
    story = world.parse(f"{PAIR} Anna had a ball. Anna had a drum.")
    assert [q.question for q in questions_of(story) if q.kind == "what"] == []


def test_candidates_are_who_may_have_done_it_besides_those_of_the_question(world):
    who = {q.question: q for q in questions_of(world.parse(f"{CAST} Anna guided the old fox. Anna bought a ball."))}
    guided, bought = who["Who guided the old fox?"], who["Who bought a ball?"]
    assert [guided.context[slice(*spans[0])] for spans in guided.candidates] == ["two young nurses", "Anna"]
    assert guided.gold == 1
    # Foxes and nurses do not buy balls: their classes have other verbs and other things.
    assert [bought.context[slice(*spans[0])] for spans in bought.candidates] == ["Anna"]
    (phoned,) = [q for q in questions_of(world.parse(f"{CAST} Anna phoned the old fox.")) if q.kind == "who"]
    assert len(phoned.candidates) == 1


def test_the_answer_is_the_candidate_that_is_gold(drawn):
    several = 0
    for q in (q for story in drawn for q in questions_of(story)):
        if not q.candidates:
            assert " and " in q.answer and q.gold == -1
            continue
        several += len(q.candidates) > 1
        starts = [spans[0][0] for spans in q.candidates]
        assert starts == sorted(starts)
        assert (q.start, q.end) in q.candidates[q.gold]
        assert not any((q.start, q.end) in spans for k, spans in enumerate(q.candidates) if k != q.gold)
    assert several > 20


@pytest.fixture(scope="module")
def asked(world):
    return questions(world, 160, seed=3)


def test_no_easy_rule_answers_more_than_half_of_the_questions(asked):
    for kind in KINDS:
        items = [q for q in asked if q.kind == kind]
        assert len(items) == 40 and all(len(q.candidates) > 1 for q in items)
        assert 0.35 < baselines.chance(items) <= 0.5
        for rule in baselines.ANSWERING:
            assert 0.25 < baselines.score(rule, items) <= 21 / 40, (kind, rule)


def test_on_questions_as_they_come_easy_rules_are_right_more_often(world):
    """What the drawing is for: the same rules, on the same kinds of questions without it."""
    items = [q for story in world.stories(600, seed=8) for q in questions_of(story) if len(q.candidates) > 1]
    assert baselines.score(baselines.nearest, items) > 0.8


def test_drawn_questions_are_answered_by_their_story_alone(world, asked):
    for q in asked[::6]:
        assert q in questions_of(world.parse(q.context))


def test_questions_are_drawn_of_the_kinds_asked_for(world):
    assert [q.kind for q in questions(world, 4, seed=1, kinds=["what", "went"])].count("went") == 2
    with pytest.raises(ValueError, match=r"The kinds of questions are who, went, .*: \['why'\] is not a choice"):
        questions(world, 1, seed=1, kinds=["why"])


# -- endings and halves ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ends(world):
    return endings(world, 80, seed=2)


def test_an_ending_fits_if_the_world_tells_it(world, ends):
    for ending in ends:
        if ending.fits:
            assert math.isfinite(world.log_prob(ending.text))
        else:
            with pytest.raises(OutsideTheWorld, match=f'The word "{ending.text.split()[-1][:-1]}" cannot stand'):
                world.log_prob(ending.text)


def test_one_word_says_nothing_about_an_ending(ends):
    assert [baselines.score(rule, ends, "fits") for rule in baselines.ENDING] == [0.5, 0.5]
    assert baselines.score(baselines.counted, ends, "fits") == 0.75
    assert baselines.score(baselines.both, ends, "fits") == 1.0


def test_every_four_endings_are_all_four(ends):
    for four in zip(*[iter(ends)] * 4):
        assert len({(baselines.kept(e), baselines.feeling(e)) for e in four}) == 4


@pytest.fixture(scope="module")
def pairs(world):
    return halves(world, 400, seed=4)


def test_halves_in_order_are_a_story_and_swapped_are_none(world, pairs):
    for pair in pairs[:60]:
        orders = [f"{pair.opening} {a} {b}" for a, b in ((pair.first, pair.second), (pair.second, pair.first))]
        right, wrong = orders if pair.in_order else orders[::-1]
        assert math.isfinite(world.log_prob(right))
        with pytest.raises(OutsideTheWorld, match='The word "(He|She|It|They)" cannot stand'):
            world.log_prob(wrong)


def test_how_halves_look_says_nothing_about_their_order(pairs):
    assert sum(pair.in_order for pair in pairs) == 200
    assert baselines.score(baselines.pronoun_second, pairs, "in_order") == 0.5
    for rule in baselines.ORDERING:
        assert 0.42 < baselines.score(rule, pairs, "in_order") < 0.58, rule


@pytest.mark.parametrize("see", [baselines.first_words, baselines.all_words])
def test_what_is_learned_from_words_alone_does_not_order_halves(pairs, see):
    rule = baselines.learned(pairs[:280], see, "in_order")
    assert 0.38 < baselines.score(rule, pairs[280:], "in_order") < 0.62


def test_what_is_learned_orders_halves_that_are_not_balanced(world):
    """The learner is no straw man: where how the parts begin does tell, it finds out."""
    items = []
    for k, story in enumerate(world.stories(500, seed=5)):
        start, *rest = story.sentence_texts
        parts = start, " ".join(rest)
        items.append(Halves("", *(parts if k % 2 else parts[::-1]), bool(k % 2)))
    rule = baselines.learned(items[:400], baselines.first_words, "in_order")
    assert baselines.score(rule, items[400:], "in_order") > 0.8


# -- voices ------------------------------------------------------------------------------------------

BOTH = {  # a sentence after the cast -> the same in the other voice
    "Anna guided the old fox.": "The old fox was guided by Anna.",
    "Then the young nurses saw Anna.": "Then Anna was seen by the young nurses.",
    "The young nurses were watched by the old fox.": "The old fox watched the young nurses.",
    "After the dance, Anna saw the young nurses.": "After the dance, the young nurses were seen by Anna.",
    "Anna phoned the old fox.": "The old fox was phoned by Anna.",
}


@pytest.mark.parametrize("sentence", BOTH)
def test_a_sentence_in_the_other_voice_is_that_by_hand(world, sentence):
    story = world.parse(f"{CAST} {sentence} Then Anna had a rest.")
    (pair,) = voices_of(world, story)
    assert {pair.active, pair.passive} == {sentence, BOTH[sentence]} and getattr(pair, pair.told) == sentence
    assert pair.inside == ("phoned" not in sentence) and pair.sentence == 1


def test_the_present_stays_the_present(world):
    home = "An old fox and Anna live in the town."
    story = world.parse(f"{home} Anna sees the old fox. Then the old fox is seen by Anna.")
    assert {(p.active, p.passive) for p in voices_of(world, story)} == {
        ("Anna sees the old fox.", "The old fox is seen by Anna."),
        ("Then Anna sees the old fox.", "Then the old fox is seen by Anna."),
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna watched the old fox because she was curious.",
        "Anna saw the old fox with the long spots.",
        "Anna did not guide the old fox.",
        "Anna bought a ball.",
        "The young nurses from the hills saw Anna.",
        "Anna saw the old fox and thanked it.",
    ],
)
def test_what_says_more_than_who_did_what_to_whom_has_no_other_voice(world, sentence):
    assert voices_of(world, world.parse(f"{CAST} {sentence} There was a ball on the table.")) == ()


def test_a_story_in_which_a_pronoun_would_change_its_meaning_is_not_inside(world):
    story = world.parse("Anna and Lucy lived in the town. Anna guided Lucy. She was glad.")
    (pair,) = voices_of(world, story)
    assert math.isfinite(world.log_prob(story.text.replace(pair.active, pair.passive)))
    assert not pair.inside


def test_voices_of_drawn_stories(world):
    for pair in voices(world, 25, seed=5):
        story = world.parse(pair.story)
        here = getattr(pair, pair.told)
        assert story.sentence_texts[pair.sentence] == here
        exchanged = [*story.sentence_texts]
        exchanged[pair.sentence] = pair.active if pair.told == "passive" else pair.passive
        if pair.inside:
            back = voices_of(world, world.parse(" ".join(exchanged)))
            assert (pair.active, pair.passive) in [(p.active, p.passive) for p in back]


# -- pronouns ----------------------------------------------------------------------------------------

MEANT = {
    f"{CAST} Anna saw the young nurses and thanked them. She was glad.": (
        f"{CAST} Anna saw the young nurses and thanked the young nurses. Anna was glad."
    ),
    f"{PAIR} Anna helped Lucy because she was lost. Anna thanked Lucy and hugged her.": (
        f"{PAIR} Anna helped Lucy because Lucy was lost. Anna thanked Lucy and hugged Lucy."
    ),
    f'{CAST} Anna said, "I am glad." "It is cold," said the old fox.': (
        f'{CAST} Anna said, "I am glad." "It is cold," said the old fox.'
    ),
    f"{PAIR} Then Anna bought a large red ball because it was bright. Lucy had a rest.": (
        f"{PAIR} Then Anna bought a large red ball because the large red ball was bright. Lucy had a rest."
    ),
    "Do you know an old fox, two neat nurses and Anna? They live in the village. The old fox has a rest.": (
        "Do you know an old fox, two neat nurses and Anna? The old fox, the neat nurses and Anna live in the village. "
        "The old fox has a rest."
    ),
}


@pytest.mark.parametrize("text", MEANT)
def test_a_story_without_pronouns_is_that_by_hand(world, text):
    assert resolve(world.parse(text)).text == MEANT[text]


def test_one_sentence_takes_its_nouns_from_those_before(world):
    assert resolve(world.parse(RUNNING_TEXT), sentence=1).text == "The cat was tired."


def test_every_word_without_pronouns_says_where_it_comes_from(world):
    pairs = resolved(world, 25, seed=6)
    for story, without in pairs:
        assert any(without.replaced) and " ".join(without.words).count(" ") + 1 == len(without.places)
        for word, place, source, new in zip(without.words, without.places, without.sources, without.replaced):
            if not new:
                assert place == source and word == story.words[place].text
                continue
            pronoun, noun = story.words[place], story.words[source]
            assert pronoun.upos == "PRON" and source < place
            assert word.lower() == ("the" if noun.upos in ("DET", "NUM") else noun.text.lower())
        kept = [p for p, new in zip(without.places, without.replaced) if not new]
        gone = set(range(len(story.words))) - set(kept)
        assert gone == {
            i
            for i, w in enumerate(story.words)
            if w.lemma in ("he", "she", "it", "they") and (w.chain >= 0 or w.lemma == "they")
        }
        for place in gone:
            mine = [s for p, s in zip(without.places, without.sources) if p == place]
            if story.words[place].chain >= 0:
                assert story.words[mine[-1]].chain == story.words[place].chain


# -- minimal pairs -----------------------------------------------------------------------------------


def test_swaps_are_all_other_words_that_fit_with_their_odds(world):
    story = world.stories(1, seed=9)[0]
    words = [w.text for w in story.words]
    for i in random.Random(0).sample(range(len(words)), 6):
        swaps, filled = world.swaps(story, i), world.fill(story, i)
        assert {*swaps, words[i]} == set(filled) and words[i] not in swaps
        for word, log_prob in swaps.items():
            text = world.swap(story, i, word).after
            assert log_prob == pytest.approx(world.log_prob(text))
            assert math.exp(log_prob - story.log_prob) == pytest.approx(filled[word] / filled[words[i]])
        assert [*swaps.values()] == sorted(swaps.values(), reverse=True)


def test_a_swap_gives_both_distributions_at_every_later_place(world):
    pair = world.swap(RUNNING_TEXT, 1, "puppy")
    assert pair.log_odds == pytest.approx(world.log_prob(pair.after) - world.log_prob(RUNNING_TEXT))
    assert [odds.place for odds in pair] == [*range(1, 11)]
    assert pair.odds(8).before == world.next_word("The cat sat on the mat. It was")
    assert pair.odds(8).after == world.next_word("The puppy sat on the mat. It was")
    assert pair.odds(10).before == pytest.approx({"": 0.7, "Then": 0.3})


def test_odds_are_worked_out_when_they_are_asked_for(monkeypatch):
    world, asked = World(), []
    pair = world.swap(RUNNING_TEXT, 1, "dog")
    monkeypatch.setattr(world, "next_word", lambda prefix: asked.append(prefix) or {})
    steps = iter(pair)
    assert asked == []
    next(steps)
    assert asked == ["The cat", "The dog"]


@pytest.mark.parametrize(
    ("i", "word", "message"),
    [
        (
            1,
            "sky",
            r'"sky" does not make another story at place 1 \("cat"\): there could be "puppy", "kitten", "dog"\.$',
        ),
        (1, "cat", 'The word "cat" does not make another story at place 1'),
        (6, "because", r'does not make another story at place 6 \("\."\): there could be no other word\.'),
        (11, "dog", "Place 11 is outside the story: it has 11 words"),
    ],
)
def test_a_word_that_does_not_fit_is_refused(world, i, word, message):
    with pytest.raises(ValueError, match=message):
        world.swap(RUNNING_TEXT, i, word)


def test_odds_before_the_swap_are_refused(world):
    with pytest.raises(ValueError, match="The two texts differ from word 1 to word 10: word 0 is not among them"):
        world.swap(RUNNING_TEXT, 1, "dog").odds(0)


def test_a_text_outside_the_world_is_not_swapped(world):
    with pytest.raises(OutsideTheWorld, match='The word "sky" cannot stand after'):
        world.swap("The sky sat on the mat. It was tired.", 1, "cat")


# -- seeds -------------------------------------------------------------------------------------------


def without_pronouns(*args):
    return [made for _, made in resolved(*args)]


@pytest.mark.parametrize("draw", [questions, endings, halves, voices, without_pronouns])
def test_the_same_seed_draws_the_same(world, draw):
    assert draw(world, 3, 7) == draw(world, 3, 7) != draw(world, 3, 8)
    assert len(draw(world, 3, 7)) == 3


# -- taste -------------------------------------------------------------------------------------------


def test_a_taste_changes_how_often_and_nothing_else(world):
    rng = random.Random(2)
    drawn = [world.story(rng, {"scene": 0.0, "goes": 10.0, "goal": 10.0}) for _ in range(60)]
    plain = world.stories(60, seed=2)
    went = [sum(" to the " in story.text for story in stories) for stories in (drawn, plain)]
    assert went[0] > 2 * went[1]
    assert not any(story.text.startswith("The ") for story in drawn)
    for story in drawn[:20]:
        assert story.log_prob == pytest.approx(world.log_prob(story.text))
