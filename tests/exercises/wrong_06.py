"""What readers of chapter 6 get wrong: (exercise, mistake, words of the check's answer, code)."""

TANGENT = """
    c = math.sqrt(2 / math.pi)
    tangent = 0.5 * x * (1 + torch.tanh(c * (x + 0.044715 * x**3)))
"""
EXACT = """
def gelus(x):
    exact = x * 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    c = math.sqrt(2 / math.pi)
"""
BLOCK = """
def block(x, norm1, attention, norm2, network, place):
    if place not in ("before", "after", "inside"):
        raise ValueError(place)
    def half(x, norm, part):
        if place == "before":
            return x + part(norm(x))
        return norm(x + part(x)) if place == "after" else x + norm(part(x))
"""
COUNT = """
def count(config):
    d, f = config["width"], config["inner"]
    tables = (config["vocab"] + config["positions"]) * d
    attention, network, norms = 4 * (d * d + d), 2 * d * f + f + d, 4 * d
    head = 0 if config["tied"] else config["vocab"] * d
"""
ALL = (
    '    return tables + config["layers"] * (attention + network + norms) + 2 * d + head\n'  # what is right after COUNT
)
DESCEND = """
def descend(w, gradient, steps, peak, warmup, most):
    total = torch.zeros_like(w)
    for step in range(steps):
        g = gradient(w)
        rise = min(1, (step + 1) / warmup) if warmup else 1
        short = most / g.norm() if g.norm() > most else 1
"""
SEARCH = """
from labutils.analysis.neurons import separation
from labutils.exercises.plural_neuron import check_plural_neuron, gpt2_reads
from labutils.world import World

def subjects(stories):
    words, plural, rows = [], [], []
    for of_story, neurons in gpt2_reads(stories):
        for i, word in enumerate(of_story):
            if word.deprel.startswith("nsubj") and word.upos == "NOUN":
                words.append(word.text)
                plural.append(word.text != word.lemma)
                rows.append(neurons[i].flatten())
    return words, torch.tensor(plural), torch.stack(rows)

rule = lambda word: word.endswith("s")
words, plural, rows = subjects(World().stories(120, seed=3))
tells = separation(rows, plural)
rule_share = sum(rule(w) == bool(p) for w, p in zip(words, plural)) / len(words)
"""

