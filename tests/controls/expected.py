"""What a control should show, worked out in Python: labels, shares and how a query meets its keys; and what a still picture says."""

import re
from html import unescape
from types import SimpleNamespace

import torch

UNSEEN = re.compile(r"[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")


def label(token: str, most: int = 24) -> str:
    """A token as a label: no space in front, what cannot be seen is named."""
    text = token.strip("␣") or token[:4]
    seen = UNSEEN.sub(lambda match: f"U+{ord(match[0]):04X}", text)
    return seen if len(seen) <= most else f"{seen[: most - 1]}…"


def share(p: float) -> str:
    """A probability with three decimals; nothing that can happen is written as 0."""
    if 0 < p < 0.0005:
        return "< 0.001"
    return "> 0.999" if 0.9995 <= p < 1 else f"{p * (1 + 1e-9):.3f}"


def meet(q, k, i: int, causal: bool) -> SimpleNamespace:
    """One query and n keys; q and k are (n, d_k), every result but the length of the query is (n,)."""
    q, k = (torch.as_tensor(x, dtype=torch.float64) for x in (q, k))
    lengths, score = k.norm(dim=1), k @ q[i] / q.shape[1] ** 0.5
    masked = torch.arange(len(k)) > i if causal else torch.zeros(len(k), dtype=torch.bool)
    return SimpleNamespace(
        length=float(q[i].norm()), lengths=lengths.numpy(), score=score.numpy(), masked=masked.numpy(),
        cosine=(k @ q[i] / (lengths * q[i].norm())).numpy(), weight=score.masked_fill(masked, -torch.inf).softmax(0).numpy(),
    )


def readout(control) -> str:
    """The sentence below a still picture."""
    return text_of(re.search(r'itt-readout">(.*?)</p>', control.picture())[1])


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", html))
