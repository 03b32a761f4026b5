"""Write ``labutils/text/unicode.json`` from the pinned ``tokenizers`` library.

    python -m labutils.authoring.unicode_table          # writes the table (about a minute)
    python -m labutils.authoring.unicode_table --check  # fails when the file differs

Python, the browser and HuggingFace's Rust code each follow another version of
Unicode, so none of their own tables may decide where a word ends.  Every code
point is therefore shown to the Rust library once, and what it does is written
down.  ``labutils/text/unicode.py`` documents the file.
"""

import argparse
import json
from functools import cmp_to_key
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

import labutils.text

PATH = Path(labutils.text.__file__).with_name("unicode.json")
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic, so not in the table
CODE_POINTS = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def bert(**on):
    """HuggingFace's BERT normaliser with everything off except ``on``."""
    settings = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**settings, **on}).normalize_str


def gpt2_classes():
    """Letters, numbers and white space as GPT-2's regular expression sees them.

    A character joins the piece before it when both are of one kind.
    """
    split = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str
    classes = {"letter": [], "number": [], "space": []}
    for char in CODE_POINTS:
        joins = [len(split(kind + char)) == 1 for kind in ("a", "1", "!")]
        assert sum(joins) <= 1, f"U+{ord(char):04X} is of two kinds"
        name = "letter" if joins[0] else "number" if joins[1] else "other" if joins[2] else "space"
        if name != "other":
            classes[name].append(char)
    return classes


def bert_classes(decomposed):
    """What BERT's normaliser removes, surrounds with spaces, or strips, and its punctuation."""
    clean, cjk, strip = bert(clean_text=True), bert(handle_chinese_chars=True), bert(strip_accents=True)
    split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    return {
        "removed": [c for c in CODE_POINTS if clean(f"a{c}b") == "ab"],
        "cjk": [c for c in CODE_POINTS if cjk(c) == f" {c} "],
        "nonspacing": [c for c in CODE_POINTS if c not in decomposed and strip("a" + c) == "a"],
        "punctuation": [c for c in CODE_POINTS if len(split(f"a{c}b")) == 3],
    }


def word_characters():
    r"""The ``\w`` of an added token that asks to stand alone (``single_word=True``)."""
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.add_tokens([AddedToken("zz", single_word=True)])
    return [c for c in CODE_POINTS if tokenizer.encode("zz" + c).tokens[0] != "zz"]


def combining_ranks(decomposed):
    """Marks in their canonical order: char -> rank 1, 2, ...; equal ranks never swap.

    Two marks swap under NFD exactly when the second belongs before the first, so
    swapping alone reveals the order.  U+0334 has the lowest class, U+0345 the highest.
    """
    nfd = normalizers.NFD().normalize_str
    swaps = lambda a, b: nfd("a" + a + b) == "a" + b + a and a != b
    marks = [c for c in CODE_POINTS if c not in decomposed and (swaps(c, "\u0334") or swaps("\u0345", c))]
    marks += [c for c in ("\u0334", "\u0345") if c not in marks]
    marks.sort(key=cmp_to_key(lambda a, b: swaps(a, b) - swaps(b, a)))
    ranks, rank = {}, 1
    for before, mark in zip([marks[0]] + marks, marks):
        rank += swaps(mark, before)
        ranks[mark] = rank
    return ranks


def runs(chars):
    """Sorted characters as [gap, length, gap, length, ...]; a gap counts from the end of the run before."""
    flat, end = [], 0
    for code in sorted(map(ord, chars)):
        if flat and code == end:
            flat[-1] += 1
        else:
            flat += [code - end, 1]
        end = code + 1
    return flat


def lower_runs(lower):
    """Simple lower-casing as [first, last, step, shift, ...]: every ``step``-th code moves by ``shift``."""
    flat = []
    for char in sorted(lower):
        code, shift = ord(char), ord(lower[char]) - ord(char)
        if flat and flat[-1] == shift and code - flat[-3] in (1, 2) and flat[-2] in (0, code - flat[-3]):
            flat[-2], flat[-3] = code - flat[-3], code
        else:
            flat += [code, code, 0, shift]
    return [1 if i % 4 == 2 and n == 0 else n for i, n in enumerate(flat)]


def decomposition_list(decomposed):
    """Full canonical decompositions as [gap, count, part, ..., gap, count, part, ...]."""
    flat, last = [], 0
    for char in sorted(decomposed):
        parts = [ord(c) for c in decomposed[char]]
        flat += [ord(char) - last, len(parts), *parts]
        last = ord(char)
    return flat


def build():
    """The whole table as a dictionary ready for JSON."""
    nfd, lower = normalizers.NFD().normalize_str, bert(lowercase=True)
    decomposed = {c: nfd(c) for c in CODE_POINTS if nfd(c) != c}
    lowered = {c: lower(c) for c in CODE_POINTS if lower(c) != c}
    ranks = combining_ranks(decomposed)
    classes = {**gpt2_classes(), **bert_classes(decomposed), "word": word_characters()}
    return {
        "source": f"tokenizers {tokenizers.__version__}",
        "classes": {name: runs(chars) for name, chars in classes.items()},
        "ranks": [runs(c for c in ranks if ranks[c] == r) for r in range(1, max(ranks.values()) + 1)],
        "lower": lower_runs({c: s for c, s in lowered.items() if len(s) == 1}),
        "lower_long": {c: s for c, s in lowered.items() if len(s) > 1},
        "decomposed": decomposition_list({c: s for c, s in decomposed.items() if ord(c) not in HANGUL}),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    wanted = json.dumps(build(), separators=(",", ":")) + "\n"
    if parser.parse_args().check:
        if PATH.read_text(encoding="ascii") != wanted:
            raise SystemExit(f"{PATH.name} differs from tokenizers {tokenizers.__version__}: write it again.")
    else:
        PATH.write_text(wanted, encoding="ascii", newline="\n")
        print(f"{PATH.name}: {len(wanted):,} bytes from tokenizers {tokenizers.__version__}")


if __name__ == "__main__":
    main()
