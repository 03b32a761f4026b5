"""What a user sees: round trips, special cases, long texts, clear errors, memory."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.vocabularies import wide_strings

from labutils.text import ByteLevelBPE, Encoding, WordPiece
from labutils.text.align import own_words, token_at, tokens_of_words, word_of_tokens
from labutils.text.bytes import ALPHABET, from_symbols, to_symbols
from labutils.text.memory import LONGEST, Memory
from labutils.text.pretokenize import chunk_pattern, gpt2_words

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(ANY_TEXT)
def test_byte_level_bpe_gives_every_text_back(text):
    tokenizer = ByteLevelBPE.train(["the cat sat on the mat"] * 3, 270)
    assert tokenizer.decode(tokenizer.encode_ids(text)) == text
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


@settings(max_examples=300, deadline=None, derandomize=True)
@given(ANY_TEXT)
def test_words_of_chunks_are_the_words_of_the_text(text):
    assert [word for chunk in chunk_pattern().findall(text) for word in gpt2_words(chunk)] == gpt2_words(text)
    assert "".join(gpt2_words(text)) == text


def test_wordpiece_cannot_give_everything_back(vocabularies):
    tokenizer = vocabularies("bert-uncased").ours
    ids = tokenizer.encode("  The  CAFÉ\tis open. ").ids
    assert tokenizer.decode(ids, skip_special_tokens=True) == "the cafe is open."


def test_the_256_symbols():
    assert len(set(ALPHABET)) == 256 and all(symbol.isprintable() and symbol != " " for symbol in ALPHABET)
    assert ALPHABET[:3] == ["!", '"', "#"] and ALPHABET[-1] == "Ń"  # the soft hyphen, 0xAD, comes last
    every_byte = bytes(range(128)).decode() + "".join(map(chr, range(0x80, 0x800)))
    assert from_symbols(to_symbols(every_byte)) == every_byte.encode()


def test_empty_text(vocabularies):
    assert vocabularies("gpt2").ours.encode("") == Encoding()
    assert vocabularies("gpt2-prefix-trimmed").ours.encode_ids("") == []
    bert = vocabularies("bert-uncased").ours
    assert bert.encode("").tokens == ["[CLS]", "[SEP]"]
    assert bert.encode("", "").tokens == ["[CLS]", "[SEP]", "[SEP]"]
    assert bert.encode_batch([]) == []
    assert bert.decode([]) == ""


def test_pieces_are_printable(vocabularies):
    gpt2 = vocabularies("gpt2").ours
    assert gpt2.pieces(gpt2.token_to_id("Ġthe")) == "␣the"
    assert gpt2.pieces(gpt2.token_to_id("Ċ")) == "\\n"
    assert gpt2.pieces(gpt2.token_to_id("Ã")) == "⟨C3⟩"
    assert all(gpt2.pieces(i).isprintable() for i in range(len(gpt2)))


@pytest.mark.parametrize("name", ["gpt2", "bert-uncased"])
def test_bad_requests(vocabularies, name):
    tokenizer = vocabularies(name).ours
    for text in ("\ud800", "abc\udfffdef"):
        with pytest.raises(ValueError, match="lone surrogate"):
            tokenizer.encode(text)
        with pytest.raises(ValueError, match="lone surrogate"):
            tokenizer.encode_ids(text)
        with pytest.raises(ValueError, match="lone surrogate"):
            tokenizer.encode("fine", text)
    with pytest.raises(TypeError, match="bytes"):
        tokenizer.encode(b"bytes")
    for token_id in (len(tokenizer), -1, 10**9):
        with pytest.raises(ValueError, match=f"no token {token_id}"):
            tokenizer.decode([0, token_id])
    with pytest.raises(ValueError, match="truncation_side"):
        tokenizer.encode("a", truncation_side="middle")
    with pytest.raises(ValueError, match="padding_side"):
        tokenizer.encode_batch(["a"], padding_side="both")
    with pytest.raises(ValueError, match="2 texts but 1"):
        tokenizer.encode_batch(["a", "b"], ["c"])
    with pytest.raises(ValueError, match="list of texts"):
        tokenizer.encode_batch("a text")
    assert tokenizer.token_to_id("no such token") is None


def test_no_room_for_special_tokens(vocabularies):
    bert = vocabularies("bert-uncased").ours
    with pytest.raises(ValueError, match="max_length=1 is too small: the special tokens alone need 2"):
        bert.encode("the cat", max_length=1)
    with pytest.raises(ValueError, match="need 3"):
        bert.encode("the cat", "sat", max_length=2)
    assert bert.encode("the cat", max_length=2).tokens == ["[CLS]", "[SEP]"]
    assert bert.encode("the cat", max_length=0, add_special_tokens=False).tokens == []
    assert vocabularies("gpt2").ours.encode("the cat", max_length=0).ids == []


def test_padding_needs_a_token():
    tokenizer = ByteLevelBPE.train(["a b"], 256, special_tokens=())
    with pytest.raises(ValueError, match="no pad_token"):
        tokenizer.encode_batch(["a", "a b"])
    assert len(tokenizer.encode_batch(["a", "b"])) == 2
    assert ByteLevelBPE.train(["a b"], 257).pad_token == "<|endoftext|>"


def test_padding_up_to_a_length(vocabularies):
    rows = vocabularies("bert-uncased").ours.encode_batch(["the", "the cat"], length=9, padding_side="left")
    assert [len(row) for row in rows] == [9, 9]
    assert rows[0].tokens[:2] == ["[PAD]", "[PAD]"] and rows[0].attention_mask[-3:] == [1, 1, 1]


@pytest.mark.parametrize(
    "name, unit, times",
    [
        ("gpt2", "ab", 500_000),  # one word of a megabyte
        ("gpt2", " ", 100_000),
        ("gpt2", "👩‍👩‍👧", 4_000),
        ("gpt2", "e\u0301\u0323", 20_000),
        ("gpt2", "x \n", 300_000),
        ("bert-uncased", "a", 1_000_000),
        ("bert-uncased", "x ", 500_000),
        ("bert-uncased", "猫", 40_000),
        ("bert-uncased", "\u0301\u0323", 50_000),  # one run of marks to put in order
        ("bert-uncased", "é", 100_000),
    ],
)
def test_long_texts(vocabularies, name, unit, times):
    """At n² steps any of these would take hours."""
    pair, text = vocabularies(name), unit * times
    assert pair.ours.encode_ids(text) == pair.theirs.encode(text, add_special_tokens=False).ids


def test_memory_is_bounded():
    seen = Memory(str.upper, limit=10)
    for i in range(1000):
        assert seen[f"word{i}"] == f"WORD{i}"
        assert len(seen) <= 10
    assert seen["x" * (LONGEST + 1)] and "x" * (LONGEST + 1) not in seen


def test_tokenizers_remember_within_bounds(vocabularies):
    for name in ("gpt2", "bert-uncased"):
        tokenizer = copy.deepcopy(vocabularies(name).ours)
        memories = [value for value in vars(tokenizer).values() if isinstance(value, Memory)]
        for memory in memories:
            memory.limit = 100
        text = " ".join(f"word{i}" for i in range(3000))
        assert tokenizer.encode(text).ids == vocabularies(name).theirs.encode(text).ids
        assert tokenizer.encode_ids(text) == vocabularies(name).theirs.encode(text, add_special_tokens=False).ids
        assert len(memories) == 4 and all(0 < len(memory) <= 100 for memory in memories)


def test_memory_does_not_change_results(vocabularies):
    tokenizer = vocabularies("bert-uncased").ours
    fresh = pickle.loads(pickle.dumps(tokenizer))
    for text in wide_strings(50, seed=6):
        assert tokenizer.encode(text) == tokenizer.encode(text) == fresh.encode(text)


def test_alignment_with_words_that_are_known(vocabularies):
    text = "The naïve cats weren't uncommunicative."
    words = ["The", "naïve", "cats", "weren't", "uncommunicative", "."]
    starts = [text.index(word) for word in words]
    spans = [(start, start + len(word)) for start, word in zip(starts, words)]
    for name in ("gpt2", "bert-uncased", "bert-cased"):
        row = vocabularies(name).ours.encode(text)
        tokens = tokens_of_words(row, spans)
        assert sorted(i for group in tokens for i in group) == [
            i for i, s in enumerate(row.special_tokens_mask) if not s
        ]
        owner = word_of_tokens(row, spans)
        assert all(owner[i] == word for word, group in enumerate(tokens) for i in group)
        assert [text[a:b].strip() for _, (a, b) in own_words(row)][:2] == ["The", "naïve"]
        assert row.offsets[token_at(row, text.index("ï"))][0] <= text.index("ï")
    bert = vocabularies("bert-uncased").ours.encode("The cat", "sat down")
    assert token_at(bert, 0, sequence=1) == 4 and token_at(bert, 3) is None
    assert word_of_tokens(bert, [(0, 3)], sequence=1) == [None, None, None, None, 0, None, None]


def test_rows_do_not_share_lists(vocabularies):
    tokenizer = vocabularies("gpt2").ours
    first, second = tokenizer.encode("the cat"), tokenizer.encode("the cat")
    first.ids.append(1)
    assert second.ids == tokenizer.encode("the cat").ids


def test_special_tokens_inside_a_text(vocabularies):
    """They are found wherever they stand, have a word of their own, and are no special tokens of the template."""
    row = vocabularies("bert-uncased").ours.encode("a[SEP]b [MASK]")
    assert row.tokens == ["[CLS]", "a", "[SEP]", "b", "[MASK]", "[SEP]"]
    assert row.special_tokens_mask == [1, 0, 0, 0, 0, 1]
    assert row.word_ids == [None, 0, 1, 2, 3, None]


def test_repr():
    assert repr(WordPiece.train(["the cat"] * 2, 30)).startswith("WordPiece(")
    assert "20 tokens" in repr(Encoding(ids=[0] * 20, tokens=["a"] * 20)) and "…" in repr(
        Encoding(ids=[0] * 20, tokens=["a"] * 20)
    )
