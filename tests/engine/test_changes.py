"""What the engine shows and lets be changed: the names of the one table, in its order, and a run that goes on as
Python's does.
"""

import copy
import json

import numpy as np
import pytest
import torch
from engine.conftest import unpacked
from engine.models import file_of, ids_of, model_of
from engine.test_models import flat

from labutils.models.stages import STAGES
from labutils.trace import trace

NAMES = ("drawn gpt2", "drawn gpt2 relu", "drawn bert", "drawn bert tanh")
RUN = """
  const { openModel } = await engine("model_file"), model = await openModel(a), [ids, types, others] = b;
  const how = types ? { typeIds: types } : {}, other = model.trace(others, how);
  const change = Object.fromEntries(Object.entries(c).map(([name, code]) => [name, new Function("other", `return ${code}`)(other)]));
"""


def zero_head(h):
    def zeroed(x, other):
        x = x.clone()
        x[:, h] = 0
        return x

    return zeroed


def only(columns, value):
    def filled(x, other):
        x = x.clone()
        x[..., columns] = value
        return x

    return filled


def cases(name: str) -> dict[str, dict]:
    """By what is done: for the full name of a stage, the change in Python and the same in JavaScript.

    `other` is the trace of another text of the same length.
    """
    model = model_of(name)
    last, head, d_k = model.config.n_layers - 1, model.config.n_heads - 1, model.config.head_dim
    strip = slice(head * d_k, (head + 1) * d_k)
    weights = {
        f"layer {last} weights": (zero_head(head), f"(w, [H, n, m]) => w.fill(0, {head} * n * m, {head + 1} * n * m)")
    }
    neuron = {"layer 0 ffn_activated": (only(5, 3.0), "(x, [n, f]) => x.map((u, at) => (at % f === 5 ? 3 : u))")}
    return {
        "the weights of a head are zero": weights,
        "the context of a head is zero": {
            f"layer {last} context": (
                only(strip, 0.0),
                f"(x, [n, d]) => x.map((u, at) => (at % d >= {strip.start} && at % d < {strip.stop} ? 0 : u))",
            )
        },
        "every token sees itself alone": {
            "layer 0 scores": (
                lambda s, other: torch.where(torch.eye(s.shape[-1]).bool(), s, -torch.inf),
                "(s, [H, n, m]) => s.map((u, at) => (at % m === Math.floor(at / m) % n ? u : -Infinity))",
            )
        },
        "every token sees every other alike": {
            f"layer {last} weights": (
                lambda w, other: torch.full_like(w, 1 / w.shape[-1]),
                "(w, [H, n, m]) => w.fill(1 / m)",
            )
        },
        "a state comes from another text": {
            "layer 0 output": (
                lambda x, other: other.layers[0].output[None],
                "(x) => other.output.subarray(0, x.length)",
            )
        },
        "keys come from another text": {
            "layer 0 k": (lambda x, other: other.layers[0].k[None], "(x) => Array.from(other.k.subarray(0, x.length))")
        },
        "a neuron is set": neuron,
        "a token is another": {
            "token": (lambda x, other: x.roll(1, -2), "(x, [n, d]) => x.map((_, at) => x.at(at - d))")
        },
        "several at once, the later one first": (
            weights | neuron | {"embedding_sum": (lambda x, other: 2 * x, "(x) => x.map((u) => 2 * u)")}
        ),
    }


