"""Answers to the exercises of chapter 7 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("07-norms", "appends part by part, and returns a tuple", """
def norms(kind, blocks):
    bert = kind == "bert"
    parts = ["embeddings"] + bert * ["norm"]
    for _ in range(blocks):
        for half in ("attention", "network"):
            parts += [[half], "norm"] if bert else [["norm", half]]
    return tuple(parts + (not bert) * ["norm"])
"""),
    ("07-keys", "goes through the given names, and stacks", """
def rename(given):
    made = {}
    for name, tensor in given.items():
        new = name.replace("attention.output.dense", "self_attn.out_proj").replace("intermediate.dense", "linear1")
        new = new.replace("attention.output.LayerNorm", "norm1").replace("output.LayerNorm", "norm2")
        made[new.replace("output.dense", "linear2")] = tensor
    for kind in ("weight", "bias"):
        q, k, v = (made.pop(f"attention.self.{part}.{kind}") for part in ("query", "key", "value"))
        made[f"self_attn.in_proj_{kind}"] = torch.stack([q, k, v]).flatten(0, 1)
    return made
"""),
    ("07-pool", "as a product of matrices", """
def pool(states, attention_mask):
    shares = attention_mask / attention_mask.sum(1, keepdim=True).clamp(min=1)
    return (shares[:, None].to(states) @ states)[:, 0]
"""),
    ("07-pool", "text by text", """
def pool(states, attention_mask):
    rows = [s[m.bool()] for s, m in zip(states, attention_mask)]
    return torch.stack([row.mean(0) if len(row) else torch.zeros(states.shape[-1]) for row in rows])
"""),
    ("07-turned", "looks for the largest difference among first ones", """
def turned(found, right):
    first = next((name for name in found if (found[name] - right[name]).abs().nan_to_num(0).max() > 1e-8), None)
    if first is None or first == "mlm_transform":
        return first and "mlm.transform"
    layer, stage = first.split()[1:]
    return "blocks." + layer + ".attention." + {"q": "query", "k": "key", "v": "value"}.get(stage, "output")
"""),
    ("07-layer", "keeps tables of shares, and returns a list", """
def choose(rows, blank, classes):
    thirds = classes.chunk(3)
    def shares(of):
        parts = of.chunk(3, 1)
        table = []
        for layer in range(len(of)):
            probe = fit_probe(parts[0][layer], thirds[0], int(classes.max()) + 1)
            table.append([probe.accuracy(parts[i][layer], thirds[i]) for i in (1, 2)])
        return torch.tensor(table)
    table = shares(rows)
    gain = table - shares(blank)
    layer = gain[:, 0].argmax()
    return [layer, table[layer, 1], gain[layer, 1]]
"""),
    ("07-layer", "takes the last of equal gains", """
def choose(rows, blank, classes):
    m, best = len(classes) // 3, None
    for layer in range(len(rows)):
        probes = [fit_probe(of[layer, :m], classes[:m], int(classes.max()) + 1) for of in (rows, blank)]
        (picked, share), (off, lost) = (
            [probe.accuracy(of[layer, part], classes[part]) for part in (slice(m, 2 * m), slice(2 * m, None))]
            for probe, of in zip(probes, (rows, blank)))
        if best is None or picked - off >= best[0]:
            best = picked - off, layer, share, share - lost
    return best[1:]
"""),
    ("07-norms", "lists as branches", """
def norms(kind, blocks):
    line = ["embeddings"]
    if kind == "bert":
        line.append("norm")
    for _ in range(blocks):
        for part in ("attention", "network"):
            line.extend([[part], "norm"] if kind == "bert" else [["norm", part]])
    if kind != "bert":
        line.append("norm")
    return line
"""),
    ("07-keys", "an OrderedDict of parameters in float64", """
def rename(given):
    from collections import OrderedDict
    state = OrderedDict()
    for kind in ("weight", "bias"):
        for a, b in {"self_attn.out_proj": "attention.output.dense", "linear1": "intermediate.dense",
                     "linear2": "output.dense", "norm1": "attention.output.LayerNorm",
                     "norm2": "output.LayerNorm"}.items():
            state[f"{a}.{kind}"] = torch.nn.Parameter(given[f"{b}.{kind}"].double())
        three = [given[f"attention.self.{p}.{kind}"] for p in ("query", "key", "value")]
        state[f"self_attn.in_proj_{kind}"] = torch.hstack([one.T for one in three]).T
    return state
"""),
    ("07-pool", "einsum", """
def pool(states, attention_mask):
    m = attention_mask.to(states.dtype)
    return torch.einsum("bnd,bn->bd", states, m) / m.sum(1)[:, None].clamp_min(1)
"""),
    ("07-pool", "float64 with nan to 0", """
def pool(states, attention_mask):
    m = attention_mask.double()[..., None]
    return ((states * m).sum(1) / m.sum(1)).nan_to_num(0)
"""),
    ("07-turned", "numpy-like", """
def turned(found, right):
    names = [n for n in right if float((found[n] - right[n]).abs().max()) > 1e-12]
    if not names:
        return None
    words = names[0].split(" ")
    if words[0] != "layer":
        return "mlm.transform"
    part = dict(q="query", k="key", v="value", attention_output="output")[words[2]]
    return ".".join(["blocks", words[1], "attention", part])
"""),
)
