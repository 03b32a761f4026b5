"""Vocabularies as files: whatever HuggingFace writes we read, whatever we write HuggingFace reads."""

import json
import shutil

import pytest
import transformers
from text.vocabularies import SPECIAL, assert_same, wide_strings
from tokenizers import Tokenizer

from labutils.checkpoints.loader import HERE
from labutils.text import AddedToken, ByteLevelBPE, WordPiece, load_tokenizer

TEXTS = wide_strings(150, seed=4)


def write(folder, name, value):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def gpt2_files(pair, folder):
    """vocab.json and merges.txt from a tokenizer.json."""
    model = json.loads((pair.folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    write(folder, "vocab.json", model["vocab"])
    write(folder, "merges.txt", "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in model["merges"]))


def bert_files(pair, folder, **config):
    """vocab.txt and perhaps tokenizer_config.json from a tokenizer.json."""
    model = json.loads((pair.folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    write(folder, "vocab.txt", "".join(token + "\n" for token in sorted(model["vocab"], key=model["vocab"].get)))
    if config:
        write(folder, "tokenizer_config.json", config)


def assert_like_transformers(folder, cls, texts=TEXTS):
    ours, theirs = load_tokenizer(folder), cls.from_pretrained(folder)
    for text in texts:
        row = theirs(text, return_offsets_mapping=True)
        encoding = ours.encode(text)
        assert encoding.ids == row["input_ids"], ascii(text)
        assert encoding.offsets == row["offset_mapping"], ascii(text)
    assert ours.vocab == theirs.get_vocab()


def test_gpt2_vocab_and_merges(vocabularies, tmp_path):
    gpt2_files(vocabularies("gpt2"), tmp_path)
    assert_like_transformers(tmp_path, transformers.GPT2Tokenizer)


def test_gpt2_with_prefix_space(vocabularies, tmp_path):
    gpt2_files(vocabularies("gpt2"), tmp_path)
    write(tmp_path, "tokenizer_config.json", {"add_prefix_space": True, "tokenizer_class": "GPT2Tokenizer"})
    assert_like_transformers(tmp_path, transformers.GPT2Tokenizer)


def test_windows_line_ends(vocabularies, tmp_path):
    pair = vocabularies("gpt2")
    gpt2_files(pair, tmp_path)
    merges = (tmp_path / "merges.txt").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "merges.txt").write_bytes(merges)
    assert load_tokenizer(tmp_path).merges == pair.ours.merges


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"do_lower_case": True},
        {"do_lower_case": False},
        {"do_lower_case": True, "strip_accents": False},
        {"do_lower_case": False, "strip_accents": True, "tokenize_chinese_chars": False},
    ],
    ids=str,
)
def test_bert_vocab(vocabularies, tmp_path, config):
    bert_files(vocabularies("bert-cased"), tmp_path, **config)
    assert_like_transformers(tmp_path, transformers.BertTokenizer)


@pytest.mark.parametrize("lower_in_file, lower_in_config", [(True, False), (False, True)])
def test_a_bert_configuration_wins_over_tokenizer_json(vocabularies, tmp_path, lower_in_file, lower_in_config):
    whole = json.loads((vocabularies("bert-cased").folder / "tokenizer.json").read_text(encoding="utf-8"))
    whole["normalizer"]["lowercase"] = lower_in_file
    write(tmp_path, "tokenizer.json", whole)
    write(tmp_path, "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "do_lower_case": lower_in_config})
    assert_like_transformers(tmp_path, transformers.AutoTokenizer)


def test_special_tokens_map_and_added_tokens(vocabularies, tmp_path):
    gpt2_files(vocabularies("gpt2"), tmp_path)
    flags = {"lstrip": False, "rstrip": False, "normalized": False, "single_word": False, "special": True}
    n = len(vocabularies("gpt2").ours)
    write(tmp_path, "tokenizer_config.json", {
        "tokenizer_class": "GPT2Tokenizer",
        "added_tokens_decoder": {"0": {"content": "<|endoftext|>", **flags}, str(n): {"content": "<pad>", **flags}},
        "pad_token": "<pad>",
    })  # fmt: skip
    assert_like_transformers(tmp_path, transformers.GPT2Tokenizer, [*TEXTS, "a<pad> <pad>b<|endoftext|>"])
    assert load_tokenizer(tmp_path).pad_token == "<pad>"


def test_files_from_before_the_added_tokens_decoder(vocabularies, tmp_path):
    gpt2_files(vocabularies("gpt2"), tmp_path / "gpt2")
    n = len(vocabularies("gpt2").ours)
    write(tmp_path / "gpt2", "added_tokens.json", {"<pad>": n, "Two words": n + 1})
    write(tmp_path / "gpt2", "special_tokens_map.json", {"pad_token": "<pad>", "bos_token": "<|endoftext|>"})
    assert_like_transformers(tmp_path / "gpt2", transformers.GPT2Tokenizer, [*TEXTS, "a<pad> Two words two words"])
    bert_files(vocabularies("bert-uncased"), tmp_path / "bert", do_lower_case=True)
    mask = {"content": "[MASK]", "lstrip": True, "rstrip": False, "single_word": False, "normalized": False}
    write(tmp_path / "bert", "special_tokens_map.json", {"mask_token": mask})
    assert_like_transformers(tmp_path / "bert", transformers.BertTokenizer, [*TEXTS, "the  [MASK] sat"])
    assert load_tokenizer(tmp_path / "bert").encode("a  [MASK]").offsets[2] == (1, 9)


def test_old_style_files(vocabularies, tmp_path):
    """Merges as strings, BertProcessing, no added flags beyond the usual: as in files of 2020."""
    whole = json.loads((vocabularies("bert-uncased").folder / "tokenizer.json").read_text(encoding="utf-8"))
    whole["post_processor"] = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}
    write(tmp_path / "bert", "tokenizer.json", whole)
    theirs, ours = Tokenizer.from_file(str(tmp_path / "bert" / "tokenizer.json")), load_tokenizer(tmp_path / "bert")
    for text, second in zip(TEXTS, TEXTS[::-1]):
        assert_same(ours.encode(text, second), theirs.encode(text, second), text)
    whole = json.loads((vocabularies("gpt2").folder / "tokenizer.json").read_text(encoding="utf-8"))
    whole["model"]["merges"] = [" ".join(pair) for pair in whole["model"]["merges"]]
    write(tmp_path / "gpt2", "tokenizer.json", whole)
    assert load_tokenizer(tmp_path / "gpt2").merges == vocabularies("gpt2").ours.merges


def test_what_we_save_huggingface_reads(vocabulary, tmp_path):
    vocabulary.ours.save(tmp_path)
    again, theirs = load_tokenizer(tmp_path), Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text, second in zip(TEXTS, TEXTS[::-1]):
        assert_same(again.encode(text, second), vocabulary.theirs.encode(text, second), text)
        assert_same(again.encode(text, second), theirs.encode(text, second), text)
        ids = again.encode(text).ids
        assert again.decode(ids) == theirs.decode(ids, skip_special_tokens=False) == vocabulary.ours.decode(ids)
    assert again.vocab == vocabulary.ours.vocab == theirs.get_vocab()


@pytest.mark.parametrize("kind", [ByteLevelBPE, WordPiece])
def test_what_we_train_transformers_reads(kind, tmp_path):
    texts = ["The cat sat on the mat. It was tired.", "It was a café."] * 3
    trained = kind.train(texts, 330 if kind is ByteLevelBPE else 90)
    trained.save(tmp_path)
    assert_like_transformers(tmp_path, transformers.AutoTokenizer, texts)
    (tmp_path / "tokenizer.json").unlink()
    assert load_tokenizer(tmp_path).vocab == trained.vocab
    cls = transformers.GPT2Tokenizer if kind is ByteLevelBPE else transformers.BertTokenizer
    assert_like_transformers(tmp_path, cls, texts)


def test_saving_writes_the_same_bytes(vocabulary, tmp_path):
    vocabulary.ours.save(tmp_path / "once")
    load_tokenizer(tmp_path / "once").save(tmp_path / "twice")
    for path in (tmp_path / "once").iterdir():
        assert path.read_bytes() == (tmp_path / "twice" / path.name).read_bytes(), path.name


def test_the_small_files_say_the_same_as_tokenizer_json(vocabularies, tmp_path):
    for name in ("gpt2", "bert-uncased", "bert-cased"):
        folder = tmp_path / name
        vocabularies(name).ours.save(folder)
        (folder / "tokenizer.json").unlink()
        again = load_tokenizer(folder)
        for text in TEXTS:
            assert again.encode(text).ids == vocabularies(name).ours.encode(text).ids


def damaged(tmp_path, vocabularies, name="gpt2", **changes):
    whole = json.loads((vocabularies(name).folder / "tokenizer.json").read_text(encoding="utf-8"))
    for key, value in changes.items():
        whole[key] = value if not isinstance(value, dict) or whole[key] is None else whole[key] | value
    write(tmp_path, "tokenizer.json", whole)
    return tmp_path


@pytest.mark.parametrize(
    "name, changes, words",
    [
        ("gpt2", {"normalizer": {"type": "NFC"}}, "normalises"),
        ("gpt2", {"pre_tokenizer": {"type": "Whitespace"}}, "does not cut"),
        ("gpt2", {"pre_tokenizer": {"use_regex": False}}, "does not cut"),
        ("gpt2", {"model": {"dropout": 0.1}}, "dropout"),
        ("gpt2", {"model": {"merges": [["x", "qqq"]]}}, "not in the vocabulary"),
        ("gpt2", {"model": {"type": "Unigram"}}, "Unigram"),
        ("gpt2", {"post_processor": {"type": "RobertaProcessing"}}, "RobertaProcessing"),
        ("bert-uncased", {"normalizer": {"type": "Lowercase"}}, "BertNormalizer"),
        ("bert-uncased", {"model": {"vocab": {"a": 0}}}, r"no \[UNK\]"),
    ],
)
def test_what_is_neither_gpt2_nor_bert_is_refused(tmp_path, vocabularies, name, changes, words):
    with pytest.raises(ValueError, match=words):
        load_tokenizer(damaged(tmp_path, vocabularies, name, **changes))


def test_missing_and_damaged_files(tmp_path, vocabularies):
    with pytest.raises(ValueError, match="no tokenizer in"):
        load_tokenizer(tmp_path / "nowhere")
    write(tmp_path, "tokenizer.json", "{ not json")
    with pytest.raises(ValueError, match="tokenizer.json is damaged"):
        load_tokenizer(tmp_path)
    gpt2_files(vocabularies("gpt2"), tmp_path / "gpt2")
    write(tmp_path / "gpt2", "merges.txt", "#version: 0.2\na b c\n")
    with pytest.raises(ValueError, match="merges.txt"):
        load_tokenizer(tmp_path / "gpt2")
    write(tmp_path / "bert", "vocab.txt", "[PAD]\n[UNK]\nthe\n")
    with pytest.raises(ValueError, match=r"no \[(CLS|SEP)\]"):
        load_tokenizer(tmp_path / "bert")
    (tmp_path / "bert" / "vocab.txt").write_bytes(b"[PAD]\n\xff\xfe\n")
    with pytest.raises(ValueError, match="vocab.txt is damaged"):
        load_tokenizer(tmp_path / "bert")


@pytest.mark.parametrize("content", ["[1, 2]", "null", '{"model": [1]}', '{"model": {"type": "BPE", "merges": 7, "vocab": {}}, "pre_tokenizer": {"type": "ByteLevel"}}',
                                     '{"model": {"type": "BPE"}, "added_tokens": [{"content": "a"}]}', '{"added_tokens": {"a": 1}}',
                                     '{"model": {"type": "BPE", "merges": [], "vocab": {"a": "0"}}, "pre_tokenizer": {"type": "ByteLevel"}}',
                                     '{"model": {"type": "BPE", "merges": [], "vocab": {"a": -1}}, "pre_tokenizer": {"type": "ByteLevel"}}'])  # fmt: skip
def test_json_of_another_form(tmp_path, content):
    write(tmp_path, "tokenizer.json", content)
    with pytest.raises(ValueError, match="is damaged|An id is a whole number"):
        load_tokenizer(tmp_path)


def test_a_mark_of_the_byte_order_is_no_part_of_a_token(vocabularies, tmp_path):
    """Some editors put one in front of a file."""
    bert_files(vocabularies("bert-uncased"), tmp_path, do_lower_case=True)
    without = load_tokenizer(tmp_path).vocab
    for name in ("vocab.txt", "tokenizer_config.json"):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + (tmp_path / name).read_bytes())
    assert load_tokenizer(tmp_path).vocab == without and "[PAD]" in without