def given(name: str) -> tuple[list[int], list[int] | None, list[int]]:
    """ids, segments where the model has some, and ids of another text of the same length."""
    n = min(model_of(name).config.n_positions, 7)
    types = [int(i >= n // 2) for i in range(n)] if hasattr(model_of(name).config, "n_segments") else None
    return ids_of(name, n), types, ids_of(name, n, seed=8)


def python(name: str, change: dict) -> dict[str, np.ndarray]:
    ids, types, others = given(name)
    model = copy.deepcopy(model_of(name)).double()
    segments = None if types is None else torch.tensor([types])
    other = trace(model, others, type_ids=segments)
    made = {place: lambda x, f=f: f(x, other) for place, (f, _) in change.items()}
    return flat(trace(model, ids, type_ids=segments, change=made))


@pytest.mark.parametrize("what", cases("drawn gpt2"))
@pytest.mark.parametrize("name", NAMES)
def test_a_changed_run_goes_on_as_pythons(shared_page, name, what):
    change = cases(name)[what]
    wanted, plain = python(name, change), python(name, {})
    found = shared_page.run(
        RUN + "return Object.fromEntries(Object.entries(model.trace(ids, { ...how, change })).map(([n, x]) => [n,"
        " packed(x)]));",
        file_of(name),
        given(name),
        {place: code for place, (_, code) in change.items()},
    )
    assert found.keys() == wanted.keys()
    assert not np.allclose(wanted["logits"], plain["logits"]), "this change changes nothing"
    for stage, values in wanted.items():
        here, visible = unpacked(found[stage]), ~np.isneginf(values)
        assert np.array_equal(~np.isneginf(here), visible), stage
        np.testing.assert_allclose(
            here[visible], values[visible], rtol=0, atol=1e-6 if here.dtype == np.float32 else 1e-9, err_msg=stage
        )


@pytest.mark.parametrize("name", [*NAMES, "paper-gpt2", "drawn bert masked only"])
def test_the_engine_shows_what_stands_in_the_table(shared_page, name):
    """Every name, in the order in which the values are computed: those of Python's model and no other."""
    ids, types, others = given(name)
    shown = shared_page.run(
        """const { openModel } = await engine("model_file"), shown = [];
      (await openModel(a)).run(b, { typeIds: c }, (name, value) => { shown.push([name, value.length]); return value; });
      return shown;""",
        file_of(name),
        ids,
        types or [0] * len(ids),
    )
    t = trace(model_of(name), ids, type_ids=None if types is None else torch.tensor([types]))
    assert shown == [[place, value.numel()] for place, value in t.stages().items()]
    assert {place.split(" ")[-1] for place, _ in shown} <= STAGES.keys()


def test_a_change_sees_the_shape_that_the_table_says(shared_page):
    for name in ("drawn gpt2", "drawn bert"):
        ids, types, others = given(name)
        places = trace(model_of(name), ids, type_ids=None if types is None else torch.tensor([types])).stages()
        shapes = shared_page.run(
            RUN
            + "const shapes = {}, look = (place) => (x, shape) => { shapes[place] = shape; return x; };model.trace(ids,"
            " { ...how, change: Object.fromEntries(JSON.parse(Object.keys(c)[0]).map((place) => [place,"
            " look(place)])) }); return shapes;",
            file_of(name),
            given(name),
            {json.dumps(list(places)): "0"},
        )
        assert shapes == {place: list(value.shape) for place, value in places.items()}


def test_a_change_that_writes_into_its_value_leaves_the_stage_before_alone(shared_page):
    before, input_, after = shared_page.run(
        RUN
        + """const plain = model.trace(ids), t = model.trace(ids, { change }), half = plain.output.length / model.config.layers;
        const same = (x, y, from, to) => x.subarray(from, to).every((u, i) => u === y.subarray(from, to)[i]);
        return [same(t.output, plain.output, 0, half), t.input.subarray(half, 2 * half).every((u) => u === 0), same(model.trace(ids).logits, plain.logits)];""",
        file_of("drawn gpt2"),
        given("drawn gpt2"),
        {"layer 1 input": "(x) => x.fill(0)"},
    )
    assert before and input_ and after


@pytest.mark.parametrize(
    "name, change, sentence",
    [
        (
            "drawn gpt2",
            {"layer 9 weights": "(x) => x"},
            "This model has no stage “layer 9 weights” to change. A stage of a block is called “layer 0 weights”, say.",
        ),
        (
            "drawn gpt2",
            {"weights": "(x) => x"},
            "This model has no stage “weights” to change. A stage of a block is called “layer 0 weights”, say.",
        ),
        (
            "drawn bert",
            {"layer 0 ffn_input": "(x) => x"},
            (
                "This model has no stage “layer 0 ffn_input” to change. A stage of a block is called “layer 0 weights”,"
                " say."
            ),
        ),
        (
            "drawn gpt2",
            {"layer 0 output": "() => {}"},
            "The change of “layer 0 output” has to give back 105 numbers, not nothing.",
        ),
        (
            "drawn gpt2",
            {"layer 0 output": "() => [1, 2]"},
            "The change of “layer 0 output” has to give back 105 numbers, not 2.",
        ),
    ],
)
def test_a_change_that_cannot_be_made_is_a_sentence(shared_page, name, change, sentence):
    assert (
        shared_page.fails(RUN + "model.trace(ids, { ...how, change });", file_of(name), given(name), change) == sentence
    )


def test_only_what_is_wanted_is_kept(shared_page):
    ask = 'const { openModel } = await engine("model_file"), model = await openModel(a);'
    for name, want in (
        ("drawn gpt2", ["weights", "final"]),
        ("drawn bert", ["ffn_input", "contributions", "attention_stream"]),
    ):
        assert shared_page.run(
            ask + "return Object.keys(model.trace(b, { want: c }));", file_of(name), ids_of(name, 5), want
        ) == [stage for stage in want if stage != "contributions"] + [
            stage for stage in want if stage == "contributions"
        ]
    assert (
        shared_page.fails(ask + "model.trace(b, { want: c });", file_of("drawn gpt2"), [1], ["pooled"])
        == "A trace of this model has no stage called “pooled”."
    )
