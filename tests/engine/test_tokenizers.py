"""The browser cuts every string as Python does: ids, offsets, segments, words, and the way back to text."""

import random

import pytest
from engine.strings import strings
from engine.tokenizers import NAMES, tokenizer_of

from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.text.unicode import combining_rank, decompose, lower, ranges, table
from labutils.text.words import WordTokenizer

OPEN = """
  const { openUnicode } = await engine("unicode"), { openTokenizer } = await engine("tokenizer");
  globalThis.unicode ??= openUnicode(a);
  const tokenizer = openTokenizer(b, unicode);
"""
ENCODE = (
    OPEN
    + """
  return c.map(([text, pair]) => {
    const { ids, offsets, typeIds, special, wordIds } = tokenizer.encode(text, pair);
    const cut = tokenizer.encode(text, pair, { maxLength: 4 }).ids;
    return [ids, offsets, typeIds, special, wordIds, cut, tokenizer.decode(ids), tokenizer.decode(ids, { skipSpecial: true })];
  });
"""
)


def expected(tokenizer, text: str, pair: str | None) -> list:
    """What the browser should say; offsets move from code points to UTF-16 units."""
    e = tokenizer.encode(text, pair)
    places = [[0], [0]]
    for which, string in enumerate((text, pair or "")):
        for char in string:
            places[which].append(places[which][-1] + (2 if ord(char) > 0xFFFF else 1))
    offsets = [
        [places[sequence or 0][start], places[sequence or 0][end]]
        for (start, end), sequence in zip(e.offsets, e.sequence_ids)
    ]
    return [
        e.ids,
        offsets,
        e.type_ids,
        e.special_tokens_mask,
        e.word_ids,
        tokenizer.encode(text, pair, max_length=4).ids,
        tokenizer.decode(e.ids),
        tokenizer.decode(e.ids, skip_special_tokens=True),
    ]


def check(page, name: str, pairs: list[tuple[str, str | None]]) -> None:
    tokenizer = tokenizer_of(name)
    found = page.run(ENCODE, table(), tokenizer_file(tokenizer), pairs)
    for (text, pair), here in zip(pairs, found, strict=True):
        assert here == expected(tokenizer, text, pair), (name, text, pair)


@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_ten_thousand_strings(shared_page, name):
    texts = list(dict.fromkeys(strings(14_000, seed=0)))[:10_000]
    assert len(texts) == 10_000 and len({c for text in texts for c in text}) > 10_000
    check(shared_page, name, [(text, None) for text in texts])


@pytest.mark.parametrize("name", NAMES)
def test_pairs_and_every_setting(shared_page, name):
    texts, others = strings(1500, seed=1), strings(1500, seed=2)
    check(shared_page, name, [(text, other if i % 2 else None) for i, (text, other) in enumerate(zip(texts, others))])


def test_every_character_of_unicode_is_of_the_same_kind(shared_page):
    found = shared_page.run(
        """
      const { openUnicode } = await engine("unicode"), unicode = openUnicode(a), all = Array.from({ length: 0x110000 }, (_, c) => c);
      const kinds = Object.fromEntries(b.map((name) => [name, all.filter((c) => unicode.is(name, c))])), changed = (form) => all.filter((c) => form(c).length > 1 || form(c)[0] !== c).map((c) => [c, ...form(c)]);
      return [kinds, changed(unicode.lower), changed(unicode.decompose), all.filter(unicode.rank).map((c) => [c, unicode.rank(c)])];""",
        table(),
        list(table()["classes"]),
    )
    kinds, lowered, decomposed, ranked = found
    for name, members in kinds.items():
        assert members == [c for first, last in ranges(name) for c in range(first, last + 1)], name
    forms = lambda change: [[c, *map(ord, change(chr(c)))] for c in range(0x110000) if change(chr(c)) != chr(c)]
    assert lowered == forms(lower) and decomposed == forms(decompose)
    assert ranked == [[c, combining_rank(chr(c))] for c in range(0x110000) if combining_rank(chr(c))]


def test_a_very_long_word_and_a_very_long_text(shared_page):
    for name in ("little-gpt2", "little-bert"):
        check(
            shared_page,
            name,
            [
                ("ab" * 20_000, None),
                ("The cat sat on the mat. " * 1000, None),
                ("e\u0301\u0323" * 5000, None),
                ("中" * 10_000, None),
            ],
        )


def test_half_a_surrogate_pair_is_refused_with_its_place(shared_page):
    for code in (
        "tokenizer.encode('ab\\ud800c')",
        "tokenizer.encode('fine', 'ab\\ud800')",
        "tokenizer.cut('ab\\ud800')",
    ):
        said = shared_page.fails(OPEN + code, table(), tokenizer_file(tokenizer_of("little-bert")))
        assert said == "The text holds half a character at place 2 (a lone surrogate, U+D800): delete it."
    assert "must be a string" in shared_page.fails(
        OPEN + "tokenizer.encode(7)", table(), tokenizer_file(tokenizer_of("little-bert"))
    )


def test_an_id_outside_the_vocabulary_is_a_sentence(shared_page):
    size = len(tokenizer_of("little-gpt2"))
    for ids in ([size], [-1], [0.5]):
        said = shared_page.fails(
            OPEN + "tokenizer.decode(c)", table(), tokenizer_file(tokenizer_of("little-gpt2")), ids
        )
        assert said == f"There is no token {ids[0]}: ids go from 0 to {size - 1}."


