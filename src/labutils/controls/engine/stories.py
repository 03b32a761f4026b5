"""The stories that a page trains on: drawn once, stored small, and the lines that a curve of theirs is measured by.

    python -m labutils.controls.engine.stories      # a minute; writes stories.json

12,000 stories, so that a run reads each of them once and its loss is that on fresh text, and 64 others that nothing is
learnt from. Tokens are the little GPT-2's. They travel as bytes, the most frequent tokens in one and the others in two,
packed by zlib: about 0.4 MB for 600,000 tokens. `backward/stories.js` reads them.
"""

import base64
import json
import math
import random
import zlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from labutils.checkpoints import load_tokenizer
from labutils.controls.engine.counting import counting
from labutils.world import World

FILE = Path(__file__).with_name("stories.json")
TOLD, FRESH, SEED = 12_000, 64, 0
MODEL, END = "little-gpt2", "<|endoftext|>"
ONE_BYTE = 240  # ranks below it take one byte; a first byte of at least 240 begins two
COUNTED = {"tokens": 1, "pairs": 2, "triples": 3}


@cache
def stored() -> dict[str, Any]:
    """What the page reads: `vocabulary`, `pieces` (what to show for each token), `end`, `order` (tokens from the most
    frequent on), `told` and `fresh` (packed), `lines` (nats a token on the fresh stories: `blind`, which is ln V,
    `tokens`, `pairs`, `triples`, and `floor`, the exact one of the grammar).
    """
    return json.loads(FILE.read_text(encoding="utf-8"))


def packed(rows: list[list[int]], order: list[int]) -> bytes:
    """Rows of ids, each from its end sign to its end sign, as zlib-packed bytes; an end sign that two share is written
    once.
    """
    rank, out = {token: i for i, token in enumerate(order)}, bytearray()
    for place in (rank[token] for row in rows for token in row[:-1]):
        high, low = divmod(place - ONE_BYTE, 256)
        out += bytes([place] if place < ONE_BYTE else [ONE_BYTE + high, low])
    return zlib.compress(bytes(out), 9)


def made() -> dict[str, Any]:
    """Draw the stories and measure the lines."""
    world, tokenizer = World(), load_tokenizer(MODEL)
    end = tokenizer.token_to_id(END)
    told, fresh = ([world.story(rng) for _ in range(n)] for rng, n in _parts())
    rows, others = ([[end, *tokenizer.encode_ids(story.text), end] for story in part] for part in (told, fresh))
    order = [token for token, _ in Counter(token for row in rows + others for token in row).most_common()]
    terms = sum(len(row) - 1 for row in others)
    lines = {"blind": math.log(len(tokenizer))}
    lines |= {name: counting(rows, others, n, len(tokenizer)) for name, n in COUNTED.items()}
    lines["floor"] = -sum(story.log_prob for story in fresh) / terms
    text = lambda part: base64.b64encode(packed(part, order)).decode("ascii")
    return {
        "vocabulary": len(tokenizer),
        "end": end,
        "stories": TOLD,
        "tokens": sum(len(row) - 1 for row in rows),
        "lines": {name: round(nats, 4) for name, nats in lines.items()},
        "order": order,
        "pieces": [tokenizer.pieces(i) for i in range(len(tokenizer))],
        "fresh": text(others),
        "told": text(rows),
    }


def _parts() -> tuple[tuple[random.Random, int], ...]:
    return (random.Random(f"page {SEED} told"), TOLD), (random.Random(f"page {SEED} fresh"), FRESH)


def main() -> None:
    FILE.write_text(json.dumps(made(), separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
