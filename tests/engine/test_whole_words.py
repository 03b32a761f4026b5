"""Pieces as whole words: the page and Python find the same, and leave what begins no word as it is."""

import pytest
from engine.models import file_of
from engine.tokenizers import tokenizer_of

from labutils.checkpoints import load
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.whole_words import next_name, whole_word
from labutils.text.unicode import table

FOUND = """
  const { openSource } = await engine("source"), { wholeWords } = await engine("whole_words");
  const source = await openSource({ onPage: true, models: "http://engine.test/models/" }, "little-gpt2"), word = wholeWords(source);
  return Promise.all(b.map((id) => word(a, id)));"""

NAMED = """
  const { openSource } = await engine("source"), { nextName, spelling } = await engine("../look/nexts");
  const source = await openSource({ onPage: true, models: "http://engine.test/models/" }, "little-gpt2");
  const [before, ...tokens] = await source.tokens([a.at(-1), ...b]), { spell } = spelling(source);
  return Promise.all(tokens.map(async (token, i) => nextName({ token, word: await spell(a, b[i]) }, before, source.info)));"""


@pytest.mark.parametrize("text", ["The cat was", "The cat sat on the", "One night, a small mouse"])
def test_the_page_finds_the_words_that_python_finds(page, text):
    page.serve("unicode", table())
    page.serve("little-gpt2", file_of("little-gpt2"))
    page.serve("little-gpt2.tokenizer", tokenizer_file(tokenizer_of("little-gpt2")))
    little = load("little-gpt2")
    ids = little.tokenizer.encode(text).ids
    tokens = [little.tokenizer.token_to_id(token) for token in ("Ġs", "Ġlo", "Ġmat", ".", "<|endoftext|>")]
    expected = [whole_word(little, ids, token) for token in tokens]
    assert page.run(FOUND, ids, tokens) == expected
    assert expected[2:] == ["␣mat", ".", "<|endoftext|>"]  # a whole word, a stop and the end


def test_a_piece_stands_with_its_word():
    little = load("little-gpt2")
    word = lambda text, piece: whole_word(
        little, little.tokenizer.encode(text).ids, little.tokenizer.token_to_id(piece)
    )
    assert word("The cat was", "Ġs") == "␣sleepy"
    assert word("The cat sat on the", "Ġr") == "␣rug"


@pytest.mark.parametrize("text", ["The cat was", "The cat was s", "The cat sat."])
def test_what_may_come_next_is_written_alike_in_both_languages(page, text):
    little = load("little-gpt2")
    ids = little.tokenizer.encode(text).ids
    tokens = [little.tokenizer.token_to_id(token) for token in ("Ġs", "Ġtired", "le", ".", "<|endoftext|>")]
    page.serve("unicode", table())
    page.serve("little-gpt2", file_of("little-gpt2"))
    page.serve("little-gpt2.tokenizer", tokenizer_file(tokenizer_of("little-gpt2")))
    assert page.run(NAMED, ids, tokens) == [next_name(little, ids, token) for token in tokens]


def test_names_of_what_may_come_next():
    little = load("little-gpt2")
    name = lambda text, piece: next_name(little, little.tokenizer.encode(text).ids, little.tokenizer.token_to_id(piece))
    assert (name("The cat was", "Ġs"), name("The cat was", "Ġtired")) == ("·s → sleepy", "tired")
    assert (name("The cat was s", "le"), name("The cat sat", "<|endoftext|>")) == ("…le", "end of text")
    paper = load("paper-gpt2")
    assert next_name(paper, [0, 1], 2) == paper.tokenizer.pieces(2)  # its words are whole
