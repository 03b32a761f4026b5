"""Answers to the exercises of chapter 3 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("03-halves", "with a list comprehension and math", """
def halves(places, d, base):
    angles = [[float(p) / base ** (2 * i / d) for i in range(d // 2)] for p in places]
    return torch.tensor([[f(a) for f in (math.sin, math.cos) for a in row] for row in angles]).reshape(len(places), d)
"""),
    ("03-odd", "in loops, and a tensor of one", """
def odd_one(rows):
    sums = []
    for i in range(len(rows)):
        others = [j for j in range(len(rows)) if j != i]
        sums.append(sum(torch.cosine_similarity(rows[i], rows[j], dim=0) for j in others))
    return torch.stack(sums).argmin()
"""),
    ("03-middle", "transposed there and back, in steps", """
def norm_middle(x, gain, bias, eps):
    rows = x.transpose(1, 2)
    rows = (rows - rows.mean(-1, keepdim=True)) / (rows.var(-1, unbiased=False, keepdim=True) + eps) ** 0.5
    return (rows * gain + bias).transpose(1, 2)
"""),
    ("03-segments", "whole numbers of half the size", """
def segments(ids):
    sep = (ids == 2).int()
    return torch.where(ids == 0, 0, (sep.cumsum(-1) - sep).clamp(max=1)).int()
"""),
    ("03-bucket", "number by number, as lists", """
def bucket(distances, buckets, farthest):
    half, exact = buckets // 2, buckets // 4
    def one(x):
        far = abs(x)
        if far >= exact:
            far = min(half - 1, exact + int(math.log(far / exact) / math.log(farthest / exact) * (half - exact)))
        return far + half * (x > 0)
    def all_of(x):
        return [all_of(y) for y in x] if isinstance(x, list) else one(x)
    return all_of(distances.tolist())
"""),
    ("03-collect", "a product with one-hot rows", """
def collect(ids, grad, V, padding):
    hot = torch.nn.functional.one_hot(ids.flatten(), V).to(grad.dtype)
    if padding is not None:
        hot[:, padding] = 0
    return hot.T @ grad.flatten(0, 1)
"""),
    ("03-segments", "row by row, through lists", """
def segments(ids):
    rows = ids.tolist()
    return torch.tensor([[int(2 in row[:i] and x != 0) for i, x in enumerate(row)] for row in rows])
"""),
    ("03-through", "by products of matrices", """
def through(x, M, y):
    return torch.stack([one @ M @ other.T for one, other in zip(x, y)])
"""),
    ("03-freed", "from the last direction to the first, all rows at once, as one product", """
def freed(rows, directions):
    basis = torch.zeros(0, rows.shape[1], dtype=rows.dtype)
    for v in directions.flip(0):
        v = v / v.norm()
        for _ in range(2):
            v = v - v @ basis.T @ basis
            v = v / v.norm()
        basis = torch.cat([basis, v[None]])
    return rows - rows @ basis.T @ basis
"""),
    ("03-closest", "from the other side", """
def closest(A, r):
    left = torch.linalg.eigh(A @ A.T).eigenvectors.flip(1)[:, :r]
    return left @ (left.T @ A)
"""),
)
