"""A whole model in one file: `python -m labutils.authoring.single`, or `make single`.

`gpt2.py` and `bert.py` need PyTorch and nothing else. Their parts are the package's own, as the chapters show them:
each is named in `gpt2.txt` and `bert.txt` by a line as of a copied cell (`labutils.authoring.sync`). Shapes that are
written as types go, since PyTorch does not read them; comments stay.
"""

import ast
import base64
import re
import sys
from pathlib import Path

from labutils.authoring.shortening import joined
from labutils.authoring.sync import FIRST_LINE, cell_text
from labutils.places import BUILD

HERE = Path(__file__).parent
NAMES = ("gpt2", "bert")
MOST = 200  # lines, comments and blank ones included
# What one model alone does without: what the package says, and what the file says.
INSTEAD = (
    ("    highest = highest.masked_fill(highest == -torch.inf, 0.0)\n", ""),
    ("    total = powers.sum(-1, keepdim=True)  # at least 1; 0 in a row that sees nothing\n", ""),
    ("    return powers / total.clamp(min=1.0)", "    return powers / powers.sum(-1, keepdim=True)"),
    ("k, v, mask=None, bias=None, scale=None, dropout=None):", "k, v, mask=None):"),
    ("    check_shapes(q, k, v, mask)\n", ""),
    ("(1 / math.sqrt(q.shape[-1]) if scale is None else scale)", "(1 / math.sqrt(q.shape[-1]))"),
    ("    if bias is not None:\n        scores = scores + bias\n", ""),
    ("    shares = dropout(weights) if dropout else weights\n    return shares @ v", "    return weights @ v"),
    ("def __init__(self, d_model, d_ff, activation):", "def __init__(self, d_model, d_ff):"),
    ("c.d_ff, c.activation)", "c.d_ff)"),
    ("        hidden = self.expand(x)  # (B, n, d) -> (B, n, f)\n", ""),
    ("        activated = ACTIVATIONS[self.activation](hidden)\n", ""),
    ("LearnedPositions(n_positions", "nn.Embedding(n_positions"),
    ("        token = self.token(ids)  # (B, n) -> (B, n, d)\n", ""),
    ("        position = self.position(positions)  # (B, n) -> (B, n, d)\n", ""),
    ("(weight_maps.Exported, nn.Module)", "(nn.Module)"),
    ("def __init__(self, config):", "def __init__(self, c):"),
    ("        self.config = c = config\n", ""),
    ("        self.eval()\n", ""),
    ("        hidden_states = [x]\n", ""),
    ("            hidden_states.append(x)\n", ""),
    ("for i, block in enumerate(self.blocks)", "for block in self.blocks"),
)
ONLY = {
    "gpt2": (
        ("    if mask is not None:  # before the softmax, not after it\n    ", ""),
        ("(~mask, -torch.inf)", "(~mask, -torch.inf)  # before the softmax, not after it"),
        (" `gelu_new` in HuggingFace. GPT-2.\n    The same paper.", " `gelu_new` in HuggingFace."),
        (
            "(\n        0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))\n    )",
            "0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)))",
        ),
        ("        self.activation = activation\n", ""),
        ("contract(activated)  # (B, n, f) ->", "contract(gelu_tanh(self.expand(x)))  # (B, n, d) -> (B, n, f) ->"),
        ("        heard = self.norm1(x)\n", ""),
        (
            "attended = self.attention(heard, mask)\n        x = x + attended",
            "x = x + self.attention(self.norm1(x), mask)",
        ),
        (
            "thought = self.feed_forward(self.norm2(x))\n        return x + thought",
            "return x + self.feed_forward(self.norm2(x))",
        ),
        ("return token + position", "return self.token(ids) + self.position(positions)  # (B, n) -> (B, n, d)"),
        ("def causal_mask(n, past=0, device=None)", "def causal_mask(n)"),
        (": the lower triangle, and all of the\n    `past`, whose keys are cached.", ": the lower triangle."),
        (
            "torch.ones(n, past + n, dtype=torch.bool, device=device).tril(past)",
            "torch.ones(n, n, dtype=torch.bool).tril()",
        ),
        ("        sizes = c.vocab_size, c.n_positions, c.d_model\n", ""),
        ("GPT2Embeddings(*sizes)", "GPT2Embeddings(c.vocab_size, c.n_positions, c.d_model)"),
        ("        positions, mask = torch.arange(n).expand_as(ids), causal_mask(n)\n", ""),
        ("self.embeddings(ids, positions)", "self.embeddings(ids, torch.arange(n))"),
        ("block(x, mask)", "block(x, causal_mask(n))"),
        ("        x = hidden_states[-1] = self.final_norm(x)\n        table = self.embeddings.token.weight\n", ""),
        (
            "logits = x @ table.T\n        return GPT2Output(logits, tuple(hidden_states))",
            "return self.final_norm(x) @ self.embeddings.token.weight.T",
        ),
        ('def merge_pair(symbols, pair, new=""):', "def merge_pair(symbols, pair):"),
        ('    new = new or "".join(pair)\n', ""),
        ("merged[-1] = new", "merged[-1] += symbol"),
        ("    symbols = list(symbols)\n", ""),
    ),
    "bert": (
        ("k, v, mask=None):", "k, v):"),
        (
            "    if mask is not None:  # before the softmax, not after it\n"
            "        scores = scores.masked_fill(~mask, -torch.inf)\n",
            "",
        ),
        ("attention(q, k, v, mask)", "attention(q, k, v)"),
        ("forward(self, x, mask=None):\n        # 1)", "forward(self, x):\n        # 1)"),
        ("forward(self, x, mask=None):", "forward(self, x):"),
        ("        attended = self.attention(x, mask)\n", ""),
        ("x + attended)", "x + self.attention(x))"),
        ("        thought = self.feed_forward(x)\n", ""),
        ("x + thought)", "x + self.feed_forward(x))"),
        (
            "        positions = torch.arange(ids.shape[1]).expand_as(ids)\n        segments = torch.zeros_like(ids)\n",
            "",
        ),
        (
            "self.embeddings(ids, positions, segments)",
            "self.embeddings(ids, torch.arange(ids.shape[1]), torch.zeros_like(ids))",
        ),
        ("    network = FeedForward(c.d_model, c.d_ff)\n", ""),
        ("norm(), network, norm())", "norm(), FeedForward(c.d_model, c.d_ff), norm())"),
        ("        # (B, n, d) -> (B, n, V)\n", ""),
        ("        sizes = c.vocab_size, c.n_positions, c.n_segments, c.d_model\n", ""),
        (
            "BertEmbeddings(*sizes, c.layer_norm_eps)",
            "BertEmbeddings(c.vocab_size, c.n_positions, c.n_segments, c.d_model, c.layer_norm_eps)",
        ),
        (
            "the normal distribution function. BERT. Hendrycks and Gimpel\n    2016, section 2.",
            "the normal distribution function.",
        ),
        ("self.activation = activation\n        self.contract", "self.contract"),
        ("contract(activated)  # (B, n, f) ->", "contract(gelu(self.expand(x)))  # (B, n, d) -> (B, n, f) ->"),
        ("        segment = self.segment(type_ids)  # (B, n) -> (B, n, d)\n", ""),
        (
            "total = token + segment + position\n        return self.norm(total)",
            "return self.norm(self.token(ids) + self.segment(type_ids) + self.position(positions))"
            "  # (B, n) -> (B, n, d)",
        ),
        (
            "One more layer, then the token table once more, and a\n    bias for each token.",
            "One more layer, then the token table, and a bias for each token.",
        ),
        ("def __init__(self, d_model, vocab_size, activation, eps):", "def __init__(self, d_model, vocab_size, eps):"),
        ("        self.activation = activation\n", ""),
        (
            "        x = ACTIVATIONS[self.activation](self.transform(x))\n        x = self.norm(x)",
            "        x = self.norm(gelu(self.transform(x)))",
        ),
        (
            "A complete BERT with both heads of its pre-training. Fresh weights are random; it\n"
            "    starts in eval mode, without dropout.",
            "A complete BERT with its head for hidden words.",
        ),
        ("c.d_model, c.vocab_size, c.activation, c.layer_norm_eps", "c.d_model, c.vocab_size, c.layer_norm_eps"),
        (
            "logits = self.mlm(x, self.embeddings.token.weight)\n"
            "        return BertOutput(logits, None, None, tuple(hidden_states))",
            "return self.mlm(x, self.embeddings.token.weight)  # (B, n, d) -> (B, n, V)",
        ),
    ),
}