def test_the_paper_models_words(shared_page):
    words = WordTokenizer(["the", "cat", "sat", "on", "mat"])
    found = shared_page.run(ENCODE, table(), tokenizer_file(words), [("the cat sat", None), ("  on\tthe\n mat ", None)])
    assert [row[0] for row in found] == [[0, 1, 2], [3, 0, 4]]
    assert found[1][1] == [[2, 4], [5, 8], [10, 13]] and found[1][6] == "on the mat"
    say = lambda *texts: shared_page.fails(OPEN + "tokenizer.encode(...c)", table(), tokenizer_file(words), texts)
    assert say("the dog sat") == "“dog” is not among the 5 words this model knows: the, cat, sat, on, mat."
    assert say(" ") == "The text is empty. Write some of the words the, cat, sat, on, mat."
    assert say("the cat", "the mat") == "This tokenizer has no separator, so it reads one text at a time."


def test_merges_one_by_one_say_why_each_won(shared_page):
    tokenizer = tokenizer_of("little-gpt2")
    text = "The unhappiness of 😀 walked"
    words = shared_page.run(OPEN + "return tokenizer.cut(c).words;", table(), tokenizer_file(tokenizer), text)
    ranks = {pair: rank for rank, pair in enumerate(tokenizer.merges)}
    assert [word["text"] for word in words] == ["The", " unhappiness", " of", " 😀", " walked"]
    tokens = []
    for word in words:
        steps = word["steps"]
        for step, after in zip(steps, steps[1:]):
            known = [pair["rank"] for pair in step["pairs"] if pair["rank"] is not None]
            assert step["rank"] == min(known) == ranks[tuple(step["parts"][step["won"] : step["won"] + 2])]
            assert all(pair["rank"] == ranks.get((pair["left"], pair["right"])) for pair in step["pairs"])
            joined = step["parts"][:]
            joined[step["won"] : step["won"] + 2] = ["".join(joined[step["won"] : step["won"] + 2])]
            assert joined == after["parts"]
        assert steps[-1]["won"] == -1 and all(pair["rank"] is None for pair in steps[-1]["pairs"])
        tokens += steps[-1]["parts"]
    assert tokens == tokenizer.encode(text).tokens


def test_wordpiece_shows_what_it_tried(shared_page):
    tokenizer = tokenizer_of("little-bert")
    text = "Unhappiness walked 🛸"
    cut = shared_page.run(OPEN + "return tokenizer.cut(c);", table(), tokenizer_file(tokenizer), text)
    assert [token["id"] for token in cut["tokens"]] == tokenizer.encode(text).ids
    assert [word["normalized"] for word in cut["words"]] == ["unhappiness", "walked", "🛸"]
    for word in cut["words"][:2]:
        rest, start = word["normalized"], 0
        for step in word["steps"]:
            mark = "##" if start else ""
            tried = [mark + rest[start:end] for end in range(len(rest), step["end"], -1)]
            assert step["tried"] == tried and not any(piece in tokenizer.vocab for piece in tried)
            assert step["found"] == mark + rest[start : step["end"]] and step["found"] in tokenizer.vocab
            start = step["end"]
    assert cut["words"][2]["steps"][-1]["found"] is None
    flags = [(token["special"], token["unknown"]) for token in cut["tokens"]]
    assert (
        flags[0] == flags[-1] == (True, False) and flags[-2] == (False, True) and set(flags[1:-2]) == {(False, False)}
    )


def test_special_tokens_and_parts_of_characters_are_named(shared_page):
    tokenizer = tokenizer_of("bpe whole words")
    cut = shared_page.run(OPEN + "return tokenizer.cut(c);", table(), tokenizer_file(tokenizer), "a🦊<|endoftext|>")
    assert cut["tokens"][-1]["special"] and cut["tokens"][-1]["text"] == "<|endoftext|>"
    assert [t["bytes"] for t in cut["tokens"] if t["bytes"]], "the vocabulary has no whole fox"
    assert all((t["start"], t["end"]) == (1, 3) for t in cut["tokens"] if t["bytes"])


def test_bytes_that_are_no_text_become_what_python_makes_of_them(shared_page):
    dice = random.Random(4)
    likely = [
        0x00,
        0x41,
        0x7F,
        0x80,
        0x8F,
        0x90,
        0x9F,
        0xA0,
        0xBF,
        0xC0,
        0xC2,
        0xDF,
        0xE0,
        0xE1,
        0xED,
        0xEF,
        0xF0,
        0xF1,
        0xF4,
        0xF5,
        0xFF,
    ]
    rows = [[dice.choice(likely) for _ in range(dice.randint(0, 7))] for _ in range(20_000)] + [
        list("\ufeffé🐈\U0010ffff".encode())
    ]
    found = shared_page.run(
        'const { fromUtf8 } = await engine("bytes"); return a.map((bytes) => { const { codes, sound } ='
        " fromUtf8(bytes); return [codes, sound]; });",
        rows,
    )
    wanted = [bytes(row).decode("utf-8", "replace") for row in rows]
    assert [codes for codes, _ in found] == [[ord(c) for c in text] for text in wanted]
    assert [sound for _, sound in found] == [text.encode() == bytes(row) for text, row in zip(wanted, rows)]
    assert any(sound for _, sound in found) and not all(sound for _, sound in found)
