"""Answers to the exercises of chapter 6 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("06-gelu", "asks the normal distribution for Φ by its integral, and returns a list", """
def gelus(x):
    exact = x * torch.erfc(-x / 2**0.5) / 2
    c = (2 / math.pi) ** 0.5
    return [exact, x / (1 + torch.exp(-2 * c * (x + 0.044715 * x**3)))]
"""),
    ("06-block", "writes six lines", """
def block(x, norm1, attention, norm2, network, place):
    if place == "before":
        y = x + attention(norm1(x))
        return y + network(norm2(y))
    if place == "after":
        y = norm1(x + attention(x))
        return norm2(y + network(y))
    if place == "inside":
        y = x + norm1(attention(x))
        return y + norm2(network(y))
    raise ValueError("before, after or inside")
"""),
    ("06-overtakes", "counts both halves for longer and longer texts", """
def overtakes(d, f, gated):
    n = 1
    while 4 * 2 * n * d * d + 2 * 2 * n * n * d <= (3 if gated else 2) * 2 * n * d * f:
        n += 1
    return n
"""),
    ("06-overtakes", "solves for n, with decimals on the way", """
def overtakes(d, f, gated):
    same = (6 if gated else 4) * f / 4 - 2 * d
    return max(math.floor(same), 0) + 1
"""),
    ("06-descend", "clips by a factor that is at most 1", """
def descend(w, gradient, steps, peak, warmup, most):
    for step in range(1, steps + 1):
        g = gradient(w)
        g = g * (most / g.norm().clamp(min=1e-12)).clamp(max=1)
        w = w - peak * min(step, warmup or 1) / (warmup or 1) * g
    return w
"""),
    ("06-descend", "clips as torch does", """
def descend(w, gradient, steps, peak, warmup, most):
    for step in range(steps):
        p = torch.nn.Parameter(torch.zeros_like(w))
        p.grad = gradient(w).clone()
        torch.nn.utils.clip_grad_norm_([p], most)
        w = w - (peak * min(1, (step + 1) / warmup) if warmup else peak) * p.grad
    return w
"""),
    ("06-descend", "keeps a table of rates, in float32", """
def descend(w, gradient, steps, peak, warmup, most):
    rates = torch.cat([torch.linspace(peak / max(warmup, 1), peak, warmup), torch.full((steps,), peak)])
    for rate in rates[:steps]:
        g = gradient(w)
        w = w - rate * g[None].renorm(2, 0, most)[0]
    return w
"""),
)
