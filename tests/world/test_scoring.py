"""Probabilities: of a text, of its words, of the next and of a hidden word."""

import hashlib
import math
import random
import re

import pytest

from labutils.world import RUNNING_TEXT, OutsideTheWorld, World
from labutils.world.morphology import capital
from labutils.world.reading import split
from labutils.world.tellers import Sampler, join
from labutils.world.vocabulary import LEANING


class DeadEnd(Exception):
    pass


class Searcher(Sampler):
    """Tells one way to a text: takes the first phrase that the text goes on with where `script` does not say which,
    and notes the others in `todo`. Knows nothing of how a Reader finds its way.
    """

    def __init__(self, words, script, todo):
        super().__init__(None)
        self.target, self.script, self.todo, self.taken = words, script, todo, []

    def choose(self, table, cap=False, glue=False, head=-1):
        if self.words != self.target[: len(self.words)]:
            raise DeadEnd
        fits = []
        for i, phrase in enumerate(table.phrases):
            words = [capital(w) if cap and n == 0 else w for n, w in enumerate(phrase) if w]
            if self.target[len(self.words) : len(self.words) + len(words)] == words:
                fits.append((i, words))
        step = len(self.taken)
        if not fits:
            raise DeadEnd
        if step == len(self.script):
            self.todo += [[*self.script, k] for k in range(1, len(fits))]
            self.script = [*self.script, 0]
        self.taken.append(self.script[step])
        i, words = fits[self.script[step]]
        self.words += words
        self.here = len(self.words) - 1
        self.log_prob += math.log(table.p[i])
        return table.payloads[i]


def derivations(world, text):
    """log p of every way in which the grammar can tell this text."""
    words, todo, found = split(text), [[]], []
    while todo:
        teller = Searcher(words, todo.pop(), todo)
        try:
            world.grammar.story(teller)
        except DeadEnd:
            continue
        if teller.words == words:
            found.append(teller.log_prob)
    return found


def test_every_text_has_one_derivation_and_its_probability(world):
    for story in world.stories(150, seed=5):
        found = derivations(world, story.text)
        assert found == pytest.approx([story.log_prob], abs=1e-9), story
        assert world.log_prob(story.text) == pytest.approx(found[0], abs=1e-9)


def test_no_table_holds_a_phrase_that_begins_another(world):
    class Checking(Sampler):
        def choose(self, table, **how):
            if not table.__dict__.setdefault("clear", table.ambiguous() is None):
                raise AssertionError(f"{table.ambiguous()} begins another phrase of one table")
            return super().choose(table, **how)

    rng = random.Random(1)
    for _ in range(500):
        world.grammar.story(Checking(rng.random))


def test_words_and_end_sum_to_the_story(stories):
    for story in stories:
        total = math.fsum(w.log_prob for w in story.words) + story.end_log_prob
        assert total == pytest.approx(story.log_prob, abs=1e-9)


def test_log_prob_of_a_drawn_story(world, stories):
    for story in stories[:500]:
        assert world.log_prob(story.text) == pytest.approx(story.log_prob, abs=1e-9)
        assert world.parse(story.text).log_prob == pytest.approx(story.log_prob, abs=1e-9)


def test_next_words_multiply_to_the_text(world):
    for story in world.stories(8, seed=8):
        words, total = split(story.text), 0.0
        for i, word in enumerate([*words, ""]):
            prefix = story.text[: story.words[i - 1].end] if i else ""
            distribution = world.next_word(prefix)
            assert math.fsum(distribution.values()) == pytest.approx(1)
            total += math.log(distribution[word])
        assert total == pytest.approx(story.log_prob, abs=1e-9)


def test_the_story_ends_in_a_word_that_its_noun_decides(world):
    after_cat = world.next_word("The cat sat on the mat. It was")
    assert max(after_cat, key=after_cat.get) == "tired"
    assert "tired" not in world.next_word("The fox growled on the hill. It was")
    assert max(world.next_word("The cat"), key=world.next_word("The cat").get) in ("sat", "sits")
    assert max(world.next_word("The cat sat on the"), key=world.next_word("The cat sat on the").get) == "mat"


def test_the_running_text_and_its_first_sentence(world):
    assert world.parse(RUNNING_TEXT).log_prob == pytest.approx(world.log_prob(RUNNING_TEXT))
    first = RUNNING_TEXT.split(".")[0] + "."
    assert set(world.next_word(first)) == {"It"}
    after = world.next_word(RUNNING_TEXT)
    assert set(after) == {"", "Then"} and math.fsum(after.values()) == pytest.approx(1)


