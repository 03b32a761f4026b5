"""Tokenizers for the tests of the engine: the shipped ones, and small ones whose every setting differs from them."""

from functools import cache

from labutils.checkpoints import load
from labutils.text import AddedToken, ByteLevelBPE, WordPiece

TEXTS = [
    "Zzzz zzz zzzzz, aaaa aaa: 0000 000. eee ooo lll sss ttt" * 3,
    "a     b      c        d" * 3,
    "The cat sat on the mat. It was tired.",
    "She didn't see that the foxes' house was empty; unhappiness, 42 times!",
    "Ärger über Öl: naïve façade, ça va? 中文字 한글 한국어 Ελληνικά русский עברית العربية 😀👍🏽 ½ ² Ⅷ",
] * 2
NAMES = (
    "little-gpt2",
    "little-bert",
    "bpe with flags",
    "bpe whole words",
    "bpe trimmed",
    "cased",
    "accents kept",
    "bare",
    "bpe white space",
    "white space",
    "white space normalised",
    "bpe tidied",
    "tidied",
)
# Added tokens that are white space themselves and swallow what is around them, beside one that takes it away from them.
WHITE = [
    AddedToken("\n\n", lstrip=True, rstrip=True),
    AddedToken("  ", lstrip=True, special=False),
    AddedToken("<sep>", rstrip=True),
]
# Added tokens that the vocabulary lacks: no word may fall into one, and one is looked for where the other has left the text.
OUTSIDE = [
    AddedToken("qz", single_word=True, special=False),
    AddedToken("sat", normalized=True, lstrip=True, special=False),
]


@cache
def tokenizer_of(name: str):
    if name.startswith("little"):
        return load(name).tokenizer
    if name == "bpe white space":
        trained = _bpe(330, [])
        return ByteLevelBPE(trained.vocab, trained.merges, WHITE, trim_offsets=True)
    if name.startswith("white space"):
        trained = WordPiece.train(TEXTS, 280)
        white = [
            AddedToken("  ", normalized=True, lstrip=True, rstrip=True),
            AddedToken("<sep>", normalized=True, rstrip=True),
        ]
        return WordPiece(trained.vocab, [*trained.added_tokens, *(white if name.endswith("normalised") else WHITE)])
    if name == "bpe with flags":
        flags = [  # one begins like another, and two would both take the white space between them
            AddedToken("<|endoftext|>", rstrip=True),
            AddedToken("<sep>", lstrip=True, rstrip=True),
            AddedToken("<sep>>"),
            AddedToken("It", single_word=True, special=False),
        ]
        return _bpe(
            340, flags, add_prefix_space=True, single=[("<sep>", 0), ("A", 0)], pair=[("A", 0), ("<sep>", 1), ("B", 1)]
        )
    if name == "bpe whole words":
        return _bpe(
            400,
            [AddedToken("<|endoftext|>"), AddedToken("sat on", normalized=True, lstrip=True)],
            ignore_merges=True,
            trim_offsets=True,
        )
    if name == "bpe trimmed":
        trained = _bpe(330, [])
        return ByteLevelBPE(
            trained.vocab, trained.merges, OUTSIDE, add_prefix_space=True, trim_offsets=True, ignore_merges=True
        )
    if name.endswith("tidied"):
        tidied = _bpe(330, [AddedToken("<sep>")], trim_offsets=True) if "bpe" in name else WordPiece.train(TEXTS, 280)
        tidied.clean_up, tidied.keeps_lead, tidied.truncation_side = True, True, "left"
        return tidied
    settings = {
        "cased": {"lowercase": False, "cleanup": False},
        "accents kept": {"strip_accents": False, "max_chars": 12},
        "bare": {"clean_text": False, "tokenize_chinese_chars": False, "strip_accents": True, "lowercase": False},
    }[name]
    normalising = {key: value for key, value in settings.items() if key not in ("cleanup", "max_chars")}
    tokenizer = WordPiece.train(TEXTS, 280, **normalising)
    added = [
        *tokenizer.added_tokens,
        *OUTSIDE,
        AddedToken("cat", normalized=True, single_word=True, special=False),
        AddedToken("Ärger", normalized=True, special=False),
    ]
    return WordPiece(tokenizer.vocab, added, **settings)


def _bpe(size: int, added: list[AddedToken], **settings) -> ByteLevelBPE:
    trained = ByteLevelBPE.train(TEXTS, size, special_tokens=tuple(token.content for token in added))
    return ByteLevelBPE(trained.vocab, trained.merges, added, **settings)
