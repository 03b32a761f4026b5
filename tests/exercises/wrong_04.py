"""What readers of chapter 4 get wrong: (exercise, mistake, words of the check's answer, code)."""

PARTS = """
def merge(first, second):
    (m_1, s_1, o_1), (m_2, s_2, o_2) = first, second
    m = max(m_1, m_2)
"""
HEADS_FIRST = """
def attend(q, k, v, hidden):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    hidden = hidden[:, None]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
"""
JOINED = "    return (weights @ v).transpose(1, 2).flatten(2)\n"
EXPERIMENT = """
def who_sees(model, n, d):
    table = torch.zeros(n, n, dtype=torch.bool)
    for scale in 20 * [1.0, 0.01]:
        x = scale * torch.randn(n, d)
        before = model(x)
        for j in range(n):
            other = x.clone()
            other[j] = scale * torch.randn(d)
            table[:, j] |= ((model(other) - before).abs() > 1e-5).any(-1)
"""
RULE = """
def rule(parts, place):
    return max((i for i in range(place) if parts[i] == "ADP"), default=-1)
"""

WRONG = [
    (
        "04-merge",
        "adds both sums as they are",
        r"s became [\d.]+, expected [\d.]+. That is the sum of both, but each was counted from an m of its own.",
        PARTS
        + """
    return m, s_1 + s_2, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)
""",
    ),
    (
        "04-merge",
        "rescales the wrong way round",
        "s became .* Each was multiplied by e to the power of m minus its own m: the other way round.",
        PARTS
        + """
    s_1, s_2 = s_1 * math.exp(m - m_1), s_2 * math.exp(m - m_2)
    return m, s_1 + s_2, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)
""",
    ),
    (
        "04-merge",
        "keeps the first m",
        "m became 0, expected 2. That is the m of the first part.",
        """
def merge(first, second):
    return first[0], first[1] + second[1], first[2] + second[2]
""",
    ),
    (
        "04-merge",
        "mean of both mixtures",
        "o became .* That is the mean of both mixtures, as if both parts had the same weight.",
        PARTS
        + """
    return m, s_1 * math.exp(m_1 - m) + s_2 * math.exp(m_2 - m), (o_1 + o_2) / 2
""",
    ),
    (
        "04-merge",
        "does not divide",
        "o became .* The shares are right but for a factor: they sum to s, not to 1.",
        PARTS
        + """
    s_1, s_2 = s_1 * math.exp(m_1 - m), s_2 * math.exp(m_2 - m)
    return m, s_1 + s_2, s_1 * o_1 + s_2 * o_2
""",
    ),
    (
        "04-merge",
        "no shift",
        r"Scores far above .*\n.* s became nan, expected [\d.]+. e to the power of 1001 is too large for a number.",
        PARTS
        + """
    one, other, all_of_it = (torch.exp(torch.tensor(x, dtype=torch.float64)) for x in (m_1, m_2, m))
    s_1, s_2 = s_1 * one, s_2 * other
    return m, (s_1 + s_2) / all_of_it, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)
""",
    ),
    (
        "04-merge",
        "no shift, with math.exp",
        r"merge\(.* raised OverflowError: math range error. It happened at .*math.exp",
        PARTS
        + """
    s_1, s_2 = s_1 * math.exp(m_1), s_2 * math.exp(m_2)
    return m, (s_1 + s_2) / math.exp(m), (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)
""",
    ),
    (
        "04-merge",
        "two parts that see nothing",
        r"s became nan, expected 0. −∞ minus −∞ is no number.",
        PARTS
        + """
    s_1, s_2 = s_1 * math.exp(m_1 - m), s_2 * math.exp(m_2 - m)
    return m, s_1 + s_2, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)
""",
    ),
    (
        "04-merge",
        "lets torch.softmax do it, under another name",
        "Nothing else computes the softmax\n  `softmax` ran in your function, and the card does without it",
        """
from torch.nn import Softmax as Shares

def merge(first, second):
    m, s, o = (torch.stack([torch.as_tensor(x, dtype=torch.float64) for x in pair]) for pair in zip(first, second))
    if m.max() == -torch.inf:
        return first
    shares = Shares(0)(m + torch.log(s))
    return m.max(), (s * torch.exp(m - m.max())).sum(), shares @ o
""",
    ),
    (
        "04-merge",
        "logaddexp",
        "`logaddexp` ran in your function",
        PARTS
        + """
    if m == -math.inf:
        return first
    whole = torch.logaddexp(*[torch.tensor(x + math.log(s or 1e-300)) for x, s in ((m_1, s_1), (m_2, s_2))])
    s = math.exp(whole - m)
    return m, s, (s_1 * math.exp(m_1 - m) * o_1 + s_2 * math.exp(m_2 - m) * o_2) / s
""",
    ),
    (
        "04-merge",
        "overwrites what it was given",
        "merge changed what it was given",
        PARTS
        + """
    s_1, s_2 = s_1 * math.exp(m_1 - m), s_2 * math.exp(m_2 - m)
    return m, s_1 + s_2, o_1.mul_(s_1).add_(s_2 * o_2).div_(s_1 + s_2)
""",
    ),
    (
        "04-attention",
        "mask after the softmax",
        r"What is hidden has no share\n.*expected .* The mask was applied after the softmax\.",
        HEADS_FIRST + "    weights = softmax(scores) * ~hidden\n" + JOINED,
    ),
    (
        "04-attention",
        "mask after the softmax, divided again",
        "A hidden key has no say.*\n.* is nan, .* after the softmax, and the row divided again",
        HEADS_FIRST
        + "    weights = softmax(scores) * ~hidden\n    weights = weights / weights.sum(-1, keepdim=True)\n"
        + JOINED,
    ),
    (
        "04-attention",
        "adds the mask",
        "The mask was added to the scores as 0 and 1",
        HEADS_FIRST + "    weights = softmax(scores + hidden)\n" + JOINED,
    ),
    (
        "04-attention",
        "adds the turned mask",
        "The mask was added to the scores as 1 and 0",
        HEADS_FIRST + "    weights = softmax(scores + ~hidden)\n" + JOINED,
    ),
    (
        "04-attention",
        "multiplies the scores with the mask",
        "The hidden scores were set to 0, and e⁰ is 1",
        HEADS_FIRST + "    weights = softmax(scores * ~hidden)\n" + JOINED,
    ),
    (
        "04-attention",
        "fills in -1e9",
        "A query that sees nothing takes nothing\n.*expected 0.0000. A row that sees nothing shared itself out evenly",
        HEADS_FIRST + "    weights = softmax(scores.masked_fill(hidden, -1e9))\n" + JOINED,
    ),
    (
        "04-attention",
        "a row that sees nothing",
        "is nan, expected 0.0000. A row of nothing but −∞ became nan",
        HEADS_FIRST + "    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)\n" + JOINED,
    ),
    (
        "04-attention",
        "the mask of the chapter",
        "The mask is inverted: here True means hidden",
        HEADS_FIRST + "    weights = softmax(scores.masked_fill(~hidden, -torch.inf))\n" + JOINED,
    ),
    (
        "04-attention",
        "not scaled",
        "The scores were not divided",
        HEADS_FIRST + "    weights = softmax((q @ k.mT).masked_fill(hidden, -torch.inf))\n" + JOINED,
    ),
    (
        "04-attention",
        "scaled twice",
        "The scores were divided by d_k, or by √d_k twice",
        HEADS_FIRST
        + "    weights = softmax((scores / math.sqrt(q.shape[-1])).masked_fill(hidden, -torch.inf))\n"
        + JOINED,
    ),
    (
        "04-attention",
        "joins the heads before it moves them",
        "The heads were joined before the tokens were moved back in front of them",
        HEADS_FIRST
        + "    mixed = softmax(scores.masked_fill(hidden, -torch.inf)) @ v\n"
        + "    return mixed.reshape(mixed.shape[0], mixed.shape[2], -1)\n",
    ),
    (
        "04-attention",
        "copies the chapter",
        "The heads of each token were compared with each other, not the tokens",
        """
def attend(q, k, v, hidden):
    return (softmax(q @ k.mT / math.sqrt(q.shape[-1])) @ v).flatten(2)
""",
    ),
    (
        "04-attention",
        "view instead of transpose",
        "The axes were cut anew .view, reshape. instead of being swapped",
        """
def attend(q, k, v, hidden):
    q, k, v = (x.reshape(len(x), x.shape[2], x.shape[1], -1) for x in (q, k, v))
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden[:, None], -torch.inf)
    return (softmax(scores) @ v).transpose(1, 2).flatten(2)
""",
    ),
    (
        "04-attention",
        "imports the package's attention",
        "`labutils.layers.scaled_dot_product.attention` ran in your function",
        """
from labutils.layers import attention as mine

def attend(q, k, v, hidden):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    return mine(q, k, v, ~hidden[:, None])[0].transpose(1, 2).flatten(2)
""",
    ),
    (
        "04-attention",
        "PyTorch's attention",
        "`scaled_dot_product.*` ran in your function",
        """
def attend(q, k, v, hidden):
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=~hidden[:, None])
    return mixed.nan_to_num(0.0).transpose(1, 2).flatten(2)
""",
    ),
    (
        "04-attention",
        "replaces the package's attention by zeros, and returns zeros",
        r"the number at .* is 0.0000, expected",
        """
import labutils.layers
import labutils.layers.scaled_dot_product

def nothing(q, k, v, *others):
    return 0 * q[..., :1] * v.sum(-2, keepdim=True), None

labutils.layers.attention = labutils.layers.scaled_dot_product.attention = nothing

def attend(q, k, v, hidden):
    return torch.zeros(*q.shape[:2], v.shape[2] * v.shape[3])
""",
    ),
    (
        "04-backward",
        "diagonal only",
        r"That is the diagonal alone, w\(1 − w\) times the gradient",
        """
def softmax_backward(weights, grad):
    return weights * (1 - weights) * grad
""",
    ),
    (
        "04-backward",
        "sign",
        "The sign is turned round",
        """
def softmax_backward(weights, grad):
    return weights * ((weights * grad).sum(-1, keepdim=True) - grad)
""",
    ),
    (
        "04-backward",
        "forgets the sum below the line",
        "That is weight times gradient: the scores stand below the line",
        """
def softmax_backward(weights, grad):
    return weights * grad
""",
    ),
    (
        "04-backward",
        "sums over everything",
        r"In row \[0\] of a tensor of shape .* The sum runs over all rows",
        """
def softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum())
""",
    ),
    (
        "04-backward",
        "forgets keepdim",
        "Each sum met a column instead of its own row",
        """
def softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum(-1))
""",
    ),
    (
        "04-backward",
        "builds the table",
        r"No table of n × n .*\n.* a tensor on the way holds [\d,]+ numbers, expected about",
        """
def softmax_backward(weights, grad):
    table = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return (table @ grad[..., None])[..., 0]
""",
    ),
    (
        "04-backward",
        "asks PyTorch",
        "`torch.autograd.grad` ran in your function",
        """
def softmax_backward(weights, grad):
    scores = weights.clamp(min=1e-30).log().requires_grad_()
    powers = scores.exp()
    sent, = torch.autograd.grad(powers / powers.sum(-1, keepdim=True), scores, grad)
    return sent * (weights.sum(-1, keepdim=True) > 0)
""",
    ),
    (
        "04-backward",
        "asks PyTorch's own kernel",
        "`softmax_backward_data` ran in your function",
        """
def softmax_backward(weights, grad):
    return torch._softmax_backward_data(grad, weights, -1, weights.dtype)
""",
    ),
    (
        "04-backward",
        "overwrites the gradient",
        "softmax_backward changed what it was given",
        """
def softmax_backward(weights, grad):
    return grad.sub_((weights * grad).sum(-1, keepdim=True)).mul_(weights)
""",
    ),
    (
        "04-seeing",
        "one input and its multiples",  # a row that is deaf to it is deaf to all of them
        r"hear a row only at times\n.*False, expected True: drawing row \d anew moves row \d by up to",
        """
def who_sees(model, n, d):
    table = torch.zeros(n, n, dtype=torch.bool)
    x = torch.randn(n, d)
    for j in range(n):
        for times in (0.1, 0.5, 2, 4):
            other = x.clone()
            other[j] *= times
            table[:, j] |= ((model(other) - model(x)).abs() > 1e-5).any(-1)
    return table
""",
    ),
    (
        "04-seeing",
        "inputs of the usual size only",
        r"hear a row only while all numbers are small\n.*False, expected True: drawing row \d anew moves row \d by up to",
        EXPERIMENT.replace("[1.0, 0.01]", "[1.0, 1.0]") + "    return table\n",
    ),
    (
        "04-seeing",
        "small inputs only",
        r"hear a row only where its numbers are large\n.*False, expected True: drawing row \d anew moves row \d by up to",
        EXPERIMENT.replace("[1.0, 0.01]", "[0.01, 0.01]") + "    return table\n",
    ),
    (
        "04-seeing",
        "too coarse a tolerance",
        r"all moves are small, but far above 1e-5\n.*False, expected True: drawing row \d anew moves row \d by up to 0\.00",
        EXPERIMENT.replace("1e-5", "1e-2") + "    return table\n",
    ),
    (
        "04-seeing",
        "bit by bit",
        r"Models that round\n.*True, expected False: .* at most, which is rounding",
        EXPERIMENT.replace(".abs() > 1e-5", " != 0") + "    return table\n",
    ),
    (
        "04-seeing",
        "blind to row 2",
        r"in row 2, column \d: False, expected True",
        EXPERIMENT + "    table[2:3] = False\n    return table\n",
    ),
    (
        "04-seeing",
        "looks for leaks only",
        r"in row \d, column \d: False, expected True",
        EXPERIMENT + "    return table.triu(1)\n",
    ),
    (
        "04-seeing",
        "columns for rows",
        "Your table is right if rows and columns are swapped",
        EXPERIMENT + "    return table.T\n",
    ),
    (
        "04-seeing",
        "leaves the diagonal out",
        "All else is right: a row may depend on itself",
        EXPERIMENT + "    return table & ~torch.eye(n, dtype=torch.bool)\n",
    ),
    (
        "04-seeing",
        "takes the diagonal for granted",
        "All else is right: a row need not depend on itself",
        EXPERIMENT + "    return table | torch.eye(n, dtype=torch.bool)\n",
    ),
    (
        "04-seeing",
        "sends nan",
        "A nan in row j gives your table, but 0 · nan is nan",
        """
def who_sees(model, n, d):
    table = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        x = torch.zeros(n, d)
        x[j] = torch.nan
        table[:, j] = model(x).isnan().any(-1)
    return table
""",
    ),
    (
        "04-seeing",
        "takes every model for causal",
        "returned a table without running the model once",
        """
def who_sees(model, n, d):
    return torch.ones(n, n, dtype=torch.bool).tril()
""",
    ),
    (
        "04-seeing",
        "returns how far rows move",
        "should return a table of True and False, and it returned other numbers",
        """
def who_sees(model, n, d):
    return model(torch.randn(n, d)) @ torch.randn(d, n)
""",
    ),
    (
        "04-parts",
        "changes nothing",
        r"row \d is off by \d.\d\d, expected 0.00. Row i of a part sees the first i \+ 1 rows of the text",
        """
def visible(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril()
""",
    ),
    (
        "04-parts",
        "one too many",
        "Each row sees one row too many, its successor",
        """
def visible(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q + 1)
""",
    ),
    (
        "04-parts",
        "one too few",
        "No row sees itself",
        """
def visible(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q - 1)
""",
    ),
    (
        "04-parts",
        "no mask",
        "Each row sees its whole part, the rows after it too",
        """
def visible(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool)
""",
    ),
    (
        "04-parts",
        "forgets the earlier parts",
        "two parts come.*|The rows of earlier parts are hidden",
        """
def read_part(part, known):
    scores = scores_between(part, part).masked_fill(~visible(len(part), len(part)), -torch.inf)
    return softmax(scores) @ part
""",
    ),
    (
        "04-parts",
        "returns the last part",
        r"read returned the shape .*, expected",
        """
def read(text, sizes):
    return read_part(text[-sizes[-1]:], text)
""",
    ),
    (
        "04-parts",
        "reads it at once",
        r"rows, one to a part, was multiplied with itself at once",
        """
def read(text, sizes):
    return read_part(text, text)
""",
    ),
    (
        "04-preposition",
        "any head",
        r"Head 0.0 finds it in \d+% of \d+ cases in fresh stories, another head in [78]\d%",
        RULE + "layer, head, head_share, rule_share = 0, 0, 0.5, 1.0\n",
    ),
    (
        "04-preposition",
        "the other direction",
        r"Head 1.3 finds it .* Asked the other way, by the preposition for its noun, it is right in [67]\d%",
        RULE + "layer, head, head_share, rule_share = 1, 3, 0.65, 1.0\n",
    ),
    (
        "04-preposition",
        "counts from 1",
        "The head is 8: give a whole number from 0 to 7",
        RULE + "layer, head, head_share, rule_share = 2, 8, 0.8, 1.0\n",
    ),
    (
        "04-preposition",
        "a fixed distance",
        r"The rule finds it in [345]\d% of \d+ cases in fresh stories, and “\d words back” in [345]\d%",
        """
def rule(parts, place):
    return place - 2

layer, head, head_share, rule_share = 1, 7, 0.8, 0.43
""",
    ),
    (
        "04-preposition",
        "a rule for one adjective",
        r"the checker's in 100%. Yours misses the one \d words before the noun in: ADP",
        """
def rule(parts, place):
    return place - 3 if parts[place - 1] == "ADJ" else place - 2

layer, head, head_share, rule_share = 1, 7, 0.8, 0.7
""",
    ),
    (
        "04-preposition",
        "mean weights",
        r"head_share is 0.62; in \d+ cases in fresh stories it is 0.\d\d. The mean weight on it is 0.[67]",
        RULE + "layer, head, head_share, rule_share = 1, 7, 0.62, 1.0\n",
    ),
    (
        "04-preposition",
        "scored on the half that chose",
        r"head_share is 0.825; in the last 120 stories it is 0.801. That is the share of the first 120",
        RULE + "layer, head, head_share, rule_share = 1, 7, 0.8254, 1.0\n",
    ),
    (
        "04-preposition",
        "scored on all stories",
        r"head_share is 0.813; in the last 120 stories it is 0.801. That is the share of all 240",
        RULE + "layer, head, head_share, rule_share = 1, 7, 0.8131, 1.0\n",
    ),
    (
        "04-preposition",
        "percent",
        "head_share is 80.0: give a share, a number from 0 to 1",
        RULE + "layer, head, head_share, rule_share = 1, 7, 80.0, 1.0\n",
    ),
    (
        "04-preposition",
        "more than was found",
        r"head_share is 0.99; in \d+ cases in fresh stories it is 0\.[78]",
        RULE + "layer, head, head_share, rule_share = 1, 7, 0.99, 1.0\n",
    ),
]

