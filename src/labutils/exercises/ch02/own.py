"""Exercise 2.6: a tokenizer of one's own, trained on a text of one's own."""

from bisect import bisect
from collections.abc import Callable, Iterator
from itertools import accumulate
from string import ascii_letters, ascii_lowercase
from typing import NamedTuple

from labutils.exercises import fair
from labutils.exercises.checking import NotYet, call, check, expect_type, likely
from labutils.exercises.drawing import Draw
from labutils.exercises.forbidden import refuse, watched
from labutils.exercises.showing import show
from labutils.text import ByteLevelBPE, bytes, pretokenize
from labutils.text.bpe import merge_by_rank
from labutils.text.bpe_train import count_pairs, merge_pair

HANDED_OUT = (count_pairs, merge_pair, merge_by_rank, pretokenize.gpt2_words, bytes.to_symbols, bytes.from_symbols)
ANY = ascii_letters + " \n\t.,!?'09éßñüяअ猫犬あ한🙂🐈𝄞\u200d\u0301\x00"
LEAST, DIFFERENT, READ, SIZE = 2000, 100, 5000, 400


class Own(NamedTuple):
    """The reader's class, OwnTokenizer(text, size), and the text it is for."""

    tokenizer: Callable
    text: str


def check_own(OwnTokenizer: Callable, my_text: str, seed: int | None = None) -> None:
    """Check a class `OwnTokenizer(text, size)` with `encode` and `decode`, and the text it is for.

    Raises NotYet with the property that does not hold. `seed` repeats a run.
    """
    expect_type(my_text, str, "Your text", "a string")
    check(
        Own(OwnTokenizer, my_text),
        gives_back_any_text,
        has_as_many_entries_as_asked_for,
        keeps_the_fence,
        learns_the_most_common_pairs,
        goes_on_to_the_last_pair,
        has_a_text_to_learn_from,
        gets_shorter,
        is_your_own,
        repeat="check_own(OwnTokenizer, my_text, seed={seed})",
        seed=seed,
    )


DECODED = 'from_symbols(symbols).decode("utf-8", errors="replace")'
CROSSES = "It has learned the token .*, and gpt2_words cuts inside it"
# fmt: off
REFUSED = (
    ("letters for bytes", "encode.* raised KeyError|came back as", "to_symbols(word)", "word"),
    ("reads each token by itself", "came back as ", DECODED,
     '"".join(from_symbols(self.entries[i]).decode("utf-8", errors="replace") for i in ids)'),
    ("gives the symbols back", "These are the signs for the bytes, not the text", DECODED, "symbols"),
    ("forgets that bytes are entries", r"With size 2\d\d the ids go from \d+ to \d+, expected 0 to 2\d\d at most",
     "len(self.entries) < size", "len(self.ranks) < size"),
    ("no fence", CROSSES, "gpt2_words(text)", "[text]"),
    ("a fence in training alone", CROSSES, "for word in gpt2_words(text):", "for word in [text]:"),
    ("stops at pairs that occur once", "go on until no pair is left, also where pairs occur once",
     "count_pairs(words)):", "count_pairs(words)) and max(pairs.values()) > 1:"),
    ("refuses half a letter", "decode.* raised UnicodeDecodeError", ', errors="replace"', ""),
    ("left to right", "That is from left to right, not by rank", "class OwnTokenizer:", """
def merge_by_rank(symbols, ranks):
    symbols, i = list(symbols), 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) in ranks:
            symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i = max(i - 1, 0)
        else:
            i += 1
    return symbols

class OwnTokenizer:"""),
    ("forgets how often a word occurs", "Trained on .*, it cuts .* into", "[(list(word), count) for",
     "[(list(word), 1) for"),
    ("the rarest pair", "Trained on .*, it cuts .* into", "max(pairs", "min(pairs"),
    ("a text too short to learn from", "my_text has 70 characters and 11 different words; 2,000 and 100 are the least",
     "my_text = \"\\n\"", 'my_text = "The cat sat on the mat. It was tired. On the mat sat the tired cat. It"  # '),
    ("stops early", "become .* tokens, expected about", "len(self.entries) < size and",
     "len(self.entries) < min(size, 330) and"),
    ("the tokenizer of the book",
     "`labutils.text.bpe.ByteLevelBPE` ran in your function, and the card does without it", """
        from labutils.text import ByteLevelBPE
        from labutils.world import World

        class OwnTokenizer:
            def __init__(self, text, size):
                self.inner = ByteLevelBPE.train([text], size, special_tokens=())

            def encode(self, text):
                return self.inner.encode(text).ids

            def decode(self, ids):
                return self.inner.decode(ids)

        my_text = " ".join(story.text for story in World().stories(30, seed=26))"""),
)
# fmt: on


