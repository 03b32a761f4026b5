"""Synced cells hold the package's own text; anything else is refused with a sentence."""

import re

import nbformat
import pytest
import torch

from labutils.authoring.check import problems
from labutils.authoring.sync import cell_text, shortened, source_of, sync
from labutils.layers import Recorder, multi_head

SOURCE = "labutils.authoring.sync:FIRST_LINE, source_of"
SHOWN = "labutils.layers.scaled_dot_product:attention, softmax"  # narrow enough for a chapter


def notebook(*sources: str):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


def test_text_is_the_definitions_in_the_order_named():
    text = cell_text(SOURCE)
    first, constant, blank, blank_too, function = text.split("\n")[:5]
    assert first == "# labutils.authoring.sync: FIRST_LINE, source_of"
    assert constant.startswith("FIRST_LINE = re.compile(")
    assert (blank, blank_too) == ("", "")
    assert function.startswith("def source_of(")
    assert text.endswith("else None")


def test_text_runs_and_defines_the_names():
    space = {"re": re, "NotebookNode": object}
    exec(cell_text(SOURCE), space)
    assert space["FIRST_LINE"].match("# labutils.text: encode")


def test_decorators_belong_to_a_definition():
    assert cell_text("labutils.controls.strip:running_shapes").split("\n")[1] == "@cache"


SHORT = "labutils.layers.multi_head:split_heads, merge_heads, MultiHeadAttention (shortened)"


def test_a_shortened_copy_says_so_and_lacks_what_is_marked():
    text = cell_text(SHORT)
    assert (
        text.split("\n")[0] == "# labutils.layers.multi_head: split_heads, merge_heads, MultiHeadAttention (shortened)"
    )
    for word in (
        "n_key_heads",
        "d_source",
        "cache",
        "bias",
        "scale",
        "shared",
        "kept",
        "turn:",
        "head_dim",
        "later",
        "at first",
    ):
        assert word not in text
    book = notebook(text)
    assert sync(book) == [SHORT]  # its metadata
    assert sync(book) == [] and source_of(book.cells[0]) == SHORT


def test_a_shortened_copy_computes_what_the_package_computes():
    torch.manual_seed(0)
    space = {**vars(multi_head)}
    exec(cell_text(SHORT), space)
    theirs, ours = multi_head.MultiHeadAttention(12, 3), space["MultiHeadAttention"](12, 3)
    ours.load_state_dict(theirs.state_dict())
    x, mask = torch.randn(2, 5, 12), torch.ones(5, 5).tril().bool()
    both = Recorder(), Recorder()
    torch.testing.assert_close(ours(x, mask, both[0]), theirs(x, mask, both[1]), rtol=0, atol=0)
    assert list(both[0].stages) == list(both[1].stages)


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
    ("source", "said"),
    [
        ("labutils.authoring.sync:nothing", "defines no nothing"),
        ("labutils.no_such:x", "no module labutils.no_such"),
        ("labutils.no.such:x", "no module labutils.no.such"),
        ("os.path:join", "does not name a source"),
        ("labutils.authoring.sync", "does not name a source"),
    ],
)
def test_wrong_source_is_one_sentence(source, said):
    with pytest.raises(ValueError, match=said):
        cell_text(source)


def test_sync_takes_the_first_line_and_is_done_once():
    book = notebook("# labutils.layers.scaled_dot_product: attention, softmax\nan old text", "x = 1")
    assert problems(book) == [
        f"Cell 0 ({book.cells[0].id}): its first line and its metadata do not both name {SHOWN}. Run `make refresh`."
    ]
    assert sync(book) == [SHOWN]
    assert book.cells[0].source == cell_text(SHOWN)
    assert book.cells[0].metadata["labutils"] == {"source": SHOWN}
    assert sync(book) == [] and problems(book) == []
    assert source_of(book.cells[1]) is None


@pytest.mark.parametrize(
    "edit", [lambda text: text + "\n", lambda text: text.replace("None", "0"), lambda text: text.split("\n", 1)[1]]
)
def test_a_changed_copy_is_found(edit):
    book = notebook("# labutils.layers.scaled_dot_product: attention, softmax")
    sync(book)
    book.cells[0].source = edit(book.cells[0].source)
    assert len(problems(book)) == 1
