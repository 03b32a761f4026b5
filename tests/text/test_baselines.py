"""Letters and words as tokens, against HuggingFace's WordLevel."""

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from labutils.text.baselines import ListTokenizer, letters_of, words_of
from labutils.world import World

CUTS = {letters_of: pre_tokenizers.Split("", "isolated"), words_of: pre_tokenizers.Whitespace()}


@pytest.fixture(scope="module")
def texts():
    return [story.text for story in World().stories(120, seed=11)]


def huggingface(texts, size, cut):
    theirs = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    theirs.pre_tokenizer = CUTS[cut]
    theirs.train_from_iterator(
        texts, trainers.WordLevelTrainer(vocab_size=size, special_tokens=["[UNK]"], show_progress=False)
    )
    return theirs


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("size", (1, 2, 17, 40, 5000))
def test_learns_and_cuts_as_huggingface_does(texts, cut, size):
    read, new = texts[:80], [*texts[80:], "Ünknown  😀 wörds,\tand-marks…", ""]
    ours, theirs = (ListTokenizer.train(read, size, cut), huggingface(read, size, cut))
    assert ours.vocab == theirs.get_vocab() and len(ours) == theirs.get_vocab_size()
    for text in new:
        assert ours.encode_ids(text) == theirs.encode(text).ids
        assert ours.tokenize(text) == theirs.encode(text).tokens


def test_letters_come_back_and_words_lose_their_spaces(texts):
    letters = ListTokenizer.train(texts, 5000, letters_of)
    assert all(letters.decode(letters.encode_ids(text)) == text for text in texts[:20])
    words = ListTokenizer.train(texts, 5000, words_of)
    assert words.decode(words.encode_ids("the  cat, the mat")) == "the cat , the mat"


def test_a_list_without_room_is_refused():
    with pytest.raises(ValueError, match="needs a place for"):
        ListTokenizer.train(["a"], 0, letters_of)
