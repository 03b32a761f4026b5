"""The stories that a page trains on: what is stored is what the grammar tells, and the page reads it back."""

import math
import zlib
from base64 import b64decode

import pytest

from labutils.checkpoints import load_tokenizer
from labutils.controls.engine.counting import counting
from labutils.controls.engine.stories import packed, stored
from labutils.controls.script import call
from labutils.world import World

READ = "engine/backward/stories.js"


def rows(part):
    """The rows of a part, read in Python from the bytes alone."""
    data, raw, found = stored(), zlib.decompress(b64decode(stored()[part])), []
    i = 0
    while i < len(raw):
        rank, i = (raw[i], i + 1) if raw[i] < 240 else (240 + 256 * (raw[i] - 240) + raw[i + 1], i + 2)
        found.append([data["order"][rank]]) if data["order"][rank] == data["end"] else found[-1].append(
            data["order"][rank]
        )
    return [[*row, data["end"]] for row in found]


@pytest.fixture(scope="module")
def fresh():
    return rows("fresh")


def test_the_lines_are_those_of_the_grammar_and_of_counting(fresh):
    lines, tokenizer, world = stored()["lines"], load_tokenizer("little-gpt2"), World()
    terms = sum(len(row) - 1 for row in fresh)
    floor = -sum(world.log_prob(tokenizer.decode(row[1:-1])) for row in fresh) / terms
    assert lines["floor"] == pytest.approx(floor, abs=1e-4) and lines["blind"] == pytest.approx(
        math.log(1000), abs=1e-4
    )
    exact = world.entropy_per_token(lambda word: len(tokenizer.encode_ids(word)))
    assert abs(floor - exact) < 0.03  # 64 stories stand for all
    assert lines["floor"] < lines["triples"] < lines["pairs"] < lines["tokens"] < lines["blind"]
    told = rows("told")
    assert len(told) == stored()["stories"] and sum(len(row) - 1 for row in told) == stored()["tokens"]
    assert counting(told, fresh, 1, 1000) == pytest.approx(lines["tokens"], abs=1e-4)


def test_the_page_reads_what_python_packed(fresh):
    data, raw = stored(), zlib.decompress(b64decode(stored()["fresh"]))
    found = call("engine/backward/outside.js", "texts", raw, data["order"], data["end"], 60, 6)
    wanted = [*fresh[60:], *fresh[:2]]  # after the last story the first one comes again
    assert found["ids"] == [i for row in wanted for i in row]
    assert [b - a for a, b in zip(found["starts"], found["starts"][1:])] == [len(row) for row in wanted]
    assert zlib.decompress(packed(fresh, data["order"])) == raw


@pytest.mark.parametrize("raw", [b"", bytes([255, 255]), bytes([1, 2, 3])])
def test_damaged_stories_are_refused_in_a_sentence(raw):
    data = stored()
    with pytest.raises(ValueError, match="^The stories arrived damaged: reload the page.$"):
        call("engine/backward/outside.js", "texts", raw, data["order"], data["end"], 0, 1)
