"""Two texts in one sequence of a given length: the template of a lane, truncation longest first, padding on the right.

`laying.js` does the same with the tokenizers of a page; the tests compare them.
"""

from copy import copy
from typing import Any

from labutils.controls.tokenizer.cutting import readable

END = "<|endoftext|>"
LANES = [  # templates are those of `labutils.text`; GPT-2 has none of its own, so its one special token stands between the texts
    {"name": "little-bert", "title": "BERT", "note": "", "single": [["[CLS]", 0], ["A", 0], ["[SEP]", 0]],
     "pair": [["[CLS]", 0], ["A", 0], ["[SEP]", 0], ["B", 1], ["[SEP]", 1]]},
    {"name": "little-gpt2", "title": "GPT-2", "note": "It has no segments, so every type id is 0", "single": [["A", 0], [END, 0]], "pair": [["A", 0], [END, 0], ["B", 0]]},
]


def laid(tokenizer: Any, first: str, second: str, length: int, lane: dict[str, Any]) -> dict[str, Any]:
    """{tokens, lost}: `tokens` has one entry a position, `lost` the tokens of each text that found no room.

    Raises:
        ValueError: a text that this tokenizer cannot read, or a length without room for the special tokens.
    """
    own = copy(tokenizer)
    own.single, own.pair = [tuple(slot) for slot in lane["single"]], [tuple(slot) for slot in lane["pair"]]
    pair = second or None
    row = own.encode_batch([first], [pair], max_length=length, length=length)[0]
    whole = own.encode(first, pair)
    kept = [row.sequence_ids.count(which) for which in (0, 1)]
    piece = lambda i: readable(tokenizer, tokenizer.id_to_token(i))["text"]
    tokens = [
        {"text": piece(i), "id": i, "type": type_id, "mask": mask, "from": sequence, "special": sequence is None}
        for i, type_id, mask, sequence in zip(row.ids, row.type_ids, row.attention_mask, row.sequence_ids)
    ]
    lost = [[piece(i) for i, sequence in zip(whole.ids, whole.sequence_ids) if sequence == which][kept[which]:] for which in (0, 1)]
    return {"tokens": tokens, "lost": lost, "size": len(tokenizer)}
