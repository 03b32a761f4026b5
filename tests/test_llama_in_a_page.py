"""The third architecture in a page: the engine takes it from its record, and has no line of its own for it. Every stage
is Python's, texts go on with a cache, and controls open on it.
"""

import copy
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch
from controls.conftest import Opened
from controls.test_walk import choose, settled, table
from engine.conftest import HOME, SOURCES, Page, shared_page, unpacked  # noqa: F401
from engine.models import draw
from engine.test_models import EVERYTHING, flat
from llama import FAMILY, Llama, LlamaConfig
from safetensors.torch import save_file
from test_llama import IDS, entered, one_thread  # noqa: F401

from labutils.analysis.contributions import contributions
from labutils.checkpoints import load
from labutils.checkpoints.loader import HERE
from labutils.controls import Explorer, NextWord, Stream, Walk
from labutils.controls.engine.model_file import model_file
from labutils.controls.kernel import answer
from labutils.controls.reading import following, loaded
from labutils.controls.standalone import write
from labutils.layers import PreNormBlock, unseen
from labutils.models import FAMILIES
from labutils.models.rotary import turning
from labutils.models.stages import STAGES, in_order
from labutils.trace import trace

# Odd sizes, all different: two queries share a key, a head is wider than its share of the width, and a base so small
# that a turn by a place too many shows.
GROUPED = LlamaConfig(31, 23, 20, 3, 4, 2, 6, 27, eps=1e-3, rotary_base=50.0)
MODELS = {
    "grouped": GROUPED,
    "tied": replace(GROUPED, tied=True, activation="gelu_tanh"),
    "one key for all": replace(GROUPED, n_key_heads=1, n_layers=1, d_ff=7),
    "a key for each": LlamaConfig(13, 9, 24, 2, 3, d_ff=30, rotary_base=10_000.0),
}


def drawn(name: str = "grouped") -> Llama:
    return draw(Llama(MODELS[name]))


def expected(model: Llama, ids: list[int]) -> dict[str, np.ndarray]:
    model = copy.deepcopy(model).double()
    t = trace(model, ids)
    return flat(t) | {"contributions": contributions(t, model).numpy().ravel()}


def first_difference(wanted: dict, found: dict, layers: int = 3) -> str | None:
    """The first stage that differs, in the order in which they are computed."""
    apart = {}
    for stage in [name for name in STAGES if name in wanted]:
        inside = STAGES[stage].in_block
        parts = [np.split(one, layers) if inside else [one] for one in (unpacked(found[stage]), wanted[stage])]
        for i, (a, b) in enumerate(zip(*parts)):
            seen = np.isfinite(b)
            name = f"layer {i} {stage}" if inside else stage
            apart[name] = not np.array_equal(seen, np.isfinite(a)) or np.abs(a[seen] - b[seen]).max() > 1e-9
    return next((name for name in in_order(apart) if apart[name]), None)


@pytest.mark.parametrize("name", MODELS)
def test_every_stage_is_pythons(shared_page, name):  # noqa: F811
    model = drawn(name)
    for n in sorted({1, 2, 7, model.config.n_positions}):
        ids = [(5 * i * i + 3) % model.config.vocab_size for i in range(n)]
        wanted, found = expected(model, ids), shared_page.run(EVERYTHING, model_file(name, model), ids)
        assert found.keys() == wanted.keys()
        assert first_difference(wanted, found, model.config.n_layers) is None
        np.testing.assert_allclose(unpacked(found["contributions"]), wanted["contributions"], rtol=1e-9, atol=1e-12)


