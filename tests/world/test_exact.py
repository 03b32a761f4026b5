"""The stored exact means, against samples and by hand; test_listed.py has the Reckoner on small grammars."""

import json
import math
from collections import Counter

import pytest

from labutils.world import RUNNING_TEXT, openings
from labutils.world import grammar as g
from labutils.world import vocabulary as voc
from labutils.world.exact import Anybody, Reckoner
from labutils.world.grammar import Grammar
from labutils.world.lexicon import BEINGS
from labutils.world.reading import split
from labutils.world.tables import Table, zipf
from labutils.world.tellers import glued
from labutils.world.world import MEANS


@pytest.fixture(scope="module")
def drawn(world):
    """(log-probability, printed words) of many stories."""

    def printed(text):
        words = split(text)
        return [w if i == 0 or glued(words[i - 1], w) else " " + w for i, w in enumerate(words)]

    return [(s.log_prob, printed(s.text)) for s in world.stories(6000, seed=77)]


def errors(sample, exact) -> float:
    """By how many standard errors the sample's mean is away from the exact one."""
    n = len(sample)
    mean = math.fsum(sample) / n
    error = math.sqrt(math.fsum((x - mean) ** 2 for x in sample) / (n - 1) / n)
    print(f"exact {exact:.4f}, sampled {mean:.4f} with standard error {error:.4f}")
    return (mean - exact) / error


def pieces(word: str) -> int:
    """A tokenizer of sorts: common printed words whole, others in threes of characters."""
    return 1 if len(word) < 5 else -(-len(word) // 3)


def test_samples_confirm_the_exact_means(world, drawn):
    assert abs(errors([-p for p, _ in drawn], world.entropy())) < 3
    assert abs(errors([len(words) for _, words in drawn], world.mean_words())) < 3
    assert abs(errors([1 + sum(map(pieces, words)) for _, words in drawn], world.mean_tokens(pieces))) < 3


def test_samples_confirm_how_often_each_word_is_printed(world, drawn):
    exact, sums, squares = world.printed(), Counter(), Counter()
    for _, words in drawn:
        for word, n in Counter(words).items():
            sums[word] += n
            squares[word] += n * n
    assert set(sums) <= set(exact)
    frequent = [w for w, n in sums.items() if n > 40]
    assert len(frequent) > 500
    away = {
        w: (
            (sums[w] / len(drawn) - exact[w])
            / math.sqrt((squares[w] / len(drawn) - (sums[w] / len(drawn)) ** 2) / len(drawn))
        )
        for w in frequent
    }
    print(sorted(away.items(), key=lambda wa: -abs(wa[1]))[:8])
    assert 0.8 < math.fsum(x * x for x in away.values()) / len(away) < 1.2
    assert sum(abs(x) > 3 for x in away.values()) < 0.01 * len(away)
    assert max(map(abs, away.values())) < 4.5


def test_stored_means_are_whole(world):
    stored = json.loads(MEANS.read_text())
    assert stored["bias"] == world.bias
    assert world.entropy() == stored["nats"] and world.printed() == stored["printed"]
    assert world.printed()["."] + world.printed()['."'] > 2  # full stops


def test_entropies_a_word_and_a_token_share_the_nats(world):
    assert world.entropy_per_word() == world.entropy() / math.fsum(world.printed().values())
    one_each = world.entropy_per_token(lambda word: 1)
    assert one_each == pytest.approx(world.entropy() / (world.mean_words() + 1))
    assert world.entropy_per_token(lambda word: 2, end_tokens=0) == pytest.approx(world.entropy_per_word() / 2)


def test_the_reckoner_refuses_a_part_whose_result_tells_who_was_recalled():
    class Leaky(Grammar):
        def meeting_by(self, t, member, tense, head):
            return t.recall(member).many

    grammar = Leaky(0.8)
    with pytest.raises(AssertionError, match="meeting_by tells .* apart"):
        Reckoner(grammar).part(grammar.meeting_by, (Anybody(), "past", None))


def test_the_reckoner_refuses_to_recall_after_a_choice():
    coin = Table([("a", 0.5, 1), ("b", 0.5, 2)])

    class Late(Grammar):
        def does_something(self, t, member, tense, v):
            t.choose(coin)
            return super().does_something(t, member, tense, v)

    grammar = Late(0.8)
    with pytest.raises(RuntimeError, match="must recall before it chooses"):
        Reckoner(grammar).part(grammar.does_something, (Anybody(), "past", None))


def test_a_scene_by_hand(world):
    """p("The cat sat on the mat. It was tired.") multiplied out by hand from the tables."""
    cat = openings.SHARE["scene"] * (1 - voc.PLURAL) * voc.NOUN_P[BEINGS["cat"]]
    sat = (1 - 0.13 - 0.13) * (1 - voc.PRESENT) * 0.7 * zipf(3)[0]
    ways = 0.08 + 1.2 + 0.18 + 0.42 + 1.35 + 0.03 + 0.06 + 0.12 + 0.15 + 0.06
    on_the_mat = 1.2 / ways * zipf(4)[0] * 0.52 * 0.62 / (0.62 + 0.18 + 0.08)
    states = 0.66 + 0.66 * 0.22 / 0.78 + 0.12 + 0.1
    was_tired = voc.ACTIONS["again"]["be"] * 0.66 * 0.8 / states * zipf(4)[0] * 0.86 * (1 - g.SCENE_GOES_ON)
    assert world.log_prob(RUNNING_TEXT) == pytest.approx(math.log(cat * sat * on_the_mat * was_tired))