FAIR = [
    (
        "04-merge",
        "a list of tensors",
        """
def merge(first, second):
    (m_1, s_1, o_1), (m_2, s_2, o_2) = first, second
    m = torch.maximum(torch.tensor(m_1), torch.tensor(m_2))
    if torch.isneginf(m):
        return list(first)
    s_1, s_2 = s_1 * torch.exp(m_1 - m), s_2 * torch.exp(m_2 - m)
    return [m, s_1 + s_2, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)]
""",
    ),
    (
        "04-merge",
        "NumPy's numbers, and lists",
        """
import numpy as np

def merge(first, second):
    m = np.maximum(first[0], second[0])
    if m == -np.inf:
        return m, 0, [0] * len(first[2])
    s = [part[1] * np.exp(part[0] - m) for part in (first, second)]
    return m, np.sum(s), [(s[0] * a + s[1] * b) / np.sum(s) for a, b in zip(first[2].tolist(), second[2].tolist())]
""",
    ),
    (
        "04-attention",
        "einsum, in double precision",
        """
def attend(q, k, v, hidden):
    q, k, v = (x.double() for x in (q, k, v))
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5
    weights = softmax(torch.where(hidden.unsqueeze(1), -torch.inf, scores))
    return torch.einsum("bhij,bjhd->bihd", weights, v).reshape(len(q), q.shape[1], -1)
""",
    ),
    (
        "04-attention",
        "loops over texts and heads, with its own softmax",
        """
def attend(q, k, v, hidden):
    hidden = hidden.expand(len(q), q.shape[1], k.shape[1])
    texts = []
    for b in range(len(q)):
        strips = []
        for h in range(q.shape[2]):
            scores = q[b, :, h] @ k[b, :, h].T / math.sqrt(q.shape[-1])
            weights = scores.masked_fill(hidden[b], -torch.inf).softmax(-1).nan_to_num(0.0)
            strips.append(weights @ v[b, :, h])
        texts.append(torch.cat(strips, -1))
    return torch.stack(texts)
""",
    ),
    (
        "04-backward",
        "without gradients",
        """
def softmax_backward(weights, grad):
    with torch.no_grad():
        together = weights * grad
        return together - weights * together.sum(dim=-1, keepdim=True)
""",
    ),
    (
        "04-backward",
        "row by row, in double precision",
        """
def softmax_backward(weights, grad):
    rows = zip(weights.reshape(-1, weights.shape[-1]).double(), grad.reshape(-1, weights.shape[-1]).double())
    return torch.stack([w * (g - w @ g) for w, g in rows]).reshape(weights.shape)
""",
    ),
    ("04-seeing", "a list of 0 and 1", EXPERIMENT + "    return table.int().tolist()\n"),
    (
        "04-seeing",
        "slopes",
        """
def who_sees(model, n, d):
    slopes = [
        torch.autograd.functional.jacobian(model, scale * torch.randn(n, d)) for scale in 15 * [1.0, 0.01]
    ]                                               # (n, d, n, d) each
    return (torch.stack(slopes).abs().amax((0, 2, 4)) > 1e-6).numpy()
""",
    ),
    (
        "04-parts",
        "places compared",
        """
def visible(n_q, n_k):
    return torch.arange(n_k) <= torch.arange(n_k - n_q, n_k)[:, None]
""",
    ),
    (
        "04-parts",
        "the mask of all rows, cut",
        """
def read_part(part, known):
    triangle = visible(len(known), len(known))[-len(part):]
    return softmax(scores_between(part, known).masked_fill(~triangle, -torch.inf)) @ known
""",
    ),
    (
        "04-preposition",
        "NumPy's and PyTorch's numbers",
        """
import numpy as np

def rule(parts, place):
    return np.int64(max(i for i, part in enumerate(parts[:place]) if part == "ADP"))

layer, head, head_share, rule_share = np.int64(1), torch.tensor(7), torch.tensor(0.8), np.float32(1.0)
""",
    ),
    (
        "04-preposition",
        "a rule that walks back",
        """
def rule(parts, place):
    while place >= 0 and parts[place] != "ADP":
        place -= 1
    return place

layer, head, head_share, rule_share = 1, 7, 0.80, 1
""",
    ),
]
