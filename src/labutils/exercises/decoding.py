"""Exercise 2.5: a decoder that gives back every text, also where a token ends inside a character."""

import random
from collections.abc import Callable

from labutils.exercises.checking import NotYet, call, check, expect_type

WIDE = "éßñ猫犬あ한я🙂🐈𝄞"


def check_decoding(encode: Callable[[str], list[str]], decode: Callable[[list[str]], str]) -> None:
    """Check `encode` and `decode` together: what goes in comes out.

    Raises NotYet with the property that does not hold.
    """

    def comes_back(text: str, why: str) -> None:
        found = decoded(call(encode, text))
        if found != text:
            raise NotYet(f'"{text}" came back as "{found}": {_reason(text, found) or why}')

    def decoded(tokens) -> str:
        expect_type(tokens, list, "encode", "a list of tokens")
        text = call(decode, tokens)
        expect_type(text, str, "decode", "a string")
        return text

    def gives_back_english(_):
        """A text of plain letters comes back."""
        comes_back("The cat sat on the mat. It was tired.", "this worked before the repair.")

    def cuts_as_before(_):
        """Words are cut into tokens as before."""
        tokens = call(encode, "The cat sat.")
        if tokens != ["The", "Ġcat", "Ġsat", "."]:
            raise NotYet(f'"The cat sat." became {tokens}, expected The Ġcat Ġsat and the full stop: encode was right.')

    def gives_back_accents(_):
        """A letter of two bytes comes back."""
        comes_back("café", "é is two bytes.")

    def gives_back_everything(_):
        """Fifty random texts with letters of two, three and four bytes."""
        for _ in range(50):
            comes_back("".join(random.choices(WIDE + "ab ", k=random.randint(1, 8))), "look at its bytes.")

    def survives_half_a_letter(_):
        """A token list that ends inside a letter is no error."""
        tokens = call(encode, "a猫")[:-1]
        found = decoded(tokens)
        if found != "a\ufffd":
            raise NotYet(
                f'Two of the three bytes of "猫" after an "a" became {found!r}, expected "a\ufffd": \ufffd stands for'
                " what is no letter yet."
            )

    check(decode, gives_back_english, cuts_as_before, gives_back_accents, gives_back_everything, survives_half_a_letter)


def _reason(text: str, found: str) -> str:
    """Why a text came back as another one, for the three usual ways."""
    if "\ufffd" in found:
        return "each \ufffd is a byte that is no letter by itself. Which function reads bytes too early?"
    if found == text.encode("utf-8").decode("latin-1"):
        return "latin-1 reads each byte as a letter. These bytes are UTF-8, in which a letter may have several."
    if len(found) < len(text):
        return "something is gone. Leaving out bytes that cannot be read hides the mistake and loses the text."
    return ""
