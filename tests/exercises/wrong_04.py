"""What readers of chapter 4 get wrong: (exercise, mistake, words of the check's answer, code)."""

CAUSAL = """
def causal(n):
    return torch.ones(n, n, dtype=torch.bool).tril()
"""

WRONG = [
    (
        "04-softmax",
        "no shift",
        r"The row 1000, 1000 became \[nan, nan\], expected \[0.5, 0.5\]: e\^1000 is too large",
        """
def stable_softmax(scores):
    powers = torch.exp(scores)
    return powers / powers.sum(-1, keepdim=True)
""",
    ),
    (
        "04-softmax",
        "first axis",
        "rows of a .3, 5. tensor sum to .*, expected 1 each. The columns do",
        """
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(0)
""",
    ),
    (
        "04-softmax",
        "all axes",
        "All fifteen weights together do",
        """
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum()
""",
    ),
    (
        "04-softmax",
        "maximum of the whole tensor",
        r"became \[nan, nan\], .*was the largest score of the whole tensor subtracted",
        """
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(-1, keepdim=True)
""",
    ),
    (
        "04-softmax",
        "a row that sees nothing",
        r"The row -inf, -inf, -inf became \[nan, nan, nan\]",
        """
def stable_softmax(scores):
    return torch.softmax(scores, -1)
""",
    ),
    (
        "04-attention",
        "mask after the softmax",
        r"A row sums to 0\.\d\d, expected 1: was the mask applied after the softmax",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    weights = softmax(q @ k.mT / math.sqrt(q.shape[-1]))
    weights = weights if mask is None else weights * mask
    return weights @ v, weights
""",
    ),
    (
        "04-attention",
        "not scaled",
        "expected .0.8, 0.2.: were the scores not divided at all",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    weights = softmax(q @ k.mT)
    return weights @ v, weights
""",
    ),
    (
        "04-attention",
        "scaled twice",
        "expected .0.8, 0.2.: were they divided by d_k, or by √d_k twice",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    root = math.sqrt(q.shape[-1])
    weights = softmax((q / root) @ (k / root).mT)
    return weights @ v, weights
""",
    ),
    (
        "04-attention",
        "divides by d_k",
        r"the weights \[0.6667, 0.3333\], expected .0.8, 0.2.: were they divided by d_k",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    weights = softmax(q @ k.mT / q.shape[-1])
    return weights @ v, weights
""",
    ),
    (
        "04-attention",
        ".T on a batch",
        r"raised .*It happened at .*\.T.* Is there a \.T\? It reverses all axes",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    scores = q @ k.T / math.sqrt(q.shape[-1])
    weights = softmax(scores if mask is None else scores.masked_fill(~mask, -torch.inf))
    return weights @ v, weights
""",
    ),
    (
        "04-attention",
        "a row sees nothing",
        r"For n = 1 row 0 sees the columns \[\], expected \[0\]: each row sees at least itself",
        """
def causal(n):
    return torch.ones(n, n, dtype=torch.bool).tril(-1)
""",
    ),
    (
        "04-attention",
        "a row sees its successor",
        r"For n = 2 row 0 sees the columns \[0, 1\], expected \[0\]: column 1 is the word that comes next",
        """
def causal(n):
    return torch.ones(n, n, dtype=torch.bool).tril(1)
""",
    ),
    (
        "04-attention",
        "inverted mask",
        r"With the mask True, False the weights are \[0.0, 1.0\], expected \[1.0, 0.0\]: is the mask inverted",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf))
    return weights @ v, weights
""",
    ),
    (
        "04-attention",
        "a row that sees nothing",
        r"A row that sees nothing has the weights \[nan, nan\], expected \[0.0, 0.0\]",
        CAUSAL
        + """
def attend(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "04-jacobian",
        "diagonal only",
        "does not move with the second score, expected -0.125: is only the diagonal there",
        """
def softmax_jacobian(weights):
    return torch.diag(weights * (1 - weights))
""",
    ),
    (
        "04-jacobian",
        "sign",
        r"the diagonal is \[-0.1875, -0.25, -0.1875\], expected \[0.1875, 0.25, 0.1875\]: is the sign turned round",
        """
def softmax_jacobian(weights):
    return torch.outer(weights, weights) - torch.diag(weights)
""",
    ),
    (
        "04-jacobian",
        "sign of the others",
        "grows by 0.125 with the second score, expected -0.125: what one gains the others lose",
        """
def softmax_jacobian(weights):
    return torch.outer(weights, weights) + torch.diag(weights - 2 * weights * weights)
""",
    ),
    (
        "04-jacobian",
        "forgets the sum below the line",
        r"the diagonal is \[0.25, 0.5, 0.25\], expected .*above the line of the fraction and below it",
        """
def softmax_jacobian(weights):
    return torch.diag(weights)
""",
    ),
    (
        "04-leaks",
        "looks at the last row",
        "finds nothing in `no_mask`: .*The last row may do that",
        """
def leaks(model):
    x = torch.randn(7, 8)
    other = x.clone()
    other[len(x):] = 0.0  # what comes after the last row
    return not torch.allclose(model(x)[-1], model(other)[-1])
""",
    ),
    (
        "04-leaks",
        "changes earlier rows",
        "says that the sound model leaks. .*change later rows only",
        """
def leaks(model):
    x = torch.randn(7, 8)
    other = x.clone()
    other[0] = torch.randn(8)
    return not torch.allclose(model(x)[1:], model(other)[1:])
""",
    ),
    (
        "04-leaks",
        "leaves out the row before the change",
        "finds nothing in `sees_next`: .*the row right before the one",
        """
def leaks(model):
    x = torch.randn(7, 8)
    other = x.clone()
    other[-1] = torch.randn(8)
    return not torch.allclose(model(x)[:-2], model(other)[:-2], atol=1e-5)
""",
    ),
    (
        "04-leaks",
        "looks for zeros",
        "finds nothing in `mask_too_late`: .*not the zeros",
        """
def leaks(model):
    x = torch.zeros(7, 8)
    for i in range(1, 7):
        x[i:] = 10 * torch.randn(7 - i, 8)
        if model(x)[:i].any():
            return True
        x[i] = 0.0
    return False
""",
    ),
    (
        "04-leaks",
        "changes the last row only",
        "finds nothing in `one_row_peeps`: .*Try each",
        """
def leaks(model):
    x = torch.randn(7, 8)
    other = x.clone()
    other[-1] = torch.randn(8)
    return not torch.allclose(model(x)[:-1], model(other)[:-1], atol=1e-5)
""",
    ),
    (
        "04-leaks",
        "prints instead",
        "should return True or False, and it returned None",
        """
def leaks(model):
    model(torch.randn(3, 8))
""",
    ),
    (
        "04-padding",
        "changes nothing",
        r"move by up to \d\.\d\d .*expected 0: they still take from the padding",
        """
def visible(seen):
    return seen.bool()[:, :, None]
""",
    ),
    (
        "04-padding",
        "inverted mask",
        "Its rows move .*Is the mask inverted|nothing is to be hidden there",
        """
def visible(seen):
    return ~seen.bool()[:, None, :]
""",
    ),
    (
        "04-padding",
        "mask after the softmax",
        "their weights do not sum to 1. Was the mask applied after the softmax",
        """
def attend_batch(x, seen):
    return (softmax(scores_of(x)) * seen[:, None, :]) @ x
""",
    ),
    (
        "04-head",
        "one kind of text",
        r"Head 3.3 gives the subject (0\.[789]\d|1\.00) .* what takes the weight there instead",
        """
layer, head = 3, 3
""",
    ),
    (
        "04-head",
        "any head",
        r"Head 0.0 .*average over texts, not over one",
        """
layer, head = 0, 0
""",
    ),
    (
        "04-head",
        "counts from 1",
        "The layer is 4: give a whole number from 0 to 3",
        """
layer, head = 4, 8
""",
    ),
]
