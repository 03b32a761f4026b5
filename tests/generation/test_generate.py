"""One `generate` for every way, a text that is shown while it is written, strings that stop it, and the bar."""

import io
import sys
from pathlib import Path

import pytest
import torch
import transformers
from generation.pairs import little_pair, random_pair
from hypothesis import given
from hypothesis import strategies as st

from labutils import checkpoints
from labutils.checkpoints import load, load_tokenizer
from labutils.generation import (
    Contrast,
    Draft,
    Search,
    Settings,
    beam_search,
    contrastive_search,
    generate,
    speculative,
    spoken,
    stop_strings,
    stream,
)
from labutils.generation.progress import watched
from labutils.models import paper_model

FOLDER = Path(checkpoints.__file__).parent / "little-gpt2"
EVEN = torch.full((5,), 0.2, dtype=torch.float64)
SAID = "One day, a small mouse"


def test_each_way_is_what_its_own_function_gives():
    model, texts = paper_model(), [[0, 1, 2], [4, 1, 4]]
    ways = {
        Search(2): lambda ids: list(beam_search(model, ids, 2, 2)[0].ids),
        Contrast(k=3, alpha=0.5): lambda ids: contrastive_search(model, ids, 2, k=3, alpha=0.5),
    }
    for how, one in ways.items():
        assert generate(model, texts, 2, how=how, seed=5) == list(map(one, texts))
    alone = generate(model, texts[:1], 2, how=Draft(lambda ids: EVEN, ahead=2), seed=5)
    assert alone[0] == speculative(model, lambda ids: EVEN, texts[0], 2, ahead=2, seed=5)[0]


def test_equal_texts_go_on_differently_where_tokens_are_drawn():
    """Through a draft too, each text goes on with the random numbers that the one before it left."""
    for how in (Settings(), Draft(lambda ids: EVEN)):
        told = generate(paper_model(), [[0, 1]] * 8, 4, how=how)
        assert len(set(map(tuple, told))) > 4
        assert told == generate(paper_model(), [[0, 1]] * 8, 4, how=how)


def test_the_end_sign_ends_every_way():
    ours, _ = random_pair()
    greedy = generate(ours, [[1, 2]], 12)[0]
    end = greedy[3]
    upto = greedy[: greedy.index(end) + 1]
    itself = lambda ids: ours(torch.tensor([ids])).logits[0, -1].softmax(-1)
    ways = Settings(0.0), Search(1), Contrast(k=1), Draft(itself, settings=Settings(0.0))
    assert [generate(ours, [[1, 2]], 12, end, how)[0] for how in ways] == [upto] * 4


@pytest.mark.parametrize("how", [Settings(0.0), Search(2), Contrast(k=2), Draft(lambda ids: EVEN)])
def test_a_text_without_room_is_refused_by_every_way(how):
    room = 3 if isinstance(how, Contrast) else 4  # its candidates are read before one is chosen
    with pytest.raises(ValueError, match=f"room for {room} more in this model, not for {room + 1}"):
        generate(paper_model(), [[0, 1, 2]], room + 1, how=how)
    assert len(generate(paper_model(), [[0, 1, 2]], room, how=how)[0]) == room
    with pytest.raises(ValueError, match="7 tokens and this model reads 6"):
        generate(paper_model(), [[0, 1, 2, 3, 4, 0, 1]], 1, how=how)
    with pytest.raises(ValueError, match="token that can be continued"):
        generate(paper_model(), [[]], 1, how=how)


@pytest.mark.parametrize("how", [Settings(), Settings(temperature=0)])
def test_nothing_to_draw_is_said(how):
    broken = paper_model()
    for weight in broken.parameters():
        weight.data.fill_(torch.nan)
    with pytest.raises(ValueError, match="one has to have a chance"):
        generate(broken, [[0, 1]], 1, how=how)