def text(name: str) -> str:
    """The file of one model, "gpt2" or "bert".

    Raises:
        ValueError: no such model; or a part no longer has the words for which something else stands here.
    """
    if name not in NAMES:
        raise ValueError(f"There is no file for {name!r}: choose one of {' and '.join(NAMES)}.")
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    whole = "\n".join(_part(line) if FIRST_LINE.match(line) else line for line in lines)
    for there, here in INSTEAD + ONLY[name]:
        if whole.count(there) != 1:
            raise ValueError(f"{name}.py should have {there!r} once, and has it {whole.count(there)} times.")
        whole = whole.replace(there, here)
    whole = joined(re.sub(r'(""".*)\n +"""', r'\1"""', whole))  # what has become one line
    ast.parse(whole)
    return whole


def write(folder: Path) -> list[Path]:
    """Both files, into a folder that is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.py" for name in NAMES]
    for path in paths:
        path.write_text(text(path.stem), encoding="utf-8")
    return paths


class Downloads:
    """Both files as links of a page, the text inside the link: so a page that stands alone has them too."""

    def __repr__(self) -> str:
        return "To download: " + ", ".join(f"{name}.py ({text(name).count(chr(10))} lines)" for name in NAMES)

    def _repr_html_(self) -> str:
        links = (
            f'<a class="itt-begin-button" download="{name}.py" href="data:text/x-python;charset=utf-8;base64,'
            f'{base64.b64encode(text(name).encode()).decode()}">Download {name}.py</a>'
            for name in NAMES
        )
        return f"<p>{' '.join(links)}</p>"


def _part(line: str) -> str:
    """The definitions that a line names, close together."""
    module, names = FIRST_LINE.match(line)[1], line.split(": ", 1)[1]
    code = untyped(cell_text(f"{module}:{names}").split("\n", 1)[1])
    code = re.sub(r"\n{2,}(?= )", "\n", code)  # no blank lines inside
    return re.sub(r"\n{3,}", "\n", code)


def untyped(code: str) -> str:
    """The code without what it says of the types of arguments and results.

    >>> print(untyped("def f(x: int, y: float = 0.5) -> float:\\n    return x + y"))
    def f(x, y=0.5):
        return x + y
    """
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = code.splitlines()
    at = lambda line, column: starts[line - 1] + len(lines[line - 1].encode()[:column].decode())
    end = lambda node: at(node.end_lineno, node.end_col_offset)
    gone = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.arg) and node.annotation:
            name = at(node.lineno, node.col_offset) + len(node.arg)
            after = re.match(r"\s*=\s*", code[end(node) :])
            gone.append((name, end(node) + len(after[0]), "=") if after else (name, end(node), ""))
        if isinstance(node, ast.FunctionDef) and node.returns:
            gone.append((code.rindex("->", 0, end(node.returns)) - 1, end(node.returns), ""))
    for first, last, instead in sorted(gone, reverse=True):
        code = code[:first] + instead + code[last:]
    return joined(code)


if __name__ == "__main__":
    print(*write(Path(sys.argv[1]) if len(sys.argv) > 1 else BUILD / "single"), sep="\n")
