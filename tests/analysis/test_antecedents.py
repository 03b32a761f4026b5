"""Whom a pronoun means, where two could be meant."""

from dataclasses import replace

import torch

from labutils.analysis import antecedents
from labutils.analysis.antecedents import PARSED, RULES, Question, answers, pronouns, questions_of
from labutils.models import Bert, BertConfig
from labutils.world import World

TEXT = "A young nurse and Tom live in the town. Then Tom sees the young nurse. He goes home."


def test_only_pronouns_that_could_mean_two_are_asked():
    world = World()
    (question,) = questions_of(world.parse(TEXT).words)
    words = world.parse(TEXT).words
    named = lambda places: [words[i].text for i in places]
    assert words[question.place].text == "He" and named(question.right) == ["Tom", "Tom"]
    assert named(question.mentions) == named(question.fitting) == ["nurse", "Tom", "Tom", "nurse"]
    assert {name: words[rule(question)].text for name, rule in RULES.items()} == {
        "the last mention": "nurse",
        "the last that fits": "nurse",
        "the first that fits": "nurse",
        "the latest subject": "Tom",
        "the latest subject that fits": "Tom",
        "the first subject that fits": "nurse",
        "the last of its sentence that fits, else the latest subject": "Tom",
        "the last of its sentence that fits, else the latest subject of a main clause": "Tom",
    }
    assert not questions_of(world.parse(TEXT.replace("nurse", "queen")).words)  # a queen is no "he"


def test_rules_of_sentences_look_into_their_own_first_and_then_at_main_clauses():
    q = Question(9, (0, 2, 4, 6), fitting=(0, 2, 4, 6), right=frozenset(), here=(6,), subjects=(0, 2), main=(0,))
    near, main = PARSED.values()
    assert near(q) == main(q) == 6
    elsewhere = replace(q, here=())
    assert (near(elsewhere), main(elsewhere)) == (2, 0)
    # one that does not fit is passed over, and without any subject that fits all that fit are left
    assert near(replace(q, fitting=(0, 2, 4))) == 2 and main(replace(q, fitting=(2, 4))) == 2
    assert near(replace(q, fitting=(4,), here=())) == 4


def test_what_one_may_be_called():
    called = lambda text: {word.text: pronouns(word) for word in World().parse(text).words}
    assert (
        called("Anna and two old kings live in the city. Then Anna goes home.").items()
        >= {"Anna": {"she"}, "kings": {"they"}}.items()
    )
    assert called(TEXT).items() >= {"nurse": {"she", "he"}, "Tom": {"he"}}.items()
    assert called("The owl sang in the tree. It looked so graceful.").items() >= {"owl": {"it"}, "tree": {"it"}}.items()


def test_a_head_answers_with_the_mention_that_has_most_of_its_weight(monkeypatch):
    """Head 0 looks at the right mention, head 1 most at a word that is none and then at another one."""
    story = World().parse(TEXT)
    (question,) = questions_of(story.words)
    weights = torch.zeros(1, 2, len(story.words), len(story.words))
    right, wrong = max(question.right), max(set(question.mentions) - question.right)
    weights[0, 0, question.place, right] = 0.9
    weights[0, 1, question.place, [wrong, wrong - 1]] = torch.tensor([0.3, 0.7])
    monkeypatch.setattr(antecedents, "each_story", lambda model, tokenizer, stories: [(0, weights)])
    found = answers(Bert(BertConfig(vocab_size=9, d_model=4, n_layers=1, n_heads=2)), None, [story])
    assert found.heads.tolist() == [[1, 0]] and found.story == [0] and found.rules.sum() == 4
