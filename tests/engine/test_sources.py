"""`openSource` in both homes: files beside a page, and questions to Python."""

import json

import numpy as np
import pytest
import torch
from engine.conftest import HOME, SOURCES, unpacked
from engine.models import file_of
from engine.tokenizers import tokenizer_of

from labutils.checkpoints import load
from labutils.controls.bundle import modules, variable
from labutils.controls.engine.export import export
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.controls.kernel import KernelSource
from labutils.text.unicode import table

ON_PAGE = (
    'const { openSource, openTokenizer } = await engine("source"), home = { onPage: true, models:'
    f' "{HOME}models/" }};'
)
TEXT = "The cat sat on the mat. It was tired."


@pytest.fixture
def little(page):
    page.serve("unicode", table())
    page.serve("little-gpt2", file_of("little-gpt2"))
    page.serve("little-gpt2.tokenizer", tokenizer_file(tokenizer_of("little-gpt2")))
    return page


def test_a_page_answers_with_the_models_numbers(little):
    found = little.run(
        ON_PAGE
        + """
      const source = await openSource(home, "little-gpt2"), { live, reason, info } = source;
      const encoding = await source.encode(a), t = await source.trace(a), more = await source.trace(encoding.ids, { want: ["scores", "contributions", "final", "logits"] });
      const after = await source.next(encoding.ids), text = await source.decode(encoding.ids), tokens = await source.tokens(encoding.ids);
      return { live, reason, home: source.home, info, encoding, text, tokens, ids: t.ids, offsets: t.offsets, names: t.tokens, shape: t.shape, keys: Object.keys(more),
               weights: packed(t.weights), logits: packed(more.logits), after: packed(after), q: t.q.length, contributions: more.contributions.length };""",
        TEXT,
    )
    c = load("little-gpt2")
    ids = c.tokenizer.encode(TEXT).ids
    n = len(ids)
    assert found["live"] and found["reason"] == "" and found["home"] == "page" and found["text"] == TEXT
    assert found["ids"] == found["encoding"]["ids"] == ids and found["names"] == found["tokens"] == found["encoding"][
        "tokens"
    ] == [c.tokenizer.pieces(i) for i in ids]
    assert found["shape"] == {"L": 4, "H": 8, "G": 8, "n": n, "dk": 16, "d": 128, "f": 512, "V": len(c.tokenizer)}
    assert found["info"] == {
        "name": "little-gpt2",
        "label": "a label",
        "kind": "gpt2",
        "causal": True,
        "norm": "layer",
        "biases": ["q", "k", "v", "attention_output", "ffn_hidden", "ffn_output"],
        "layers": 4,
        "heads": 8,
        "keyHeads": 8,
        "headDim": 16,
        "width": 128,
        "ffn": 512,
        "vocab": len(c.tokenizer),
        "maxTokens": c.model.config.n_positions,
        "activation": c.model.config.activation,
        "eps": c.model.config.layer_norm_eps,
        "rotaryBase": None,
        "parameters": sum(p.numel() for p in c.model.parameters()),
    }
    assert set(found["keys"]) == {
        "tokens",
        "ids",
        "offsets",
        "typeIds",
        "shape",
        "scores",
        "contributions",
        "final",
        "logits",
    }
    assert found["q"] == 4 * 8 * n * 16 and found["contributions"] == 4 * 8 * n * n
    logits = c.model(torch.tensor([ids])).logits[0].detach().numpy()
    np.testing.assert_allclose(unpacked(found["logits"]).reshape(n, -1), logits, rtol=0, atol=1e-4)
    np.testing.assert_allclose(unpacked(found["after"]), logits[-1], rtol=0, atol=1e-4)
    np.testing.assert_allclose(unpacked(found["weights"]).reshape(-1, n).sum(1), 1, atol=1e-12)


def test_bad_questions_are_sentences(little):
    ask = ON_PAGE + 'const source = await openSource(home, "little-gpt2");'
    assert (
        little.fails(ask + 'await source.trace("")')
        == "The text is empty: there is no token to read. Write at least one word."
    )
    most = load("little-gpt2").model.config.n_positions
    assert f"tokens and this model reads at most {most}: shorten it." in little.fails(
        ask + 'await source.trace("The cat. ".repeat(5000))'
    )
    assert (
        little.fails(ask + 'await source.trace("a\\ud800")')
        == "The text holds half a character at place 1 (a lone surrogate, U+D800): delete it."
    )
    assert (
        little.fails(ask + 'await source.trace("a", { want: ["mood"] })')
        == "A trace of this model has no stage called “mood”."
    )
    assert little.fails(ask + "await source.next([1e9])").startswith("1000000000 is no token of this model")
    assert little.fails(ask + "await source.tokens([-1])").startswith("There is no token -1")


