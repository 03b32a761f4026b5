"""Answers to the exercises of chapter 4 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code). WRONG stands here where the checker has no right answer of
its own, so that none comes with the package: (exercise, mistake, words of the reply, code).
"""

# fmt: off
SEE = """
def who_sees(model, n, d):
    table = torch.zeros(n, n, dtype=torch.bool)
    for scale in 20 * [1.0, 0.01]:
        x = scale * torch.randn(n, d)
        before = model(x)
        for j in range(n):
            other = x.clone()
            other[j] = scale * torch.randn(d)
            table[:, j] |= ((model(other) - before).abs() > 1e-5).any(-1)
    return table
"""
RULE = """
def rule(parts, place):
    return max((i for i in range(place) if parts[i] == "ADP"), default=-1)
"""
FAIR = (
    ("04-merge", "a list of tensors", """
def merge(first, second):
    (m_1, s_1, o_1), (m_2, s_2, o_2) = first, second
    m = torch.maximum(torch.tensor(m_1), torch.tensor(m_2))
    if torch.isneginf(m):
        return list(first)
    s_1, s_2 = s_1 * torch.exp(m_1 - m), s_2 * torch.exp(m_2 - m)
    return [m, s_1 + s_2, (s_1 * o_1 + s_2 * o_2) / (s_1 + s_2)]
"""),
    ("04-merge", "NumPy's numbers, and lists", """
import numpy as np

def merge(first, second):
    m = np.maximum(first[0], second[0])
    if m == -np.inf:
        return m, 0, [0] * len(first[2])
    s = [part[1] * np.exp(part[0] - m) for part in (first, second)]
    return m, np.sum(s), [(s[0] * a + s[1] * b) / np.sum(s) for a, b in zip(first[2].tolist(), second[2].tolist())]
"""),
    ("04-attention", "einsum, in double precision", """
def attend(q, k, v, hidden):
    q, k, v = (x.double() for x in (q, k, v))
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5
    weights = softmax(torch.where(hidden.unsqueeze(1), -torch.inf, scores))
    return torch.einsum("bhij,bjhd->bihd", weights, v).reshape(len(q), q.shape[1], -1)
"""),
    ("04-attention", "loops over texts and heads, with its own softmax", """
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
"""),
    ("04-backward", "without gradients", """
def softmax_backward(weights, grad):
    with torch.no_grad():
        together = weights * grad
        return together - weights * together.sum(dim=-1, keepdim=True)
"""),
    ("04-backward", "row by row, in double precision", """
def softmax_backward(weights, grad):
    rows = zip(weights.reshape(-1, weights.shape[-1]).double(), grad.reshape(-1, weights.shape[-1]).double())
    return torch.stack([w * (g - w @ g) for w, g in rows]).reshape(weights.shape)
"""),
    ("04-seeing", "a list of 0 and 1", SEE.replace("    return table", "    return table.int().tolist()")),
    ("04-seeing", "slopes", """
def who_sees(model, n, d):
    slopes = [
        torch.autograd.functional.jacobian(model, scale * torch.randn(n, d)) for scale in 15 * [1.0, 0.01]
    ]                                               # (n, d, n, d) each
    return (torch.stack(slopes).abs().amax((0, 2, 4)) > 1e-6).numpy()
"""),
    ("04-parts", "places compared", """
def visible(n_q, n_k):
    return torch.arange(n_k) <= torch.arange(n_k - n_q, n_k)[:, None]
"""),
    ("04-parts", "the mask of all rows, cut", """
def read_part(part, known):
    triangle = visible(len(known), len(known))[-len(part):]
    return softmax(scores_between(part, known).masked_fill(~triangle, -torch.inf)) @ known
"""),
    ("04-preposition", "NumPy's and PyTorch's numbers", """
import numpy as np

def rule(parts, place):
    return np.int64(max(i for i, part in enumerate(parts[:place]) if part == "ADP"))

layer, head, head_share, rule_share = np.int64(1), torch.tensor(7), torch.tensor(0.81), np.float32(1.0)
"""),
    ("04-preposition", "a rule that walks back", """
def rule(parts, place):
    while place >= 0 and parts[place] != "ADP":
        place -= 1
    return place

layer, head, head_share, rule_share = 1, 7, 0.81, 1
"""),
)
WRONG = (
    ("04-seeing", "one input and its multiples",
     r"hear a row only at times\n.*False, expected True: drawing row \d anew moves row \d by up to", """
def who_sees(model, n, d):
    table = torch.zeros(n, n, dtype=torch.bool)
    x = torch.randn(n, d)
    for j in range(n):
        for times in (0.1, 0.5, 2, 4):
            other = x.clone()
            other[j] *= times
            table[:, j] |= ((model(other) - model(x)).abs() > 1e-5).any(-1)
    return table
"""),
    ("04-seeing", "inputs of the usual size only",
     r"hear a row only while all numbers are small\n.*False, expected True: drawing row \d anew moves row \d by up to",
     SEE.replace("0.01", "1.0")),
    ("04-seeing", "small inputs only",
     r"hear a row only where its numbers are large\n.*False, expected True: drawing row \d anew moves row \d by up to",
     SEE.replace("[1.0,", "[0.01,")),
    ("04-seeing", "too coarse a tolerance",
     r"all moves are small, but far above 1e-5\n.*False, expected True: drawing row \d anew moves row \d by up to 0\.00",
     SEE.replace("1e-5", "1e-2")),
    ("04-seeing", "bit by bit", r"Models that round\n.*True, expected False: .* at most, which is rounding",
     SEE.replace("before).abs() > 1e-5", "before) != 0")),
    ("04-seeing", "blind to row 2", r"in row 2, column \d: False, expected True",
     SEE.replace("    return table", "    table[2:3] = False\n    return table")),
    ("04-seeing", "looks for leaks only", r"in row \d, column \d: False, expected True",
     SEE.replace("    return table", "    return table.triu(1)")),
    ("04-seeing", "columns for rows", "Your table is right if rows and columns are swapped",
     SEE.replace("    return table", "    return table.T")),
    ("04-seeing", "leaves the diagonal out", "All else is right: a row may depend on itself",
     SEE.replace("    return table", "    return table & ~torch.eye(n, dtype=torch.bool)")),
    ("04-seeing", "takes the diagonal for granted", "All else is right: a row need not depend on itself",
     SEE.replace("    return table", "    return table | torch.eye(n, dtype=torch.bool)")),
    ("04-seeing", "sends nan", "A nan in row j gives your table, but 0 · nan is nan", """
def who_sees(model, n, d):
    table = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        x = torch.zeros(n, d)
        x[j] = torch.nan
        table[:, j] = model(x).isnan().any(-1)
    return table
"""),
    ("04-seeing", "takes every model for causal", "returned a table without running the model once", """
def who_sees(model, n, d):
    return torch.ones(n, n, dtype=torch.bool).tril()
"""),
    ("04-seeing", "returns how far rows move", "should return a table of True and False, and it returned other numbers",
     """
def who_sees(model, n, d):
    return model(torch.randn(n, d)) @ torch.randn(d, n)
"""),
    ("04-preposition", "any head", r"Head 0.0 finds it in \d+% of \d+ cases in fresh stories, another head in [78]\d%",
     RULE + "layer, head, head_share, rule_share = 0, 0, 0.5, 1.0\n"),
    ("04-preposition", "the other direction",
     r"Head 1.3 finds it .* Asked the other way, by the preposition for its noun, it is right in [67]\d%",
     RULE + "layer, head, head_share, rule_share = 1, 3, 0.65, 1.0\n"),
    ("04-preposition", "counts from 1", "The head is 8: give a whole number from 0 to 7",
     RULE + "layer, head, head_share, rule_share = 2, 8, 0.8, 1.0\n"),
    ("04-preposition", "counts layers from 1", "The layer is 6: give a whole number from 0 to 5",
     RULE + "layer, head, head_share, rule_share = 6, 7, 0.8, 1.0\n"),
    ("04-preposition", "a layer above the fourth", r"Head 5.0 finds it in \d+% of \d+ cases",
     RULE + "layer, head, head_share, rule_share = 5, 0, 0.5, 1.0\n"),
    ("04-preposition", "a fixed distance",
     r"The rule finds it in [345]\d% of \d+ cases in fresh stories, and “\d words back” in [345]\d%", """
def rule(parts, place):
    return place - 2

layer, head, head_share, rule_share = 1, 7, 0.8, 0.43
"""),
    ("04-preposition", "a rule for one adjective",
     r"the checker's in 100%. Yours misses the one \d words before the noun in: ADP", """
def rule(parts, place):
    return place - 3 if parts[place - 1] == "ADJ" else place - 2

layer, head, head_share, rule_share = 1, 7, 0.8, 0.7
"""),
    ("04-preposition", "mean weights",
     r"head_share is 0.62; in \d+ cases in fresh stories it is 0.\d\d. The mean weight on it is 0.[67]",
     RULE + "layer, head, head_share, rule_share = 1, 7, 0.62, 1.0\n"),
    ("04-preposition", "scored on the half that chose",
     "head_share is 0.799; in the last 120 stories it is 0.812. That is the share of the first 120",
     RULE + "layer, head, head_share, rule_share = 1, 7, 0.7988, 1.0\n"),
    ("04-preposition", "scored on all stories",
     "head_share is 0.806; in the last 120 stories it is 0.812. That is the share of all 240",
     RULE + "layer, head, head_share, rule_share = 1, 7, 0.8056, 1.0\n"),
    ("04-preposition", "percent", "head_share is 80.0: give a share, a number from 0 to 1",
     RULE + "layer, head, head_share, rule_share = 1, 7, 80.0, 1.0\n"),
    ("04-preposition", "more than was found", r"head_share is 0.99; in \d+ cases in fresh stories it is 0\.[78]",
     RULE + "layer, head, head_share, rule_share = 1, 7, 0.99, 1.0\n"),
)
