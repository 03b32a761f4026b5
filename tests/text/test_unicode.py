"""The table of Unicode classes: what it says, and that it is the pinned library's."""

import json
import sys
import unicodedata
from pathlib import Path

import pytest

from labutils.text.normalize import normalize
from labutils.text.unicode import combining_rank, decompose, is_in, lower, ranges, table


def test_is_small_and_of_the_pinned_version():
    assert len(json.dumps(table())) < 150_000
    requirements = (Path(__file__).parents[2] / "requirements.txt").read_text(encoding="utf-8")
    assert table()["source"].replace(" ", "==") in requirements.split(), (
        "make it again: python -m labutils.authoring.unicode_table"
    )


@pytest.mark.parametrize("name", ["letter", "number", "space", "removed", "cjk", "nonspacing", "punctuation", "word"])
def test_runs_are_sorted_and_apart(name):
    spans = ranges(name)
    assert all(first <= last for first, last in spans)
    assert all(before[1] + 1 < after[0] for before, after in zip(spans, spans[1:]))


def test_letters_numbers_and_spaces_do_not_overlap():
    seen = set()
    for name in ("letter", "number", "space"):
        members = {c for first, last in ranges(name) for c in range(first, last + 1)}
        assert not seen & members
        seen |= members


def assigned_long_ago(char):
    """Characters whose properties every Unicode version since 3.2 agrees on, but for a few corrections."""
    return unicodedata.ucd_3_2_0.category(char) != "Cn"


def test_agrees_with_python_on_old_characters():
    """Not equal on all of them: that is why there is a table."""
    old = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000 and assigned_long_ago(chr(c))]
    differ = sum(decompose(c) != unicodedata.normalize("NFD", c) for c in old)
    differ += sum((combining_rank(c) > 0) != (unicodedata.combining(c) > 0) for c in old if decompose(c) == c)
    differ += sum(lower(c) != c.lower() for c in old)
    differ += sum(is_in("number", c) != (unicodedata.category(c)[0] == "N") for c in old)
    differ += sum(is_in("letter", c) != (unicodedata.category(c)[0] == "L") for c in old)
    assert differ < 200


@pytest.mark.parametrize("name", ["bert-uncased", "bert-cased", "bert-lower-accents", "bert-cased-stripped-raw"])
def test_every_character_is_normalised_as_by_huggingface(vocabularies, name):
    pair = vocabularies(name)
    for start in [*range(0, 0x30000, 256), *range(0xE0000, 0xE0200, 256)]:
        text = "".join("e" + chr(code) for code in range(start, start + 256) if not 0xD800 <= code < 0xE000)
        assert pair.ours.normalize(text)[0] == pair.theirs.normalizer.normalize_str(text), hex(start)


def test_combining_ranks_order_marks_as_unicode_does():
    marks = [chr(c) for c in range(0x300, 0x1000) if combining_rank(chr(c)) and decompose(chr(c)) == chr(c)]
    assert len(marks) > 200
    by_rank = sorted(marks, key=combining_rank)
    classes = [unicodedata.combining(mark) for mark in by_rank]
    assert classes == sorted(classes)


def test_normalize_keeps_the_way_back():
    text = "Ａ café\x00 猫\tÉ\u0323"
    normal, origin = normalize(text)
    assert normal == "ａ cafe  猫  e"
    assert len(origin) == len(normal) and origin == sorted(origin)
    assert [text[i] for i in origin] == list("Ａ café 猫猫猫\tÉ")
