"""Vocabularies to test with, made by HuggingFace's trainers from text of our own.

Real GPT-2 and BERT files are large and would have to be downloaded; these have the same
format, several thousand entries, and pieces of many scripts.
"""

import os
import random
import unicodedata
from functools import cache
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from labutils.text import load_tokenizer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ADDED = [  # every flag at least once
    AddedToken("the", single_word=True, normalized=False),
    AddedToken("[mask]", lstrip=True, normalized=False),
    AddedToken("ab", rstrip=True, normalized=False),
    AddedToken("É", normalized=True),
    AddedToken("s t", normalized=True),
    AddedToken("[mask]ed", normalized=False),  # longer than another one
    AddedToken("qzx", single_word=True, normalized=True),  # in no vocabulary: a word must not fall into it
    AddedToken("cd", single_word=True, lstrip=True, rstrip=True, normalized=True),
]
POOLS = [
    lambda r: "".join(r.choice("abcdefgh ijkl'mnostr ,.!?-019\n\t ") for _ in range(r.randint(1, 12))),
    lambda r: r.choice(
        ["The cat sat", " on the mat", " it's", " they'll", " don't", "ÉCOLE", " naïve", "Straße", "İstanbul"]
    ),
    lambda r: chr(
        r.choice(
            [
                *range(0x300, 0x370),
                *range(0x591, 0x5C8),
                *range(0x64B, 0x660),
                *range(0x1AB0, 0x1AC0),
                *range(0x900, 0x904),
                0x3099,
                0x302E,
                0x302F,
                0x1D165,
                0x1D16E,
            ]
        )
    ),  # combining marks  # fmt: skip
    lambda r: chr(r.choice([r.randint(0xC0, 0x24F), r.randint(0x1E00, 0x1FFF), r.randint(0x370, 0x52F)])),
    lambda r: chr(r.choice([*range(0x4E00, 0x4E40), *range(0xF900, 0xFA20), 0x3400, 0x20000, 0x2B740, 0x2F800])),
    lambda r: r.choice(
        ["👩‍👩‍👧", "👍🏽", "🇫🇷", "❤️", "1️⃣", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"]
    ),
    lambda r: chr(
        r.choice(
            [
                *range(0x20),
                *range(0x7F, 0xA1),
                0xAD,
                0x200B,
                0x200E,
                0x202E,
                0x2028,
                0x2029,
                0xFEFF,
                0xFFFD,
                0x61C,
                0x180E,
                0x1680,
                0x3000,
            ]
        )
    ),  # controls and kinds of white space  # fmt: skip
    lambda r: "".join(chr(r.randint(0x5D0, 0x5EA)) for _ in range(3)) + chr(r.randint(0x621, 0x64A)),  # right to left
    lambda r: chr(r.choice([r.randint(0xAC00, 0xD7A3), r.randint(0x1100, 0x11FF), r.randint(0x900, 0xDFF)])),
    lambda r: chr(
        r.choice(
            [r.randint(0, 0xD7FF), r.randint(0xE000, 0xFFFF), r.randint(0x10000, 0x1FFFF), r.randint(0x20000, 0x10FFFF)]
        )
    ),  # anything, most of it unassigned  # fmt: skip
    lambda r: r.choice(
        ["<|endoftext|>", *SPECIAL, "##s", "Ġ", "[mask]", "'ll", "'S", " ", "  ", "the ", " cd ", "ab  "]
    ),
]


def wide_string(r):
    """A short text of many scripts, from a ``random.Random``."""
    return "".join(r.choice(POOLS)(r) for _ in range(r.randint(0, 12)))


def wide_strings(n, seed):
    r = random.Random(seed)
    return [wide_string(r) for _ in range(n)]


@cache
def english():
    """A quarter of a megabyte: prose and docstrings of this book as they were one day, the same for every Python."""
    return Path(__file__).with_name("english.txt").read_text(encoding="utf-8")


def _corpus():
    names = "\n".join(unicodedata.name(chr(c), "") for c in range(0x2000))
    return [*english().splitlines()[:6000], *names.splitlines()[:2000], *wide_strings(3000, seed=0)]


def _bpe(folder, prefix=False, trim=False, added=()):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    t.decoder = decoders.ByteLevel()
    t.post_processor = processors.ByteLevel(add_prefix_space=prefix, trim_offsets=trim)
    trainer = trainers.BpeTrainer(
        vocab_size=4000, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=["<|endoftext|>"], show_progress=False,
    )  # fmt: skip
    return _finish(t, trainer, folder, added)


def _wordpiece(folder, added=(), **normalizer):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(**normalizer)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=6000, limit_alphabet=2000, special_tokens=SPECIAL, show_progress=False
    )
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return _finish(t, trainer, folder, added)


def _finish(tokenizer, trainer, folder, added):
    tokenizer.train_from_iterator(_corpus(), trainer)
    tokenizer.add_tokens(list(added))
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


MAKERS = {
    "gpt2": lambda folder: _bpe(folder),
    "gpt2-prefix-trimmed": lambda folder: _bpe(folder, prefix=True, trim=True),
    "gpt2-added": lambda folder: _bpe(folder, prefix=True, added=ADDED),
    "bert-uncased": lambda folder: _wordpiece(folder),
    "bert-cased": lambda folder: _wordpiece(folder, lowercase=False),
    "bert-lower-accents": lambda folder: _wordpiece(folder, strip_accents=False),
    "bert-cased-stripped-raw": lambda folder: _wordpiece(
        folder, lowercase=False, strip_accents=True, clean_text=False, handle_chinese_chars=False
    ),
    "bert-added": lambda folder: _wordpiece(folder, added=ADDED),
}


class Pair:
    """One vocabulary, read by us and by HuggingFace."""

    def __init__(self, folder):
        self.folder = folder
        self.ours = load_tokenizer(folder)
        self.theirs = Tokenizer.from_file(str(folder / "tokenizer.json"))


FIELDS = ["ids", "tokens", "offsets", "type_ids", "attention_mask", "special_tokens_mask", "sequence_ids", "word_ids"]


def assert_same(ours, theirs, text):
    """Every field of our Encoding equals HuggingFace's."""
    for field in FIELDS:
        assert getattr(ours, field) == getattr(theirs, field), f"{field} of {text!a}"
