"""Answers to the exercises of chapter 9 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code). WRONG has to be told its words: (exercise, what is wrong,
words, code): four ways to let the gradients of two passes add up, written out as a reader would.
"""

ADDED_UP = "The gradients of two backward passes have added up"

# fmt: off
WRONG = (
    ("09-tie", "one leaf for two passes, the look-up kept", ADDED_UP, """
def two_parts(table, ids, targets, body):
    E = table.clone().requires_grad_()
    fixed = E.detach()
    nn.functional.cross_entropy(body(E[ids]) @ fixed.T, targets).backward()
    look = E.grad.clone()
    nn.functional.cross_entropy(body(fixed[ids]) @ E.T, targets).backward()
    return look, E.grad
"""),
    ("09-tie", "one leaf for two passes, the head kept", ADDED_UP, """
def two_parts(table, ids, targets, body):
    E = table.clone().requires_grad_()
    fixed = E.detach()
    nn.functional.cross_entropy(body(fixed[ids]) @ E.T, targets).backward()
    head = E.grad.clone()
    nn.functional.cross_entropy(body(E[ids]) @ fixed.T, targets).backward()
    return E.grad, head
"""),
    ("09-tie", "one leaf for two passes, nothing kept", "two backward passes added up in it", """
def two_parts(table, ids, targets, body):
    E = table.clone().requires_grad_()
    fixed = E.detach()
    nn.functional.cross_entropy(body(E[ids]) @ fixed.T, targets).backward()
    look = E.grad
    nn.functional.cross_entropy(body(fixed[ids]) @ E.T, targets).backward()
    return look, E.grad
"""),
    ("09-tie", "a pass for each part, through both", ADDED_UP, """
def two_parts(table, ids, targets, body):
    A, B = table.clone().requires_grad_(), table.clone().requires_grad_()
    nn.functional.cross_entropy(body(A[ids]) @ B.T, targets).backward()
    look = A.grad
    nn.functional.cross_entropy(body(A[ids]) @ B.T, targets).backward()
    return look, B.grad
"""),
)

FAIR = (
    ("09-last", "with loops", """
def last_rows(x, ids, pad):
    out = []
    for row, own in zip(x, ids.tolist()):
        out.append(row[max(i for i, one in enumerate(own) if one != pad)])
    return torch.stack(out)
"""),
    ("09-last", "with a flip", """
def last_rows(x, ids, pad):
    from_behind = (ids != pad).flip(-1).int().argmax(-1)
    return x.flip(1)[torch.arange(len(x)), from_behind]
"""),
    ("09-labels", "with sets and tuples", """
def to_tokens(word_ids, labels):
    seen, out = {None}, []
    for word in word_ids:
        out.append(-100 if word in seen else labels[word])
        seen.add(word)
    return tuple(out)

def to_words(word_ids, answers):
    places = [word_ids.index(word) for word in sorted({w for w in word_ids if w is not None})]
    return tuple(answers[i] for i in places)
"""),
    ("09-spans", "as one matrix", """
def spans(start, end, context, k):
    n, free, out = len(start), context.clone(), []
    far = torch.arange(n) - torch.arange(n)[:, None]
    for _ in range(k):
        gaps = (~free).cumsum(0)
        fits = (far >= 0) & free[:, None] & free & (gaps[:, None] == gaps)
        sums = (start[:, None] + end).masked_fill(~fits, -torch.inf)
        if not fits.any() or sums.max() <= start[0] + end[0]:
            break
        a, b = torch.nonzero(sums == sums.max())[0].tolist()
        out.append([a, b])
        free[a : b + 1] = False
    return out
"""),
    ("09-tie", "with autograd.grad and an index_add", """
def two_parts(table, ids, targets, body):
    rows = table[ids].clone().requires_grad_()
    head = table.clone().requires_grad_()
    loss = torch.nn.functional.cross_entropy(body(rows) @ head.T, targets)
    from_rows, from_head = torch.autograd.grad(loss, (rows, head))
    return [torch.zeros_like(table).index_add(0, ids, from_rows), from_head]
"""),
    ("09-ways", "text by text", """
def one_vector(x, mask):
    texts = [row[own.bool()] for row, own in zip(x, mask)]
    pick = {"first": lambda t: t[0], "last": lambda t: t[-1], "mean": lambda t: t.mean(0), "max": lambda t: t.max(0).values}
    return {name: torch.stack([way(t) for t in texts]) for name, way in pick.items()}
"""),
    ("09-last", "cumsum", """
def last_rows(x, ids, pad):
    i = (ids != pad).cumsum(-1).argmax(-1)
    return x.gather(1, i[:, None, None].expand(-1, 1, x.shape[-1]))[:, 0].double()
"""),
    ("09-labels", "pairs", """
def to_tokens(word_ids, labels):
    import torch
    return torch.tensor([-100 if w is None or (i and word_ids[i - 1] == w) else labels[w] for i, w in enumerate(word_ids)])
def to_words(word_ids, answers):
    n = max(w for w in word_ids if w is not None) + 1
    return [answers[word_ids.index(w)] for w in range(n)]
"""),
    ("09-spans", "all pairs sorted once, as tensors", """
def spans(start, end, context, k):
    n, taken, out = len(start), set(), []
    pairs = [(a, b) for a in range(n) for b in range(a, n) if all(context[a:b + 1].tolist()) and start[a] + end[b] > start[0] + end[0]]
    for a, b in sorted(pairs, key=lambda p: -(start[p[0]] + end[p[1]]).item()):
        if len(out) < k and not taken & set(range(a, b + 1)):
            out.append(torch.tensor([a, b]))
            taken |= set(range(a, b + 1))
    return tuple(out)
"""),
    ("09-tie", "by hand in float64", """
def two_parts(table, ids, targets, body):
    t = table.clone().requires_grad_()
    h = body(t[ids])
    p = (h @ table.T).softmax(-1).detach()
    p[torch.arange(len(ids)), targets] -= 1
    p = p / len(ids)
    (look,) = torch.autograd.grad(h, t, p @ table)
    return look, (p.T @ h.detach()).double()
"""),
    ("09-ways", "numpy-like", """
def one_vector(x, mask):
    out = dict(first=[], last=[], mean=[], max=[])
    for t, m in zip(x, mask):
        r = t[m == 1].double()
        out["first"].append(r[0]); out["last"].append(r[-1]); out["mean"].append(r.mean(0)); out["max"].append(r.max(0)[0])
    return {k: torch.stack(v) for k, v in out.items()}
"""),
    ("09-ways", "a wall of the smallest number", """
def one_vector(x, mask):
    low = torch.finfo(x.dtype).min
    real = mask[..., None]
    n = torch.arange(mask.shape[1])
    f = torch.where(mask == 1, n, 99).amin(1); l = torch.where(mask == 1, n, -1).amax(1)
    pick = lambda i: x.take_along_dim(i[:, None, None], 1)[:, 0]
    return {"max": torch.where(real == 1, x, low).max(1).values, "mean": torch.einsum("bnd,bn->bd", x, mask / mask.sum(1, keepdim=True)), "first": pick(f), "last": pick(l)}
"""),
)
