"""The shape tracker: every value of a trace with its shape, type and meaning, one model or two side by side."""

import re

import pytest
import torch

from labutils.checkpoints import load
from labutils.models import paper_model
from labutils.models.stages import STAGES, in_order
from labutils.trace import trace
from labutils.trace.shapes import ShapeTable, shapes


@pytest.fixture(scope="module")
def both():
    gpt2, bert = load("little-gpt2"), load("little-bert")
    return (
        trace(gpt2.model, "The cat sat on the", gpt2.tokenizer),
        trace(bert.model, "The cat sat on the [MASK].", bert.tokenizer),
    )


def test_every_stage_has_a_meaning_of_its_own():
    said = [stage.meaning for stage in STAGES.values()]
    assert all(said) and len(set(said)) == len(said)


def test_one_model_has_a_row_for_each_value_in_the_order_of_the_trace():
    traced = trace(paper_model(), [0, 1, 2])
    table = shapes(traced)
    assert [row.stage for row in table.rows] == list(traced.stages())
    assert [row.shapes for row in table.rows] == [(tuple(v.shape),) for v in traced.stages().values()]
    assert {row.dtype for row in table.rows} == {"float64"} and table.models == ("GPT-2",)
    weights = next(row for row in table.rows if row.stage == "layer 0 weights")
    assert weights.shapes == ((2, 3, 3),) and weights.meaning == STAGES["weights"].meaning


def test_both_models_side_by_side(both):
    table = shapes(*both)
    found = {row.stage: row for row in table.rows}
    for k, traced in enumerate(both):
        for name, value in traced.stages().items():
            assert found[name].shapes[k] == tuple(value.shape), name
    assert found["segment"].shapes[0] is None and found["layer 2 ffn_input"].shapes[1] is None
    assert len(found) == len(table.rows) == len({*both[0].stages(), *both[1].stages()})


def test_a_value_stands_after_what_it_is_computed_from(both):
    for one in (both, both[::-1]):
        names = [row.stage for row in shapes(*one).rows]
        for traced in both:
            assert [name for name in names if name in traced.stages()] == list(traced.stages())
    assert in_order({"logits", "layer 1 q", "token", "layer 0 output"}) == [
        "token", "layer 0 output", "layer 1 q", "logits",
    ]  # fmt: skip


def test_printed_it_folds_the_layers_after_the_first(both):
    text = repr(shapes(*both))
    assert "layer 0 weights                 (8, 5, 5)   (8, 9, 9)   float32  the share" in text
    assert "layers 1 to 5" in text and "layer 1 weights" not in text and "(128,)" in text
    assert re.search(r"^layers 1 to 5 +to layer 3 +the same ", text, re.M)
    assert re.search(
        r"^layers 1 to 5 +the same +to layer 3 +– ", repr(shapes(*both[::-1], trace(paper_model(), [0]))), re.M
    )
    assert re.search(r"^segment embedding +– +\(9, 128\)", text, re.M)
    whole = repr(shapes(*both).detail())
    assert "layer 5 weights" in whole and "layers 1 to 5" not in whole
    assert len(whole.splitlines()) == 1 + len(shapes(*both).rows)
    assert max(map(len, text.splitlines())) <= 120


def test_two_layers_and_one_are_counted_right(both):
    one = trace(paper_model(), [0])
    assert "layers" not in repr(shapes(one))
    both_rows = shapes(both[0]).rows
    two = ShapeTable(("GPT-2",), tuple(r for r in both_rows if not r.stage.startswith(("layer 2", "layer 3"))))
    assert "\nlayer 1   " in repr(two) and "layers 1 to" not in repr(two)


def test_in_a_page_it_is_a_table_and_words_stay_words(both):
    html = shapes(*both)._repr_html_()
    assert html.count("<tr>") == len(shapes(*both).lines()) and '<th scope="col">GPT-2</th>' in html
    row = shapes(both[0]).rows[0]._replace(meaning="<img src=x>")
    assert "<img" not in ShapeTable(("<b>",), (row,))._repr_html_().replace("&lt;img", "")


def test_half_a_trace_shows_what_it_holds():
    traced = trace(paper_model(), [0, 1], want=("weights", "logits"))
    assert [row.stage for row in shapes(traced).rows] == ["layer 0 weights", "logits"]
    assert shapes(traced).rows[1].shapes == ((2, 5),) and torch.is_tensor(traced.logits)


def test_no_trace_is_one_sentence():
    with pytest.raises(ValueError, match="give at least one trace"):
        shapes()
