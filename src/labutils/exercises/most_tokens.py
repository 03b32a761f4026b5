"""Exercise 2.6: ten characters with as many tokens as possible, and ten with as few."""

from functools import cache

from labutils.checkpoints import load
from labutils.exercises.checking import NotYet, expect_type, show


def check_ten(most: str, fewest: str) -> None:
    """Check two texts of ten characters by the tokens that the little GPT-2 cuts them into.

    Raises NotYet with the property that does not hold.
    """
    counts = [_tokens(text) for text in (most, fewest)]
    print(f"most:   {counts[0]} tokens\nfewest: {counts[1]}")
    if counts[0] <= 10:
        raise NotYet(
            f"{show(most)} makes {counts[0]} tokens. Rare letters do not help: a letter of a to z is one byte, "
            "so at most one token. Which characters are more than one byte?"
        )
    if counts[0] <= 30:
        raise NotYet(
            f"{show(most)} makes {counts[0]} tokens, and more than 30 are possible: "
            "UTF-8 has characters of two, three and four bytes."
        )
    if counts[1] > 1:
        raise NotYet(
            f"{show(fewest)} makes {counts[1]} tokens, and 1 is possible: look for the longest words in the vocabulary."
            " What stands before a word belongs to its token."
        )
    print("✓ More than 30 tokens\n✓ One token")


def _tokens(text: str) -> int:
    expect_type(text, str, "Your text", "a string")
    if len(text) != 10:
        raise NotYet(
            f"{show(text)} has {len(text)} characters for Python, expected 10. Some signs are several characters"
            " joined."
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotYet(
            f"{show(text)} holds half of a pair, a lone surrogate. It stands for nothing and has no bytes."
        ) from None
    return len(_tokenizer().encode(text).ids)


@cache
def _tokenizer():
    return load("little-gpt2").tokenizer
