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
    ("11-append", "column by column", """
def append(room, length, new):
    out = torch.empty_like(room).copy_(room)
    for j in range(new.shape[1]):
        if length >= out.shape[1]:
            raise ValueError("no room")
        out[:, length] = new[:, j]
        length += 1
    return out, length
"""),
    ("11-places", "int32, stacked", """
def places(mask, steps):
    return torch.stack([mask.sum(1) + i for i in range(steps)], 1).int()
"""),
    ("11-leave", "nonzero", """
def leave(keys, mask, done):
    stay = (done == False).nonzero()[:, 0]
    k, m = keys.index_select(0, stay), mask.index_select(0, stay)
    first = m.nonzero()[:, 1].min()
    return k[..., first:, :], m[:, first:].long()
"""),
    ("11-attend", "einsum, finite wall, float64", """
def attend(q, k, v, kept):
    if kept is not None:
        k = torch.cat((kept[0], k), dim=-2); v = torch.cat((kept[1], v), dim=-2)
    n, m = q.shape[-2], k.shape[-2]
    s = torch.einsum("hid,hjd->hij", q.double(), k.double()) * q.shape[-1] ** -0.5
    hide = torch.arange(m)[None] > torch.arange(n)[:, None] + m - n
    s = s + torch.where(hide, torch.tensor(torch.finfo(torch.float64).min, dtype=torch.float64), torch.tensor(0.0, dtype=torch.float64))
    return torch.einsum("hij,hjd->hid", s.softmax(-1), v.double()), [k, v]
"""),
    ("11-attend", "PyTorch's with an added mask", """
def attend(q, k, v, kept):
    if kept is not None:
        k, v = torch.cat((kept[0], k), 1), torch.cat((kept[1], v), 1)
    n, m = q.shape[1], k.shape[1]
    wall = torch.full((n, m), float("-inf")).triu(m - n + 1)
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=wall), (k, v)
"""),
    ("11-plan", "whole numbers", """
def plan(room, weights, layers, heads, head_dim, tokens, texts):
    one = layers * head_dim * tokens * texts
    fits = [(b, g) for b in (16, 8, 4) for g in range(1, heads + 1) if not heads % g and 4 * (room - weights) >= one * g * b]
    return max(fits)[::-1] if fits else None
"""),
)
