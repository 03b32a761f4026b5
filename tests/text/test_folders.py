"""None differs in silence: each folder of the family is read as AutoTokenizer reads it, also once ours has saved it, or
refused by one sentence that names what was not obeyed.
"""

import re

import pytest
import transformers
from text.folders import BERT_WHOLE, CASES, GPT2_WHOLE, SETTINGS, WHOLE, base, made, outcome, setting

from labutils.text import load_tokenizer

REFUSED = {  # what a folder may be refused for -> what the sentence says
    r"a side that is none": 'padding_side must be "right" or "left"',
    r"split special$|split special of": "split_special_tokens=True",
    r"own code": "auto_map",
    r"arguments": "init_inputs",
    r"fast files": "fast_tokenizer_files",
    r"vocab": "vocab=",
    r"(roberta|unknown) in config.json": "a model of type",
    r"(class|of) (Roberta|Bart|CLIP|MPNet|GPTNeoX|Qwen2|Whisper|OfMine|Deberta|T5|Llama)": "asks for the class",
    r"gpt2 (whole|plain).*((class|of) (Bert|DistilBert|Electra|LayoutLM)|bert in config)": "holds a BPE model",
    r"bert (whole|plain).*(class (GPT2|CodeGen)|class in config)": "holds a WordPiece model",
    r"small.*((class|of) (Bert|DistilBert|Electra|LayoutLM|GPT2|CodeGen)|in config)": "for the class of GPT-2",
    r"bert (whole|small).*(sep|unk) other": "The vocabulary has no <",
    r"cutter (sequence|no regex)|normalizer other": "does not (normalise and )?cut|normalises",
    r"gpt2.*normalizer": "normalises",
    r"(sequence post|roberta processing)": "ends in a",
    r"plain.*(no decoder|decoder (fuse|prefix|no cleanup|byte level))|piece prefix": "joins|continuing_subword_prefix",
    r"gpt2.*(dropout|fallback|suffix|unk)": "asks for",
    r"another id|template of two": "puts the ids",
    r"bert whole.*(max chars|unk)": "max_input|unk_token",
}


@pytest.fixture(autouse=True, scope="module")
def quiet():
    level = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    yield
    transformers.logging.set_verbosity(level)


@pytest.mark.parametrize("case", CASES)
def test_it_is_read_as_huggingface_reads_it_or_refused_by_name(case, tmp_path):
    found = outcome(made(tmp_path / "folder", case), tmp_path / "saved")
    if isinstance(found, list):
        assert found == []
    else:
        says = [words for rule, words in REFUSED.items() if re.search(rule, case)]
        assert any(re.search(words, found) for words in says), found
        assert "\n" not in found and len(found) < 300 and found.endswith(".")


def test_the_family_is_large_and_most_of_it_is_read():
    assert len(CASES) > 600 and len(SETTINGS) > 80 and len(WHOLE | GPT2_WHOLE | BERT_WHOLE) > 40
    assert sum(any(re.search(rule, case) for rule in REFUSED) for case in CASES) < len(CASES) / 2


def test_a_token_to_pad_with_that_was_set_is_saved(tmp_path):
    tokenizer = load_tokenizer(base(tmp_path / "folder", "gpt2", "whole"))
    tokenizer.pad_token = "a"
    tokenizer.save(tmp_path / "saved")
    assert transformers.AutoTokenizer.from_pretrained(tmp_path / "saved").pad_token == "a"
    assert load_tokenizer(tmp_path / "saved").pad_token == "a"


def test_a_side_that_is_asked_for_counts_more_than_the_folders(tmp_path):
    folder = base(tmp_path / "folder", "bert", "whole")
    setting(truncation_side="left", padding_side="left")(folder)
    left, right = load_tokenizer(folder), load_tokenizer(base(tmp_path / "other", "bert", "whole"))
    text = "Anna saw a dog"
    assert left.encode(text, max_length=4).ids != right.encode(text, max_length=4).ids
    assert left.encode(text, max_length=4, truncation_side="right").ids == right.encode(text, max_length=4).ids
    texts = [text, "a dog"]
    assert left.encode_batch(texts)[1].ids[0] == left.vocab["[PAD]"]
    assert left.encode_batch(texts, padding_side="right")[1].ids == right.encode_batch(texts)[1].ids


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"vocab.json": '{"a</w>": 0, "a": 1, "b</w>": 2, "ab</w>": 3}', "merges.txt": "a b</w>\n"}, "</w>"),
        ({"vocab.json": '{"<s>": 0, "<pad>": 1, "</s>": 2, "a": 3}', "merges.txt": "#version: 0.2\n"}, "RoBERTa"),
        ({"vocab.txt": "<s>\n<pad>\n</s>\n[UNK]\nthe\n<mask>\n"}, r"no \[CLS\]"),
    ],
    ids=["CLIP", "RoBERTa and BART", "MPNet"],
)
def test_small_files_of_others_without_a_word_about_them(files, words, tmp_path):
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        load_tokenizer(tmp_path)
