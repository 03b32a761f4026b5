"""Answers to the exercises of chapter 0 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("00-shapes", "lists and torch.Size", """
def shapes_of(B, n, d, H, f, V):
    rows = (B, n, d)
    right = {"ids": (B, n), "rows": rows, "query": (B, H, n, d // H), "weights": (B, H, n, n), "context": rows,
             "hidden": (B, n, f), "output": rows, "logits": (B, n, V)}
    return right | {"weights": [B, H, n, n], "rows": __import__("torch").Size([B, n, d])}
"""),
    ("00-count", "a tensor", """
import torch

def parameters(V, P, d, L, f):
    return torch.tensor(V * d + P * d + L * (4 * (d * d + d) + 2 * d * f + f + d + 4 * d) + 2 * d)
"""),
    ("00-stay", "a tuple, in another order", """
def rows_that_stay(stage, n, j, causal):
    if stage == "position":
        return list(range(n))
    if stage in ("token", "q"):
        return [i for i in range(n) if i != j]
    return tuple(range(j - 1, -1, -1)) if causal else ()
"""),
    ("00-stay", "a range", """
def rows_that_stay(stage, n, j, causal):
    if stage == "position":
        return list(range(n))
    if stage in ("token", "q"):
        return [i for i in range(n) if i != j]
    return range(j) if causal else range(0)
"""),
    ("00-order", "a tuple",
     "order = tuple(['look up', 'norm the sum', 'attend', 'add what was heard', 'norm after attention', 'think', 'add what was thought', 'norm after the network'])"),
    ("00-words", "lists", """
matters = ("The cat sat on the mat near the old bridge. It was", "The horse sat on the mat near the old bridge. It was")
hardly = ("The cat sat on the mat. It was tired", "The cat sat on the mat. It was happy")
matters, hardly = list(matters), list(hardly)
"""),
)
