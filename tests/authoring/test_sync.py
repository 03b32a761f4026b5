"""Synced cells hold the package's own text; anything else is refused with a sentence."""

import re

import nbformat
import pytest
import torch

from labutils.authoring.check import problems
from labutils.authoring.sync import cell_text, source_of, sync
from labutils.layers import Recorder, embeddings, multi_head

SOURCE = "labutils.authoring.sync:FIRST_LINE, source_of"
SHOWN = "labutils.layers.scaled_dot_product:attention, softmax"  # narrow enough for a chapter


def notebook(*sources: str):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


def test_text_is_the_definitions_in_the_order_named():
    text = cell_text(SOURCE)
    first, definitions = text.split("\n", 1)
    constant, function = definitions.split("\n\n\n")
    assert first == "# labutils.authoring.sync: FIRST_LINE, source_of"
    assert constant.startswith("FIRST_LINE = re.compile(")
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
        "ValueError",
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


def test_a_shortened_input_of_bert_computes_what_the_package_computes():
    space = {**vars(embeddings)}
    exec(cell_text("labutils.layers.embeddings:BertEmbeddings (shortened)"), space)
    theirs, ours = embeddings.BertEmbeddings(9, 5, 2, 4, 1e-12, 0), space["BertEmbeddings"](9, 5, 2, 4, 1e-12)
    ours.load_state_dict(theirs.state_dict())
    ids, places = torch.tensor([[3, 0, 8]]), torch.tensor([[0, 1, 2]])
    torch.testing.assert_close(ours(ids, places, places % 2), theirs(ids, places, places % 2), rtol=0, atol=0)


def test_a_copy_may_leave_out_two_things():
    source = "labutils.layers.recurrent:run (shortened, without see)"
    text = cell_text(source)
    assert text.split("\n")[0] == "# labutils.layers.recurrent: run (shortened, without see)"
    assert "see:" not in text and "at_step" not in text and "Raises" not in text and "raise " not in text
    book = notebook(text)
    assert source_of(book.cells[0]) == source and sync(book) == [source] and sync(book) == []


def test_a_copy_may_leave_out_the_types():
    source = "labutils.training.backward:linear_backward, softmax_backward (shortened, untyped)"
    text, space = cell_text(source), {}
    assert "def linear_backward(upstream, x, W):" in text and "Float" not in text and "(N, in)" in text
    exec(text, space)
    at_x, at_w, at_b = space["linear_backward"](torch.ones(3, 2), torch.eye(3), torch.ones(3, 2))
    assert at_x.shape == (3, 3) and torch.equal(at_w, torch.ones(3, 2)) and torch.equal(at_b, torch.full((2,), 3.0))
    book = notebook(text)
    assert source_of(book.cells[0]) == source and sync(book) == [source] and sync(book) == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("labutils.authoring.sync:nothing", "defines no nothing"),
        ("labutils.no_such:x", "no module labutils.no_such"),
        ("labutils.no.such:x", "no module labutils.no.such"),
        ("os.path:join", "does not name a source"),
        ("labutils.authoring.sync", "does not name a source"),
        ("labutils.layers.recurrent:RNNCell (untyped)", "Only a function"),
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