WRONG = [
    (
        "06-gelu",
        "offers the form with tanh as exact",
        "That is the form with tanh; the exact one has the error function.",
        "def gelus(x):" + TANGENT + "    return tangent, tangent\n",
    ),
    (
        "06-gelu",
        "takes the logistic function for Φ",
        r"That is x · σ\(x\), SiLU",
        "def gelus(x):" + TANGENT + "    return x * torch.sigmoid(x), tangent\n",
    ),
    (
        "06-gelu",
        "takes the density for Φ",
        "the density φ",
        "def gelus(x):" + TANGENT + "    return x * torch.exp(-x**2 / 2) / math.sqrt(2 * math.pi), tangent\n",
    ),
    (
        "06-gelu",
        "forgets the root of 2",
        "The root of 2 is missing",
        "def gelus(x):" + TANGENT + "    return 0.5 * x * (1 + torch.erf(x)), tangent\n",
    ),
    (
        "06-gelu",
        "takes a third approximation",
        "another approximation",
        "def gelus(x):" + TANGENT + "    return x * torch.sigmoid(1.702 * x), tangent\n",
    ),
    (
        "06-gelu",
        "returns the exact form twice",
        "form with tanh of .* That is the exact form.",
        EXACT + "    return exact, exact\n",
    ),
    (
        "06-gelu",
        "multiplies only one term by the root",
        "The cube is outside the root",
        EXACT + "    return exact, 0.5 * x * (1 + torch.tanh(c * x + 0.044715 * x**3))\n",
    ),
    (
        "06-gelu",
        "uses the finished ones",
        "the card does without it",
        """
def gelus(x):
    F = torch.nn.functional
    return F.gelu(x), F.gelu(x, approximate="tanh")
""",
    ),
    (
        "06-gelu",
        "2/π without its root",
        "The root is missing",
        EXACT + "    return exact, 0.5 * x * (1 + torch.tanh(c**2 * (x + 0.044715 * x**3)))\n",
    ),
    (
        "06-gelu",
        "cubes the factor too",
        "Only x is cubed",
        EXACT + "    return exact, 0.5 * x * (1 + torch.tanh(c * (x + (0.044715 * x) ** 3)))\n",
    ),
    (
        "06-block",
        "norms only the first sum",
        "The second half is done as for 'inside'",
        BLOCK
        + """
    x = half(x, norm1, attention)
    return x + norm2(network(x)) if place == "after" else half(x, norm2, network)
""",
    ),
    (
        "06-gelu",
        "takes the finished Φ",
        "`special_ndtr` ran in your function, and the card does without it: make Φ out of erf",
        "def gelus(x):" + TANGENT + "    return x * torch.special.ndtr(x), tangent\n",
    ),
    (
        "06-gelu",
        "takes Φ from a distribution",
        "`torch.distributions.normal.Normal` ran in your function",
        "def gelus(x):" + TANGENT + "    return x * torch.distributions.Normal(0.0, 1.0).cdf(x), tangent\n",
    ),
    (
        "06-gelu",
        "does not lift erf",
        "erf has to be lifted and halved",
        "def gelus(x):" + TANGENT + "    return x * torch.erf(x / math.sqrt(2)), tangent\n",
    ),
    (
        "06-gelu",
        "does not halve erf",
        "The half is missing: 1 . erf goes from 0 to 2",
        "def gelus(x):" + TANGENT + "    return x * (1 + torch.erf(x / math.sqrt(2))), tangent\n",
    ),
    (
        "06-gelu",
        "multiplies by the root of 2",
        "divide by the root of 2",
        "def gelus(x):" + TANGENT + "    return 0.5 * x * (1 + torch.erf(x * math.sqrt(2))), tangent\n",
    ),
    (
        "06-gelu",
        "squares in the place of the cube",
        "the cube of x, not its square",
        EXACT + "    return exact, 0.5 * x * (1 + torch.tanh(c * (x + 0.044715 * x**2)))\n",
    ),
    (
        "06-gelu",
        "halves erf and does not lift it",
        "it has to be lifted before it is halved",
        "def gelus(x):" + TANGENT + "    return 0.5 * x * torch.erf(x / math.sqrt(2)), tangent\n",
    ),
    (
        "06-gelu",
        "takes the root of 2 alone",
        "The root is of 2/π, not of 2 alone",
        EXACT + "    return exact, 0.5 * x * (1 + torch.tanh(math.sqrt(2) / math.pi * (x + 0.044715 * x**3)))\n",
    ),
    (
        "06-gelu",
        "writes the first and takes the second finished",
        "`gelu` ran in your function, .*: write the form with tanh yourself",
        EXACT + "    return exact, torch.nn.functional.gelu(x, approximate='tanh')\n",
    ),
    ("06-gelu", "returns one", "a pair: the exact form", EXACT + "    return exact\n"),
    (
        "06-block",
        "norms after the sum for before",
        "That is what comes out for 'after'.",
        BLOCK.replace("x + part(norm(x))", "norm(x + part(x))")
        + "    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-block",
        "replaces the stream by its norm",
        "The stream itself was replaced by its norm",
        BLOCK.replace("x + part(norm(x))", "norm(x) + part(norm(x))")
        + "    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-block",
        "uses one norm twice",
        "One norm was used twice",
        BLOCK + "    return half(half(x, norm1, attention), norm1, network)\n",
    ),
    (
        "06-block",
        "lets the network come first",
        "The network comes before attention.",
        BLOCK + "    return half(half(x, norm2, network), norm1, attention)\n",
    ),
    (
        "06-block",
        "swaps the norms",
        "The two norms are swapped.",
        BLOCK + "    return half(half(x, norm2, attention), norm1, network)\n",
    ),
    (
        "06-block",
        "norms the sum for inside",
        "For 'inside' .* That is what comes out for 'after'.",
        BLOCK.replace("x + norm(part(x))", "norm(x + part(x))")
        + "    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-block",
        "forgets to refuse",
        "nothing was raised",
        BLOCK.replace('if place not in ("before", "after", "inside"):\n        raise ValueError(place)', "pass")
        + "    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-block",
        "looks for the place in a text",
        "For the place 'in' nothing was raised",
        BLOCK.replace('("before", "after", "inside")', '"before after inside"')
        + "    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-block",
        "asks a part twice",
        "attention was asked 2 times",
        BLOCK + "    attention(x)\n    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-block",
        "lets the network read the sum before its norm",
        "The network reads the sum before it is normed",
        BLOCK
        + """
    if place == "after":
        y = x + attention(x)
        return norm2(norm1(y) + network(y))
    return half(half(x, norm1, attention), norm2, network)
""",
    ),
    (
        "06-block",
        "norms twice for inside",
        "There is a norm before each half as well",
        BLOCK.replace("x + norm(part(x))", "x + norm(part(norm(x)))")
        + "    return half(half(x, norm1, attention), norm2, network)\n",
    ),
    (
        "06-count",
        "builds it of modules",
        "`torch.nn.modules.linear.Linear` ran in your function",
        """
def count(q):
    nn, d, f = torch.nn, q["width"], q["inner"]
    with torch.device("meta"):
        parts = [nn.Embedding(q["vocab"], d), nn.Embedding(q["positions"], d), nn.LayerNorm(d)]
        for _ in range(q["layers"]):
            parts += [nn.Linear(d, d) for _ in range(4)] + [nn.Linear(d, f), nn.Linear(f, d)]
            parts += [nn.LayerNorm(d), nn.LayerNorm(d)]
    return sum(p.numel() for m in parts for p in m.parameters()) + (0 if q["tied"] else q["vocab"] * d)
""",
    ),
    (
        "06-count",
        "makes tensors of the shapes",
        r"A tensor of \d+ numbers was made in your function",
        COUNT
        + """
    tables = sum(torch.empty(config[name], d, device="meta").numel() for name in ("vocab", "positions"))
    return tables + config["layers"] * (attention + network + norms) + 2 * d + head
""",
    ),
    (
        "06-count",
        "computes with tensors of one number",
        "A tensor of one number was made in your function, and the card does without it: sums and products",
        """
def count(c):
    V, P, d, L, f = (torch.tensor(c[k]) for k in ("vocab", "positions", "width", "layers", "inner"))
    return int(V * d * (1 if c["tied"] else 2) + P * d + 2 * d + L * (4 * d * d + 9 * d + 2 * d * f + f))
""",
    ),
    (
        "06-count",
        "returns a tensor",
        "A tensor of one number was made in your function",
        COUNT + '    return torch.tensor(tables + config["layers"] * (attention + network + norms) + 2 * d + head)\n',
    ),
    (
        "06-count",
        "one block where there is none",
        "With layers 0 there is no block",
        COUNT + "    return tables + attention + network + norms + 2 * d + head\n",
    ),
    (
        "06-count",
        "attention without biases",
        "In each block 4 · width are missing: the biases of attention",
        COUNT.replace("4 * (d * d + d)", "4 * d * d") + ALL,
    ),
    (
        "06-count",
        "one LayerNorm in a block",
        "In each block 2 · width are missing: one LayerNorm",
        COUNT.replace("4 * d\n", "2 * d\n") + ALL,
    ),
    (
        "06-count",
        "a bias at the last of attention's matrices alone",
        "In each block 3 · width are missing: each of attention’s four",
        COUNT.replace("4 * (d * d + d)", "4 * d * d + d") + ALL,
    ),
    (
        "06-count",
        "one block for all",
        "That is with one block",
        COUNT + "    return tables + min(1, config['layers']) * (attention + network + norms) + 2 * d + head\n",
    ),
    (
        "06-count",
        "returns a number with a decimal point",
        "a whole number, and it returned \\d+\\.0",
        COUNT + '    return float(tables + config["layers"] * (attention + network + norms) + 2 * d + head)\n',
    ),
    (
        "06-count",
        "forgets the biases",
        "The biases of the matrices are missing.",
        COUNT + '    return tables + config["layers"] * (4 * d * d + 2 * d * f + norms) + 2 * d + head\n',
    ),
    (
        "06-count",
        "gives both biases of the network the width",
        "here both have the width.",
        COUNT.replace("f + d,", "d + d,") + ALL,
    ),
    (
        "06-count",
        "gives both biases of the network the inner width",
        "here both have the inner width.",
        COUNT.replace("f + d,", "f + f,") + ALL,
    ),
    (
        "06-block",
        "norms the row and what is added",
        "The row is normed too",
        """
def block(x, norm1, attention, norm2, network, place):
    for norm, part in ((norm1, attention), (norm2, network)):
        if place == "before":
            x = x + part(norm(x))
        elif place == "after":
            x = norm(x + part(x))
        elif place == "inside":
            x = norm(x) + norm(part(x))
        else:
            raise ValueError(place)
    return x
""",
    ),
    (
        "06-count",
        "forgets the LayerNorms",
        "In each block 4 · width are missing: .* the two LayerNorms",
        COUNT + '    return tables + config["layers"] * (attention + network) + 2 * d + head\n',
    ),
    (
        "06-count",
        "forgets the last LayerNorm",
        "The LayerNorm after the last block is missing",
        COUNT + '    return tables + config["layers"] * (attention + network + norms) + head\n',
    ),
    (
        "06-count",
        "counts a tied head",
        "A tied head is the token table itself",
        COUNT
        + '    head = config["vocab"] * d\n    return tables + config["layers"] * (attention + network + norms) + 2 * d + head\n',
    ),
    (
        "06-count",
        "leaves out a head of its own",
        "A head that is not tied has a matrix of its own.",
        COUNT + '    return tables + config["layers"] * (attention + network + norms) + 2 * d\n',
    ),
    (
        "06-count",
        "takes four times the width",
        "The inner width is given",
        COUNT.replace('config["inner"]', '4 * config["width"]') + ALL,
    ),
    (
        "06-count",
        "asks the package",
        "the card does without it",
        """
def count(config):
    from labutils.layers import parameters
    d = config["width"]
    tables = (config["vocab"] + config["positions"]) * d
    head = 0 if config["tied"] else config["vocab"] * d
    return tables + config["layers"] * sum(parameters(d, config["inner"])) + 2 * d + head
""",
    ),
    (
        "06-descend",
        "leaves the rate upside down",
        "step and warmup are turned round",
        DESCEND.replace("min(1, (step + 1) / warmup)", "max(1, warmup / (step + 1))")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "turns the fraction and leaves its bound",
        "The first step has the whole peak already",
        DESCEND.replace("min(1, (step", "max(1, (step") + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "turns the bound and leaves the fraction",
        "The first step has the whole peak already",
        DESCEND.replace("(step + 1) / warmup)", "warmup / (step + 1))")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "shortens the step",
        "do you shorten the step|The step is shortened, not the gradient",
        DESCEND
        + """
        step = peak * rise * g
        w = w - (step * most / step.norm() if step.norm() > most else step)
    return w
""",
    ),
    (
        "06-descend",
        "takes the gradient once",
        "Each step takes the gradient of the first place",
        DESCEND.replace("        g = gradient(w)\n", "        g = gradient(w) if step == 0 else g\n")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "goes up",
        "It goes up: a step is taken against the gradient",
        DESCEND + "        w = w + peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "begins with a rate of 0",
        "The first step stands still",
        DESCEND.replace("(step + 1) / warmup", "step / warmup")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "goes on adding gradients",
        "each step takes its own",
        DESCEND.replace("        g = gradient(w)\n", "        total = total + gradient(w)\n        g = total\n")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "reaches the peak one step too late",
        "The peak is reached one step too late",
        DESCEND.replace("(step + 1) / warmup", "(step + 1) / (warmup + 1)")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "shortens to 1",
        "What is too long gets the length 1",
        DESCEND.replace("most / g.norm() if", "1 / g.norm() if")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "gives every gradient the length 1",
        "What is too long gets the length 1",
        DESCEND + "        w = w - peak * rise * g / g.norm().clamp(min=1e-12)\n    return w\n",
    ),
    (
        "06-descend",
        "divides by the square of the length",
        "the root is missing",
        DESCEND.replace("most / g.norm() if", "most / g.square().sum() if")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "lengthens what is too long",
        "the factor of the clipping is upside down",
        DESCEND.replace("most / g.norm() if", "g.norm() / most if")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "makes short gradients longer",
        "A short gradient was made longer",
        DESCEND.replace("most / g.norm() if g.norm() > most else 1", "most / g.norm() if g.norm() else 1")
        + "        w = w - peak * rise * short * g\n    return w\n",
    ),
    (
        "06-descend",
        "clips number by number",
        "Each number is clipped by itself",
        DESCEND + "        w = w - peak * rise * g.clamp(-most, most)\n    return w\n",
    ),
    (
        "06-plural",
        "takes the largest difference of the means",
        "another neuron in",
        SEARCH
        + """
layer, neuron = divmod(int((rows[plural].mean(0) - rows[~plural].mean(0)).argmax() + 1) % 2048, 512)
share = float(tells[layer * 512 + neuron])
""",
    ),
    (
        "06-plural",
        "takes the lowest",
        "It is larger at singular subjects",
        SEARCH + "layer, neuron = divmod(int(tells.argmin()), 512)\nshare = 1 - float(tells.min())\n",
    ),
    (
        "06-plural",
        "states a mean in the place of a share",
        r"share is .*: give a share|share is \d",
        SEARCH
        + "best = int(tells.argmax())\nlayer, neuron = divmod(best, 512)\nshare = float(rows[plural, best].mean())\n",
    ),
    (
        "06-plural",
        "counts every noun as plural",
        "The rule is right for",
        SEARCH
        + "layer, neuron = divmod(int(tells.argmax()), 512)\nshare = float(tells.max())\nrule = lambda word: True\nrule_share = 0.5\n",
    ),
    (
        "06-plural",
        "states that the rule is always right, as if it had been tried on a few",
        "rule_share is",
        SEARCH + "layer, neuron = divmod(int(tells.argmax()), 512)\nshare = float(tells.max())\nrule_share = 0.5\n",
    ),
]

