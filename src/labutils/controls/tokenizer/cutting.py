"""How a tokenizer cut a text, as the playground draws it: every token with its place, every word with the steps that cut it.

`cutting.js` makes the same from the tokenizers of the page.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from labutils.text import ByteLevelBPE, Encoding, WordPiece
from labutils.text.bpe import token_bytes

LONGEST = 200  # symbols; the steps of a longer word are not listed


def cut(tokenizer: Any, text: str) -> dict[str, Any]:
    """The tokens of a text, its words with their steps, and the text that the ids give back.

    Places (start, end) count UTF-16 units, as a browser does. `word` is None for what the tokenizer added itself, such as [CLS].

    Raises:
        ValueError: the tokenizer cannot read this text.
    """
    encoding = tokenizer.encode(text)
    place = [0, *accumulate(1 + (ord(char) > 0xFFFF) for char in text)]
    tokens = [
        {**readable(tokenizer, token), "id": i, "start": place[a], "end": place[b], "word": word, **_apart(tokenizer, token, word)}
        for i, token, (a, b), word in zip(encoding.ids, encoding.tokens, encoding.offsets, encoding.word_ids)
    ]
    words = [{"start": place[a], "end": place[b], "text": text[a:b], "steps": _steps(tokenizer, pieces, text[a:b])} for pieces, a, b in _words(encoding)]
    return {"tokens": tokens, "words": words, "decoded": tokenizer.decode([i for i, word in zip(encoding.ids, encoding.word_ids) if word is not None])}


def readable(tokenizer: Any, token: str) -> dict[str, str]:
    """Printable text; where a token is a part of a character, its bytes in hexadecimal as both."""
    if not isinstance(tokenizer, ByteLevelBPE):
        return {"text": token, "bytes": ""}
    data = token_bytes(token)
    try:
        return {"text": data.decode("utf-8"), "bytes": ""}
    except UnicodeDecodeError:
        return {"text": data.hex(" ").upper(), "bytes": data.hex(" ").upper()}


def _apart(tokenizer: Any, token: str, word: int | None) -> dict[str, bool]:
    unknown = token == getattr(tokenizer, "unk_token", None)
    return {"special": word is None or (not unknown and token in getattr(tokenizer, "special_tokens", ())), "unknown": unknown}


def _words(encoding: Encoding) -> Iterator[tuple[list[str], int, int]]:
    """(tokens, start, end) of each word, in characters of the text."""
    for word in sorted({word for word in encoding.word_ids if word is not None}):
        own = [i for i, of in enumerate(encoding.word_ids) if of == word]
        offsets = [encoding.offsets[i] for i in own]
        yield [encoding.tokens[i] for i in own], min(a for a, _ in offsets), max(b for _, b in offsets)


def _steps(tokenizer: Any, tokens: list[str], text: str) -> list[dict[str, Any]]:
    unknown = getattr(tokenizer, "unk_token", None)
    added = {token.content for token in getattr(tokenizer, "added_tokens", ())}
    if tokens[0] in added and (tokens[0] != unknown or text == unknown):
        return []  # an added token is looked for as a whole
    if isinstance(tokenizer, ByteLevelBPE):
        symbols = "".join(tokens)
        whole = tokenizer.ignore_merges and symbols in tokenizer.model_vocab
        return [] if whole or len(symbols) > LONGEST else merges(tokenizer, symbols)
    if isinstance(tokenizer, WordPiece):
        word = tokens[0] + "".join(token.removeprefix(tokenizer.prefix) for token in tokens[1:])
        if tokens[0] == unknown:
            word = "".join(tokenizer.cut(tokenizer.normalize(text)[0]))
        return [] if len(word) > min(LONGEST, tokenizer.max_chars) else attempts(tokenizer, word)
    return []


def merges(tokenizer: ByteLevelBPE, symbols: str) -> list[dict[str, Any]]:
    """Step i shows the parts before merge i, the rank of each neighbouring pair (None: not in the list), and the pair that won.

    The last step has ``won`` -1: no pair is left. Sennrich et al. 2016, section 3.2.
    """
    parts, steps = list(symbols), []
    while True:
        ranks = [tokenizer.ranks.get(pair) for pair in zip(parts, parts[1:])]
        best = min((rank for rank in ranks if rank is not None), default=None)
        won = -1 if best is None else ranks.index(best)
        steps.append({"parts": [readable(tokenizer, part)["text"] for part in parts], "ranks": ranks, "won": won})
        if won < 0:
            return steps
        parts[won : won + 2] = [parts[won] + parts[won + 1]]


def attempts(tokenizer: WordPiece, word: str) -> list[dict[str, Any]]:
    """One step a piece: what was tried, from the longest on, and what was found; None makes the whole word unknown."""
    steps, start = [], 0
    while start < len(word):
        tried = [(tokenizer.prefix if start else "") + word[start:end] for end in range(len(word), start, -1)]
        hit = next((i for i, piece in enumerate(tried) if piece in tokenizer.model_vocab), None)
        steps.append({"tried": tried[:hit], "found": None if hit is None else tried[hit]})
        if hit is None:
            break
        start = len(word) - hit
    return steps