def test_fill_is_the_posterior_of_every_word_that_could_stand_there(world):
    for story in (world.parse(RUNNING_TEXT), *world.stories(2, seed=21)):
        words = split(story.text)
        vocabulary = {p.lstrip() for p in world.printed()}
        for i in (1, len(words) // 2, len(words) - 2):
            mass = {}
            for word in vocabulary:
                changed = words[:i] + [word] + words[i + 1 :]
                try:
                    mass[word] = math.exp(world.log_prob(join(changed)))
                except OutsideTheWorld:
                    continue
            total = math.fsum(mass.values())
            assert world.fill(story, i) == pytest.approx({w: m / total for w, m in mass.items()})


def test_fill_asks_for_a_place_in_the_story(world):
    with pytest.raises(ValueError, match="Place 11 is outside the story: it has 11 words"):
        world.fill(RUNNING_TEXT, 11)


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "The text is empty"),
        ("The cat sat on the sky.", 'The word "sky" cannot stand after "The cat sat on the": .*"mat"'),
        ("Hello.", 'The word "Hello" cannot stand at the beginning'),
        ("the cat sat on the mat. It was tired.", 'The word "the" cannot stand at the beginning'),
        ("The cat sat on the mat. it was tired.", 'The word "it" cannot stand after'),
        ("The cat sat on the mat.", "The story cannot end after"),
        ("The cat sat on the mat. It was tired. It was lazy.", 'The word "It" cannot stand after'),
        ("The cat  sat on the mat. It was tired.", "Character 8 "),
        ("The cat sat on the mat. It was tired. ", "Character 37 "),
        ("The cat sat on the mat; It was tired.", "Character 22 "),
        ("The cat sat on the mat! It was tired.", 'The word "!" cannot stand after "The cat sat on the mat"'),
        ('An old fox and Anna lived in the town. Anna said, "I am glad". Anna walked.', "Character 60 "),
        ('An old fox and Anna lived in the town. Anna said, "I is glad." Anna walked.', 'The word "is" cannot stand'),
        ("The cats sits on the mat. They are tired.", 'The word "sits" cannot stand after "The cats"'),
        ("The cat sat on the mat. She was tired.", 'The word "She" cannot stand'),
    ],
)
def test_text_outside_the_world_is_refused_with_its_first_impossible_word(world, text, message):
    with pytest.raises(OutsideTheWorld, match=message):
        world.log_prob(text)


def test_a_word_too_much_is_refused(world, stories):
    text = next(s.text for s in stories if s.mood == "good")
    with pytest.raises(OutsideTheWorld, match='The word "Anna" cannot stand after .* the end of the story'):
        world.parse(text + " Anna walked.")


def test_stories_are_reproducible(world):
    texts = [s.text for s in world.stories(50, seed=4)]
    assert texts == [s.text for s in World().stories(50, seed=4)]
    assert texts != [s.text for s in world.stories(50, seed=5)]


def test_the_grammar_is_the_one_that_the_models_were_trained_on(world):
    texts = "\n".join(s.text for s in world.stories(2000, seed=0))
    assert hashlib.sha256(texts.encode()).hexdigest() == FROZEN, (
        "The distribution of the stories changed: train the shipped models anew, then renew this hash "
        "and the stored means (python -m labutils.world --means)."
    )


FROZEN = "de04b15ae8f9aabeb4f8cf90be2bb9c8164d03fb494c3050bdd34a3ff4d50851"


@pytest.mark.parametrize("bias", [0.0, 0.5, 0.9, 1.0])
def test_bias_is_the_probability_of_the_pronoun_that_an_occupation_leans_to(bias):
    world = World(bias=bias)
    for noun, likely, other in (("nurse", "She", "He"), ("doctor", "He", "She")):
        distribution = world.next_word(f"The {noun} waited near the window.")
        assert distribution.get(likely, 0.0) == pytest.approx(bias)
        assert distribution.get(other, 0.0) == pytest.approx(1 - bias)
    assert world.next_word("The queen danced at the window.") == {"She": 1.0}
    assert world.next_word("The child played in the park.") == pytest.approx({"He": 0.5, "She": 0.5})


def test_bias_may_name_each_occupation(world):
    own = World(bias={"nurse": 0.9, "doctor": 0.0})
    for noun, she in (("nurse", 0.9), ("doctor", 1.0), ("vet", 0.5), ("dentist", 0.5)):
        distribution = own.next_word(f"The {noun} waited near the window.")
        assert distribution == pytest.approx({p: q for p, q in (("She", she), ("He", 1 - she)) if q})
    assert own.next_word("The queen danced at the window.") == {"She": 1.0}
    assert f"{own.bias}" == "{'nurse': 0.9, 'doctor': 0.0}" and hash(own.bias) == hash(World(dict(own.bias)).bias)
    even, each = World(bias=0.7), World(bias=dict.fromkeys(LEANING, 0.7))
    assert [s.text for s in even.stories(30, seed=6)] == [s.text for s in each.stories(30, seed=6)]
    for story in even.stories(30, seed=6):
        assert each.log_prob(story.text) == pytest.approx(story.log_prob)


@pytest.mark.parametrize(
    "bias, message",
    [
        (2, "bias is a probability: give a number from 0 to 1, not 2."),
        ("much", "bias is a probability: give a number from 0 to 1, not 'much'."),
        ({"nurse": -0.1}, "bias is a probability: give a number from 0 to 1 for 'nurse', not -0.1."),
        ({"astronaut": 0.5}, "bias names 'astronaut', which is no occupation that leans: it can name nurse, doctor"),
        ({"king": 0.5}, "bias names 'king', which is no occupation that leans: it can name nurse, doctor"),
    ],
)
def test_bias_must_be_a_probability_of_an_occupation_that_leans(bias, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        World(bias=bias)
