"""Strings of wide Unicode, drawn with a seed: what readers type, and what nobody should."""

import random

SPACES = " \t\n\r\x0b\x0c\x1c\x1f\x85\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b\ufeff"
MARKS = "\u0300\u0301\u0308\u0323\u0327\u0345\u0591\u05b0\u064b\u0670\u093c\u094d\u0e38\u0f71\u1dc4\u20d0\u302a\u3099\ufe20\U0001d165\U0001e8d0"
LETTERS = "aAbzZäÄÉéßſıİŒœǅΣσςдЖԱבשعลกकஞ한각글ꙮꭰＡ𝐀𐐀𞤀ﬀﷺ"
NUMBERS = "0159²½Ⅷ٣९一㊿𝟘𐄇"
SIGNS = "'\"`.,;:!?-_/\\()[]{}<>|@#$%^&*+=~§°´·×÷«»‘’“”…—€∑≠￥。、"
CJK = "中文字漢猫が한カ々〆𠀀𪜀﨑豈"
CONTROLS = (
    "\x00\x01\x07\x08\x1b\x7f\x80\x9f\u00ad\u200c\u200d\u200e\u202a\u202e\u2066\u2069\ufffd\ufffe\U000e0001\U0010ffff"
)
EMOJI = ["👩\u200d👩\u200d👧\u200d👦", "🏳️\u200d🌈", "👍🏽", "🇨🇭", "1️⃣", "❤️", "🧑🏿\u200d🚀", "😀"]
PIECES = [
    "'s",
    "'t",
    "'re",
    "'ve",
    "'m",
    "'ll",
    "'d",
    "'S",
    "The cat",
    " sat on",
    " the mat",
    "It was tired",
    "unhappiness",
    "walked",
    "<|endoftext|>",
    "[MASK]",
    "[CLS]",
    "[SEP]",
    "[UNK]",
    "[PAD]",
    "[mask]",
    "<|endof",
    "text|>",
    "<sep>",
    "  <sep> ",
    " <sep> <sep>  <sep>> ",
    "##s",
    "  ",
    "     ",
    "Ärger",
    "ärger",
    "satx",
    "qz",
    "qzz",
    "qz1",
    "\n\n",
    "a" * 30,
    "x" * 101,
]


def strings(count: int, seed: int) -> list[str]:
    """`count` strings, the same for the same seed; none holds a lone surrogate, some are empty."""
    rng = random.Random(seed)
    return [_string(rng) for _ in range(count)]


def _string(rng: random.Random) -> str:
    length = rng.choice((0, 1, 2, 3, 5, 8, 13, 21, 34))
    narrow = rng.random() < 0.5  # half of the strings stay in a few kinds, so that runs of one kind form
    kinds = rng.sample(KINDS, 3) if narrow else KINDS
    return "".join(rng.choice(kinds)(rng) for _ in range(length))


def _anything(rng: random.Random) -> str:
    """Any code point that is a character or could become one."""
    code = rng.randrange(0x110000 - 0x800)
    return chr(code if code < 0xD800 else code + 0x800)


def _low(rng: random.Random) -> str:
    """Where most scripts are: the first 16 rows of 256 get as many draws as all the rest below the surrogates."""
    return chr(rng.randrange(0x1000) if rng.random() < 0.5 else rng.randrange(0xD800))


def _from(characters) -> object:
    return lambda rng: rng.choice(characters)


def _run(rng: random.Random) -> str:
    """One character again and again, where it matters which of several equal pairs is joined first."""
    return rng.choice("zaelost0. ") * rng.randrange(2, 9)


KINDS = [
    _anything,
    _low,
    _run,
    *map(_from, (SPACES, " ", MARKS, LETTERS, "etaoinshrdlu", NUMBERS, SIGNS, CJK, CONTROLS, EMOJI, PIECES)),
]
