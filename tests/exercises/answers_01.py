"""Answers to the exercises of chapter 1 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("01-pencil", "fractions, and a list", """
from fractions import Fraction as share

def by_pencil():
    return [share(0), share(3, 5), share(7, 9), share(-1, 2)]
"""),
    ("01-pencil", "computed", """
import math

def by_pencil():
    states, bit = [0.0], math.log(2)
    for word in (0, 1, 1):
        states.append(math.tanh(bit * (word + 5 / 6 * states[-1])))
    return states[1], states[2], states[3], -5 / 6 * states[2]
"""),
    ("01-peephole", "all products at once, and a list", """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = torch.einsum("bi,pid->pbd", x, W) + torch.einsum("bi,pid->pbd", h, U) + b[:, None]
    new = torch.lerp(g.tanh(), c, torch.addcmul(f, p[0], c).sigmoid())
    return [torch.addcmul(o, p[1], new).sigmoid() * new.tanh(), new]
"""),
    ("01-leaky", "one matrix of factors per step", """
def leaky_gradient(x, U, a, k):
    h, d = torch.zeros_like(x[0]), x.shape[1]
    states, slopes = [], []
    for row in x:
        new = torch.tanh(row + h @ U)
        states.append(h)
        slopes.append(1 - new**2)
        h = a * h + (1 - a) * new
    result, back = torch.zeros_like(U), torch.ones_like(h)
    for t in range(len(x) - 1, max(len(x) - k, 0) - 1, -1):
        result = result + (1 - a) * states[t][:, None] * (back * slopes[t])[None]
        back = (a * torch.eye(d, dtype=x.dtype) + (1 - a) * U * slopes[t]) @ back
    return result
"""),
    ("01-clip", "a loop over the texts, and a tuple", """
def clipped_mean(gradients, most):
    sums = [torch.zeros_like(g[0]) for g in gradients]
    for i in range(len(gradients[0])):
        length = sum(float((g[i] ** 2).sum()) for g in gradients) ** 0.5
        for total, g in zip(sums, gradients):
            total += g[i] * (most / length if length > most else 1)
    return tuple(total / len(gradients[0]) for total in sums)
"""),
    ("01-heard", "a list of two, and 0 where nothing counts", """
def mended(target, lengths):
    heard = torch.zeros_like(target)
    heard[:, 1:] = target[:, :-1]
    counted = torch.ones_like(target).cumsum(1) <= lengths[:, None]
    return [heard * counted, counted]
"""),
    ("01-no-need", "writes the last two words in turn", """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    target = source[:, -1:].repeat(1, n)
    target[:, ::2] = source[:, [max(-2, -n)]]
    return source, target
"""),
    ("01-no-need", "counts up from the last word", """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, (source[:, -1:] + torch.arange(n)) % 9 + 1
"""),
    ("01-no-need", "repeats the first word", """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, source[:, :1].expand(-1, n)
"""),
)
