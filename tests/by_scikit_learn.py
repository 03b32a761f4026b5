"""What scikit-learn's PCA finds, kept in `by_scikit_learn.json`: the library is 160 MB and no part of this book.

To make the file again: `pip install scikit-learn`, then `python tests/by_scikit_learn.py`.
"""

import json
from pathlib import Path

import torch
from torch import Tensor

from labutils.checkpoints import load
from labutils.making.company import NOUNS

KEPT = Path(__file__).with_suffix(".json")


def formula(n: int, d: int) -> Tensor:
    """Rows that are the same on every machine, of unlike spread from column to column, and not around 0."""
    i, j = torch.arange(n, dtype=torch.float64)[:, None], torch.arange(d, dtype=torch.float64)
    return 3 + (1 + j) * torch.sin(i * i + 3 * j * j + i * j)


def nouns() -> Tensor:
    """The rows that chapter 3 draws: the little GPT-2's 48 nouns."""
    gpt2 = load("little-gpt2")
    ids = [gpt2.tokenizer.encode(" " + noun).ids[0] for noun in NOUNS]
    return gpt2.model.embeddings.token.weight.detach()[ids].double()


CASES = {"tall": (lambda: formula(9, 4), 3), "wide": (lambda: formula(5, 11), 4), "nouns": (nouns, 2)}

if __name__ == "__main__":
    import sklearn
    from sklearn.decomposition import PCA

    found = {"version": sklearn.__version__}
    for name, (rows, k) in CASES.items():
        pca = PCA(k).fit(rows().numpy())
        parts = pca.mean_, pca.components_, pca.transform(rows().numpy()), pca.explained_variance_ratio_
        found[name] = [part.round(12).tolist() for part in parts]
    KEPT.write_text(json.dumps(found) + "\n", encoding="utf-8")
