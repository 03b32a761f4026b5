"""The paper model as a folder: five words in, the pencil's numbers out."""

import pytest
import torch

from labutils.checkpoints import load
from labutils.checkpoints.loader import HERE
from labutils.making.paper import make_paper
from labutils.text.words import WordTokenizer

BY_HAND = torch.tensor([1 / 8, 1 / 16, 1 / 16, 1 / 2, 1 / 4], dtype=torch.float64)


@pytest.mark.parametrize("library", ["labutils", "transformers"])
@pytest.mark.parametrize("dtype, tolerance", [(torch.float64, 1e-11), (torch.float32, 1e-6)])
def test_the_cat_sat(library, dtype, tolerance):
    c = load("paper-gpt2", library, dtype)
    p = c.model(torch.tensor([c.tokenizer.encode("the cat sat").ids])).logits[0, -1].softmax(-1)
    assert (p.double() - BY_HAND).abs().max() < tolerance
    assert sum(t.numel() for t in c.model.parameters()) == 170 == c.card["parameters"]


def test_it_goes_on_by_itself():
    c, text = load("paper-gpt2"), "the cat sat"
    for _ in range(3):
        logits = c.model(torch.tensor([c.tokenizer.encode(text).ids])).logits[0, -1]
        text += " " + c.tokenizer.id_to_token(int(logits.argmax()))
    assert text == "the cat sat on the mat"


def test_huggingface_reads_the_tokenizer():
    from transformers import AutoTokenizer

    theirs = AutoTokenizer.from_pretrained(HERE / "paper-gpt2")
    assert theirs("the cat sat on the mat").input_ids == [0, 1, 2, 3, 0, 4] and theirs.decode([0, 4]) == "the mat"


def test_the_folder_comes_from_the_code(tmp_path):
    make_paper(tmp_path / "paper")
    for path in (HERE / "paper-gpt2").iterdir():
        assert (tmp_path / "paper" / path.name).read_bytes() == path.read_bytes()


class TestWords:
    tokenizer = WordTokenizer(["the", "cat", "sat", "on", "mat"])

    def test_encoding(self):
        text = "  the mat\tthe cat "
        e = self.tokenizer.encode(text)
        assert e.offsets == [(2, 5), (6, 9), (10, 13), (14, 17)]
        assert e.ids == [0, 4, 0, 1] and e.word_ids == [0, 1, 2, 3] and [text[a:b] for a, b in e.offsets] == e.tokens
        assert self.tokenizer.encode(text, max_length=2).ids == [0, 4]
        assert self.tokenizer.encode(text, max_length=2, truncation_side="left").ids == [0, 1]
        assert (
            len(self.tokenizer) == 5 and self.tokenizer.vocab["mat"] == 4 and self.tokenizer.token_to_id("dog") is None
        )

    @pytest.mark.parametrize(
        "text, message",
        [
            ("", "The text is empty"),
            (" \n", "The text is empty"),
            ("the dog", "'dog' is not among the 5 words"),
            ("The cat", "'The' is not among"),
            ("the cat.", "'cat.' is not among"),
        ],
    )
    def test_refused(self, text, message):
        with pytest.raises(ValueError, match=message):
            self.tokenizer.encode(text)

    def test_no_pairs_no_padding_no_other_ids(self):
        with pytest.raises(ValueError, match="one text at a time"):
            self.tokenizer.encode("the cat", "the mat")
        with pytest.raises(ValueError, match="no padding token"):
            self.tokenizer.encode_batch(["the cat", "the"])
        with pytest.raises(ValueError, match="no id of this tokenizer"):
            self.tokenizer.decode([5])