def test_without_a_byte_in_the_vocabulary():
    tokenizer = ByteLevelBPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])
    assert tokenizer.encode("abba").ids == [2, 1, 0]
    with pytest.raises(ValueError, match="0x63"):
        tokenizer.encode("abc")


def test_a_new_added_token_gets_the_next_id(vocabularies):
    ours = vocabularies("gpt2").ours
    more = ByteLevelBPE(ours.model_vocab, ours.merges, [*ours.added_tokens, AddedToken("<new>")])
    assert more.token_to_id("<new>") == len(ours)
    assert more.encode("a<new>").tokens == ["a", "<new>"]
    assert SPECIAL[0] not in more.vocab


EXTRA = [
    {"additional_special_tokens": ["<x>", {"__type": "AddedToken", "content": "<y>", "lstrip": True}]},
    {"extra_special_tokens": ["<x>"]},
    {"extra_special_tokens": {"image_token": "<x>"}},
    {"add_bos_token": True},
    {"add_bos_token": True, "add_eos_token": True},
    {"add_prefix_space": True},
]


@pytest.mark.parametrize("change", EXTRA, ids=str)
@pytest.mark.parametrize("name", ["little-gpt2", "little-bert", "vocabularies/gpt2", "vocabularies/bert-base-uncased"])
def test_settings_of_a_hand_made_folder_are_obeyed(name, change, tmp_path):
    """Ids as AutoTokenizer gives them, of one text and of two."""
    for file in (HERE / name).iterdir():
        if file.suffix in (".json", ".txt"):
            shutil.copy(file, tmp_path)
    settings = tmp_path / "tokenizer_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | change))
    ours, theirs = load_tokenizer(tmp_path), transformers.AutoTokenizer.from_pretrained(tmp_path)
    for texts in (["Hello <x> world. The <y> cat <x>"], ["<x>One", "another <y>one"]):
        assert ours.encode(*texts).ids == theirs(*texts)["input_ids"]


def test_settings_that_cannot_be_read_are_named(tmp_path):
    for wrong in ("<x>", [3]):
        for file in (HERE / "vocabularies/gpt2").iterdir():
            shutil.copy(file, tmp_path)
        (tmp_path / "tokenizer_config.json").write_text(json.dumps({"extra_special_tokens": wrong}))
        with pytest.raises(ValueError, match="extra_special_tokens must be a list"):
            load_tokenizer(tmp_path)


def test_decode_reads_ids():
    with pytest.raises(ValueError, match="decode reads ids, whole numbers, and not 'a'"):
        load_tokenizer(HERE / "little-gpt2").decode(["a"])
