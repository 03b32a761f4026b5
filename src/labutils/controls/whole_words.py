"""The whole word behind a piece, for figures, for prints and for the state that a control comes with;
`engine/whole_words.js` and `look/nexts.js` do it in a page.

    >>> from labutils.checkpoints import load
    >>> little = load("little-gpt2")
    >>> ids = little.tokenizer.encode("The cat was").ids
    >>> next_name(little, ids, little.tokenizer.encode(" s").ids[0])
    '·s → sleepy'

A word is one that the stories of the model have, where these are known: of pieces that a model puts together after a
text from elsewhere, as "gladuter" after "My computer is", no word is made.
"""

import re
from functools import cache

import torch

from labutils.checkpoints.facts import info
from labutils.controls.reading import following
from labutils.controls.script import call
from labutils.world import World

LONGEST = 8  # pieces of a word
LETTER = r"[^\W\d_]"


def continues(piece: str, before: str) -> bool:
    """Whether a piece goes on with the word that the piece before it is in.

    >>> continues("epy", "␣sle"), continues("␣on", "␣sat"), continues(".", "␣sat")
    (True, False, False)
    """
    return bool(re.match(LETTER, piece) and re.search(f"{LETTER}$", before))


def known_words(checkpoint) -> frozenset[str]:
    """All words of the stories that a model was trained on, as they are printed there; none where these are unknown.

    >>> from labutils.checkpoints import load
    >>> words = known_words(load("little-gpt2"))
    >>> [word in words for word in ("cat", "Cat", "sleepy", "Tom", "computer")]
    [True, True, True, True, False]
    """
    told = checkpoint.card.get("data", {}).get("grammar", "")
    return _of_the_world() if told.startswith("labutils.world.World(") else frozenset()


@cache
def _of_the_world() -> frozenset[str]:
    return frozenset(re.findall(f"{LETTER}+", " ".join(World().printed())))


def whole_word(checkpoint, ids: list[int], token: int) -> str:
    """After the tokens `ids`, the word that `token` most probably begins: "␣sleepy" for "␣s".

    Most probable piece after most probable piece, until the next one begins another word. A token that goes on with the
    last word stays as it is, and so does one from which no word of the stories comes: "␣glad", or "·un" where the piece
    alone is none either.
    """
    pieces = checkpoint.tokenizer.pieces
    text = pieces(token)
    if continues(text, pieces(ids[-1])):
        return text
    word, known = _spelt(checkpoint, ids, token), known_words(checkpoint)
    called = lambda word: not known or not re.search(f"{LETTER}$", word) or word.removeprefix("␣") in known
    return next((one for one in (word, text) if called(one)), text.replace("␣", "·"))


def _spelt(checkpoint, ids: list[int], token: int) -> str:
    pieces, most = checkpoint.tokenizer.pieces, checkpoint.model.config.n_positions
    found, text = [token], pieces(token)
    while len(found) < LONGEST and len(ids) + len(found) < most and re.search(f"{LETTER}$", text):
        best = int(following(checkpoint.model)([*ids, *found]).argmax())
        if not continues(pieces(best), text):
            break
        found.append(best)
        text += pieces(best)
    return text


def hole_word(checkpoint, ids: list[int], at: int, token: int) -> str:
    """The word that `token` begins in the hole at `at`, of a BERT: "hedgehog" for "hedge", and "sings" for "sings".

    Another hole is put behind it, and its most probable token goes on with the word if the model, with that token
    behind the hole, reads there what it goes on from; until there is no such token. A hole between two words asks for
    a piece too, and that no word has been begun is known from the way back alone.
    """
    tokenizer, mask = checkpoint.tokenizer, ids[at]
    ids, text = [*ids[:at], token, *ids[at + 1 :]], tokenizer.pieces(token)
    for k in range(at + 1, at + LONGEST):
        if not re.search(f"{LETTER}$", text) or len(ids) >= checkpoint.model.config.n_positions:
            break
        longer = [*ids[:k], mask, *ids[k:]]
        longer[k] = _likeliest(checkpoint, longer, k)
        piece = tokenizer.pieces(longer[k])
        if (
            not piece.startswith("##")
            or _likeliest(checkpoint, [*ids[: k - 1], mask, *longer[k:]], k - 1) != ids[k - 1]
        ):
            break
        ids, text = longer, text + piece.removeprefix("##")
    return text


def _likeliest(checkpoint, ids: list[int], at: int) -> int:
    with torch.no_grad():
        return int(checkpoint.model(torch.tensor([ids])).logits[0, at].argmax())


def in_pieces(checkpoint) -> bool:
    """Whether a model goes on piece by piece. A BERT does not go on; the paper model knows whole words alone."""
    known = info(checkpoint)
    return known["causal"] and known["name"] != "paper-gpt2"


def next_name(checkpoint, ids: list[int], token: int) -> str:
    """A token that may follow `ids`, as a reader is shown it: "tired" for a whole word, "·s → sleepy" for a piece that
    begins one, "…epy" for a piece that goes on with the last word.
    """
    piece, before = checkpoint.tokenizer.pieces(token), checkpoint.tokenizer.pieces(ids[-1])
    one = {"token": piece}
    if in_pieces(checkpoint) and not continues(piece, before):
        one["word"] = whole_word(checkpoint, ids, token)
    return call("look/nexts.js", "nextName", one, before, info(checkpoint))


def name_all(checkpoint, ids: list[int], ones: list[dict], worded: int | None = None) -> None:
    """Give tokens that may follow `ids` their names, and the first `worded` of them (all, without it) their words."""
    for one in ones:
        one["token"] = checkpoint.tokenizer.pieces(one["id"])
    if in_pieces(checkpoint):
        for one in ones[:worded]:
            one["word"] = whole_word(checkpoint, ids, one["id"])