@pytest.mark.parametrize("how", [Settings(0.0), Search(2), Contrast(k=2), Draft(lambda ids: EVEN)])
@pytest.mark.parametrize("most", [0, -1, 1.5])
def test_no_token_to_write_is_refused_by_every_way(how, most):
    with pytest.raises(ValueError, match="At least one token is written"):
        generate(paper_model(), [[0, 1]], most, how=how)
    with pytest.raises(ValueError, match="At least one token is written"):
        beam_search(paper_model(), [0, 1], 2, most)


@pytest.mark.parametrize(
    "texts", [[1, 2, 3], [0, 1, 2], torch.tensor([[0, 1]]), [(0, 1)], ["the cat"], "the cat", [torch.tensor([0, 1])]]
)
def test_what_are_no_texts_is_refused(texts):
    with pytest.raises(ValueError, match="a list of lists of ids"):
        generate(paper_model(), texts, 1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"texts": [[0.5]]}, "each of them is a whole number"),
        ({"how": "greedy"}, "GREEDY is one"),
        ({"stop": ["."]}, "made by `stop_strings`"),
        ({"end": 5000}, "an id from 0 to 4, not 5000"),
        ({"end": -1}, "an id from 0 to 4, not -1"),
        ({"how": Search(1.5)}, "at least one beam"),
        ({"how": Search(2, float("nan"))}, "from -10 to 10"),
        ({"how": Search(2, 1000)}, "from -10 to 10"),
        ({"how": Contrast(k=1.5)}, "k from 1 to 5"),
        ({"how": Draft(lambda ids: EVEN, ahead=1.5)}, "At least one token is drafted"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(given, words):
    with pytest.raises(ValueError, match=words) as refused:
        generate(paper_model(), **{"texts": [[0, 1]], "most": 2} | given)
    assert str(refused.value).count(". ") == 0


# --- stop strings


@pytest.mark.parametrize("string", ["nurse", "rse. Th", "e w", ".", " the old gr"])
def test_it_stops_where_huggingface_stops(string):
    checkpoint, theirs, end = little_pair()
    tokens, ids = checkpoint.tokenizer, checkpoint.tokenizer.encode(SAID).ids
    fast = transformers.PreTrainedTokenizerFast(tokenizer_file=str(FOLDER / "tokenizer.json"))
    mine = generate(checkpoint.model, [ids], 40, end, stop=stop_strings(tokens, string, "zebra"))[0]
    out = theirs.generate(
        torch.tensor([ids]),
        attention_mask=torch.ones(1, len(ids)),
        do_sample=False,
        max_new_tokens=40,
        stop_strings=[string, "zebra"],
        tokenizer=fast,
    )
    assert mine == out[0, len(ids) :].tolist()
    assert string in tokens.decode(mine) and string not in tokens.decode(mine[:-1])


def test_each_text_of_a_batch_stops_for_itself():
    checkpoint, _, end = little_pair()
    tokens = checkpoint.tokenizer
    texts, stop = [tokens.encode(one).ids for one in (SAID, "Tom")], stop_strings(tokens, ".")
    together = generate(checkpoint.model, texts, 40, end, stop=stop)
    assert together == [generate(checkpoint.model, [one], 40, end, stop=stop)[0] for one in texts]
    assert len(together[0]) != len(together[1])


def test_a_string_stops_the_other_ways_too():
    checkpoint, _, end = little_pair()
    tokens, ids = checkpoint.tokenizer, checkpoint.tokenizer.encode(SAID).ids
    stop = stop_strings(tokens, "rse.")
    found = generate(checkpoint.model, [ids], 40, end, Contrast(k=1), stop=stop)
    assert found == generate(checkpoint.model, [ids], 40, end, stop=stop)
    with pytest.raises(ValueError, match="takes no stop"):
        generate(checkpoint.model, [ids], 4, end, Search(2), stop=stop)


# --- streaming


@pytest.fixture(scope="module")
def gpt2():
    return load_tokenizer("gpt2")


@given(st.text(max_size=12), st.lists(st.sampled_from(["a", "ab", "é", "🙂", " b", "ba", "."]), max_size=2))
def test_pieces_are_the_text_up_to_the_first_stop(gpt2, text, stop):
    text = text + "ab é🙂 ba." + text
    ids = gpt2.encode(text).ids
    pieces = list(spoken(gpt2, ids, stop))
    whole = gpt2.decode(ids)
    ends = min([at for at in map(whole.find, stop) if at >= 0], default=len(whole))
    assert "".join(pieces) == whole[:ends] and all(pieces)


def test_half_a_letter_waits(gpt2):
    ids = gpt2.encode("🙂!").ids
    assert len(ids) > 2 and "\ufffd" in gpt2.decode(ids[:1])
    assert list(spoken(gpt2, ids)) == ["🙂", "!"]


def test_what_may_become_the_stop_waits(gpt2):
    ids = [gpt2.encode(one).ids[0] for one in ("one", "S", "TO", "x", "ST", "OP", "no")]
    assert list(spoken(gpt2, ids, ["STOP"])) == ["one", "STOx"]


def test_a_stream_says_what_generate_writes_and_as_huggingfaces_streamer():
    checkpoint, theirs, end = little_pair()
    tokens, ids = checkpoint.tokenizer, checkpoint.tokenizer.encode(SAID).ids
    pieces = list(stream(checkpoint.model, tokens, ids, 40, end))
    told = generate(checkpoint.model, [ids], 40, end)[0]
    assert "".join(pieces) == tokens.decode(told[:-1]) and len(pieces) > 20

    class Kept(transformers.TextStreamer):
        said = ""

        def on_finalized_text(self, text, stream_end=False):
            self.said += text

    kept = Kept(load("little-gpt2", library="transformers").tokenizer, skip_prompt=True, skip_special_tokens=True)
    given = torch.tensor([ids])
    theirs.generate(given, attention_mask=torch.ones_like(given), do_sample=False, max_new_tokens=40, streamer=kept)
    assert kept.said == "".join(pieces)


def test_a_stream_comes_while_it_is_written():
    """The first piece is there before the model has been asked a second time."""
    checkpoint, _, end = little_pair()
    asked = []
    seen = checkpoint.model.register_forward_hook(lambda *_: asked.append(1))
    try:
        ids = checkpoint.tokenizer.encode(SAID).ids
        next(stream(checkpoint.model, checkpoint.tokenizer, ids, 40, end))
        assert len(asked) <= 2
    finally:
        seen.remove()


@pytest.mark.parametrize("strings", ["nurse", [""], ["a", ""]])
def test_strings_that_stop_nothing_are_refused(gpt2, strings):
    with pytest.raises(ValueError, match="as a list"):
        list(spoken(gpt2, [1], strings))


# --- the bar


def drawn(seconds: float, many: int = 10) -> str:
    out, now = io.StringIO(), [0.0]

    def clock():
        now[0] += seconds
        return now[0]

    assert list(watched(range(many), many, out=out, clock=clock)) == list(range(many))
    return out.getvalue()


def test_short_work_draws_no_bar_and_long_work_takes_its_away():
    assert drawn(0.1) == ""
    said = drawn(1.0).split("\r")
    assert "5 of 10 [############            ] at most 5 s left " in said
    assert said[-1] == "" and said[-2].strip() == ""


def test_nobody_watches_where_what_is_printed_is_stored(monkeypatch):
    """A notebook that is stored or compared says the same on a slow machine."""
    for stored, bars in (("1", False), ("", True)):
        monkeypatch.setenv("ITT_STORED", stored)
        monkeypatch.setattr("sys.stderr", io.StringIO())
        ticks = iter(range(100))
        assert list(watched("abcdefghi", 9, clock=lambda: next(ticks))) == list("abcdefghi")
        assert ("of 9 [" in sys.stderr.getvalue()) is bars


def test_a_bar_goes_when_the_work_is_broken_off():
    out, ticks = io.StringIO(), iter(range(100))
    steps = watched(range(50), 50, out=out, clock=lambda: next(ticks))
    for _ in range(8):
        next(steps)
    steps.close()
    assert out.getvalue().endswith(" \r")