def ids_of(tokenizer, text: str) -> list[int]:
    """The ids of a text. Raises NotYet where they are no list of whole numbers."""
    ids = fair.plain(call(method(tokenizer, "encode"), text))
    if not isinstance(ids, list) or not all(isinstance(one, int) for one in ids):
        raise NotYet(f"encode should return a list of ids, whole numbers, and it returned {show(ids)}.")
    return ids


def text_of(tokenizer, ids: list[int]) -> str:
    text = call(method(tokenizer, "decode"), ids)
    expect_type(text, str, "decode", "a string")
    return text


def method(tokenizer, name: str) -> Callable:
    if not hasattr(tokenizer, name):
        raise NotYet(f"The class has no method {name}.")
    return getattr(tokenizer, name)


def tokens_of(tokenizer, text: str) -> list[str]:
    """What each id stands for."""
    return [text_of(tokenizer, [one]) for one in ids_of(tokenizer, text)]


def reference(text: str, size: int) -> ByteLevelBPE:
    return ByteLevelBPE.train([text], size, special_tokens=())


def some_words(draw: Draw, n: int) -> str:
    """A random text of n lower-case words."""
    words = ["".join(draw.choices(ascii_lowercase, draw.between(1, 6))) for _ in range(12)]
    return " ".join(draw.choices(words, n))


def gives_back_any_text(own: Own, draw: Draw):
    """Every text comes back, whatever it was trained on."""
    tokenizer = call(own.tokenizer, some_words(draw, 60), 256 + draw.between(1, 30))
    for _ in range(50):
        text = "".join(draw.choices(ANY, draw.between(0, 12)))
        if (found := text_of(tokenizer, ids_of(tokenizer, text))) != text:
            raise NotYet(f"{text!r} came back as {found!r}.{likely(found, mistakes(text))}")
    part = ids_of(tokenizer, draw.choice("é猫🙂"))[:1]  # of a letter of several bytes, which no merge has joined
    if "\ufffd" not in (found := text_of(tokenizer, part)):
        raise NotYet(f"The first byte of a letter alone became {found!r}, expected “\ufffd”: it is no letter yet.")


def mistakes(text: str) -> Iterator[tuple[str, str]]:
    """What is said of the usual mistakes, and what each leaves of a text."""
    yield "White space at the ends is gone.", text.strip()
    yield "All that is not ASCII is gone.", text.encode().decode("ascii", "ignore")
    yield "These are the signs for the bytes, not the text.", bytes.to_symbols(text)
    yield "The bytes were read as latin-1.", text.encode().decode("latin-1")


def has_as_many_entries_as_asked_for(own: Own, draw: Draw):
    """The ids are whole numbers from 0 to size − 1."""
    for size in (256, 256 + draw.between(5, 40)):
        tokenizer = call(own.tokenizer, some_words(draw, 200), size)
        ids = ids_of(tokenizer, some_words(draw, 100) + draw.choice("é猫🙂"))
        if not 0 <= min(ids) <= max(ids) < size:
            raise NotYet(
                f"With size {size} the ids go from {min(ids)} to {max(ids)}, expected 0 to {size - 1} at most."
            )


