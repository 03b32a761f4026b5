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
    ("10-rate", "a tensor", """
def rate(step, warmup, steps, peak):
    import torch
    t = torch.tensor(float(step), dtype=torch.float64)
    up = t / warmup if warmup else torch.tensor(float("inf"))
    return peak * torch.minimum(up, (steps + 1 - t) / (steps + 1 - warmup))
"""),
    ("10-ask", "flat, float64", """
def ask(logits, ids, asked):
    l = logits[:, :-1].reshape(-1, logits.shape[-1]).double()
    i, a = ids[:, 1:].reshape(-1), asked[:, 1:].reshape(-1)
    return (l.logsumexp(-1) - l[torch.arange(len(i)), i])[a].sum().item() / a.sum().item()
"""),
    ("10-adamw", "number by number", """
def adamw(w, gradients, rate, betas, eps, decay):
    b, c = betas
    out = []
    for j in range(len(w)):
        x, m, s = float(w[j]), 0.0, 0.0
        for t in range(len(gradients)):
            g = float(gradients[t, j])
            x *= 1 - rate * decay
            m = b * m + (1 - b) * g
            s = c * s + (1 - c) * g * g
            x -= rate * (m / (1 - b ** (t + 1))) / ((s / (1 - c ** (t + 1))) ** 0.5 + eps)
        out.append(x)
    return torch.tensor(out, dtype=torch.float64)
"""),
    ("10-adamw", "in place on a copy, float32 means", """
def adamw(w, gradients, rate, betas, eps, decay):
    w = w.clone()
    m, s = torch.zeros(len(w)), torch.zeros(len(w))
    for t, g in enumerate(gradients):
        w.mul_(1 - rate * decay)
        m = torch.lerp(g, m.to(g), betas[0])
        s = betas[1] * s + (1 - betas[1]) * g.square()
        w.addcdiv_(m / (1 - betas[0] ** (t + 1)), (s / (1 - betas[1] ** (t + 1))).sqrt() + eps, value=-rate)
    return w
"""),
    ("10-masking", "bernoulli", """
def masking(ids, special, mask_id, size):
    chosen = torch.bernoulli(torch.full(ids.shape, 0.15).masked_fill(special, 0)).bool()
    labels = torch.where(chosen, ids, torch.tensor(-100))
    hide = torch.bernoulli(torch.full(ids.shape, 0.8)).bool() & chosen
    swap = torch.bernoulli(torch.full(ids.shape, 0.5)).bool() & chosen & ~hide
    out = ids.clone()
    out[hide] = mask_id
    out[swap] = torch.randint(0, size, ids.shape)[swap]
    return out, labels
"""),
)