def test_a_file_is_loaded_once_for_all_controls(little):
    asked = []
    little.page.on("request", lambda request: asked.append(request.url))
    live = little.run(
        ON_PAGE + 'return (await Promise.all([1, 2, 3].map(() => openSource(home, "little-gpt2")))).map((source) =>'
        " source.live);"
    )
    assert live == [True] * 3
    assert sorted(url.removeprefix(HOME) for url in asked if "models/" in url) == [
        "models/little-gpt2.js",
        "models/little-gpt2.tokenizer.js",
        "models/unicode.js",
    ]


def test_the_playground_needs_no_weights(little):
    del little.files["models/little-gpt2.js"]
    assert little.run(
        ON_PAGE + 'const tokenizer = await openTokenizer(home, "little-gpt2"); return [tokenizer.kind,'
        " tokenizer.encode(a).ids];",
        TEXT,
    ) == ["bpe", tokenizer_of("little-gpt2").encode(TEXT).ids]


STATE = ON_PAGE + 'const { live, reason, info } = await openSource(home, "little-gpt2"); return [live, reason, info];'


def test_a_missing_file(little):
    del little.files["models/little-gpt2.js"]
    assert little.run(STATE) == [
        False,
        "The file little-gpt2.js could not be loaded: reload the page, or run this chapter in JupyterLab.",
        None,
    ]
    little.serve("little-gpt2", file_of("little-gpt2"))  # the next control tries again
    assert little.run(STATE)[:2] == [True, ""]


@pytest.mark.parametrize(
    "damage, sentence",
    [
        (lambda text: text[: len(text) // 2], "The file little-gpt2.js arrived damaged: reload the page."),
        (lambda text: "<!doctype html>", "The file little-gpt2.js arrived damaged: reload the page."),
        (
            lambda text: text.replace('"shapes":{', '"shapes":{"more":[1],', 1),
            (
                "The weights of “little-gpt2” do not fit its configuration: more belongs to no part of it. Build the"
                " site again."
            ),
        ),
        (
            lambda text: text.replace('"crc32":', '"crc32":1', 1),
            "The weights of “little-gpt2” are damaged: their checksum is wrong. Reload the page.",
        ),
    ],
)
def test_a_damaged_file(little, damage, sentence):
    little.serve("little-gpt2", damage(little.files["models/little-gpt2.js"]))
    assert little.run(STATE) == [False, sentence, None]
    assert little.fails(ON_PAGE + 'await (await openSource(home, "little-gpt2")).trace("The cat")') == sentence


def test_weights_that_arrive_late_are_announced(little):
    held = []
    little.page.route("**/little-gpt2.js", lambda route: held.append(route))
    first = little.run(
        ON_PAGE
        + """
      const source = await openSource(home, "little-gpt2");
      globalThis.later = new Promise((resolve) => source.onchange(({ live, reason }) => resolve([live, reason])));
      return [source.live, source.reason];"""
    )
    assert first == [False, "The weights of “little-gpt2” are on their way."]
    held.pop().fallback()
    assert little.run("return globalThis.later;") == [True, ""]


def test_a_folder_opened_from_disk(browser, tmp_path):
    """file:// allows neither modules nor fetch, so the engine comes as one classic script and finds the files beside
    it.
    """
    (tmp_path / "deep").mkdir()
    sizes = export(tmp_path / "_static" / "models", ("paper-gpt2",))
    assert set(sizes) == {"unicode.js", "stories.js", "paper-gpt2.tokenizer.js", "paper-gpt2.js"} and all(
        size == (tmp_path / "_static" / "models" / name).stat().st_size for name, size in sizes.items()
    )
    entry = SOURCES / "source.js"
    linked = "\n".join(modules(entry).values())
    (tmp_path / "_static" / "engine.js").write_text(
        f"(() => {{ {linked}\nglobalThis.engine = {variable(entry)}; }})();", encoding="utf-8"
    )
    (tmp_path / "deep" / "page.html").write_text(
        '<!doctype html><meta charset="utf-8"><script src="../_static/engine.js"></script>', encoding="utf-8"
    )
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "deep" / "page.html").as_uri())
    found = page.evaluate(
        """async () => { const source = await engine.openSource({ onPage: true }, "paper-gpt2");
      return source.live ? Array.from(await source.next((await source.encode("the cat sat")).ids)) : source.reason; }"""
    )
    page.close()
    bits = [logit / np.log(2) for logit in found]
    np.testing.assert_allclose(bits, [-1, -2, -2, 1, 0], atol=1e-11)
    assert all(url.startswith("file://") for url in asked)


