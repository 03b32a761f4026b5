"""What chapter 02 cites: of HuggingFace's trainer, and of the real vocabularies, which come with the package."""

import hashlib
import json

import pytest
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from labutils import checkpoints
from labutils.making.vocabularies import PUBLISHED, VOCABULARIES
from labutils.text import ByteLevelBPE, WordPiece, load_tokenizer
from labutils.text.bpe_train import learn_merges_naively

IDS = {  # model -> text -> ids, without special tokens
    "gpt2": {
        "The cat sat on": [464, 3797, 3332, 319],
        "the cat sat on the mat": [1169, 3797, 3332, 319, 262, 2603],
        "The woman sat on": [464, 2415, 3332, 319],
        " the": [262], " The": [383], "The": [464], "the": [1169],
        "playing": [17916], " playing": [2712],
    },
    "bert-base-uncased": {
        "The cat sat on the mat": [1996, 4937, 2938, 2006, 1996, 13523],
        "unbelievable": [23653], "playing": [2652],
    },
}  # fmt: skip
ENTRIES = {"gpt2": 50_257, "bert-base-uncased": 30_522}
PLACES = {  # model -> token -> id, or None for what is not on the list
    "gpt2": {"<|endoftext|>": 50_256, "<|pad|>": None, "<|unk|>": None, "[CLS]": None},
    "bert-base-uncased": {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103, "##believ": None},
}
PIECES = {"bert-base-uncased": {"embeddings": ["em", "##bed", "##ding", "##s"]}}


def wrong_facts(tokenizer, name):
    """One sentence for each cited fact that a tokenizer contradicts."""
    found = []
    for text, ids in IDS.get(name, {}).items():
        if tokenizer.encode_ids(text) != ids:
            found.append(f"{text!r} has the ids {tokenizer.encode_ids(text)}, not {ids}")
    for token, place in PLACES.get(name, {}).items():
        if tokenizer.token_to_id(token) != place:
            found.append(f"{token} has the id {tokenizer.token_to_id(token)}, not {place}")
    for word, pieces in PIECES.get(name, {}).items():
        if tokenizer.tokenize(word) != pieces:
            found.append(f"{word} falls into {tokenizer.tokenize(word)}, not {pieces}")
    if len(tokenizer) != ENTRIES[name]:
        found.append(f"{len(tokenizer)} entries, not {ENTRIES[name]}")
    return found


@pytest.mark.parametrize("name", ENTRIES)
def test_the_real_vocabularies_are_as_cited(name):
    assert not wrong_facts(checkpoints.load_tokenizer(name), name)


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_files_are_the_published_ones(name):
    assert hashlib.sha256((VOCABULARIES / name).read_bytes()).hexdigest() == PUBLISHED[name]


TEXTS = [
    "The cat sat on the mat. It was tired.",
    "Crème brûlée, naïve café 🐈 猫",
    "don't  stop\n\n3.14 — №7",
    "supercalifragilistic",
    "",
]


@pytest.mark.parametrize("text", TEXTS)
def test_huggingfaces_tokenizers_give_the_same_ids_with_the_same_files(text):
    ours = checkpoints.load_tokenizer("gpt2").encode(text).ids
    vocab, merges = (str(VOCABULARIES / f"gpt2/{name}") for name in ("vocab.json", "merges.txt"))
    assert ours == transformers.GPT2Tokenizer(vocab, merges)(text).input_ids
    theirs = transformers.BertTokenizer(str(VOCABULARIES / "bert-base-uncased/vocab.txt"), do_lower_case=True)
    assert checkpoints.load_tokenizer("bert-base-uncased").encode(text).ids == theirs(text).input_ids


def test_a_folder_of_ones_own_comes_before_the_shipped_one(tmp_path, monkeypatch):
    WordPiece({t: i for i, t in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat"])}).save(
        tmp_path / "bert-base-uncased"
    )
    monkeypatch.setenv("LABUTILS_MODELS", str(tmp_path))
    assert len(checkpoints.load_tokenizer("bert-base-uncased")) == 6


def test_gpt2_has_one_special_token_for_three_uses():
    """As HuggingFace's tokenizer comes, and its configuration: 50256, and nothing for padding."""
    theirs, config = transformers.GPT2Tokenizer(), transformers.GPT2Config()
    assert {theirs.bos_token, theirs.eos_token, theirs.unk_token} == {"<|endoftext|>"}
    assert theirs.pad_token is None and theirs.all_special_tokens == ["<|endoftext|>"]
    assert config.bos_token_id == config.eos_token_id == PLACES["gpt2"]["<|endoftext|>"] == ENTRIES["gpt2"] - 1
    names = {token for token, place in PLACES["bert-base-uncased"].items() if place is not None}
    assert set(transformers.BertTokenizer().all_special_tokens) == names
    assert transformers.BertConfig().pad_token_id == PLACES["bert-base-uncased"]["[PAD]"]


def cited_wordpiece():
    """A WordPiece tokenizer that agrees with every fact cited of bert-base-uncased."""
    vocab = {f"filler {i}": i for i in range(ENTRIES["bert-base-uncased"])}
    words = dict(zip("the cat sat on the mat".split(), IDS["bert-base-uncased"]["The cat sat on the mat"]))
    pieces = {piece: 20_000 + i for i, piece in enumerate(PIECES["bert-base-uncased"]["embeddings"])}
    places = {token: i for token, i in PLACES["bert-base-uncased"].items() if i is not None}
    given = words | pieces | places | {"unbelievable": 23653, "playing": 2652}
    taken = set(given.values())
    return {token: i for token, i in vocab.items() if i not in taken} | given


def test_a_list_that_agrees_has_no_wrong_facts():
    assert wrong_facts(WordPiece(cited_wordpiece()), "bert-base-uncased") == []


def test_each_wrong_entry_is_named(tmp_path):
    vocab = cited_wordpiece()
    for change, said in [
        ({"##believ": vocab.pop("filler 1000")}, "##believ has the id 1000, not None"),
        (
            {"playing": vocab["filler 2000"], "filler 2000": vocab["playing"]},
            "'playing' has the ids [2000], not [2652]",
        ),
        ({"embed": vocab["filler 3000"]}, "embeddings falls into ['embed', '##ding', '##s']"),
        ({"one more": 30_522, "and one": 30_523}, "30523 entries, not 30522"),
    ]:
        WordPiece(vocab | change).save(tmp_path)
        assert any(said in sentence for sentence in wrong_facts(load_tokenizer(tmp_path), "bert-base-uncased")), said


def test_a_small_bpe_contradicts_what_is_cited_of_gpt2():
    found = wrong_facts(ByteLevelBPE.train(["the cat sat on the mat"] * 3, 300, ["<|endoftext|>", "<|pad|>"]), "gpt2")
    assert len(found) == len(IDS["gpt2"]) + 3  # every text, two of the four places, the number of entries
    assert "<|pad|> has the id" in " ".join(found)


def test_an_overlapping_pair_is_counted_at_both_places():
    """Of six *a a* in three "aaa" only three can be merged; counted as three, *b c* with four would come first."""
    words = {"aaa": 3, "bc": 4}
    theirs = Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    theirs.train_from_iterator(
        [f"{word} " * n for word, n in words.items()], trainers.BpeTrainer(vocab_size=4, show_progress=False)
    )
    assert json.loads(theirs.to_str())["model"]["merges"] == [["a", "a"]]
    assert learn_merges_naively(words, 1) == [(("a", "a"), 6)]
