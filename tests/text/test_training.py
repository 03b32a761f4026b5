"""Training: merges equal Rust's one by one, the fast trainer equals the clear one, WordPiece follows its score."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.vocabularies import english, wide_strings
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from labutils.text import ByteLevelBPE, WordPiece, bpe, bpe_train, wordpiece_train
from labutils.text.bpe import merge_by_rank
from labutils.text.bpe_fast import merge_long_word, merge_short_word
from labutils.text.bpe_train import learn_merges_naively, merge_pair
from labutils.text.bpe_train_fast import learn_merges
from labutils.text.bytes import ALPHABET
from labutils.text.wordpiece_train import Counts, join_pieces, learn_frequent_pieces, learn_pieces, split_word

BY_HAND = {"cat": 6, "car": 2, "cats": 3, "sat": 4, "sun": 2, "ox": 1}
REPETITIVE = st.dictionaries(st.text("abc", min_size=1, max_size=12), st.integers(1, 5), max_size=12)


def rust_merges(texts, n_merges, min_frequency=0):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + n_merges, min_frequency=min_frequency, show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )  # fmt: skip
    tokenizer.train_from_iterator(texts, trainer)
    return [tuple(pair) for pair in json.loads(tokenizer.to_str())["model"]["merges"]]


@pytest.mark.parametrize(
    "texts", [english().splitlines(keepends=True), wide_strings(3000, seed=3), ["aaaa aaaaa", "ababab", "aaa"], []],
    ids=["English", "wide Unicode", "runs", "nothing"],
)  # fmt: skip
def test_merges_equal_rusts_one_by_one(texts):
    tokenizer = ByteLevelBPE.train(texts, 256 + 800 + 1)
    assert tokenizer.merges == rust_merges(texts, 800)
    assert len(tokenizer.history) == len(tokenizer.merges)
    assert len(tokenizer) <= 256 + 800 + 1


def test_minimum_frequency_equals_rusts():
    texts = english().splitlines()[:300]
    tokenizer = ByteLevelBPE.train(texts, 5000, min_frequency=20)
    assert tokenizer.merges == rust_merges(texts, 4700, min_frequency=20)
    assert tokenizer.history[-1][1] >= 20


@settings(max_examples=400, deadline=None, derandomize=True)
@given(REPETITIVE, st.integers(1, 3))
def test_fast_training_equals_clear_training(words, min_frequency):
    expected = learn_merges_naively(words, 20, min_frequency=min_frequency)
    assert learn_merges(words, 20, min_frequency=min_frequency) == expected


def test_fast_training_equals_clear_training_on_english():
    words = {word: count for count, word in enumerate(english().split()[:2000], start=1)}
    alphabet = sorted(set("".join(words)))
    assert learn_merges(words, 150, alphabet) == learn_merges_naively(words, 150, alphabet)


def merge_one_at_a_time(word, ranks):
    """The pair of lowest rank, the leftmost of equals, at one place only; and so on."""
    symbols = list(word)
    while known := [(ranks[pair], i) for i, pair in enumerate(zip(symbols, symbols[1:])) if pair in ranks]:
        _, i = min(known)
        symbols[i : i + 2] = ["".join(symbols[i : i + 2])]
    return symbols


@settings(max_examples=400, deadline=None, derandomize=True)
@given(REPETITIVE, st.text("abc", max_size=40))
def test_fast_merging_equals_clear_merging(words, word):
    """Also with ranks shuffled, as in no trained vocabulary; there one place at a time is merged."""
    merges = [pair for pair, _ in learn_merges(words, 30)]
    assert merge_by_rank(word, {pair: rank for rank, pair in enumerate(merges)}) == merge_one_at_a_time(
        word, {p: r for r, p in enumerate(merges)}
    )
    for order in (merges, merges[::-1], sorted(merges)):
        ranks = {pair: rank for rank, pair in enumerate(order)}
        assert merge_short_word(word, ranks) == merge_long_word(word, ranks) == merge_one_at_a_time(word, ranks)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(REPETITIVE, st.text("abc", min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_merging_with_shuffled_ranks_is_huggingfaces(words, word, random):
    merges = [pair for pair, _ in learn_merges(words, 20)]
    random.shuffle(merges)
    tokens = dict.fromkeys([*"abc", *(left + right for left, right in merges)])
    theirs = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    assert merge_short_word(word, {pair: rank for rank, pair in enumerate(merges)}) == theirs.encode(word).tokens


def test_training_and_encoding_merge_with_one_function():
    assert bpe.merge_pair is wordpiece_train.merge_pair is merge_pair
    assert wordpiece_train.count_pairs is bpe_train.count_pairs
    assert merge_pair(["##a"] * 3, ("##a", "##a"), "##aa") == ["##aa", "##a"]


def test_ids_are_bytes_then_merges_then_special_tokens():
    tokenizer = ByteLevelBPE.train(["low lower lowest"], 262)
    assert [tokenizer.id_to_token(i) for i in range(256)] == ALPHABET
    assert tokenizer.vocab["<|endoftext|>"] == 261 == len(tokenizer) - 1
    assert tokenizer.id_to_token(256) == "".join(tokenizer.merges[0])


def test_by_hand():
    """The two algorithms want different things from the same words."""
    merges = learn_merges_naively(BY_HAND, 4)
    assert [("".join(pair), count) for pair, count in merges] == [("at", 13), ("cat", 9), ("sat", 4), ("cats", 3)]
    assert learn_merges(BY_HAND, 4) == merges
    pieces = learn_pieces(BY_HAND, 4)
    assert [(join_pieces(*pair), score) for pair, _, score in pieces] == [
        ("ox", 1.0), ("##un", 1 / 2), ("sun", 1 / 6), ("##ts", 1 / 13),
    ]  # fmt: skip


def test_after_cats_two_pairs_tie_and_the_lower_ids_win():
    *_, fifth = learn_merges_naively(BY_HAND, 5)
    assert fifth == (("a", "r"), 2)  # not (c, a), also 2: a comes before c


def test_of_equal_scores_the_commoner_pair_wins_then_string_order():
    """After ##ts five pairs score 1/15, among them c ##a (11 times), ##a ##t (10) and ##a ##r (2)."""
    assert learn_pieces(BY_HAND, 5)[4] == (("c", "##a"), 11, 1 / 15)
    for words in ({"bd": 1, "ca": 1}, {"ca": 1, "bd": 1}):
        assert learn_pieces(words, 1)[0][0] == ("b", "##d")