FAIR = [
    (
        "06-gelu",
        "asks the normal distribution for Φ by its integral, and returns a list",
        """
def gelus(x):
    exact = x * torch.erfc(-x / 2**0.5) / 2
    c = (2 / math.pi) ** 0.5
    return [exact, x / (1 + torch.exp(-2 * c * (x + 0.044715 * x**3)))]
""",
    ),
    (
        "06-block",
        "writes six lines",
        """
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
""",
    ),
    (
        "06-count",
        "adds up a list of shapes",
        """
def count(config):
    V, n, d, L, f, tied = config.values()
    block = 4 * [(d, d), (d,)] + [(d, f), (f,), (f, d), (d,)] + 4 * [(d,)]
    shapes = [(V, d), (n, d)] + L * block + [(d,), (d,)] + (not tied) * [(V, d)]
    return sum(math.prod(shape) for shape in shapes)
""",
    ),
    (
        "06-descend",
        "clips by a factor that is at most 1",
        """
def descend(w, gradient, steps, peak, warmup, most):
    for step in range(1, steps + 1):
        g = gradient(w)
        g = g * (most / g.norm().clamp(min=1e-12)).clamp(max=1)
        w = w - peak * min(step, warmup or 1) / (warmup or 1) * g
    return w
""",
    ),
    (
        "06-descend",
        "clips as torch does",
        """
def descend(w, gradient, steps, peak, warmup, most):
    for step in range(steps):
        p = torch.nn.Parameter(torch.zeros_like(w))
        p.grad = gradient(w).clone()
        torch.nn.utils.clip_grad_norm_([p], most)
        w = w - (peak * min(1, (step + 1) / warmup) if warmup else peak) * p.grad
    return w
""",
    ),
    (
        "06-descend",
        "keeps a table of rates, in float32",
        """
def descend(w, gradient, steps, peak, warmup, most):
    rates = torch.cat([torch.linspace(peak / max(warmup, 1), peak, warmup), torch.full((steps,), peak)])
    for rate in rates[:steps]:
        g = gradient(w)
        w = w - rate * g[None].renorm(2, 0, most)[0]
    return w
""",
    ),
]
