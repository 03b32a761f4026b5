"""A reader's own file of GPT-2 in a page: every stage equals Python's, and a wrong file is one sentence."""

import base64

import numpy as np
import pytest
import torch
from engine.conftest import unpacked
from engine.own_files import altered, drawn, folder, published
from engine.test_models import flat
from safetensors.torch import load_file, save_file

from labutils.analysis.contributions import contributions
from labutils.checkpoints import load, load_tokenizer
from labutils.controls.engine.model_file import record
from labutils.controls.engine.tokenizer_file import tokenizer_file
from labutils.text.unicode import table
from labutils.trace import trace

OPENED = """
  const { openFiles } = await engine("own/open"), shares = [];
  const bytes = Uint8Array.from(atob(a), (ch) => ch.charCodeAt(0));
  const file = Object.assign(new Blob([bytes]), { name: "model.safetensors" });
  const model = await openFiles([file], b, (share) => shares.push(share), c.plain);
"""
STAGES = """
  const { contributions } = model.trace(c.ids, { want: ["contributions"] });
  const stages = { ...model.trace(c.ids), contributions };
  return { fast: model.fast, bytes: model.bytes, info: model.info, shares, next: packed(model.next(c.ids)),
    stages: Object.fromEntries(Object.entries(stages).map(([name, array]) => [name, packed(array)])) };
"""
IDS = [7, 300, 0, 41, 41, 12, 99, 250, 3]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The model as Python reads it, in float64, and the three ways in which its file may be written."""
    place, model = tmp_path_factory.mktemp("own"), drawn(dtype=torch.bfloat16)
    whole = folder(model, place / "saved")
    (whole / "tokenizer.json").write_text('{"model": {"type": "WordLevel", "vocab": {"a": 0}}, "normalizer": null,'
                                          ' "pre_tokenizer": {"type": "WhitespaceSplit"}}', encoding="utf-8")  # fmt: skip
    files = {"saved": whole / "model.safetensors"} | {
        name: published(model, place / f"{name}.safetensors", dtype)
        for name, dtype in (("plain", torch.float32), ("half", torch.float16), ("bfloat", torch.bfloat16))
    }
    tensors = load_file(files["saved"])
    tensors["lm_head.weight"] = tensors.pop("transformer.wte.weight")  # as safetensors.torch.save_model writes it
    files["head"] = place / "head.safetensors"
    save_file(tensors, files["head"], {"format": "pt"})
    return load(whole, dtype=torch.float64).model, files


def given(path):
    return base64.b64encode(path.read_bytes()).decode(), record("your-gpt2", load("little-gpt2").model, "Your GPT-2")


@pytest.mark.parametrize("name", ["saved", "plain", "bfloat", "head"])
@pytest.mark.parametrize("plain", [False, True], ids=["wasm", "js"])
def test_every_stage_equals_pythons(shared_page, made, name, plain):
    model, files = made
    found = shared_page.run(OPENED + STAGES, *given(files[name]), {"ids": IDS, "plain": plain})
    t = trace(model, IDS)
    wanted = flat(t) | {"contributions": contributions(t, model).numpy().ravel()}
    assert found["stages"].keys() == wanted.keys() and found["fast"] is not plain
    for stage, values in wanted.items():
        here, seen = unpacked(found["stages"][stage]), ~np.isneginf(values)
        assert here.shape == values.shape and np.array_equal(~np.isneginf(here), seen), stage
        gap = np.abs(here[seen] - values[seen]).max()
        # float32 products: a sum of 512 such numbers is wrong in the sixth digit
        assert gap <= (3e-6 if not plain else 1e-9 if len(here) < 50_000 else 1e-6) * (
            1 + np.abs(values[seen]).max()
        ), stage
    np.testing.assert_allclose(unpacked(found["next"]), wanted["logits"][-301:], atol=2e-5)
    assert found["info"]["parameters"] == sum(p.numel() for p in model.parameters())
    assert found["info"]["heads"] == 2 and found["shares"][-1] == 1 and found["shares"] == sorted(found["shares"])


def test_half_precision_is_read_to_the_bit(shared_page, made):
    same = "return [model.bytes, packed(model.trace(c.ids, { want: ['token'] }).token)];"
    pages = [shared_page.run(OPENED + same, *given(made[1][name]), {"ids": IDS}) for name in ("plain", "half")]
    np.testing.assert_allclose(*(unpacked(tokens) for _, tokens in pages), atol=2**-25)
    table = shared_page.run(
        """const { readRows } = await engine("own/safetensors"), out = [];
           const bits = Uint16Array.from({ length: 65536 }, (_, i) => i), tensor = { dtype: "F16", shape: [65536], begin: 0 };
           await readRows(new Blob([bits]), tensor, (numbers) => out.push(...numbers));
           return packed(Float64Array.from(out));"""
    )
    np.testing.assert_array_equal(
        unpacked(table), np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    )


def test_going_on_costs_one_row_and_says_the_same(shared_page, made):
    found = shared_page.run(
        OPENED + "return [...c.ids.keys()].map((i) => packed(model.next(c.ids.slice(0, i + 1))));",
        *given(made[1]["plain"]),
        {"ids": IDS},
    )
    logits = trace(made[0], IDS).logits.numpy()
    for i, one in enumerate(found):
        np.testing.assert_allclose(unpacked(one), logits[i], atol=2e-5)


def test_a_row_without_a_token_is_shown_by_its_number(shared_page):
    """A table filled up to a multiple of 64: the tokenizer of Python names such rows in the same way."""
    tokenizer = load_tokenizer("little-gpt2")
    n = len(tokenizer)
    told = """
      const { openUnicode } = await engine("unicode"), { openTokenizer } = await engine("tokenizer");
      const { named } = await engine("own/named"), read = named(openTokenizer(b, openUnicode(a)), c[0] + 3);
    """
    given = (table(), tokenizer_file(tokenizer), [n, 5, n - 1])
    found = shared_page.run(
        told
        + "return [[...c, c[0] + 2].map(read.piece), read.decode([c[1], c[0], c[2]]), read.encode('The cat').ids];",
        *given,
    )
    pieces = [f"⟨row {n}⟩", *(tokenizer.pieces(i) for i in (5, n - 1)), f"⟨row {n + 2}⟩"]
    assert found == [pieces, tokenizer.decode([5, n - 1]), tokenizer.encode("The cat").ids]
    tokenizer.rows = n + 3
    assert pieces == [tokenizer.pieces(i) for i in (n, 5, n - 1, n + 2)]
    assert f"There is no token {n + 3}" in shared_page.fails(told + "read.piece(c[0] + 3);", *given)


def cut(path, to, size):
    to.write_bytes(path.read_bytes()[:size])
    return to


def move(name, **changes):
    return lambda header: header[name].update(changes)


WRONG = {  # what is done to a good file, and what the reader is told
    "empty": (lambda good, to: cut(good, to, 0), "is empty"),
    "eight letters": (lambda good, to: to.write_bytes(b"abcdefghij"), "is no .safetensors file"),
    "a zip": (lambda good, to: to.write_bytes(b"PK\3\4" + bytes(range(99))), "is a pickle of PyTorch"),
    "an old pickle": (lambda good, to: to.write_bytes(b"\x80\2\x8a\nl\xfc\x9cF\xf9"), "is a pickle of PyTorch"),
    "TensorFlow": (lambda good, to: to.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(9)), "is a file of TensorFlow"),
    "GGUF": (lambda good, to: to.write_bytes(b"GGUF\3\0\0\0\x95\0"), "is a GGUF file"),
    "a pointer": (lambda good, to: to.write_bytes(b"version https://git-lfs"), "is a pointer of Git LFS"),
    "a page": (lambda good, to: to.write_bytes(b"<!doctype html>"), "is a web page"),
    "settings": (lambda good, to: to.write_bytes(b'{"model_type": "gpt2"}'), "is a text of settings"),
    "no JSON": (lambda good, to: to.write_bytes(b"\4" + bytes(7) + b"[1,2"), "is no .safetensors file"),
    "no tensor": (lambda good, to: to.write_bytes(b"\2" + bytes(7) + b"{}"), "holds no tensor"),
    "cut in the header": (lambda good, to: cut(good, to, 200), "it breaks off in its header"),
    "cut later": (lambda good, to: cut(good, to, 10**6), "is incomplete: 1 MB of 2 MB are there"),
    "a shape that is none": (
        lambda good, to: altered(good, to, move("wpe.weight", shape=["x"])),
        "what cannot be",
    ),
    "another shape": (
        lambda good, to: altered(good, to, move("h.1.attn.c_proj.weight", shape=[64, 256])),
        "h.1.attn.c_proj.weight is 64 × 256 and should be 128 × 128",
    ),
    "numbers too few": (
        lambda good, to: altered(good, to, lambda h: h["ln_f.bias"]["data_offsets"].__setitem__(1, h["ln_f.bias"]["data_offsets"][1] - 4)),
        "ln_f.bias of the file is not as long",
    ),
    "whole numbers": (lambda good, to: altered(good, to, move("ln_f.bias", dtype="I8")), "is of type I8"),
    "a tensor less": (lambda good, to: altered(good, to, lambda h: h.pop("h.1.mlp.c_fc.bias")), "h.1.mlp.c_fc.bias is missing"),
    "a tensor more": (
        lambda good, to: altered(good, to, lambda h: h.update({"score.weight": h["ln_f.bias"]})),
        "This is no plain GPT-2: the file also holds score.weight",
    ),
    "another architecture": (
        lambda good, to: altered(good, to, lambda h: h.update(bert=h.pop("wte.weight"))),
        "This is a model of another architecture",
    ),
    "a BERT": (
        lambda good, to: altered(good, to, lambda h: h.update({"bert.encoder.layer.0.output.dense.bias": h["ln_f.bias"]}) or h.pop("wte.weight")),
        "This is a BERT or one of its relatives: it holds bert.encoder.layer.0.output.dense.bias and no wte.weight.",
    ),
    "a GPT-Neo": (
        lambda good, to: altered(good, to, lambda h: h.update({"h.0.attn.attention.q_proj.weight": h.pop("h.0.attn.c_attn.weight")})),
        "This is a GPT-Neo",
    ),
    "a LLaMA": (
        lambda good, to: altered(good, to, lambda h: h.update({"model.layers.0.self_attn.q_proj.weight": h.pop("wpe.weight")})),
        "of the LLaMA family",
    ),
    "a T5": (
        lambda good, to: altered(good, to, lambda h: h.update({"encoder.block.0.layer.0.SelfAttention.q.weight": h.pop("wpe.weight")})),
        "This is a T5",
    ),
    "another width": (
        lambda good, to: altered(good, to, move("wte.weight", shape=[602, 63])),
        "a multiple of 64",
    ),
    "too large": (
        lambda good, to: altered(good, to, move("wte.weight", shape=[40_000_000, 128])),
        "This GPT-2 has 5,120 million parameters, and a page takes at most 400 million",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_one_sentence(shared_page, made, tmp_path, name):
    make, told = WRONG[name]
    path = tmp_path / "wrong.safetensors"
    make(made[1]["plain"], path)
    said = shared_page.fails(OPENED + "return model.info;", *given(path), {"ids": IDS})
    assert told in said and said.endswith(".") and "undefined" not in said and len(said) < 200


PARTS = """
  const { openFiles } = await engine("own/open");
  const files = a.map(([name, text]) => new File([Uint8Array.from(atob(text), (ch) => ch.charCodeAt(0))], name));
  const model = await openFiles(files, b, () => {});
