"""The strip says where we are, links only what exists, and is one sentence where nothing is drawn."""

import re
import xml.etree.ElementTree as ET

import pytest
import torch

from labutils.controls import STATIONS, you_are_here
from labutils.controls.strip import CHAPTER_OF, running_shapes
from labutils.world import RUNNING_TEXT

SHAPES = {name: f"({i}, n)" for i, name in enumerate(STATIONS)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ITT_SITE", raising=False)
    return tmp_path


def drawn(here="attention", note="inside every block", **more):
    html = you_are_here(here, note, SHAPES, 4, **more)._repr_html_()
    return ET.fromstring(re.sub(r"<style>.*?</style>", "", html, flags=re.S))


def test_seven_stations_in_order_with_their_shapes():
    strip = drawn()
    assert [e.text for e in strip.iterfind(".//*[@class='itt-strip-name']")] == list(STATIONS)
    assert [e.text for e in strip.iterfind(".//*[@class='itt-strip-shape']")] == list(SHAPES.values())


@pytest.mark.parametrize("here", STATIONS)
def test_one_station_is_here_and_the_later_ones_are_ahead(here):
    items = drawn(here).findall(".//li")
    assert [i for i, item in enumerate(items) if item.find("*[@aria-current]") is not None] == [STATIONS.index(here)]
    assert [item.get("class") == "itt-ahead" for item in items] == [i > STATIONS.index(here) for i in range(7)]


def test_past_stations_link_to_the_chapters_that_exist(folder, monkeypatch):
    (folder / f"{CHAPTER_OF['tokens']}.ipynb").touch()
    (folder / f"{CHAPTER_OF['logits']}.ipynb").touch()  # ahead, so no link
    assert [a.get("href") for a in drawn().iter("a")] == ["02_tokenization.ipynb"]
    monkeypatch.setenv("ITT_SITE", "1")
    assert [a.get("href") for a in drawn().iter("a")] == ["02_tokenization.html"]
    assert [a.get("aria-label") for a in drawn().iter("a")] == ["tokens, (1, n)"]


def test_the_styles_come_along_in_jupyterlab_only(monkeypatch):
    assert you_are_here("text", "x", SHAPES)._repr_html_().startswith("<style>")
    monkeypatch.setenv("ITT_SITE", "1")
    assert you_are_here("text", "x", SHAPES)._repr_html_().startswith("<nav")


def test_two_lines_below_a_station_are_two_lines_and_one_label(folder):
    (folder / f"{CHAPTER_OF['text']}.ipynb").touch()
    html = you_are_here("tokens", "x", {"text": "two\nlines"})._repr_html_()
    assert ">two\nlines</span>" in html and 'aria-label="text, two lines"' in html


def test_words_are_data():
    html = you_are_here("text", "<b>&", {"text": "<i>"}, 4)._repr_html_()
    assert "&lt;b&gt;&amp;" in html and "&lt;i&gt;" in html


def test_plain_form():
    assert repr(you_are_here("text", "at the start", {})) == "You are here: at the start"


def test_unknown_station_is_one_sentence():
    with pytest.raises(ValueError, match="no station 'mlp'.*feed-forward"):
        you_are_here("mlp", "x")


def test_shapes_of_the_running_text_are_those_of_the_shipped_model():
    from labutils.checkpoints import load

    shipped = load("little-gpt2", library="transformers")
    ids = shipped.tokenizer.encode(RUNNING_TEXT).ids
    config = shipped.model.config
    shapes, layers = running_shapes()
    assert layers == config.n_layer
    assert shapes | {"next token": ""} == {
        "text": "The cat sat on the\nmat. It was tired.",
        "tokens": f"n = {len(ids)}",
        "embeddings": f"({len(ids)}, {config.n_embd})",
        "attention": f"({config.n_head}, {len(ids)}, {len(ids)})",
        "feed-forward": f"({len(ids)}, {config.n_inner or 4 * config.n_embd})",
        "logits": f"({len(ids)}, {config.vocab_size})",
        "next token": "",
    }
    assert re.fullmatch(r"tired \d{1,3}%\nafter “was”", shapes["next token"])


def test_the_strip_of_bert_has_berts_numbers():
    """Its own tokens, with [CLS] and [SEP], its own layers, and a word for each hole where GPT-2 has a next token."""
    from labutils.checkpoints import load

    shipped = load("little-bert", library="transformers")
    n, config = len(shipped.tokenizer.encode(RUNNING_TEXT).ids), shipped.model.config
    shapes, layers = running_shapes("little-bert")
    assert layers == config.num_hidden_layers != running_shapes()[1] and shapes["next token"] == "a word\nfor each hole"
    assert shapes["attention"] == f"({config.num_attention_heads}, {n}, {n})"
    assert shapes["feed-forward"] == f"({n}, {config.intermediate_size})"
    assert shapes["logits"] == f"({n}, {config.vocab_size})"
    strip = you_are_here("attention", "here", model="little-bert")._repr_html_()
    assert f"block × {layers}" in strip and "filled holes</span>" in strip and "next token</span>" not in strip


def test_the_next_token_has_the_probability_that_the_model_gives_it_there():
    """After all tokens of the running text the model would end it: the station says after which word it asks."""
    from labutils.checkpoints import load

    shipped = load("little-gpt2", library="transformers")
    word, share, _, before = running_shapes()[0]["next token"].split()
    asked = RUNNING_TEXT[: RUNNING_TEXT.index(f" {word}")]
    chances = shipped.model(torch.tensor([shipped.tokenizer.encode(asked).ids])).logits[0, -1].softmax(-1).detach()
    (token,) = shipped.tokenizer.encode(f" {word}").ids
    assert asked.endswith(before.strip("“”")) and share == f"{float(chances[token]):.0%}"
