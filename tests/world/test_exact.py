"""Exact means against their stored values, and against samples."""

import json
import math

import pytest

from labutils.world import RUNNING_TEXT, World
from labutils.world.exact import Reckoner
from labutils.world.grammar import Grammar
from labutils.world.world import MEANS


def test_stored_means_are_those_of_the_grammar():
    stored = json.loads(MEANS.read_text())
    nats, printed = Reckoner(Grammar(stored["bias"])).total()
    assert nats == pytest.approx(stored["nats"], rel=1e-10)
    assert printed == pytest.approx(stored["printed"], rel=1e-8)


def within_four_errors(sample, exact, relative):
    """The sample's mean is 4 standard errors or less from the exact one, which is a sharp test."""
    n = len(sample)
    mean = math.fsum(sample) / n
    error = math.sqrt(math.fsum((x - mean) ** 2 for x in sample) / (n - 1) / n)
    print(f"exact {exact:.4f}, sampled {mean:.4f} with standard error {error:.4f}")
    assert error < relative * exact
    assert abs(mean - exact) < 4 * error


def pieces(word: str) -> int:
    """A tokenizer of sorts: common printed words whole, others in threes of characters."""
    return 1 if len(word) < 5 else -(-len(word) // 3)


def test_samples_confirm_the_exact_means(world):
    stories = world.stories(20000, seed=77)
    within_four_errors([-s.log_prob for s in stories], world.entropy(), 0.003)
    some = stories[:1500]
    within_four_errors([len(s.words) for s in some], world.mean_words(), 0.015)
    printed = [[(" " if w.start and w.text not in ".," else "") + w.text for w in s.words] for s in some]
    within_four_errors([1 + sum(map(pieces, p)) for p in printed], world.mean_tokens(pieces), 0.015)
    for word in (" cat", " old", " Anna", "Anna", " because", ",", " it", " them", " ball", " still", " were"):
        within_four_errors([p.count(word) for p in printed], world.printed()[word], 0.5)


def test_entropies_a_word_and_a_token_share_the_nats(world):
    assert world.entropy_per_word() == world.entropy() / math.fsum(world.printed().values())
    one_each = world.entropy_per_token(lambda word: 1)
    assert one_each == pytest.approx(world.entropy() / (world.mean_words() + 1))
    assert world.entropy_per_token(lambda word: 2, end_tokens=0) == pytest.approx(world.entropy_per_word() / 2)


def test_every_printed_word_is_reckoned(world):
    seen = {(" " if w.start and w.text not in ".," else "") + w.text
            for s in world.stories(500, seed=1) for w in s.words}
    assert seen <= set(world.printed())


def test_the_reckoner_refuses_a_part_whose_result_tells_who_was_recalled():
    class Leaky(Grammar):
        def meeting_by(self, t, member, tense, rank):
            return t.recall(member).many

    with pytest.raises(AssertionError, match="meeting_by tells .* apart"):
        Reckoner(Leaky(0.8)).total()


def test_the_reckoner_refuses_to_recall_after_a_choice():
    class Late(Grammar):
        def belonging(self, t, member, verb):
            t.choose(_COIN)
            return super().belonging(t, member, verb)

    from labutils.world.tables import Table
    _COIN = Table([("a", 0.5, 1), ("b", 0.5, 2)])
    with pytest.raises(RuntimeError, match="must recall before it chooses"):
        Reckoner(Late(0.8)).total()


def test_a_scene_by_hand(world):
    """p("The cat sat on the mat. It was tired.") multiplied out by hand from the tables."""
    from labutils.world import grammar as g, vocabulary as voc
    from labutils.world.lexicon import BEINGS
    from labutils.world.tables import zipf
    cat = g.SCENE * (1 - voc.PLURAL) * voc.NOUN_P[BEINGS["cat"]]
    sat = (1 - 0.36) * (1 - voc.PRESENT) * zipf(3)[0]
    on_the_mat = 0.5 * zipf(4)[0] / (0.5 + 0.15 + 0.13 + 0.22) * 0.72
    was_tired = voc.ACTIONS["again"]["be"] * 0.88 * zipf(4)[0] * (1 - g.SCENE_GOES_ON)
    assert world.log_prob(RUNNING_TEXT) == pytest.approx(math.log(cat * sat * on_the_mat * was_tired))