def naive_pieces(words, n):
    """WordPiece training with everything counted again each time."""
    words, merges = [(split_word(word), count) for word, count in words.items()], []
    while len(merges) < n:
        counts = Counts(1)
        for symbols, count in words:
            counts.add(symbols, count)
        best = counts.best()
        if best is None:
            break
        merges.append((best, counts.pairs[best], counts.score(best)))
        fresh = []
        for symbols, count in words:
            i, merged = 0, []
            while i < len(symbols):
                if tuple(symbols[i : i + 2]) == best:
                    merged.append(join_pieces(*best))
                    i += 2
                else:
                    merged.append(symbols[i])
                    i += 1
            fresh.append((merged, count))
        words = fresh
    return merges


@settings(max_examples=300, deadline=None, derandomize=True)
@given(REPETITIVE)
def test_wordpiece_counts_stay_right(words):
    assert learn_pieces(words, 15) == naive_pieces(words, 15)


def test_a_floor_keeps_rare_pairs_out():
    pieces = learn_pieces(BY_HAND, 10, min_frequency=3)
    assert all(count >= 3 for _, count, _ in pieces)
    assert "ox" not in [join_pieces(*pair) for pair, _, _ in pieces]


def test_the_highest_floor_that_fills_the_vocabulary():
    for n in range(1, 9):
        found = learn_frequent_pieces(BY_HAND, n)
        floor = min(count for _, count, _ in found)
        assert len(found) == n
        assert len(learn_pieces(BY_HAND, n, min_frequency=floor + 1)) < n


def test_wordpiece_makes_frequent_words_whole():
    texts = english().splitlines()[:1500]
    tokenizer = WordPiece.train(texts, 800)
    assert len(tokenizer) == 800
    assert [tokenizer.tokenize(word) for word in ("the", "token")] == [["the"], ["token"]]
    assert "[UNK]" not in tokenizer.tokenize(" ".join(texts[:50]))
    rare = WordPiece.train(texts, 800, min_frequency=1)
    assert len(rare.encode_ids(" ".join(texts))) > 1.5 * len(tokenizer.encode_ids(" ".join(texts)))


def test_wordpiece_trains_cased():
    tokenizer = WordPiece.train(["The cat. the Cat"] * 9, 60, lowercase=False)
    assert not tokenizer.lowercase
    assert {"T", "##T", "t"} <= set(tokenizer.vocab)


def test_training_twice_gives_the_same():
    texts = english().splitlines()[:500]
    for kind in (ByteLevelBPE, WordPiece):
        assert list(kind.train(texts, 700).vocab.items()) == list(kind.train(texts, 700).vocab.items())


@pytest.mark.parametrize("kind", [ByteLevelBPE, WordPiece])
def test_bad_requests(kind):
    with pytest.raises(ValueError, match="too small"):
        kind.train(["some text"], 5)
    with pytest.raises(ValueError, match="list of texts"):
        kind.train("some text", 500)
    with pytest.raises(ValueError, match="surrogate"):
        kind.train(["\ud800"], 500)
