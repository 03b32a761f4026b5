"""Exercise 2.5: a way back from tokens that gives back every text, also where a token ends inside a character."""

from collections.abc import Callable
from typing import NamedTuple

from labutils.checkpoints import load
from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import ran, refuse
from labutils.exercises.mistakes import outcomes
from labutils.text.bytes import from_symbols, to_symbols

WORDS = "The cat sat on a mat and it was tired of the old fox".split()
TWO, MORE = "éßñяü", "猫犬あ한🙂🐈𝄞"  # letters of two bytes; of three and four


class Ways(NamedTuple):
    """The reader's way from a text to tokens, and the way back."""

    tokenize: Callable[[str], list[str]]
    detokenize: Callable[[list[str]], str]


def check_decoding(
    tokenize: Callable[[str], list[str]], detokenize: Callable[[list[str]], str], seed: int | None = None
) -> None:
    """Check `tokenize` and `detokenize` together: what goes in comes out.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    check(
        Ways(tokenize, detokenize),
        cuts_as_before,
        gives_back_english,
        gives_back_two_bytes,
        gives_back_everything,
        survives_half_a_letter,
        leaves_the_package_alone,
        repeat="check_decoding(tokenize, detokenize, seed={seed})",
        seed=seed,
    )


def detokenize(tokens):
    return from_symbols("".join(tokens)).decode("utf-8", errors="replace")


RIGHT = (detokenize,)
WHOLE = 'from_symbols("".join(tokens)).decode("utf-8", errors="replace")'
EACH = '"".join(from_symbols(token).decode("utf-8", errors={}) for token in tokens)'
# fmt: off
MISTAKES = (
    ("changes nothing", "Each \ufffd is a token that is no text by itself.", WHOLE, EACH.format("'replace'")),
    ("leaves bytes out",
     "Something is gone. Leaving out bytes that cannot be read hides the mistake and loses the text.", WHOLE,
     EACH.format("'ignore'")),
    ("reads latin-1", "latin-1 reads each byte as a letter. In UTF-8 a letter may have several bytes.", '"utf-8"',
     '"latin-1"'),
    ("gives the symbols back", "These are the signs for the bytes, not the text.", WHOLE, '"".join(tokens)'),
)
REFUSED = (
    ("refuses half a letter", "detokenize.* raised UnicodeDecodeError", ', errors="replace"', ""),
    ("hides half a letter", r"and the rest became \"[abc]\", expected", '"replace"', '"ignore"'),
    ("changes the way in", "Leave that way as it was", "def detokenize",
     "def tokenize(text):\n    return list(text)\n\ndef detokenize"),
    ("asks the tokenizer of the book",
     "`labutils.checkpoints.*load` ran in your function, and the card does without it", WHOLE,
     'load("little-gpt2").tokenizer.join(tokens)'),
)
# fmt: on


def comes_back(ways: Ways, text: str) -> None:
    """Raises NotYet unless the text comes out of its tokens as it went in."""
    tokens = call(ways.tokenize, text)
    found = text_of(ways, tokens)
    if found != text:
        raise NotYet(f'"{text}" came back as "{found}".{likely(found, outcomes(MISTAKES, detokenize, tokens))}')


def text_of(ways: Ways, tokens: list[str]) -> str:
    text = call(ways.detokenize, tokens)
    expect_type(text, str, "detokenize", "a string")
    return text


def cuts_as_before(ways: Ways, draw: Draw):
    """Texts are cut into tokens as before."""
    text = " ".join(draw.choices([*WORDS, "café", "猫"], 9))
    tokens, right = fair.plain(call(ways.tokenize, text)), load("little-gpt2").tokenizer.tokenize(text)
    if tokens != right:
        raise NotYet(f'"{text}" is cut into {tokens}. That was right before: {right}. Leave that way as it was.')


def gives_back_english(ways: Ways, draw: Draw):
    """A text of plain letters comes back."""
    comes_back(ways, " ".join(draw.choices(WORDS, 9)) + ".")


def gives_back_two_bytes(ways: Ways, draw: Draw):
    """A letter of two bytes comes back."""
    comes_back(ways, draw.choice(WORDS) + draw.choice(TWO))


def gives_back_everything(ways: Ways, draw: Draw):
    """Fifty random texts with letters of two, three and four bytes."""
    for _ in range(50):
        comes_back(ways, "".join(draw.choices(TWO + MORE + "ab ", draw.between(1, 8))))


def survives_half_a_letter(ways: Ways, draw: Draw):
    """Tokens that end inside a letter are no error."""
    start, letter = draw.choice("abc"), draw.choice(MORE)
    found = text_of(ways, call(ways.tokenize, start + letter)[:-1])
    if found.rstrip("\ufffd") != start or found == start:
        raise NotYet(
            f'A token was taken away from the end of "{start}{letter}", and the rest became "{found}", expected'
            f' "{start}\ufffd": \ufffd stands for bytes that are no letter yet.'
        )


def leaves_the_package_alone(ways: Ways, draw: Draw):
    """It is done without the book's own tokenizer."""
    tokens = call(ways.tokenize, " ".join(draw.choices(WORDS, 3)) + draw.choice(TWO + MORE))
    refuse(ran(ways.detokenize, tokens), handed_out=(from_symbols, to_symbols))
