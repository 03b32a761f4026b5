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
)