def test_it_shows_its_stages_in_the_order_of_the_table_and_says_their_shapes(shared_page):  # noqa: F811
    model, t = drawn(), trace(drawn(), IDS)
    shown = shared_page.run(
        """const { openModel } = await engine("model_file"), model = await openModel(a), shown = [], change = {};
        model.run(b, { typeIds: b }, (name, value) => { shown.push(name); return value; });
        const shapes = [];
        for (const name of shown) change[name] = (x, shape) => { shapes.push([name, shape]); return x; };
        model.trace(b, { change });
        return [shapes, model.info];""",
        model_file("grouped", model),
        IDS,
    )
    shapes, info = shown
    assert shapes == [[name, list(value.shape)] for name, value in t.stages().items()]
    assert (info["kind"], info["heads"], info["keyHeads"], info["headDim"], info["width"]) == ("llama", 4, 2, 6, 20)
    assert info["parameters"] == sum(p.numel() for p in model.parameters())


@pytest.mark.parametrize("name", MODELS)
def test_with_a_cache_it_goes_on_as_the_whole_pass_does(shared_page, name):  # noqa: F811
    model = drawn(name)
    ids = [(7 * i + 2) % model.config.vocab_size for i in range(model.config.n_positions)]
    texts = [ids[:1], ids[:2], ids[:6], ids[:6], ids[:4], [*ids[:3], 1, 2, 3], ids, ids[1:]]
    found = shared_page.run(
        """const { openModel } = await engine("model_file"), model = await openModel(a);
        return b.map((ids) => packed(model.next(ids)));""",
        model_file(name, model),
        texts,
    )
    exact = copy.deepcopy(model).double()
    for ids, logits in zip(texts, found):
        whole = exact(torch.tensor([ids])).logits[0, -1].detach().numpy()
        np.testing.assert_allclose(unpacked(logits), whole, rtol=0, atol=1e-12)


def edit(path: str, value):
    """A change of the model's file: `path` is "config.eps", say."""

    def change(file):
        *rooms, last = path.split(".")
        for room in rooms:
            file = file[room]
        file[last] = value

    return change


def exchange(file):
    """The gate of each block and what is beside it, of one shape."""
    shapes, names = file["weights"]["shapes"], {"gate": "expand", "expand": "gate"}
    other = lambda key: ".".join(names.get(part, part) for part in key.split("."))
    file["weights"]["shapes"] = {other(key): shape for key, shape in shapes.items()}


WRONG_FILE = {
    "the base of the angles": (edit("config.rotaryBase", 49.0), "q"),
    "positions that turn nothing": (edit("config.rotaryBase", None), "q"),
    "the eps of the norms": (edit("config.eps", 1.1e-3), "attention_input"),
    "another activation": (edit("config.activation", "gelu"), "ffn_activated"),
    "the scale of the scores": (edit("scale", 0.4), "scores"),
    "no mask": (edit("causal", False), "scores"),
    "gate and hidden exchanged": (exchange, "ffn_gate"),
}


@pytest.mark.parametrize("wrong", WRONG_FILE)
def test_a_wrong_entry_of_its_file_is_seen_at_its_stage(shared_page, wrong):  # noqa: F811
    breaks, stage = WRONG_FILE[wrong]
    file = model_file("grouped", drawn())
    breaks(file)
    assert first_difference(expected(drawn(), IDS), shared_page.run(EVERYTHING, file, IDS)) == f"layer 0 {stage}"


