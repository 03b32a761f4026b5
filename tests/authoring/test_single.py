"""GPT-2 and BERT in one file each: 200 lines, PyTorch alone, and HuggingFace's logits at every place of a text."""

import ast
import base64
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from labutils.authoring import single
from labutils.authoring.shortening import shortened
from labutils.checkpoints import load, load_tokenizer
from labutils.checkpoints.loader import HERE, VOCABULARIES

TEXTS = {"gpt2": "The cat sat on the mat. It was", "bert": "The cat [MASK] on the mat. It was [MASK]."}
HOSTILE = [
    "",
    " ",
    "\n\n  x",
    "it's  we'll 3½² ¾ ٣",
    "naïve Ünï ﬁ ΌΣΟΣ",
    "猫 sat",
    "a\x85b\u00a0c\u2003d",
    "_x_ --",
    "\x00\ufffd\x1c",
    "e\u0301 🙂",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An empty folder with the two files."""
    return single.write(tmp_path_factory.mktemp("single"))[0].parent


@pytest.fixture(scope="module")
def module(folder):
    def read(name):
        spec = importlib.util.spec_from_file_location(f"single_{name}", folder / f"{name}.py")
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        return made

    return {name: read(name) for name in single.NAMES}


def odd(name: str, path: Path) -> Path:
    """A small model of HuggingFace's with random weights, saved by HuggingFace, its inner width left to the default."""
    torch.manual_seed(0)
    if name == "gpt2":
        config = transformers.GPT2Config(
            vocab_size=1000, n_positions=32, n_embd=40, n_layer=3, n_head=5, initializer_range=0.4
        )
        transformers.GPT2LMHeadModel(config).save_pretrained(path)
        files = ("vocab.json", "merges.txt")
    else:
        sizes = {
            "num_hidden_layers": 3,
            "num_attention_heads": 5,
            "intermediate_size": 72,
            "max_position_embeddings": 32,
        }
        config = transformers.BertConfig(vocab_size=978, hidden_size=40, initializer_range=0.4, **sizes)
        transformers.BertForPreTraining(config).save_pretrained(path)
        files = ("vocab.txt",)
    for file in files:
        (path / file).write_bytes((HERE / f"little-{name}" / file).read_bytes())
    return path


@pytest.mark.parametrize("name", single.NAMES)
def test_a_file_has_200_lines_and_needs_torch_alone(name):
    text = single.text(name)
    assert text.count("\n") <= single.MOST and max(map(len, text.split("\n"))) <= 120
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    needed = {a.name for node in imports for a in node.names if isinstance(node, ast.Import)}
    needed |= {node.module for node in imports if isinstance(node, ast.ImportFrom)}
    assert {module.split(".")[0] for module in needed} - set(sys.stdlib_module_names) == {"torch"}


def test_the_comments_of_the_parts_are_kept():
    part = shortened((Path(single.__file__).parents[2] / "layers/multi_head.py").read_text().split("class Multi")[0])
    for name in single.NAMES:
        said = [line.split("# ")[1] for line in part.split("\n") if "  # (batch" in line]
        assert len(said) == 6 and all(f"# {words}" in single.text(name) for words in said)


@pytest.mark.parametrize("made", ["shipped", "odd"])
@pytest.mark.parametrize("name", single.NAMES)
def test_logits_are_huggingfaces_at_every_place(module, name, made, tmp_path):
    path = HERE / f"little-{name}" if made == "shipped" else odd(name, tmp_path)
    kind = transformers.GPT2LMHeadModel if name == "gpt2" else transformers.BertForPreTraining
    theirs = kind.from_pretrained(path, attn_implementation="eager").double().eval()
    ids = torch.tensor([load_tokenizer(path if made == "shipped" else HERE / f"little-{name}").encode(TEXTS[name]).ids])
    with torch.no_grad():
        ours, out = module[name].load(path).double()(ids), theirs(ids)
    expected = out.logits if name == "gpt2" else out.prediction_logits
    assert ours.shape == expected.shape and ours.abs().max() > 1
    torch.testing.assert_close(ours, expected, rtol=1e-10, atol=1e-10)


@pytest.fixture(scope="module")
def encode(module):
    """For each model, how its file and how the package cut a text with the published vocabulary."""
    words = lambda path: (VOCABULARIES / path).read_text(encoding="utf-8")
    vocab, pieces = json.loads(words("gpt2/vocab.json")), words("bert-base-uncased/vocab.txt").split("\n")
    ranks = {tuple(line.split()): rank for rank, line in enumerate(words("gpt2/merges.txt").split("\n"))}
    known = {piece: i for i, piece in enumerate(pieces)}
    gpt2, bert = load_tokenizer("gpt2"), load_tokenizer("bert-base-uncased")
    return (
        (lambda text: module["gpt2"].encode(text, vocab, ranks), lambda text: gpt2.encode(text).ids),
        (lambda text: module["bert"].encode(text, known, True), lambda text: bert.encode(text).ids),
    )


@pytest.mark.parametrize("text", [*HOSTILE, *TEXTS.values()])
def test_tokens_are_those_of_the_published_vocabularies(encode, text):
    for ours, theirs in encode:
        assert ours(text) == theirs(text)


@settings(max_examples=150, deadline=None)
@given(text=st.text(st.characters(codec="utf-8", max_codepoint=0x24F), max_size=20))
def test_tokens_of_any_european_text(encode, text):
    for ours, theirs in encode:
        assert ours(text) == theirs(text)


def run(folder: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-I", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")


def test_gpt2_writes_on_as_generate_does(folder):
    start = "One day, a small mouse"
    said = run(folder, "gpt2.py", str(HERE / "little-gpt2"), start)
    little = load("little-gpt2", library="transformers")
    ids = torch.tensor([little.tokenizer.encode(start).ids])
    with torch.no_grad():
        theirs = little.model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=40)
    assert said.stdout.strip() == little.tokenizer.decode(theirs[0].tolist()).removesuffix("<|endoftext|>"), said.stderr


