"""What readers of chapter 4 get wrong: (exercise, mistake, words of the check's answer, code)."""

WRONG = [
    ("04-softmax", "no shift", r"The row 1000, 1000 became \[nan, nan\], expected \[0.5, 0.5\]: e\^1000 is too large", """
def stable_softmax(scores):
    powers = torch.exp(scores)
    return powers / powers.sum(-1, keepdim=True)
"""),
    ("04-softmax", "first axis", "rows of a .3, 5. tensor sum to .*, expected 1 each. The columns do", """
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(0)
"""),
    ("04-softmax", "all axes", "All fifteen weights together do", """
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum()
"""),
    ("04-softmax", "maximum of the whole tensor", r"became \[nan, nan\], .*was the largest score of the whole tensor subtracted", """
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(-1, keepdim=True)
"""),
    ("04-softmax", "a row that sees nothing", r"The row -inf, -inf, -inf became \[nan, nan, nan\]", """
def stable_softmax(scores):
    return torch.softmax(scores, -1)
"""),
]
