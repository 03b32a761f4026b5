"""The token that the tokenizer's playground explains when the reader has chosen none."""

import pytest

from labutils.controls import script


def token(word, text="a", special=False):
    return {"word": word, "text": text, "special": special}


CLS = token(None, "[CLS]", special=True)


@pytest.mark.parametrize(
    "tokens, explained",
    [
        ([CLS, token(0), token(1), token(1)], 2),  # the first of a word that fell into pieces
        ([CLS, token(0), token(1), CLS], 1),  # no word did: the first of a word
        ([token(0, special=True), token(0), token(1), token(1)], 2),  # a special token that was typed is no piece
        ([token(None), token(None), token(0), token(0)], 2),  # what belongs to no word is none either
        ([token(0, " "), token(0), token(0)], 1),  # nor is a space
        ([CLS, CLS], 0),  # there is nothing else
    ],
)
def test_the_first_word_that_was_cut_is_explained(tokens, explained):
    assert script.call("tokenizer/numbers.js", "chosen", [{"tokens": tokens}], -1, -1) == [0, explained]


def test_what_the_reader_chose_stays():
    lanes = [{"tokens": [token(0)]}, {"tokens": [token(0), token(1)]}]
    assert script.call("tokenizer/numbers.js", "chosen", lanes, 1, 1) == [1, 1]
    assert script.call("tokenizer/numbers.js", "chosen", lanes, 1, 2) == [0, 0]
