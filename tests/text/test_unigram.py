"""The unigram model: the best path is the best of all cuts and HuggingFace's, the counts are sums over all cuts."""

import math
import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.vocabularies import english
from tokenizers import Tokenizer, models

from labutils.text.unigram import best_path, expected_counts, fit, learn_pieces, prune

BY_HAND = {"cat": 6, "car": 2, "cats": 3, "sat": 4, "sun": 2, "ox": 1}
SCORES = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.floats(-20, -0.1), max_size=20)


def all_cuts(word):
    """Every way to cut a word: 2 to the power of its inner places."""
    places = range(1, len(word))
    for n in range(len(word)):
        for cut in combinations(places, n):
            ends = [0, *cut, len(word)]
            yield [word[a:b] for a, b in zip(ends, ends[1:])]


def log_likelihood(words, scores):
    """ln p of all words, summed over all their cuts."""
    p = lambda word: sum(math.prod(math.exp(scores.get(piece, -math.inf)) for piece in cut) for cut in all_cuts(word))
    return sum(times * math.log(p(word)) for word, times in words.items())


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SCORES, st.text("abc", min_size=1, max_size=9))
def test_the_best_path_is_the_best_of_all_cuts(scores, word):
    sums = [sum(scores[piece] for piece in cut) for cut in all_cuts(word) if all(piece in scores for piece in cut)]
    if not sums:
        with pytest.raises(ValueError, match="No pieces make up"):
            best_path(word, scores)
        return
    pieces, total = best_path(word, scores)
    assert "".join(pieces) == word
    assert total == pytest.approx(max(sums)) == sum(scores[piece] for piece in pieces)


def test_the_best_path_is_huggingfaces():
    """On 2,000 strings, with scores that leave no two cuts equal."""
    rng = random.Random(0)
    words = [word for word in english().split() if word.isalpha()]
    pieces = sorted({word[:n] for word in words[:2000] for n in (1, 2, 3, 5)} | set("".join(words)))
    scores = {piece: -rng.uniform(1, 12) for piece in pieces}
    theirs = Tokenizer(models.Unigram([("<unk>", -100.0), *scores.items()], unk_id=0))
    for _ in range(2000):
        text = "".join(rng.choice(words) for _ in range(rng.randint(1, 3)))
        assert best_path(text, scores)[0] == theirs.encode(text).tokens, text


def test_the_best_path_is_sentencepieces(tmp_path):
    """The library learns a small model; with its pieces and scores ours cuts every word as it does."""
    sentencepiece = pytest.importorskip("sentencepiece")
    words = [word for word in english().split() if word.isascii() and word.isalpha()][:20_000]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([" ".join(words[i : i + 50]) for i in range(0, len(words), 50)]),
        model_prefix=str(tmp_path / "small"),
        model_type="unigram",
        vocab_size=400,
        character_coverage=1.0,
        minloglevel=2,
    )
    library = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "small.model"))
    ids = [i for i in range(len(library)) if not library.is_unknown(i) and not library.is_control(i)]
    scores = {library.id_to_piece(i): library.get_score(i) for i in ids}
    several = 0
    for word in sorted(set(words)):
        pieces, _ = best_path("\u2581" + word, scores)  # a space is a letter there
        assert pieces == library.encode(word, out_type=str), word
        several += len(pieces) > 1
    assert several > 1000


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.dictionaries(st.text("ab", min_size=1, max_size=3), st.floats(0.01, 1), max_size=10),
    st.text("ab", min_size=1, max_size=7),
)
def test_expected_counts_are_sums_over_all_cuts(p, word):
    expected, total = Counter(), 0.0
    for cut in all_cuts(word):
        weight = math.prod(p.get(piece, 0.0) for piece in cut)
        total += weight
        for piece in cut:
            expected[piece] += weight
    counts = expected_counts(word, p)
    assert {piece: count / total for piece, count in expected.items() if count} == pytest.approx(
        {piece: count for piece, count in counts.items() if count}
    )


def test_each_step_of_fitting_makes_the_words_more_probable():
    scores = {piece: math.log(1 / 9) for piece in ("c", "a", "t", "s", "at", "cat", "cats", "sat", "ts")}
    words = {"cat": 6, "cats": 3, "sat": 4}
    for _ in range(4):
        fitted = fit(words, scores)
        assert log_likelihood(words, fitted) > log_likelihood(words, scores)
        scores = fitted


def test_pruning_takes_what_is_missed_least():
    """“ts” is on no best path, so it costs nothing; “cat” is on every one."""
    scores = {"c": -4.0, "a": -4.0, "t": -4.0, "s": -4.0, "cat": -1.0, "ts": -5.0}
    kept = prune({"cat": 5, "cats": 1}, scores, 5)
    assert sorted(kept) == ["a", "c", "cat", "s", "t"]
    assert sorted(prune({"cat": 5, "cats": 1}, scores, 1)) == ["a", "c", "s", "t"]  # single characters always stay


def test_learned_by_hand():
    """Where BPE keeps "cats" whole, here "cat" and "s" are the better bargain."""
    scores = learn_pieces(BY_HAND, 12)
    assert len(scores) == 12
    assert sum(map(math.exp, scores.values())) == pytest.approx(1)
    assert best_path("cats", scores)[0] == ["cat", "s"]
    assert best_path("catsat", scores)[0] == ["cat", "sat"]


def test_every_word_can_be_spelled_at_every_size():
    words = Counter(word for word in english().split()[:3000])
    for size in (1, 200, 400):
        scores = learn_pieces(words, size)
        letters = set("".join(words))
        assert letters <= scores.keys() and len(scores) <= max(size, len(letters))
        assert len(scores) > 0.98 * size  # the last fit may find that a piece or two are not used
        for word in words:
            assert "".join(best_path(word, scores)[0]) == word
    with pytest.raises(ValueError, match="'猫'"):
        best_path("猫", scores)
