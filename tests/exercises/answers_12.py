"""Answers to the exercises of chapter 12 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("12-least", "compares each token with every other", """
def least(odds):
    ids = torch.arange(len(odds))
    first = (odds > odds[:, None]) | ((odds == odds[:, None]) & (ids < ids[:, None]))
    return (first * odds).sum(-1)
"""),
    ("12-step", "asks PyTorch for the best of all, and returns tuples", """
def step(beams, log_odds, width, end):
    sums = torch.tensor([p for _, p in beams], dtype=log_odds.dtype)[:, None] + log_odds
    values, places = sums.flatten().sort(descending=True)
    all_ = [((*beams[i // sums.shape[1]][0], i % sums.shape[1]), v) for v, i in zip(values.tolist(), places.tolist())]
    on = [one for one in all_ if one[0][-1] != end]
    return on[:width], [one for one in all_[:width] if one[0][-1] == end]
"""),
    ("12-chi", "goes token by token, and returns a tensor", """
def chi(counts, odds):
    total, n = torch.tensor(0.0, dtype=torch.float64), counts.sum()
    for count, p in zip(counts, odds):
        if p == 0 and count > 0:
            return math.inf
        if p > 0:
            total = total + (count - n * p) ** 2 / (n * p)
    return total
"""),
    ("12-accept", "multiplies instead of dividing", """
def accept(large, small, token, u, v):
    if u * small[token] < large[token]:
        return token
    lacking = torch.relu(large - small)
    ends = lacking.cumsum(0)
    return int(torch.searchsorted(ends, v * ends[-1], right=True))
"""),
    ("12-choose", "keeps one token, and cuts by min-p", """
def choose(task):
    return {"top_k": 1} if task == "translation" else {"temperature": 1.0, "min_p": 0.1}
"""),
    ("12-least", "from the other end", """
def least(odds):
    order = torch.tensor(sorted(range(len(odds)), key=lambda i: (-float(odds[i]), i)))
    out = torch.zeros(len(odds))
    mass = 0.0
    for i in order.tolist():
        out[i] = mass
        mass += float(odds[i])
    return out
"""),
    ("12-step", "topk", """
def step(beams, log_odds, width, end):
    V = log_odds.shape[1]
    sums = log_odds + torch.tensor([p for _, p in beams], dtype=log_odds.dtype)[:, None]
    k = min(2 * width + len(beams), sums.numel())
    values, places = sums.flatten().topk(k)
    all_ = [(beams[i // V][0] + [i % V], v) for v, i in zip(values.tolist(), places.tolist())]
    return [o for o in all_ if o[0][-1] != end][:width], [o for o in all_[:width] if o[0][-1] == end]
"""),
    ("12-step", "sorted pairs", """
def step(beams, log_odds, width, end):
    found = sorted(((p + float(v), list(ids) + [t]) for (ids, p), row in zip(beams, log_odds) for t, v in enumerate(row)), reverse=True)
    turn = lambda part: [(i, p) for p, i in part]
    return turn([o for o in found if o[1][-1] != end][:width]), turn([o for o in found[:width] if o[1][-1] == end])
"""),
    ("12-chi", "float32", """
def chi(counts, odds):
    if bool(((odds == 0) & (counts > 0)).any()): return float("inf")
    e = (odds * counts.sum()).float()
    return torch.where(e > 0, (counts.float() - e) ** 2 / e.clamp(min=1e-9), 0.0).sum()
"""),
    ("12-accept", "searchsorted on the whole", """
def accept(large, small, token, u, v):
    if u <= min(1.0, float(large[token] / small[token])): return torch.tensor(token)
    rest = torch.where(large > small, large - small, 0.0)
    total, at = 0.0, v * float(rest.sum())
    for i, r in enumerate(rest.tolist()):
        total += r
        if at < total: return i
"""),
)
