"""Answers to the exercises of chapter 10 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("10-rate", "takes the smaller of two lines", """
def rate(step, warmup, steps, peak):
    return peak * min(step / max(warmup, 0.5), (steps + 1 - step) / (steps + 1 - warmup))
"""),
    ("10-ask", "asks PyTorch, with labels of -100", """
def ask(logits, ids, asked):
    labels = ids.masked_fill(~asked, -100)[:, 1:]
    return torch.nn.functional.cross_entropy(logits[:, :-1].mT, labels)
"""),
    ("10-ask", "goes token by token, and returns Python's number", """
def ask(logits, ids, asked):
    terms = []
    for row, text, wanted in zip(logits, ids, asked):
        for i in range(1, len(text)):
            if wanted[i]:
                terms.append(float(row[i - 1].logsumexp(-1) - row[i - 1, text[i]]))
    return sum(terms) / len(terms)
"""),
    ("10-masking", "draws one number for both, and returns a list", """
def masking(ids, special, mask_id, size):
    u = torch.rand(ids.shape).masked_fill(special, 1.0)
    read = ids.clone()
    read[u < 0.12] = mask_id
    by_chance = (u >= 0.12) & (u < 0.135)
    read[by_chance] = torch.randint(size, (int(by_chance.sum()),))
    return [read, torch.where(u < 0.15, ids, -100)]
"""),
    ("10-diagnose", "looks at the new texts first", """
def diagnose(train, new, chance):
    if train[-1] < 0.1 * chance and not 0.05 * chance < min(new) < 0.9 * chance:
        return "leaks"
    if new[-1] - min(new) > 0.08 * chance:
        return "memorised"
    return "stuck" if min(train) > 0.6 * chance else "healthy"
"""),
)