def keeps_the_fence(own: Own, draw: Draw):
    """No token crosses the fence."""
    one, two = draw.sample(ascii_lowercase, 2)
    # three spaces teach that two belong together, and two that they must not: the fence stands between them
    text = f"{one}{two} {two}{one}!   {two}{two}   {two}  {one};; " * draw.between(20, 40)
    tokens, at, fences = tokens_of(call(own.tokenizer, text, 300), text), 0, ends(pretokenize.gpt2_words(text))
    for token in tokens:
        if any(at < fence < at + len(token) for fence in fences[bisect(fences, at) :][:2]):
            raise NotYet(f"It has learned the token {token!r}, and gpt2_words cuts inside it.")
        at += len(token)


def ends(words: list[str]) -> list[int]:
    """Where each word ends in the text."""
    return list(accumulate(map(len, words)))


def learns_the_most_common_pairs(own: Own, draw: Draw):
    """The most common pair is merged first, and merges are applied by rank."""
    c, a, t, s, r = draw.sample(ascii_lowercase, 5)
    cat, sat = c + a + t, s + a + t
    n = draw.between(3, 9)  # a+t, c+at, s+at, cat+s: no two are equally common
    text = "\n".join([cat] * (2 * n + 3) + [cat + s] * n + [sat] * (n + 2) + [c + a + r])
    for size, word in ((257, cat), (258, cat), (259, sat), (260, cat + sat), (260, cat + s)):
        tokens, right = tokens_of(call(own.tokenizer, text, size), word), reference(text, size)
        wanted = [right.decode([one]) for one in right.encode(word).ids]
        if tokens != wanted:
            raise NotYet(
                f"Trained on {cat} ×{2 * n + 3}, {cat + s} ×{n}, {sat} ×{n + 2} and {c + a + r}, one to a line, with"
                f" {size - 256} merges, it cuts {word} into {tokens}, expected {wanted}."
                f"{likely(tokens, [('That is from left to right, not by rank.', [cat + s, a + t])])}"
            )


def goes_on_to_the_last_pair(own: Own, draw: Draw):
    """It learns until no pair is left."""
    once = "".join(draw.sample(ascii_lowercase, 9))  # longer than the others: its last pair occurs once
    text = f"{some_words(draw, 40)} {once}"
    tokens = tokens_of(call(own.tokenizer, text, 5000), text)
    if len(tokens) != len(words := pretokenize.gpt2_words(text)):
        raise NotYet(
            f"With room for 5,000 entries a text of {len(words)} words took {len(tokens)} tokens, expected one each: go"
            " on until no pair is left, also where pairs occur once."
        )


def has_a_text_to_learn_from(own: Own, _: Draw):
    """Your text is long enough to learn from."""
    different = len(set(pretokenize.gpt2_words(own.text)))
    if len(own.text) < LEAST or different < DIFFERENT:
        raise NotYet(
            f"my_text has {len(own.text):,} characters and {different} different words; {LEAST:,} and {DIFFERENT}"
            " are the least."
        )


def gets_shorter(own: Own, _: Draw):
    """Your own text gets as short as it should."""
    text = own.text[:READ]
    tokens, right = len(ids_of(call(own.tokenizer, text, SIZE), text)), len(reference(text, SIZE).encode(text))
    if tokens > 1.03 * right:  # ties may be broken in another way
        raise NotYet(
            f"With {SIZE} entries the first {len(text):,} characters of your text become {tokens:,} tokens,"
            f" expected about {right:,}."
        )


def is_your_own(own: Own, draw: Draw):
    """It is done without the book's tokenizers and without HuggingFace's."""
    text = some_words(draw, 30)
    with watched() as seen:
        tokenizer = call(own.tokenizer, text, 256 + 5)
        text_of(tokenizer, ids_of(tokenizer, text))
    refuse(seen, handed_out=HANDED_OUT)