WRONG_CODE = {
    "keys served in another order": ("scaled_dot_product", "Math.floor(h / served)", "(h % (heads / served))", "scores"),
    "a pair of neighbours": ("positions", "x[at] * cos - x[at + half] * sin", "x[at] * cos - x[at + 1] * sin", "q"),
    "turned the other way": ("positions", "x[at] * cos - x[at + half]", "x[at] * cos + x[at + half]", "q"),
    "values turned as well": ("multi_head", "own = [placed(key), strips(value)]", "own = [key, value].map(placed)", "v"),
    "the mean taken off": ("norms", "x[at + j] * scale * gain[j]", "(x[at + j] - x[at]) * scale * gain[j]", "attention_input"),
    "a gate that is not bent": ("feed_forward", "times(activate(activation, opened), hidden)", "times(opened, hidden)", "ffn_activated"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG_CODE)
def test_a_wrong_line_of_the_engine_is_seen_at_its_stage(browser, wrong):
    module, right, other, stage = WRONG_CODE[wrong]
    source = (SOURCES / f"{module}.js").read_text(encoding="utf-8")
    assert right in source
    page = Page(browser)
    page.files[f"engine/{module}.js"] = source.replace(right, other)
    found = page.run(EVERYTHING, model_file("grouped", drawn()), IDS)
    page.context.close()
    assert first_difference(expected(drawn(), IDS), found) == f"layer 0 {stage}"


def test_a_cache_that_forgets_where_it_is_goes_on_wrongly(browser):
    source = (SOURCES / "continuing.js").read_text(encoding="utf-8")
    page = Page(browser)
    forgets = source.replace("{ past, caches: stores(past) }", "{ caches: stores(past) }")
    assert forgets != source
    page.files["engine/continuing.js"] = forgets
    found = page.run(
        """const { openModel } = await engine("model_file"), model = await openModel(a);
        model.next(b.slice(0, -1));
        return packed(model.next(b));""",
        model_file("grouped", drawn()),
        IDS,
    )
    page.context.close()
    assert np.abs(unpacked(found) - expected(drawn(), IDS)["logits"][-31:]).max() > 1e-3


def test_what_no_page_computes_is_not_written(monkeypatch):
    for field, what in (
        ({"blocks": {"encoder": "e", "decoder": "d"}}, "two stacks of blocks"),
        ({"bias": lambda result: None}, "something added to its scores"),
    ):
        monkeypatch.setitem(FAMILIES, "llama", replace(FAMILY, **field))
        with pytest.raises(ValueError, match=f"grouped cannot be written for a page: a Llama has {what}"):
            model_file("grouped", drawn())


class Parallel(PreNormBlock):
    """GPT-NeoX's: both sub-layers read the row as it enters."""

    def forward(self, x, mask=None, see=unseen, *options):
        x = see("input", x)
        attended = see("attention_output", self.attention(see("attention_input", self.norm1(x)), mask, see, *options))
        thought = see("ffn_output", self.feed_forward(see("ffn_input", self.norm2(x)), see))
        return see("output", x + attended + thought)


class PartlyTurned(LlamaConfig):
    rotary_dim = 4


def unlike_llama(monkeypatch, *which: str) -> Llama:
    """A Llama with what a GPT-NeoX has: parallel sub-layers, four of six columns of a head turned."""
    model = drawn()
    if "parallel" in which:
        for block in model.blocks:
            block.__class__ = Parallel
    if "partly turned" in which:
        monkeypatch.setattr("llama.rotary.turning", lambda positions, base, _: turning(positions, base, 4))
    return model


@pytest.mark.parametrize(
    ("which", "stage"), [("parallel", "layer 0 feed-forward input"), ("partly turned", "layer 0 q")]
)
def test_what_a_page_would_compute_otherwise_is_not_written(monkeypatch, which, stage):
    """Whatever the record forgets: one text is run through the page's own lines before the file is written."""
    model = unlike_llama(monkeypatch, which)
    with pytest.raises(ValueError, match=f"grouped cannot be written for a page: it would compute another {stage}"):
        model_file("grouped", model)


def test_a_record_that_names_its_block_and_what_is_turned_is_computed(monkeypatch, shared_page):  # noqa: F811
    model = unlike_llama(monkeypatch, "parallel", "partly turned")
    object.__setattr__(model, "config", PartlyTurned(**vars(model.config)))
    places = {name: place for name, place in FAMILY.places.items() if name != "attention_stream"}
    family = replace(FAMILY, parallel=True, places=places)
    monkeypatch.setitem(FAMILIES, "llama", family)
    assert family.block == "parallel" and FAMILY.block == "pre-norm" and FAMILIES["bert"].block == "post-norm"
    file, wanted = model_file("grouped", model), expected(model, IDS)
    found = shared_page.run(EVERYTHING, file, IDS)
    assert found.keys() == wanted.keys() and first_difference(wanted, found) is None
    file["block"] = "of another kind"
    assert "“of another kind” is no block" in shared_page.fails(
        'const { openModel } = await engine("model_file"); await openModel(a);', file
    )


TEXT = "Anna saw a dog on"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A Llama among the reader's own models, with the tokenizer of the little GPT-2: a name that every control takes."""
    folder = tmp_path / "own" / "some-llama"
    folder.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json", "vocab.json", "merges.txt"):
        shutil.copy(HERE / "little-gpt2" / name, folder / name)
    vocab = load("little-gpt2").model.config.vocab_size
    model = draw(Llama(replace(GROUPED, vocab_size=vocab, n_positions=64)))
    (folder / "config.json").write_text(json.dumps(model.config.to_hf()))
    save_file(
        {name: tensor.contiguous() for name, tensor in model.to_hf_state_dict().items()}, folder / "model.safetensors"
    )
    monkeypatch.setenv("LABUTILS_MODELS", str(folder.parent))
    yield folder
    loaded.cache_clear()
    following.cache_clear()


@pytest.fixture
def open_llama(browser, folder, tmp_path):
    """open_llama(control) -> the control in a page whose engine has this model alone."""
    contexts = []

    def open_(control):
        index = write(tmp_path / "page", [control], models=("some-llama",))
        contexts.append(browser.new_context(viewport={"width": 760, "height": 900}))
        opened = Opened(contexts[-1].new_page())
        opened.page.goto(index.as_uri())
        return opened, opened.control()

    yield open_
    for context in contexts:
        context.close()


def test_in_jupyterlab_python_answers_with_its_stages(folder):
    checkpoint = load("some-llama")
    want = ["q", "k", "ffn_gate", "weights", "contributions"]
    said, arrays = answer(checkpoint, {"ask": "trace", "text": TEXT, "want": want})
    t = trace(checkpoint.model, TEXT, checkpoint.tokenizer)
    assert (said["shape"]["H"], said["shape"]["G"], said["shape"]["d"]) == (4, 2, 20)
    for stage in want[:-1]:
        assert torch.equal(arrays[stage], torch.stack([getattr(layer, stage) for layer in t.layers]))
    assert arrays["contributions"].shape == arrays["weights"].shape


@pytest.mark.parametrize("make", [Explorer, Walk, NextWord])
def test_a_control_opens_on_it_and_the_page_goes_on_by_itself(open_llama, make):
    one = make(TEXT, model="some-llama")
    opened, control = open_llama(one)
    assert one.finished["info"]["kind"] == "llama"
    settled(control, TEXT)
    control.get_by_label("Your text").fill("Tom had a red")
    settled(control, "Tom had a red")
    assert control.locator(".itt-note.is-wrong").count() == 0 and opened.complaints == []


def python(text: str):
    checkpoint = load("some-llama")
    return checkpoint, trace(checkpoint.model, text, checkpoint.tokenizer)


def test_the_walk_has_its_stages_with_pythons_numbers(open_llama):
    _, control = open_llama(Walk(TEXT, model="some-llama"))
    text = "Tom had a red"
    control.get_by_label("Your text").fill(text)
    settled(control, text)
    choose(control, 2)
    control.get_by_text("Read it as a table").click()
    _, t = python(text)
    titles = control.locator(".wk-title").all_inner_texts()
    assert {"feed-forward gate", "context", "q"} < set(titles) and "position embedding" not in titles
    for stage in ("attention_input", "ffn_gate", "context", "attention_stream", "final"):
        control.locator(".wk-stop input").nth(titles.index(STAGES[stage].title)).check(force=True)
        found = [float(list(row.values())[-1].replace("−", "-")) for row in table(control)]
        value = t.final if stage == "final" else getattr(t.layers[2], stage)
        np.testing.assert_allclose(found, value[-1], rtol=0, atol=6e-5, err_msg=stage)


SAID = {  # what is said of a stage of the last block, and its formula
    "q": (
        "makes a query for each of 4 heads: 6 numbers",
        "q = (y · W) turned by its place",
        "20 products, turned, make",
    ),
    "k": ("makes a key for each of 2 heads: 6 numbers", "k = (y · W) turned by its place", "20 products"),
    "v": ("makes a value for each of 2 heads: 6 numbers", "v = y · W, y the row", "20 products make"),
    "attention_input": ("is normalised", "y = gain · x ÷ √(mean of x² + ε)", "the gain makes"),
    "context": ("4 times 6 numbers", "z = sum of a · v", "first number"),
    "attention_output": ("Attention adds a row", "o = z · W, z the mixtures", "24 products make"),
    "ffn_gate": ("Of 27 numbers", "g = y · W, y the row", "20 products make"),
    "ffn_hidden": ("Beside the gate stand 27 numbers", "u = y · W, y the row", "20 products make"),
    "ffn_activated": ("Of 27 numbers", "a = SiLU(g) · u, with SiLU(g) = g ÷ (1 + exp(−g))", ", times "),
    "final": ("is normalised", "y = gain · x ÷ √(mean of x² + ε)", "the gain makes"),
    "logits": ("is compared with all", "logit = y · E, E the row", "20 products make"),
}


def test_the_walk_says_what_it_computes(open_llama):
    _, control = open_llama(Walk(TEXT, model="some-llama", layer=-1))
    settled(control, TEXT)
    titles = control.locator(".wk-title").all_inner_texts()
    for stage, (said, symbols, worked) in SAID.items():
        control.locator(".wk-stop input").nth(titles.index(STAGES[stage].title)).check(force=True)
        assert said in control.locator(".itt-readout").inner_text(), stage
        assert symbols in control.locator(".wk-formula").inner_text(), stage
        assert worked in control.locator(".wk-worked").inner_text(), stage


def test_its_stations_begin_with_the_rows_that_it_fetches(open_llama):
    _, control = open_llama(Walk(TEXT, model="some-llama", view="stations"))
    settled(control, TEXT)
    assert control.locator(".wk-title").all_inner_texts()[:5] == ["Overview", "Text", "Tokens", "Rows", "Attention"]


def test_a_stream_asks_the_record_for_the_halves_of_a_block(folder, monkeypatch):
    assert Stream(TEXT, model="some-llama").finished["shape"][0] == 3
    places = {name: place for name, place in FAMILY.places.items() if name != "attention_stream"}
    monkeypatch.setitem(FAMILIES, "llama", replace(FAMILY, parallel=True, places=places))
    with pytest.raises(ValueError, match="A block of Llama computes attention and its network side by side"):
        Stream(TEXT, model="some-llama")


def test_the_next_words_are_those_that_python_expects(open_llama):
    _, control = open_llama(NextWord(TEXT, model="some-llama"))
    text = "Tom had a red"
    control.get_by_label("Your text").fill(text)
    settled(control, text)
    control.get_by_text("Read it as a table").click()
    checkpoint, t = python(text)
    p = t.logits[-1].double().softmax(-1)
    found = {int(row["id"]): float(row["probability"]) for row in table(control) if row["id"]}
    assert len(found) == 20 and next(iter(found)) == int(p.argmax())
    assert max(abs(p[i] - share) for i, share in found.items()) < 1e-5


def test_every_head_of_the_explorer_is_pythons(open_llama):
    one = Explorer(TEXT, model="some-llama", layer=1, head=3, query=-1, key=0)
    _, control = open_llama(one)
    text = "Tom had a red"
    control.get_by_label("Your text").fill(text)
    settled(control, text)
    _, t = python(text)
    control.get_by_text("Read it as a table").click()
    number = lambda word: 0.0 if word == "masked" else float(word)
    found = [[number(x) for x in list(row.values())[1:]] for row in table(control)]
    np.testing.assert_allclose(found, t.layers[1].weights[3], rtol=0, atol=6e-4)
