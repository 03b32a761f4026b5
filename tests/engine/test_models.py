"""Every stage of the browser's trace equals Python's, and cached decoding equals the whole pass."""

import copy

import numpy as np
import pytest
import torch
from engine.conftest import unpacked
from engine.models import DRAWN, SHIPPED, file_of, ids_of, model_of

from labutils.analysis.contributions import contributions
from labutils.models import Bert
from labutils.models.stages import IN_BLOCK, STAGES
from labutils.trace import Trace, trace

EVERYTHING = """
  const { openModel } = await engine("model_file");
  const model = await openModel(a), how = c ? { typeIds: c } : {}, { contributions } = model.trace(b, { ...how, want: ["contributions"] });
  const stages = { ...model.trace(b, how), contributions };
  return Object.fromEntries(Object.entries(stages).map(([name, array]) => [name, packed(array)]));
"""


def flat(t: Trace) -> dict[str, np.ndarray]:
    """The stages of Python's trace as the flat arrays of the engine, those that are another one again included."""
    there = [stage.name for stage in IN_BLOCK if stage.name in t.layers[0]]
    stages = {name: torch.stack([getattr(layer, name) for layer in t.layers]) for name in there}
    stages |= {
        stage.name: getattr(t, stage.name) for stage in STAGES.values() if not stage.in_block and stage.name in t
    }
    return {name: tensor.numpy().astype(np.float64).ravel() for name, tensor in stages.items()}


def expected(name: str, ids: list[int], types: list[int], dtype: torch.dtype = torch.float64) -> dict[str, np.ndarray]:
    """Python's trace. The engine computes in float64; so close, no slip of a constant hides."""
    model = copy.deepcopy(model_of(name)).to(dtype)
    t = trace(model, ids, type_ids=torch.tensor([types]))
    return flat(t) | {"contributions": contributions(t, model).numpy().astype(np.float64).ravel()}


def lengths(name: str) -> list[int]:
    most = model_of(name).config.n_positions
    return sorted({1, 2, min(most, 7), most})  # tiles of four rows: none, none, one and three rows left, and full


@pytest.mark.parametrize("name", [*DRAWN, *SHIPPED])
def test_every_stage_equals_pythons(shared_page, name):
    model = model_of(name)
    tolerance = 1e-12 if name == "paper-gpt2" else 1e-9
    for n in lengths(name):
        ids = ids_of(name, n)
        types = [int(i >= n // 2) % model.config.n_segments for i in range(n)] if isinstance(model, Bert) else [0] * n
        wanted = expected(name, ids, types)
        found = shared_page.run(EVERYTHING, file_of(name), ids, types)
        assert found.keys() == wanted.keys()
        for stage, values in wanted.items():
            here = unpacked(found[stage])
            assert here.shape == values.shape, (stage, n)
            masked = np.isneginf(values)
            assert np.array_equal(np.isneginf(here), masked), (stage, n)
            gap, rounded = (
                np.abs(here[~masked] - values[~masked]),
                (1e-6 if here.dtype == np.float32 else 0),
            )  # large arrays travel as float32
            assert (gap <= (tolerance + rounded) * (1 + np.abs(values[~masked]).max(initial=0))).all(), (
                stage,
                n,
                gap.max(),
            )


def test_running_text_as_python_shows_it_in_float32(shared_page):
    for name, text in (
        ("little-gpt2", "The cat sat on the mat. It was tired."),
        ("little-bert", "The cat sat on the mat. It was tired."),
    ):
        from labutils.checkpoints import load

        ids = load(name).tokenizer.encode(text).ids
        wanted = expected(name, ids, [0] * len(ids), torch.float32)
        found = shared_page.run(EVERYTHING, file_of(name), ids)
        for stage, values in wanted.items():
            visible = ~np.isneginf(values)
            np.testing.assert_allclose(
                unpacked(found[stage])[visible], values[visible], rtol=0, atol=1e-4, err_msg=stage
            )


def test_the_paper_model_says_on(shared_page):
    logits = unpacked(shared_page.run(EVERYTHING, file_of("paper-gpt2"), [0, 1, 2])["logits"])[-5:]
    powers = np.exp(logits - logits.max())
    np.testing.assert_allclose(powers / powers.sum(), [1 / 8, 1 / 16, 1 / 16, 1 / 2, 1 / 4], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["drawn gpt2", "little-gpt2", "paper-gpt2"])
def test_cached_decoding_equals_the_whole_pass(shared_page, name):
    n = lengths(name)[-1]
    # one token more, the same again, a shorter text, another continuation, another beginning, the longest text at once
    ids, others = ids_of(name, n), ids_of(name, n, seed=4)
    texts = [ids[:1], ids[:2], ids[:3], ids[:3], ids[:2], [*ids[:2], *others[2:6]], others[:5], ids, ids[:4], ids]
    found = shared_page.run(
        """const { openModel } = await engine("model_file");
           const model = await openModel(a), whole = await openModel(a);
           return b.map((ids) => [packed(model.next(ids)), packed(whole.trace(ids).logits.slice(-model.config.vocab))]);""",
        file_of(name),
        texts,
    )
    for cached, whole in found:
        np.testing.assert_allclose(unpacked(cached), unpacked(whole), rtol=0, atol=1e-12)


def test_a_trace_keeps_its_numbers_when_the_next_one_is_made(shared_page):
    same = shared_page.run(
        """const { openModel } = await engine("model_file");
           const model = await openModel(a), first = model.trace(b), before = packed(first.weights);
           model.trace(c); model.next(c);
           return before === packed(first.weights);""",
        file_of("drawn gpt2"),
        ids_of("drawn gpt2", 6),
        ids_of("drawn gpt2", 6, seed=9),
    )
    assert same


@pytest.mark.parametrize(
    "name, ids, sentence",
    [
        ("drawn gpt2", [], "The text is empty: there is no token to read. Write at least one word."),
        ("drawn gpt2", [1] * 18, "The text has 18 tokens and this model reads at most 17: shorten it."),
        ("drawn bert", [1] * 18, "The text has 18 tokens and this model reads at most 17: shorten it."),
        ("drawn gpt2", [1, 31], "31 is no token of this model: its ids go from 0 to 30."),
        ("drawn bert", [-1], "-1 is no token of this model: its ids go from 0 to 30."),
        ("drawn gpt2", [1.5], "1.5 is no token of this model: its ids go from 0 to 30."),
    ],
)
def test_what_a_model_cannot_read_is_a_sentence(shared_page, name, ids, sentence):
    code = 'const { openModel } = await engine("model_file"); const model = await openModel(a);'
    assert shared_page.fails(f"{code} model.trace(b);", file_of(name), ids) == sentence
    if "gpt2" in name:
        assert shared_page.fails(f"{code} model.next(b);", file_of(name), ids) == sentence


def test_segments_are_checked(shared_page):
    code = 'const { openModel } = await engine("model_file"); (await openModel(a)).trace(b, { typeIds: c });'
    sentence = "Each token needs a segment from 0 to 1."
    assert shared_page.fails(code, file_of("drawn bert"), [1, 2], [0]) == sentence
    assert shared_page.fails(code, file_of("drawn bert"), [1, 2], [0, 2]) == sentence


def test_erf_is_exact_to_the_last_digits(shared_page):
    import math

    points = [i / 1000 for i in range(-7000, 7001)]
    found = unpacked(
        shared_page.run('const { erf } = await engine("feed_forward"); return packed(a.map(erf));', points)
    )
    np.testing.assert_allclose(found, [math.erf(x) for x in points], rtol=0, atol=1e-15)
