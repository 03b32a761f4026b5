"""A copy for a first reading: what is marked goes, docstrings keep one paragraph, signatures the lines that they need."""

import pytest

from labutils.authoring.shortening import joined, shortened


@pytest.mark.parametrize(
    ("code", "short"),
    [
        ("def f(x):\n    if x:  # later\n        x = 1\n    return x", "def f(x):\n    return x"),
        ("class A:\n    x = 1\n\n    # later: more\n    @d\n    def f(self):\n        return 1", "class A:\n    x = 1"),
        ("def f(x):\n    # later: two\n    # lines\n    return x", "def f(x):\n    return x"),
        (
            "def f(x):\n    # at first: return x\n    return g(\n        x,\n        y,\n    )",
            "def f(x):\n    return x",
        ),
        (
            "def f(x):\n    # at first: y = x\n    # at first: z = x\n    y, z = g(\n        x\n    )\n    return y",
            "def f(x):\n    y = x\n    z = x\n    return y",
        ),
        (
            "def f(x, y):\n    # at first: if x:\n    if x and y:\n        return x",
            "def f(x, y):\n    if x:\n        return x",
        ),
    ],
)
def test_what_the_marks_leave_out(code, short):
    assert shortened(code) == short


@pytest.mark.parametrize(
    ("docstring", "brief"),
    [
        ('"""One."""', '"""One."""'),
        ('"""One.\n\n    Two.\n\n    Three.\n    """', '"""One."""'),
        ('"""One,\n    two.\n\n    Three.\n    """', '"""One,\n    two.\n    """'),
        ('"""One,\n    two.\n    """', '"""One,\n    two.\n    """'),
    ],
)
def test_a_docstring_keeps_its_first_paragraph(docstring, brief):
    text = "def f():\n    {}\n    a = '''x\n\n    y'''\n    return a\n\nclass A:\n    {}"
    assert shortened(text.format(docstring, docstring)) == text.format(brief, brief)


LONG = "def f(\n    " + ",\n    ".join(f"argument_{i}: int = {i}" for i in range(4)) + ",\n) -> int:\n    return 0"
LONGER = "def f(\n    " + ",\n    ".join(f"argument_{i}: int = {i}" for i in range(5)) + ",\n) -> int:\n    return 0"


def test_a_signature_takes_one_line_or_its_arguments_as_few_as_they_fit():
    assert joined("def f(\n    x,\n    y=2,\n) -> int:\n    return x") == "def f(x, y=2) -> int:\n    return x"
    assert joined(LONG).split("\n")[0::2] == ["def f(", ") -> int:"]
    assert [line.count("argument_") for line in joined(LONGER).split("\n")[:-1]] == [0, 3, 2, 0]
    explained = LONG.replace("= 0,", "= 0,  # why")
    assert joined(explained) == explained