"""


@pytest.fixture(scope="module")
def parts(made, tmp_path_factory):
    """The model in several files, as HuggingFace writes a large one, with their index."""
    model, place = drawn(dtype=torch.bfloat16), tmp_path_factory.mktemp("parts")
    model.save_pretrained(place, max_shard_size="800KB")
    files = sorted(place.glob("model*.safetensors*"), key=lambda path: (path.suffix != ".json", path.name))
    assert len(files) == 4 and files[0].name == "model.safetensors.index.json"
    return [(path.name, base64.b64encode(path.read_bytes()).decode()) for path in files]


def test_the_parts_of_a_model_are_read_together(shared_page, made, parts):
    record_ = given(made[1]["plain"])[1]
    found = shared_page.run(PARTS + "return [model.info.label, packed(model.next(c))];", parts[::-1], record_, IDS)
    np.testing.assert_allclose(unpacked(found[1]), trace(made[0], IDS).logits[-1].numpy(), atol=2e-5)
    assert found[0].endswith("from your files")


MISCHOSEN = {  # of the index and three parts those that are chosen, and what the reader is told
    "one part": ([2], "The model lies in 3 files, and “model-00001-of-00003.safetensors” is not among them"),
    "the last is missing": ([0, 1, 2], "“model-00003-of-00003.safetensors” is not among them: choose all of them together"),
    "the index alone": ([0], "is a text of settings"),
    "one twice": ([1, 1, 2, 3], "Two of the files hold the tensor"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISCHOSEN)
def test_parts_without_the_others_are_one_sentence(shared_page, made, parts, name):
    which, told = MISCHOSEN[name]
    said = shared_page.fails(PARTS + "return 0;", [parts[i] for i in which], given(made[1]["plain"])[1], IDS)
    assert told in said and said.endswith(".") and len(said) < 200


def test_two_models_at_once_are_one_sentence(shared_page, made):
    text, record_ = given(made[1]["plain"])
    said = shared_page.fails(PARTS + "return 0;", [["model.safetensors", text], ["b.safetensors", text]], record_, IDS)
    assert "These 2 files are not the parts of one model" in said


WORKER = """
  const { serve } = await engine("own/worker"), waiting = new Map(), told = [];
  const scope = { postMessage: ({ id, answer, error, share }) =>
    share === undefined ? waiting.get(id)?.(error ?? answer) : told.push(share) };
  serve(scope);
  let next = 0;
  const ask = (ask, given, numbers = []) => new Promise((done) => {
    waiting.set(next, done);
    scope.onmessage({ data: { id: next++, ask, given, numbers } });
  });
  const file = new File([Uint8Array.from(atob(a), (ch) => ch.charCodeAt(0))], "model.safetensors");
