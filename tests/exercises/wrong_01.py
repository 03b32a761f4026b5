"""What readers of chapter 1 get wrong: (exercise, mistake, words of the check's answer, code)."""

PEEPHOLE = """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f, g = torch.sigmoid(f + p[0] * c), torch.tanh(g)
"""
LEAKY = """
def leaky_gradient(x, U, a, k):
    h, steps = torch.zeros_like(x[0]), []
    for row in x:
        new = torch.tanh(row + h @ U)
        steps.append((h, new))
        h = a * h + (1 - a) * new
    back, gradient = torch.ones_like(h), torch.zeros_like(U)
    for before, new in reversed(steps[-k:]):
"""
BACK = """
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = a * back + total @ U.T
    return gradient
"""  # what is right in the loop of LEAKY
FLAT = """
def clipped_mean(gradients, most):
    lengths = torch.cat([g.flatten(1) for g in gradients], 1).norm(dim=1)
"""
SHIFT = """
def mended(target, lengths):
    heard = torch.cat([torch.zeros_like(target[:, :1]), target[:, :-1]], 1)
    places = torch.arange(target.shape[1])
"""

WRONG = [
    (
        "01-peephole",
        "exchanges f and 1 - f",
        "f and 1 − f are exchanged",
        PEEPHOLE
        + """
    c = (1 - f) * c + f * g
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "adds the whole candidate, as the chapter does with i = 1",
        "The candidate is added whole",
        PEEPHOLE
        + """
    c = f * c + g
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "shows the output gate the cell before",
        "it should see the new one.",
        PEEPHOLE
        + """
    new = f * c + (1 - f) * g
    return torch.sigmoid(o + p[1] * c) * torch.tanh(new), new
""",
    ),
    (
        "01-peephole",
        "forgets the tanh of the cell",
        "What is shown of the cell has no tanh.",
        PEEPHOLE
        + """
    c = f * c + (1 - f) * g
    return torch.sigmoid(o + p[1] * c) * c, c
""",
    ),
    (
        "01-peephole",
        "returns the cell first",
        "the state comes first",
        PEEPHOLE
        + """
    c = f * c + (1 - f) * g
    return c, torch.sigmoid(o + p[1] * c) * torch.tanh(c)
""",
    ),
    (
        "01-peephole",
        "returns the state alone",
        "should return two tensors",
        PEEPHOLE
        + """
    c = f * c + (1 - f) * g
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c)
""",
    ),
    (
        "01-peephole",
        "shows the forget gate nothing",
        r"The forget gate does not see the old cell: p\[0\] is not used.",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    c = torch.sigmoid(f) * c + (1 - torch.sigmoid(f)) * torch.tanh(g)
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "shows the output gate nothing",
        r"The output gate does not see the new cell: p\[1\] is not used.",
        PEEPHOLE
        + """
    c = f * c + (1 - f) * g
    return torch.sigmoid(o) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "shows no gate the cell",
        r"The forget gate does not see the old cell: p\[0\] is not used.",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    c = torch.sigmoid(f) * c + (1 - torch.sigmoid(f)) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "forgets the tanh of the candidate",
        "The candidate has no tanh.",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f = torch.sigmoid(f + p[0] * c)
    c = f * c + (1 - f) * g
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "takes the parts in PyTorch's order",
        "The parts of candidate and output gate are exchanged.",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, o, g = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f = torch.sigmoid(f + p[0] * c)
    c = f * c + (1 - f) * torch.tanh(g)
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "adds p times the cell outside the sigmoid",
        "p times the cell was added outside the sigmoid",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f = torch.sigmoid(f) + p[0] * c
    c = f * c + (1 - f) * torch.tanh(g)
    return (torch.sigmoid(o) + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "sums p times the cell",
        "p times the cell was summed",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f = torch.sigmoid(f + (p[0] * c).sum(-1, keepdim=True))
    c = f * c + (1 - f) * torch.tanh(g)
    return torch.sigmoid(o + (p[1] * c).sum(-1, keepdim=True)) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "makes the candidate with a sigmoid",
        "The candidate has a sigmoid, as the gates have",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f = torch.sigmoid(f + p[0] * c)
    c = f * c + (1 - f) * torch.sigmoid(g)
    return torch.sigmoid(o + p[1] * c) * torch.tanh(c), c
""",
    ),
    (
        "01-peephole",
        "shows the cell to the candidate in place of the output gate",
        "The candidate sees the cell",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = (x @ W[i] + h @ U[i] + b[i] for i in range(3))
    f = torch.sigmoid(f + p[0] * c)
    c = f * c + (1 - f) * torch.tanh(g + p[1] * c)
    return torch.sigmoid(o) * torch.tanh(c), c
""",
    ),
    (
        "01-leaky",
        "takes differences",
        "In double precision it is exact, .*\n.*that is a loss for each number of U",
        """
def leaky_gradient(x, U, a, k):
    kind, x, U = U.dtype, x.double(), U.double()

    def loss(U, h):
        for row in x[max(len(x) - k, 0):]:
            h = a * h + (1 - a) * torch.tanh(row + h @ U)
        return h.sum()

    start = torch.zeros_like(x[0])
    for row in x[: max(len(x) - k, 0)]:
        start = a * start + (1 - a) * torch.tanh(row + start @ U)
    gradient = torch.zeros_like(U)
    for i in range(len(U)):
        for j in range(len(U)):
            moved = torch.zeros_like(U)
            moved[i, j] = 1e-6
            gradient[i, j] = (loss(U + moved, start) - loss(U - moved, start)) / 2e-6
    return gradient.to(kind)
""",
    ),
    (
        "01-leaky",
        "takes differences of high order",
        "Nothing else takes the derivative\n.*that is a loss for each number of U",
        """
def leaky_gradient(x, U, a, k):
    weights, X, W, step = (4 / 5, -1 / 5, 4 / 105, -1 / 280), x.double(), U.double(), 1e-2

    def loss(V):
        h = torch.zeros_like(X[0])
        for t, row in enumerate(X):
            h = a * h + (1 - a) * torch.tanh(row + h @ (V if t >= len(x) - k else W))
        return h.sum()

    gradient = torch.zeros_like(U)
    for i in range(len(U)):
        for j in range(len(U)):
            e = torch.zeros_like(W)
            e[i, j] = step
            both = (w * (loss(W + m * e) - loss(W - m * e)) for m, w in enumerate(weights, 1))
            gradient[i, j] = sum(both) / step
    return gradient
""",
    ),
    (
        "01-leaky",
        "takes a complex step",
        "Nothing else takes the derivative\n.*that is a loss for each number of U",
        """
def leaky_gradient(x, U, a, k):
    gradient, W = torch.zeros_like(U), U.to(torch.complex128)
    for i in range(len(U)):
        for j in range(len(U)):
            V, h = W.clone(), torch.zeros(len(U), dtype=torch.complex128)
            V[i, j] += 1e-20j
            for t, row in enumerate(x):
                h = a * h + (1 - a) * torch.tanh(row + h @ (V if t >= len(x) - k else W))
            gradient[i, j] = h.sum().imag / 1e-20
    return gradient
""",
    ),
    (
        "01-leaky",
        "lets a multiply both ways",
        "Or a multiplies the way through the tanh too: it belongs to the leak alone",
        LEAKY
        + """
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = a * (back + total @ U.T)
    return gradient
""",
    ),
    (
        "01-leaky",
        "lets a multiply both ways where it is not 0",
        "a belongs to the leak alone, not to the way through the tanh",
        LEAKY
        + """
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = a * (back + total @ U.T) if a else total @ U.T
    return gradient
""",
    ),
    (
        "01-leaky",
        "adds up in single precision",
        "x and U are float64, the gradient is float32: make it with `torch.zeros_like",
        LEAKY.replace("torch.zeros_like(U)", "torch.zeros(len(U), len(U))") + BACK,
    ),
    (
        "01-leaky",
        "asks forward differentiation",
        r"`torch.autograd.forward_ad\.\w+` ran in your function",
        """
import torch.autograd.forward_ad as forward

def leaky_gradient(x, U, a, k):
    gradient = torch.zeros_like(U)
    for i in range(len(U)):
        for j in range(len(U)):
            moved = torch.zeros_like(U)
            moved[i, j] = 1
            with forward.dual_level():
                dual, h = forward.make_dual(U.clone(), moved), torch.zeros_like(x[0])
                for t, row in enumerate(x):
                    h = a * h + (1 - a) * torch.tanh(row + h @ (dual if t >= len(x) - k else U))
                tangent = forward.unpack_dual(h.sum()).tangent
                gradient[i, j] = 0 if tangent is None else tangent
    return gradient
""",
    ),
    (
        "01-leaky",
        "asks torch.func",
        "`torch.func` ran in your function",
        """
def leaky_gradient(x, U, a, k):
    def loss(U):
        h = torch.zeros_like(x[0])
        for t, row in enumerate(x):
            h = h.detach() if t == len(x) - k else h
            h = a * h + (1 - a) * torch.tanh(row + h @ U)
        return h.sum()

    with torch.inference_mode(False):
        x, U = x.clone(), U.clone()
        return torch.func.grad(loss)(U)
""",
    ),
    (
        "01-leaky",
        "takes the state after",
        "U was multiplied by the state before the word, not by the one after it",
        LEAKY
        + """
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(a * before + (1 - a) * new, total)
        back = a * back + total @ U.T
    return gradient
""",
    ),
    (
        "01-leaky",
        "does not transpose U",
        "Going back, U has to be transposed.",
        LEAKY
        + """
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = a * back + total @ U
    return gradient
""",
    ),
    (
        "01-leaky",
        "forgets the leak on the way back",
        "The way back through the leak, with the factor a, is missing.",
        LEAKY
        + """
        total = (1 - a) * back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = total @ U.T
    return gradient
""",
    ),
    (
        "01-leaky",
        "forgets the factor of the tanh",
        "The factor 1 − a in front of the tanh is missing.",
        LEAKY
        + """
        total = back * (1 - new**2)
        gradient += torch.outer(before, total)
        back = a * back + total @ U.T
    return gradient
""",
    ),
    (
        "01-leaky",
        "takes the last step alone",
        "Only the last step was taken. Or a multiplies the way through the tanh too",
        LEAKY
        + """
        return torch.outer(before, (1 - a) * back * (1 - new**2))
""",
    ),
    ("01-leaky", "goes all the way back", "further than k steps", LEAKY.replace("steps[-k:]", "steps") + BACK),
    (
        "01-leaky",
        "reads the last k words alone",
        "Nothing comes back. .*the state before it is made from the first word on.",
        LEAKY.replace("for row in x:", "for row in x[-k:]:") + BACK,
    ),
    (
        "01-leaky",
        "takes k - 1 steps",
        "Nothing comes back. With k = 1 one step is taken, the last",
        LEAKY.replace("steps[-k:]", "steps[len(steps) - k + 1 :]") + BACK,
    ),
    (
        "01-leaky",
        "reads the last k words alone, but never fewer than two",
        "The forward pass has to start at the first word; only the way back is cut.",
        LEAKY.replace("for row in x:", "for row in x[-k:] if k > 1 else x:") + BACK,
    ),
    (
        "01-leaky",
        "takes the slope of the state",
        "1 − tanh² is the slope, and that is not 1 − h²",
        LEAKY
        + """
        total = (1 - a) * back * (1 - (a * before + (1 - a) * new) ** 2)
        gradient += torch.outer(before, total)
        back = a * back + total @ U.T
    return gradient
""",
    ),
    (
        "01-leaky",
        "takes the slope at the state before",
        "not of the state before",
        LEAKY
        + """
        total = (1 - a) * back * (1 - before**2)
        gradient += torch.outer(before, total)
        back = a * back + total @ U.T
    return gradient
""",
    ),
    (
        "01-leaky",
        "asks autograd",
        "autograd is switched off here: the card asks for your own way back.",
        """
def leaky_gradient(x, U, a, k):
    U = U.clone().requires_grad_()
    h = torch.zeros_like(x[0])
    for row in x:
        h = a * h + (1 - a) * torch.tanh(row + h @ U)
    return torch.autograd.grad(h.sum(), U)[0]
""",
    ),
    (
        "01-leaky",
        "asks autograd where inference mode is left",
        "`torch.autograd.grad` ran in your function",
        """
def leaky_gradient(x, U, a, k):
    with torch.inference_mode(False), torch.enable_grad():
        x, U = x.clone(), U.clone().requires_grad_()
        h = torch.zeros_like(x[0])
        for t, row in enumerate(x):
            if t == len(x) - k:
                h = h.detach()
            h = a * h + (1 - a) * torch.tanh(row + h @ U)
        return torch.autograd.grad(h.sum(), U)[0]
""",
    ),
    (
        "01-clip",
        "clips the mean",
        "The mean was clipped, not each text",
        """
def clipped_mean(gradients, most):
    means = [g.mean(0) for g in gradients]
    length = torch.cat([g.flatten() for g in means]).norm()
    return [g * most / length.clamp(min=most) for g in means]
""",
    ),
    (
        "01-clip",
        "clips each parameter",
        "Each parameter was clipped by itself",
        """
def clipped_mean(gradients, most):
    means = []
    for g in gradients:
        factor = most / g.flatten(1).norm(dim=1).clamp(min=most)
        means.append(torch.tensordot(factor, g, 1) / len(g))
    return means
""",
    ),
    (
        "01-clip",
        "clips each number",
        "Each number was clipped by itself",
        """
def clipped_mean(gradients, most):
    return [g.clamp(-most, most).mean(0) for g in gradients]
""",
    ),
    (
        "01-clip",
        "shortens only what is much longer",
        "A gradient a little longer than `most` was left",
        FLAT
        + """
    factors = torch.where(lengths > 1.5 * most, most / lengths, 1.0)
    return [torch.tensordot(factors, g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "asks whether one parameter is longer",
        "A gradient a little longer than `most` was left",
        FLAT
        + """
    factors = torch.where(torch.stack([g.flatten(1).norm(dim=1) for g in gradients]).amax(0) > most, most / lengths, 1.0)
    return [torch.tensordot(factors, g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "compares the square",
        "The square of the length was compared",
        FLAT
        + """
    factors = torch.where(lengths**2 > most, most / lengths, 1.0)
    return [torch.tensordot(factors, g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "stretches what is short",
        "Short gradients were stretched",
        FLAT
        + """
    return [torch.tensordot(most / lengths, g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "takes one factor for all texts",
        "One factor was taken for the whole batch",
        FLAT
        + """
    return [g.mean(0) * (most / lengths).clamp(max=1).min() for g in gradients]
""",
    ),
    (
        "01-clip",
        "adds absolute values up",
        "The lengths are sums of absolute values",
        FLAT.replace("norm(dim=1)", "abs().sum(dim=1)")
        + """
    return [torch.tensordot(most / lengths.clamp(min=most), g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "takes the mean length",
        "All texts were shortened by their mean length",
        FLAT
        + """
    return [g.mean(0) * (most / lengths.mean()).clamp(max=1) for g in gradients]
""",
    ),
    (
        "01-clip",
        "drops long texts",
        "Texts with a long gradient were dropped",
        FLAT
        + """
    return [g[lengths <= most].sum(0) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "flattens what has one axis",
        "a parameter that is one number\n.*IndexError",
        FLAT
        + """
    factor = most / lengths.clamp(min=most)
    return [torch.tensordot(factor, g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "adds the texts up",
        "That is the sum over the texts, not the mean.",
        FLAT
        + """
    return [torch.tensordot(most / lengths.clamp(min=most), g, 1) for g in gradients]
""",
    ),
    (
        "01-clip",
        "divides by a length of zero",
        "A gradient of zeros.*\n.*Was it divided by a length of 0",
        FLAT
        + """
    factor = torch.where(lengths == 0, most / lengths, (most / lengths).clamp(max=1))
    return [torch.tensordot(factor, g, 1) / len(g) for g in gradients]
""",
    ),
    (
        "01-clip",
        "takes a finished clipping",
        "`torch.nn.utils.clip_grad.clip_grad_norm_` ran in your function",
        """
def clipped_mean(gradients, most):
    means = [torch.zeros_like(g[0]) for g in gradients]
    for i in range(len(gradients[0])):
        parts = [torch.zeros_like(g[i]) for g in gradients]
        for part, g in zip(parts, gradients):
            part.grad = g[i].clone()
        torch.nn.utils.clip_grad_norm_(parts, most)
        for mean, part in zip(means, parts):
            mean += part.grad / len(gradients[0])
    return means
""",
    ),
    (
        "01-clip",
        "takes a finished clipping of rows",
        "`renorm` ran in your function",
        """
def clipped_mean(gradients, most):
    flat = torch.cat([g.reshape(len(g), -1) for g in gradients], 1).renorm(2, 0, most)
    parts = flat.mean(0).split([g[0].numel() for g in gradients])
    return [part.view(g.shape[1:]) for part, g in zip(parts, gradients)]
""",
    ),
    (
        "01-heard",
        "keeps the leak",
        "These are the last symbols of the same texts: the answer leaks.",
        """
def mended(target, lengths):
    places = torch.arange(target.shape[1])
    return torch.roll(target, 1, dims=1), places[None] < lengths[:, None]
""",
    ),
    (
        "01-heard",
        "rolls the whole table",
        "the last symbols of the texts before",
        """
def mended(target, lengths):
    places = torch.arange(target.shape[1])
    return torch.roll(target, 1), places[None] < lengths[:, None]
""",
    ),
    (
        "01-heard",
        "shifts the other way",
        "Each hears the symbol that comes after it.",
        """
def mended(target, lengths):
    heard = torch.cat([target[:, 1:], torch.zeros_like(target[:, :1])], 1)
    return heard, torch.arange(target.shape[1])[None] < lengths[:, None]
""",
    ),
    (
        "01-heard",
        "does not shift at all",
        "Each hears the symbol it has to write.",
        """
def mended(target, lengths):
    return target, torch.arange(target.shape[1])[None] < lengths[:, None]
""",
    ),
    (
        "01-heard",
        "drops the last symbol wherever it stands",
        r"In a text .* heard is .*, expected \[0, ",
        """
def mended(target, lengths):
    heard = torch.roll(target, 1, dims=1)
    heard[heard == target[:, -1:]] = 0
    return heard, torch.arange(target.shape[1])[None] < lengths[:, None]
""",
    ),
    (
        "01-heard",
        "counts in whole numbers",
        "should hold True and False, and these are torch.int64",
        SHIFT
        + """
    return heard, (places[None] < lengths[:, None]).long()
""",
    ),
    (
        "01-heard",
        "counts a place of padding",
        "Each text that is not full counts a place of padding as well.",
        SHIFT
        + """
    return heard, places[None] <= lengths[:, None]
""",
    ),
    (
        "01-heard",
        "counts what is heard",
        "A heard 0 stands at the first place too, and that counts.",
        SHIFT
        + """
    return heard, heard != 0
""",
    ),
    (
        "01-heard",
        "is one place longer",
        r"returned the shape \(3, 6\), expected \(3, 5\)",
        """
def mended(target, lengths):
    heard = torch.cat([torch.zeros_like(target[:, :1]), target], 1)
    return heard, torch.arange(target.shape[1])[None] < lengths[:, None]
""",
    ),
    (
        "01-heard",
        "counts in decimals",
        "The second table should hold True and False.",
        SHIFT
        + """
    return heard, (places[None] < lengths[:, None]).float()
""",
    ),
    (
        "01-heard",
        "hears decimals",
        "What is heard are symbols, whole numbers",
        SHIFT
        + """
    return heard.float(), places[None] < lengths[:, None]
""",
    ),
    (
        "01-no-need",
        "repeats one symbol in the source",
        r"of the sources are the same in 1.00 of the texts",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, 1), generator=generator).repeat(1, n)
    return source, source.flip(1)
""",
    ),
    (
        "01-no-need",
        "lets the source go round in twos",
        r"Places 1 and 3 of the sources are the same",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, 2), generator=generator).repeat(1, n)[:, :n]
    return source, source.flip(1)
""",
    ),
    (
        "01-no-need",
        "counts up in the source",
        r"Places 1 and 2 of the sources follow from each other",
        """
def no_need(n, how_many, generator):
    source = (torch.randint(0, 9, (how_many, 1), generator=generator) + torch.arange(n)) % 9 + 1
    return source, source.flip(1)
""",
    ),
    (
        "01-no-need",
        "writes the source backwards",
        "How much of the source does it have to remember?",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, source.flip(1)
""",
    ),
    (
        "01-no-need",
        "always writes the same",
        "the source hardly matters",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, torch.full_like(source, 7)
""",
    ),
    (
        "01-no-need",
        "draws the target by itself",
        r"of the symbols right, expected more than 0.9",
        """
def no_need(n, how_many, generator):
    both = torch.randint(1, 10, (2, how_many, n), generator=generator)
    return both[0], both[1]
""",
    ),
    (
        "01-no-need",
        "draws without the generator",
        "draw everything with `generator`",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n))
    return source, source[:, -1:].expand(-1, n)
""",
    ),
    (
        "01-no-need",
        "draws nothing",
        "nothing is drawn with `generator`",
        """
def no_need(n, how_many, generator):
    source = torch.full((how_many, n), 7)
    return source, source
""",
    ),
    (
        "01-no-need",
        "leaves the upper end out",
        "The sources never hold a 9: `torch.randint` leaves its upper end out",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 9, (how_many, n), generator=generator)
    return source, source[:, -1:].repeat(1, n)
""",
    ),
    (
        "01-no-need",
        "begins at 2",
        "The sources never hold a 1, and all nine should occur",
        """
def no_need(n, how_many, generator):
    source = torch.randint(2, 10, (how_many, n), generator=generator)
    return source, source[:, -1:].repeat(1, n)
""",
    ),
    (
        "01-no-need",
        "rounds, so that the ends are half as likely",
        r"0\.0\d\d are a [19], expected about a ninth",
        """
def no_need(n, how_many, generator):
    source = (torch.rand(how_many, n, generator=generator) * 8).round().long() + 1
    return source, source[:, -1:].repeat(1, n)
""",
    ),
    (
        "01-no-need",
        "never begins with a 9",
        "At place 1 the sources never hold a 9",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    source[:, 0] = torch.randint(1, 9, (how_many,), generator=generator)
    return source, source[:, -1:].repeat(1, n)
""",
    ),
    (
        "01-no-need",
        "repeats a symbol far from both ends",
        "One symbol is little enough; how far is place 9 of 12 from an end of the text",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    place = min(8, n - 1)
    return source, source[:, place : place + 1].repeat(1, n)
""",
    ),
    (
        "01-no-need",
        "drops an axis where n is 1",
        "For n = 1 and how_many = 1 no_need returned the shape",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, source[:, 1:2].repeat(1, n)
""",
    ),
    (
        "01-no-need",
        "uses symbol 0",
        "whole numbers from 1 to 9",
        """
def no_need(n, how_many, generator):
    source = torch.randint(0, 10, (how_many, n), generator=generator)
    return source, source[:, -1:].expand(-1, n)
""",
    ),
]

FAIR = [
    (
        "01-peephole",
        "all products at once, and a list",
        """
def peephole_step(x, h, c, W, U, b, p):
    f, g, o = torch.einsum("bi,pid->pbd", x, W) + torch.einsum("bi,pid->pbd", h, U) + b[:, None]
    new = torch.lerp(g.tanh(), c, torch.addcmul(f, p[0], c).sigmoid())
    return [torch.addcmul(o, p[1], new).sigmoid() * new.tanh(), new]
""",
    ),
    (
        "01-leaky",
        "one matrix of factors per step",
        """
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
""",
    ),
    (
        "01-clip",
        "a loop over the texts, and a tuple",
        """
def clipped_mean(gradients, most):
    sums = [torch.zeros_like(g[0]) for g in gradients]
    for i in range(len(gradients[0])):
        length = sum(float((g[i] ** 2).sum()) for g in gradients) ** 0.5
        for total, g in zip(sums, gradients):
            total += g[i] * (most / length if length > most else 1)
    return tuple(total / len(gradients[0]) for total in sums)
""",
    ),
    (
        "01-heard",
        "a list of two, and 0 where nothing counts",
        """
def mended(target, lengths):
    heard = torch.zeros_like(target)
    heard[:, 1:] = target[:, :-1]
    counted = torch.ones_like(target).cumsum(1) <= lengths[:, None]
    return [heard * counted, counted]
""",
    ),
    (
        "01-no-need",
        "writes the last two words in turn",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    target = source[:, -1:].repeat(1, n)
    target[:, ::2] = source[:, [max(-2, -n)]]
    return source, target
""",
    ),
    (
        "01-no-need",
        "counts up from the last word",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, (source[:, -1:] + torch.arange(n)) % 9 + 1
""",
    ),
    (
        "01-no-need",
        "repeats the first word",
        """
def no_need(n, how_many, generator):
    source = torch.randint(1, 10, (how_many, n), generator=generator)
    return source, source[:, :1].expand(-1, n)
""",
    ),
]
