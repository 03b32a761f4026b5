"""Answers to the exercises of chapter 11 that the tests alone need.

FAIR is unusual and right: (exercise, what is unusual, code).
"""

# fmt: off
FAIR = (
    ("11-append", "joins three parts, and returns a list", """
def append(room, length, new):
    free = room.shape[1] - length - new.shape[1]
    if free < 0:
        raise ValueError("full")
    return [torch.cat([room[:, :length], new, room[:, room.shape[1] - free :]], 1), torch.tensor(length + new.shape[1])]
"""),
    ("11-places", "counts on with a cumulative sum", """
def places(mask, steps):
    longer = torch.cat([mask, torch.ones(len(mask), steps, dtype=mask.dtype)], 1)
    return (longer.cumsum(1) - 1)[:, -steps:]
"""),
    ("11-leave", "goes by the longest text, and returns a list", """
def leave(keys, mask, done):
    stay = [i for i in range(len(done)) if not done[i]]
    longest = int(mask[stay].sum(1).max())
    return [keys[stay][:, :, -longest:], mask[stay][:, -longest:]]
"""),
    ("11-attend", "asks PyTorch, row by row", """
def attend(q, k, v, kept):
    if kept is not None:
        k, v = (torch.cat(pair, 1) for pair in zip(kept, (k, v)))
    past = k.shape[1] - q.shape[1]
    F = torch.nn.functional.scaled_dot_product_attention
    rows = [F(q[:, i : i + 1], k[:, : past + i + 1], v[:, : past + i + 1]) for i in range(q.shape[1])]
    return torch.cat(rows, 1), (k, v)
"""),
    ("11-plan", "keeps the heads and gives up bits first, and returns a list", """
def plan(room, weights, layers, heads, head_dim, tokens, texts):
    for key_heads in [k for k in range(heads, 0, -1) if heads % k == 0]:
        for bits in (16, 8, 4):
            if weights + layers * key_heads * head_dim * tokens * texts * bits // 4 <= room:
                return [key_heads, bits]
"""),
)