def test_bert_names_five_words_for_each_mask(folder):
    said = run(folder, "bert.py", str(HERE / "little-bert"), TEXTS["bert"]).stdout.split("\n")
    assert len(said) == 3 and [len(line.split("  ")) for line in said[:2]] == [5, 5]
    assert said[1].startswith("sleepy ")


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("gpt2", ["nowhere"], "nowhere has no config.json: take all four files"),
        ("gpt2", ["little", "the cat " * 200], "tokens and the model 256 places: take a shorter text."),
        ("bert", ["nowhere"], "nowhere has no config.json: take all three files"),
        ("bert", ["little", "The cat sat."], "[MASK] where a word is hidden."),
        ("bert", ["little", "[MASK] " * 300], "write one of at most 256"),
    ],
)
def test_bad_input_is_told_in_one_sentence(module, name, words, sentence):
    words = [str(HERE / f"little-{name}") if word == "little" else word for word in words]
    with pytest.raises(SystemExit) as said:
        module[name].main(*words)
    assert sentence in said.value.code and "\n" not in said.value.code


def test_an_empty_text_begins_a_story(module, capsys):
    module["gpt2"].main(str(HERE / "little-gpt2"), "")
    assert capsys.readouterr().out.startswith("The nurse waits in the hospital.")


def test_another_activation_is_refused(module, tmp_path):
    config = json.loads((HERE / "little-gpt2/config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"activation_function": "relu"}))
    with pytest.raises(SystemExit, match="has the activation relu, and GPT-2 has gelu_new"):
        module["gpt2"].load(tmp_path)


def test_a_page_hands_out_the_same_files(folder):
    links = re.findall(
        r'download="(\w+.py)" href="data:text/x-python;charset=utf-8;base64,([^"]+)"', single.Downloads()._repr_html_()
    )
    assert {name: base64.b64decode(data) for name, data in links} == {
        f"{name}.py": (folder / f"{name}.py").read_bytes() for name in single.NAMES
    }
    assert repr(single.Downloads()) == "To download: gpt2.py (200 lines), bert.py (200 lines)"


def test_a_part_that_has_changed_is_named(monkeypatch):
    monkeypatch.setitem(single.ONLY, "gpt2", (("no such words", ""),))
    with pytest.raises(ValueError, match="should have 'no such words' once, and has it 0 times"):
        single.text("gpt2")
    with pytest.raises(ValueError, match="There is no file for 'llama'"):
        single.text("llama")
