"""What a control should show, worked out in Python: labels, shares and how a query meets its keys; and what a still
picture says.
"""

import re
from copy import copy
from html import unescape
from types import SimpleNamespace

import torch

from labutils.controls.script import call
from labutils.text import ByteLevelBPE
from labutils.text.bpe import token_bytes

UNSEEN = re.compile(
    r"[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


def label(token: str, most: int = 24) -> str:
    """A token as a label: no space in front, what cannot be seen is named."""
    text = token.strip("␣") or token[:4]
    seen = UNSEEN.sub(lambda match: f"U+{ord(match[0]):04X}", text)
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def share(p: float) -> str:
    """A probability as a percentage with one decimal; nothing that can happen is written as 0."""
    if 0 < p < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= p < 1 else f"{100 * p * (1 + 1e-9):.1f}%"


def meet(q, k, i: int, causal: bool) -> SimpleNamespace:
    """One query and n keys; q and k are (n, d_k), every result but the length of the query is (n,)."""
    q, k = (torch.as_tensor(x, dtype=torch.float64) for x in (q, k))
    lengths, score = k.norm(dim=1), k @ q[i] / q.shape[1] ** 0.5
    masked = torch.arange(len(k)) > i if causal else torch.zeros(len(k), dtype=torch.bool)
    return SimpleNamespace(
        length=float(q[i].norm()),
        lengths=lengths.numpy(),
        score=score.numpy(),
        masked=masked.numpy(),
        cosine=(k @ q[i] / (lengths * q[i].norm())).numpy(),
        weight=score.masked_fill(masked, -torch.inf).softmax(0).numpy(),
    )


def after(checkpoint, ids: list[int]) -> torch.Tensor:
    """The probability of each token after these ids: (V,), float64."""
    with torch.no_grad():
        return checkpoint.model(torch.tensor([ids])).logits[0, -1].double().softmax(-1)


def uniform(seed: int, at: int) -> float:
    """Number `at` (from 0) of the sequence that belongs to a seed."""
    return call("next_word/numbers.js", "uniform", seed, at)


def drawn(probabilities: torch.Tensor, u: float) -> int:
    """The id in whose stretch of the line from 0 to 1 the number `u` falls, when the stretches lie in the order of the
    ids.
    """
    return min(int((probabilities.double().cumsum(0) <= u).sum()), len(probabilities) - 1)


def templated(tokenizer, lane):
    """A tokenizer of the package with the templates of a lane of the segments."""
    own = copy(tokenizer)
    own.single, own.pair = ([tuple(slot) for slot in lane[which]] for which in ("single", "pair"))
    return own


def laid(tokenizer, first: str, second: str, length: int, lane: dict) -> dict:
    """Two texts in one sequence, as the package's tokenizer lays them: {tokens: one a position, lost: of each text}."""
    own, pair = templated(tokenizer, lane), second or None
    row, whole = own.encode_batch([first], [pair], max_length=length, length=length)[0], own.encode(first, pair)
    tokens = [
        {"text": shown(tokenizer, i), "id": i, "type": of, "mask": mask, "from": text, "special": text is None}
        for i, of, mask, text in zip(row.ids, row.type_ids, row.attention_mask, row.sequence_ids)
    ]
    all_of = lambda which: [shown(tokenizer, i) for i, text in zip(whole.ids, whole.sequence_ids) if text == which]
    return {"tokens": tokens, "lost": [all_of(which)[row.sequence_ids.count(which) :] for which in (0, 1)]}


def shown(tokenizer, i: int) -> str:
    """A token as the playground shows it: its text, or its bytes where it is a part of a character."""
    token = tokenizer.id_to_token(i)
    if not isinstance(tokenizer, ByteLevelBPE):
        return token
    data = token_bytes(token)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.hex(" ").upper()


def readout(control) -> str:
    """The sentence below a still picture."""
    return text_of(re.search(r'itt-readout">(.*?)</p>', control.picture())[1])


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html))