class Widget(KernelSource):
    """What the mixin needs of an anywidget: `on_msg` and `send`."""

    def __init__(self):
        self.sent, self.hear = [], None

    def on_msg(self, hear):
        self.hear = hear

    def send(self, content, buffers=None):
        self.sent.append((content, buffers or []))


@pytest.fixture
def kernel(page):
    """A page whose widget model talks to a real KernelSource, as JupyterLab would carry the messages. Returns (page,
    widget).
    """
    widget = Widget()

    def carry(question: str) -> str:
        widget.sent.clear()
        asked, sent = json.loads(question)
        widget.hear(widget, asked, [memoryview(bytes(buffer)) for buffer in sent])
        [(content, buffers)] = widget.sent
        return json.dumps([content, [list(buffer) for buffer in buffers]])

    page.page.expose_function("carry", carry)
    page.run(
        """globalThis.widgetModel = { calls: [], on(event, fn) { this.calls.push(fn); }, send(content, _, sent) {
      carry(JSON.stringify([content, sent.map((buffer) => Array.from(new Uint8Array(buffer)))])).then((reply) => {
      const [back, buffers] = JSON.parse(reply), views = buffers.map((bytes) => { const odd = new Uint8Array(bytes.length + 3); odd.set(bytes, 3); return new DataView(odd.buffer, 3); });
      for (const fn of this.calls) fn(back, views); }); } };"""
    )  # the buffers begin at an odd place, as they may in JupyterLab
    return page, widget


IN_LAB = (
    'const { openSource, openTokenizer } = await engine("source"), source = await openSource(widgetModel, c ??'
    ' "little-gpt2");'
)


@pytest.mark.parametrize("library", ["labutils", "transformers"])
@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_the_kernel_answers_as_the_page_does(kernel, name, library):
    page, widget = kernel
    widget.serve(load(name, library=library))
    for key, content in (
        ("unicode", table()),
        (name, file_of(name)),
        (f"{name}.tokenizer", tokenizer_file(tokenizer_of(name))),
    ):
        page.serve(key, content)
    stages = [
        "q",
        "k",
        "v",
        "scores",
        "weights",
        "contributions",
        "input",
        "ffn_hidden",
        "token",
        "embedding_sum",
        "final",
        "logits",
    ]
    found = page.run(
        IN_LAB
        + """
      const other = await openSource({ onPage: true, models: "http://engine.test/models/" }, c), both = [];
      for (const s of [source, other]) {
        const encoding = await s.encode(a), t = await s.trace(a, { want: b });
        both.push([encoding.ids, encoding.tokens, encoding.offsets, encoding.typeIds, encoding.special, encoding.wordIds, t.ids, t.tokens, t.offsets, t.typeIds,
                   t.shape.L, t.shape.n, t.shape.V, t.shape.dk, await s.decode(t.ids), s.info.layers, s.info.kind, s.info.causal, s.info.parameters, s.info.maxTokens, s.info.ffn, s.info.norm, s.info.biases, s.info.keyHeads, s.info.rotaryBase]);
        both.push(Object.fromEntries(b.map((stage) => [stage, packed(t[stage])])));
      }
      return [both, source.home, source.info.label];""",
        TEXT + " 😀!",
        stages,
        name,
    )
    (here, arrays, there, others), home, label = found
    assert here == there and home == "kernel" and name.split("-")[1] in label.lower().replace("-", "")
    for stage in stages:
        a, b = unpacked(arrays[stage]), unpacked(others[stage])
        visible = ~np.isneginf(b)
        np.testing.assert_array_equal(visible, ~np.isneginf(a), err_msg=stage)
        np.testing.assert_allclose(a[visible], b[visible], rtol=1e-4, atol=1e-4, err_msg=stage)


