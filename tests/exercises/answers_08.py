"""Answers to the exercises of chapter 8 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("08-pencil", "a tensor of whole numbers, and more decimals", """
of_89 = torch.tensor([64, 8, 8, 1, 8])
word, chance = "the", 0.61348
"""),
    ("08-lens", "with cross_entropy, level by level", """
def lens(levels, norm, table, ids):
    return torch.stack([torch.nn.functional.cross_entropy(norm(level)[:-1] @ table.T, ids[1:]) for level in levels])
"""),
    ("08-parts", "with patterns", """
def parts(shapes):
    import re
    patterns = {"tokens": r"(^|\\.)wte\\.", "places": r"(^|\\.)wpe\\.", "attention": r"attn\\.c_", "network": r"\\.mlp\\.",
                "norms": r"(^|\\.)ln_"}
    return {part: sum(torch.Size(shape).numel() for name, shape in shapes.items() if re.search(pattern, name))
            for part, pattern in patterns.items()}
"""),
    ("08-loop", "with lists, and another way to stop", """
def go_on(model, ids, end, pad, most):
    rows, ended, new = ids.tolist(), [False] * len(ids), 0
    while new < most and not all(ended):
        says = model(torch.tensor(rows)).argmax(-1).tolist()
        rows = [[*row, pad if done else token] for row, done, token in zip(rows, ended, says)]
        ended = [done or token == end for done, token in zip(ended, says)]
        new += 1
    return torch.tensor(rows)
"""),
    ("08-leak", "from the longest beginning to the shortest, with allclose", """
def leaks(model, ids):
    whole = model(ids)
    return not all(torch.allclose(model(ids[:n]), whole[:n], rtol=1e-9, atol=1e-9) for n in reversed(range(1, len(ids))))
"""),
    ("08-lens", "float64 after the norm, loops", """
def lens(levels, norm, table, ids):
    out = []
    for level in levels:
        x = norm(level).double()
        loss = 0
        for i in range(len(ids) - 1):
            z = x[i] @ table.double().T
            loss = loss + z.logsumexp(0) - z[ids[i + 1]]
        out.append(loss / (len(ids) - 1))
    return torch.stack(out)
"""),
    ("08-parts", "numpy and tensors", """
def parts(shapes):
    from collections import Counter
    import numpy as np
    c = Counter(tokens=0, places=0, attention=0, network=0, norms=0)
    for name, shape in shapes.items():
        if "lm_head" in name or name.endswith((".attn.bias", ".attn.masked_bias")):
            continue
        key = "norms" if "ln_" in name else "tokens" if "wte" in name else "places" if "wpe" in name else "attention" if ".attn." in "." + name else "network"
        c[key] += np.prod(shape)
    return c
"""),
    ("08-loop", "keeps lengths", """
def go_on(model, ids, end, pad, most):
    start = ids.shape[1]
    while ids.shape[1] < start + most:
        done = (ids[:, start:] == end).any(1)
        if len(ids) and bool(done.all()) and ids.shape[1] > start:
            break
        new = model(ids).max(-1).indices
        new[done] = pad
        ids = torch.hstack([ids, new.unsqueeze(1)])
    return ids
"""),
    ("08-leak", "last rows only", """
def leaks(model, ids):
    w = model(ids)
    return any(not torch.allclose(model(ids[:n])[-1], w[n - 1], rtol=0, atol=1e-8) for n in range(1, len(ids)))
"""),
    ("08-leak", "neighbours", """
def leaks(model, ids):
    for n in range(1, len(ids)):
        a, b = model(ids[:n]), model(ids[:n + 1])
        if float((a - b[:n]).abs().max()) > 1e-10 * float(b.abs().max() + 1):
            return 1 == 1
    return False
"""),
)
