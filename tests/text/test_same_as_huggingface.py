"""Every field of every encoding equals HuggingFace's, on texts that nobody would type and on some that everybody does."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from text.vocabularies import MAKERS, assert_same, english, wide_strings

SOME_UNICODE = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
MIXED = st.lists(
    st.one_of(
        st.text("abcdehilnorst '.,!?019ÉéßİΣς", min_size=1, max_size=12),
        st.characters(categories=["Mn", "Mc", "Me"]),
        st.characters(categories=["Cc", "Cf", "Co", "Cn", "Zs", "Zl", "Zp"]),
        st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
        st.characters(min_codepoint=0x1F000, max_codepoint=0x1FAFF),
        st.sampled_from(
            [
                "\u200d",
                "\ufe0f",
                "👩‍👩‍👧",
                "🇫🇷",
                "שלום",
                "مرحبا",
                "한국",
                "<|endoftext|>",
                "[MASK]",
                "[SEP]",
                "the",
                "ab ",
            ]
        ),
    ),
    max_size=12,
).map("".join)


def examples(n):
    return settings(
        max_examples=n, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )


def check(pair, text):
    theirs = pair.theirs.encode(text)
    assert_same(pair.ours.encode(text), theirs, text)
    assert pair.ours.encode_ids(text) == pair.theirs.encode(text, add_special_tokens=False).ids
    for skip in (False, True):
        assert pair.ours.decode(theirs.ids, skip) == pair.theirs.decode(theirs.ids, skip_special_tokens=skip)


@examples(400)
@given(st.one_of(SOME_UNICODE, MIXED))
@example("")
def test_any_text(vocabulary, text):
    check(vocabulary, text)


AWKWARD = [
    "  two  spaces, \n\n and\tthe rest  ",
    "e\u0323\u0301 \u0344a\u0315\u0300\u05ae",  # marks that change places
    "a\x0bb\x1cc\x85d\u2028e",  # white space for one, a control character for the other
    "ab   [mask] the  ab\n [mask]",  # both want the same white space
    "[mask]ed [mask]e",  # one added token begins another
    "qzx qzxk kqzx qzx_ qzx\u0301 qzx",  # alone or not
    "a" * 100 + " " + "a" * 101,  # as long as a word may be, and longer
    "é" * 100 + " " + "e\u0301" * 51,
    "'s'S 's I'll I'LL they've'd",
    "각 각\u11a8 \uac00\u11a7",  # Hangul: whole, with one more part, with a part that is none
]


@pytest.mark.parametrize("text", AWKWARD, ids=ascii)
def test_awkward_texts(vocabulary, text):
    check(vocabulary, text)


@examples(150)
@given(MIXED, MIXED, st.booleans())
def test_any_pair(vocabulary, first, second, add_special_tokens):
    ours = vocabulary.ours.encode(first, second, add_special_tokens)
    assert_same(ours, vocabulary.theirs.encode(first, second, add_special_tokens=add_special_tokens), (first, second))


@pytest.mark.parametrize("name", MAKERS)
def test_many_strings(vocabularies, name):
    """1,500 for each of eight vocabularies."""
    for text in wide_strings(1500, seed=sum(map(ord, name))):
        check(vocabularies(name), text)


@pytest.mark.parametrize("name", ["gpt2", "bert-uncased"])
def test_every_code_point(vocabularies, name):
    """Each at the beginning of a word, after a letter and before a digit, 128 at a time; of the large uniform areas one
    block in 32.
    """
    pair = vocabularies(name)
    for start in [
        *range(0, 0x20000, 128),
        *range(0x20000, 0xE0000, 4096),
        *range(0xE0000, 0xE0200, 128),
        *range(0xF0000, 0x110000, 0x4000),
    ]:
        block = [chr(c) for c in range(start, start + 128) if not 0xD800 <= c < 0xE000]
        text = " ".join(f"{c}a{c}1" for c in block)
        assert pair.ours.encode_ids(text) == pair.theirs.encode(text, add_special_tokens=False).ids, hex(start)


@pytest.mark.parametrize("name", ["gpt2", "bert-uncased"])
def test_english(vocabularies, name):
    pair = vocabularies(name)
    text = english()[:200_000]
    assert_same(pair.ours.encode(text), pair.theirs.encode(text), "English")
    assert len(set(pair.ours.encode_ids(text))) > 1000  # the vocabulary is really used


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("name", ["gpt2", "gpt2-prefix-trimmed", "bert-uncased"])
def test_truncation(vocabularies, name, side):
    pair = vocabularies(name)
    texts = wide_strings(60, seed=1)
    for first, second in zip(texts, [None, *texts[:-1]]):
        for max_length in (3, 4, 5, 9, 16, 40):
            pair.theirs.enable_truncation(max_length, direction=side)
            theirs = pair.theirs.encode(first, second)
            pair.theirs.no_truncation()
            ours = pair.ours.encode(first, second, max_length=max_length, truncation_side=side)
            assert_same(ours, theirs, (first, second, max_length))


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("name", ["gpt2", "bert-uncased"])
def test_padding(vocabularies, name, side):
    pair = vocabularies(name)
    pad = pair.ours.pad_token
    texts = wide_strings(40, seed=2)
    for pairs in (None, texts[::-1]):
        pair.theirs.enable_padding(direction=side, pad_id=pair.theirs.token_to_id(pad), pad_token=pad)
        theirs = pair.theirs.encode_batch(texts if pairs is None else list(zip(texts, pairs)))
        pair.theirs.no_padding()
        ours = pair.ours.encode_batch(texts, pairs, padding_side=side)
        assert len({len(row) for row in ours}) == 1
        for row, their_row, text in zip(ours, theirs, texts):
            assert_same(row, their_row, text)
