"""The whole word behind a piece, for the state that a control comes with; `engine/whole_words.js` does it in a page."""

import re

import torch

LONGEST = 8  # pieces of a word
LETTER = r"[^\W\d_]"


def continues(piece: str, before: str) -> bool:
    """Whether a piece goes on with the word that the piece before it is in.

    >>> continues("epy", "␣sle"), continues("␣on", "␣sat"), continues(".", "␣sat")
    (True, False, False)
    """
    return bool(re.match(LETTER, piece) and re.search(f"{LETTER}$", before))


def whole_word(checkpoint, ids: list[int], token: int) -> str:
    """After the tokens `ids`, the word that `token` most probably begins: "␣sleepy" for "␣s".

    Most probable piece after most probable piece, until the next one begins another word.
    """
    pieces, most = checkpoint.tokenizer.pieces, checkpoint.model.config.n_positions
    found, text = [token], pieces(token)
    while len(found) < LONGEST and len(ids) + len(found) < most and re.search(f"{LETTER}$", text):
        with torch.no_grad():
            best = int(checkpoint.model(torch.tensor([[*ids, *found]])).logits[0, -1].argmax())
        if not continues(pieces(best), text):
            break
        found.append(best)
        text += pieces(best)
    return text
