"""Each control on a reader's own folder of a GPT-2 and of a BERT, of odd shapes: it works, or says which kind it needs."""

import re
import shutil

import pytest
import torch
from transformers import BertConfig, BertForPreTraining, GPT2Config, GPT2LMHeadModel

from labutils import controls
from labutils.checkpoints import load
from labutils.checkpoints.loader import HERE
from labutils.controls import Explorer, NextWord, Reuse, Story, Transplant, transplant
from labutils.controls.bundle import homes
from labutils.controls.kernel import KernelSource, answer
from labutils.controls.script import call

HOLES = {"text": "The cat sat on the [MASK].", "other": "The dog sat on the [MASK]."}
GOES_ON = "reads a whole text at once and does not continue one: choose a GPT-2."
# control -> what it is given for a BERT, or the sentence that refuses one
WITH_BERT = {
    "Explorer": {},
    "Steps": {},
    "Vectors": {},
    "Stream": {},
    "Walk": {},
    "NextWord": {},
    "Transplant": HOLES,
    "Shuffle": "does not say what comes next: choose a GPT-2.",
    "Beams": GOES_ON,
    "Reuse": GOES_ON,
    "Way": GOES_ON,
    "Story": GOES_ON,
}
SHAPES = {
    "gpt2": lambda: GPT2LMHeadModel(
        GPT2Config(
            vocab_size=1000, n_positions=29, n_embd=21, n_layer=3, n_head=3, n_inner=11, bos_token_id=0, eos_token_id=0
        )
    ),
    "bert": lambda: BertForPreTraining(
        BertConfig(
            vocab_size=1024,
            max_position_embeddings=27,
            hidden_size=21,
            num_hidden_layers=3,
            num_attention_heads=3,
            intermediate_size=11,
        )
    ),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Of each kind a folder as HuggingFace writes it, with drawn weights and the words of the book's own model."""
    found = {}
    for kind, made in SHAPES.items():
        torch.manual_seed(1)
        model, path = made(), tmp_path_factory.mktemp("own") / f"odd-{kind}"
        for parameter in model.parameters():
            parameter.data.normal_(0, 0.3)
        model.save_pretrained(path)
        for file in (HERE / f"little-{kind}").iterdir():
            if file.name.startswith(("tokenizer", "vocab", "merges")):
                shutil.copy(file, path)
        found[kind] = path
    return found


def test_every_control_that_takes_any_model_is_in_the_table():
    classes = {name: getattr(controls, name) for name in homes()}
    takers = {name for name, cls in classes.items() if issubclass(cls, KernelSource) and "model" in cls.lines}
    assert takers == set(WITH_BERT)


@pytest.mark.parametrize("name", WITH_BERT)
def test_a_gpt2_is_shown(folders, name):
    shows(name, folders["gpt2"], {})


@pytest.mark.parametrize("name", WITH_BERT)
def test_a_bert_is_shown_or_refused_in_a_sentence(folders, name):
    given = WITH_BERT[name]
    if isinstance(given, dict):
        shows(name, folders["bert"], given)
        return
    with pytest.raises(ValueError, match=rf"^{re.escape(str(folders['bert']))} {re.escape(given)}$"):
        getattr(controls, name)(model=folders["bert"])


def shows(name: str, path, given: dict) -> None:
    """The picture names the model, and the kernel answers for it."""
    control = getattr(controls, name)(model=path, name=f"{name}-{path.name}", **given)
    picture = control.picture()
    assert path.name in picture and "itt-failed" not in picture
    assert control.model == str(path)
    served = control._served[str(path)]
    info = answer(served, {"ask": "hello"})[0]["info"]
    assert (info["layers"], info["heads"], info["width"], info["ffn"]) == (3, 3, 21, 11)


def test_a_text_without_a_hole_is_refused_by_a_transplant_of_a_bert(folders):
    with pytest.raises(ValueError, match=r"^“The cat sat on the mat. It was” has no hole: write \[MASK\] in place"):
        Transplant(model=folders["bert"])


def test_what_load_returned_is_a_model_too(folders):
    """Its own numbers are shown, not those that its folder holds."""
    mine = load(folders["gpt2"])
    with torch.no_grad():
        mine.model.embeddings.token.weight.mul_(0.5)
    ahead = NextWord("The cat", model=mine, name="mine")
    ids = mine.tokenizer.encode("The cat").ids
    with torch.no_grad():
        best = mine.model(torch.tensor([ids])).logits[0, -1].softmax(-1).max()
    assert ahead.finished["top"][0]["p"] == pytest.approx(float(best), abs=1e-7)
    assert Explorer("The cat", model=folders["gpt2"], name="mine-too")._served[mine.name] is mine
    with pytest.raises(ValueError, match=r"^model=3 is no text\.$"):
        NextWord("The cat", model=3)


def test_a_large_model_tries_the_places_that_are_named(folders, monkeypatch):
    monkeypatch.setattr(transplant, "AT_ONCE", 1)  # as if no place could be tried unasked
    none, some, every = (
        Transplant(model=folders["gpt2"], tried=tried, name=f"tried-{i}")
        for i, tried in enumerate(("", "6.8 0.1", "all"))
    )
    assert not none.finished["places"] and "No place is tried yet: choose one." in none.picture()
    assert set(some.finished["places"]) == {"6.8", "0.1"}
    n = len(every.finished["tokens"])
    assert set(every.finished["places"]) == {f"{level}.{token}" for level in range(7) for token in range(n)}
    assert "No place is tried yet" not in every.picture()
    monkeypatch.undo()
    assert Transplant(model=folders["gpt2"], name="small").finished["places"] == every.finished["places"]


def test_of_a_model_with_few_heads_reuse_shows_its_last(folders):
    last = Reuse(model=folders["gpt2"], name="last")
    assert (last.layer, last.head) == (1, 2)
    with pytest.raises(ValueError, match=r"^There is no head 6: they go from 0 to 2\.$"):
        Reuse(model=folders["gpt2"], head=6)


def test_a_story_of_a_model_with_many_positions_is_stopped(folders):
    assert (
        len(Story("The cat", model=folders["gpt2"], name="stopped").finished["tokens"]) == 29
    )  # drawn weights never draw the end
    assert [call("story/longest.js", "most", {"maxTokens": n}) for n in (29, 256, 1024)] == [29, 256, 256]
    word = [{"text": "cat", "p": 0.5, "pieces": 1, "end": False}]
    said = {n: call("story/words.js", "readout", {"info": {"maxTokens": n}}, word, 0)[-1] for n in (256, 1024)}
    assert said[256].endswith("Then all 256 positions of the model were taken.")
    assert said[1024].endswith("The model would go on, and is stopped at 256 tokens.")