CHANGED = """{ want: ["output", "logits"], change: {
  "layer 2 ffn_activated": (x, [n, f]) => x.map((u, at) => (at % f === 5 ? 3 * u + n : u)),
  "layer 1 weights": (w, [H, n, m]) => w.fill(0, 5 * n * m, 6 * n * m), "token": (x) => x.map((u) => 2 * u) } }"""


@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_a_changed_run_is_the_same_in_both_homes(kernel, name):
    """Functions cannot travel to Python, so they are called here, with what Python has at these places."""
    page, widget = kernel
    widget.serve(load(name))
    for key, content in (
        ("unicode", table()),
        (name, file_of(name)),
        (f"{name}.tokenizer", tokenizer_file(tokenizer_of(name))),
    ):
        page.serve(key, content)
    found = page.run(
        IN_LAB
        + f"""
      const other = await openSource({{ onPage: true, models: "http://engine.test/models/" }}, c), plain = await other.trace(a, {{ want: ["logits"] }});
      const [here, there] = [await source.trace(a, {CHANGED}), await other.trace(a, {CHANGED})];
      return [packed(here.output), packed(there.output), packed(here.logits), packed(there.logits), packed(plain.logits), here.offsets, there.offsets];""",
        TEXT,
        None,
        name,
    )
    *arrays, offsets, others = found
    here, there, logits, same, plain = map(unpacked, arrays)
    np.testing.assert_allclose(here, there, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(logits, same, rtol=1e-4, atol=1e-3)
    assert np.abs(same - plain).max() > 0.5 and offsets == others
    said = "This model has no stage “layer 9 k” to change. A stage of a block is called “layer 0 weights”, say."
    ask = IN_LAB + "await source.trace(a, { change: { 'layer 9 k': (x) => x } });"
    assert page.fails(ask, TEXT, None, name) == said


def test_the_kernel_continues_a_text_and_lends_its_tokenizer(kernel):
    page, widget = kernel
    widget.serve(load("paper-gpt2", dtype=torch.float64))
    found = page.run(
        IN_LAB
        + """
      const logits = await source.next([0, 1, 2]), tokenizer = await openTokenizer(widgetModel, c);
      return [logits.constructor.name, Array.from(logits), tokenizer.encode("on the mat").ids, source.info.kind];""",
        None,
        None,
        "paper-gpt2",
    )
    assert found[0] == "Float64Array" and found[2:] == [[3, 0, 4], "gpt2"]
    np.testing.assert_allclose(np.array(found[1]) / np.log(2), [-1, -2, -2, 1, 0], atol=1e-11)


def test_the_kernels_errors_reach_the_reader(kernel):
    page, widget = kernel
    widget.serve(load("little-gpt2"))
    ask = IN_LAB
    assert (
        page.fails(ask + 'await source.trace("")')
        == "The text is empty: there is no token to read. Write at least one word."
    )
    most = load("little-gpt2").model.config.n_positions
    assert f"tokens and this model reads at most {most}: shorten it." in page.fails(
        ask + 'await source.trace("The cat. ".repeat(500))'
    )
    assert (
        page.fails(ask + 'await source.trace("a\\ud800")')
        == "The text holds half a character at place 1 (a lone surrogate, U+D800): delete it."
    )
    assert (
        page.fails(ask + 'await source.trace("a", { want: ["mood"] })')
        == "A trace of this model has no stage called “mood”."
    )
    assert "100000" in page.fails(ask + "await source.next([100000])")
    assert page.fails(ask + "await source.tokens([-1])").startswith("There is no token -1")
    assert page.fails(ask + 'await source.trace(["x"])') == "Ids are whole numbers."
    unknown = page.run(IN_LAB + "return [source.live, source.reason];", None, None, "no-such-model")
    assert unknown[0] is False and "no-such-model" in unknown[1]


def test_a_kernel_that_does_not_answer(page):
    page.run("globalThis.widgetModel = { on(_, fn) { this.fn = fn; }, send(content) { this.asked = content; } };")
    found = page.run(
        IN_LAB
        + """
      const first = [source.live, source.reason], later = new Promise((resolve) => source.onchange((s) => resolve([s.live, s.info.name])));
      widgetModel.fn({ id: "of another view", answer: {} }, []);
      widgetModel.fn({ id: widgetModel.asked.id, answer: { info: { name: "little-gpt2" } } }, []);
      return [first, await later];"""
    )
    assert found == [
        [False, "Python has not answered yet. If no cell is running, choose Run, then Run All Cells."],
        [True, "little-gpt2"],
    ]


def test_a_question_that_was_lost_is_asked_again(page):
    """As where JupyterLab connected anew while a cell ran. An answer to each of two askings is taken once."""
    page.run(
        """const waits = globalThis.setTimeout, answer = { info: { name: "little-gpt2" } };
      globalThis.setTimeout = (late) => waits(late, 0); // ten seconds are over at once
      globalThis.widgetModel = {
        asked: [],
        on(_, fn) { this.fn = fn; },
        send({ id, ask }) {
          this.asked.push([id, ask]);
          if (this.asked.length === 3) waits(() => [1, 2].forEach(() => this.fn({ id, answer }, [])), 0), globalThis.setTimeout = waits;
        },
      };"""
    )
    found = page.run(
        IN_LAB
        + """
      if (!source.live) await new Promise((resolve) => source.onchange((s) => s.live && resolve()));
      return [source.live, source.info.name, new Set(widgetModel.asked.map(String)).size, widgetModel.asked.length];"""
    )
    assert found[:3] == [True, "little-gpt2", 1] and found[3] >= 3  # one question, three times or more


def test_stories_that_come_late_are_taken_all_the_same_and_lost_ones_asked_again(page):
    """The reader is told that a kernel is busy, and told nothing any more once it answers: here the third question."""
    found = page.run(
        """const told = [], { stories } = await import("http://engine.test/train/data.js");
      const zipped = async (bytes) => new DataView(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
      const packed = [await zipped(Uint8Array.of(1, 2)), await zipped(Uint8Array.of(3))];
      const waits = globalThis.setTimeout, asked = [];
      const model = { on(_, fn) { this.fn = fn; }, off() {}, send({ id, ask }) {
        asked.push([id, ask]);
        if (asked.length < 3) return;
        globalThis.setTimeout = waits;
        this.fn({ id: "of another view", stories: {} }, []);
        this.fn({ id, stories: { end: 5 } }, packed);
      } };
      globalThis.setTimeout = (late) => waits(late, 0); // ten seconds are over at once
      const { end, told: read } = await stories(model, (sentence) => told.push(sentence));
      return [end, [...read], told, asked.length, new Set(asked.map(String)).size];"""
    )
    silent = "Python has not answered yet. If no cell is running, choose Run, then Run All Cells."
    assert found == [5, [1, 2], [silent, silent, ""], 3, 1]


def test_an_answer_without_its_arrays(page):
    page.run(
        """globalThis.widgetModel = { on(_, fn) { this.fn = fn; }, send({ id, ask }) {
      this.fn(ask === "hello" ? { id, answer: { info: { name: "little-gpt2" } } } : { id, answer: {}, arrays: [{ name: "q", dtype: "float32" }] }, []); } };"""
    )
    assert (
        page.fails(IN_LAB + 'await source.trace("The cat")')
        == "Python’s answer arrived damaged: restart the kernel and run this cell again."
    )


def test_serve_takes_a_name_or_a_checkpoint_and_refuses_the_rest():
    widget = Widget()
    widget.serve("paper-gpt2")
    with pytest.raises(ValueError, match="no model named"):
        widget.serve("no-such-model")
    widget.hear(widget, {"no": "question"}, [])
    widget.hear(widget, "text", [])
    assert widget.sent == []
    widget.hear(widget, {"id": 1, "ask": "dance", "name": "paper-gpt2"}, [])
    assert widget.sent[-1][0] == {
        "id": 1,
        "error": "The control asked for 'dance', which this version of labutils does not know: restart the kernel.",
    }
    widget.hear(
        widget, {"id": 2, "ask": "encode", "name": "paper-gpt2"}, []
    )  # a question without its text is our own mistake
    assert widget.sent[-1][0] == {"id": 2, "error": "Python could not answer (KeyError: 'text')."}


def test_the_export_writes_the_same_bytes_again(tmp_path):
    export(tmp_path, ("paper-gpt2",))
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    export(tmp_path, ("paper-gpt2",))
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == before
