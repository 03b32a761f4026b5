"""Pieces as whole words: the page and Python find the same, and leave what begins no word as it is; a word is one of
the stories.
"""

import pytest
from controls.expected import after
from engine.models import file_of
from engine.tokenizers import tokenizer_of

from labutils.checkpoints import load
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.whole_words import known_words, next_name, whole_word
from labutils.text.unicode import table
from labutils.world import World

FOUND = """
  const { openSource } = await engine("source"), { wholeWords } = await engine("whole_words");
  const source = await openSource({ onPage: true, models: "http://engine.test/models/" }, "little-gpt2"), word = wholeWords(source);
  return Promise.all(b.map((id) => word(a, id)));"""

NAMED = """
  const { openSource } = await engine("source"), { nextName, spelling } = await engine("../look/nexts");
  const source = await openSource({ onPage: true, models: "http://engine.test/models/" }, "little-gpt2");
  const [before, ...tokens] = await source.tokens([a.at(-1), ...b]), { spell } = spelling(source);
  return Promise.all(tokens.map(async (token, i) => nextName({ token, word: await spell(a, b[i]) }, before, source.info)));"""


def served(page):
    """The model's files as the export writes them."""
    little = load("little-gpt2")
    page.serve("unicode", table())
    page.serve("little-gpt2", file_of("little-gpt2"))
    known = " ".join(sorted(known_words(little)))
    page.serve("little-gpt2.tokenizer", tokenizer_file(tokenizer_of("little-gpt2")) | {"known": known})
    return little


# a text, a piece that may follow, and what it is called: a piece as it is, or with a word of the stories
CALLED = [
    ("My computer is", "Ġglad", "glad"),
    ("My computer is", "Ġun", "·un"),
    ("My computer is", "u", "…u"),
    ("Yesterday the king", "ina", "…ina"),
    ("Yesterday the king", "ind", "…ind"),
    ("Yesterday the king", "Ġgreen", "green"),
    ("Paris is the", "Once", "…Once"),
    ("The cat sat on the", "Ġlo", "·lo → lovely"),
]


@pytest.mark.parametrize("text", sorted({text for text, _, _ in CALLED}))
def test_no_word_is_made_of_pieces_of_what_was_typed(page, text):
    little = served(page)
    ids, rows = little.tokenizer.encode(text).ids, [(piece, name) for one, piece, name in CALLED if one == text]
    tokens, names = [little.tokenizer.token_to_id(piece) for piece, _ in rows], [name for _, name in rows]
    assert [next_name(little, ids, token) for token in tokens] == names
    assert page.run(NAMED, ids, tokens) == names
    # the word itself is none that goes on with the last one
    words = [name.split(" → ")[-1].strip("…") for name in names]
    assert [whole_word(little, ids, token).strip("␣") for token in tokens] == words


@pytest.mark.parametrize("text", ["My computer is", "Yesterday the king", "Paris is the", "The cat was"])
def test_whatever_may_follow_is_a_piece_or_a_word_of_the_stories(text):
    little = load("little-gpt2")
    ids, known = little.tokenizer.encode(text).ids, known_words(little)
    likely = after(little, ids).topk(40).indices.tolist()
    words = {token: whole_word(little, ids, token).removeprefix("␣") for token in likely}
    pieces = {token: little.tokenizer.pieces(token).removeprefix("␣") for token in likely}
    assert all(words[i].removeprefix("·") == pieces[i] or words[i] in known for i in likely), words
    assert any(words[i] in known for i in likely)


def test_known_words_are_those_of_the_grammar_and_only_of_its_models():
    known, told = known_words(load("little-gpt2")), World().stories(300, seed=7)
    assert {word.text for story in told for word in story.words if word.text.isalpha()} <= known
    assert 1000 < len(known) < 1100 and "computer" not in known and known == known_words(load("little-bert"))
    assert known_words(load("paper-gpt2")) == frozenset()


@pytest.mark.parametrize("text", ["The cat was", "The cat sat on the", "One night, a small mouse"])
def test_the_page_finds_the_words_that_python_finds(page, text):
    little = served(page)
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
    little = served(page)
    ids = little.tokenizer.encode(text).ids
    tokens = [little.tokenizer.token_to_id(token) for token in ("Ġs", "Ġtired", "le", ".", "<|endoftext|>")]
    assert page.run(NAMED, ids, tokens) == [next_name(little, ids, token) for token in tokens]


def test_names_of_what_may_come_next():
    little = load("little-gpt2")
    name = lambda text, piece: next_name(little, little.tokenizer.encode(text).ids, little.tokenizer.token_to_id(piece))
    assert (name("The cat was", "Ġs"), name("The cat was", "Ġtired")) == ("·s → sleepy", "tired")
    assert (name("The cat was s", "le"), name("The cat sat", "<|endoftext|>")) == ("…le", "end of text")
    paper = load("paper-gpt2")
    assert next_name(paper, [0, 1], 2) == paper.tokenizer.pieces(2)  # its words are whole