"""


def test_a_worker_answers_as_the_kernel_does(shared_page, made):
    model, files = made
    found = shared_page.run(
        WORKER
        + """const { info } = await ask("open", { files: [file], record: b }), places = ["layer 1 context", "layer 0 context"];
             const { place, value, described } = await ask("stage", { ids: c.ids, of: places, put: [] });
             const half = value.map((x) => x / 2).buffer;
             const second = await ask("stage", { ids: c.ids, of: places.slice(0, 1), put: [place] }, [half]);
             const after = await ask("trace", { ids: c.ids, want: ["logits"], put: [place] }, [half]);
             const { logits } = await ask("next", { ids: c.ids });
             return { place, shape: described[0].shape, second: packed(second.value), after: packed(after.logits),
               logits: packed(logits), name: info.name, told: told.length, wrong: await ask("next", { ids: [400] }) };""",
        *given(files["plain"]),
        {"ids": IDS},
    )
    assert (found["place"], found["shape"]) == ("layer 0 context", [len(IDS), 128]) and found["name"] == "your-gpt2"
    half = trace(model, IDS, change={"layer 0 context": lambda x: x / 2})
    np.testing.assert_allclose(unpacked(found["second"]), half.layers[1].context.numpy().ravel(), atol=2e-5)
    np.testing.assert_allclose(unpacked(found["after"]), half.logits.numpy().ravel(), atol=2e-5)
    assert np.abs(half.logits.numpy() - trace(model, IDS).logits.numpy()).max() > 1e-3
    np.testing.assert_allclose(unpacked(found["logits"]), trace(model, IDS).logits[-1].numpy(), atol=2e-5)
    assert 1 < found["told"] <= 101 and found["wrong"] == "400 is no token of this model: its ids go from 0 to 300."
