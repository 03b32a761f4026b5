"""A page's models are computed by the same lines with WebAssembly and without: stage by stage, for each model."""

from base64 import b64encode
from functools import cache

import numpy as np
import pytest
from engine.empty_page import SOURCES, Page, unpacked
from engine.models import DRAWN, SHIPPED, file_of, ids_of, model_of

from labutils.controls.bundle import binaries

TEXT = SOURCES / "linear.wat"
STAGES = """
  const { openModel } = await engine("model_file"), model = await openModel(a), flat = [];
  for (const ids of b) {
    const stages = { ...model.trace(ids), ...model.trace(ids, { want: ["contributions"] }) };
    if (model.next) stages.next = model.next(ids);
    for (const [name, array] of Object.entries(stages)) flat.push([`${ids.length} tokens, ${name}`, packed(array)]);
  }
  return flat;
"""
CLOSE = 1e-10  # of the largest number of a stage, far below the 1e-5 that would be seen


@pytest.fixture(scope="module")
def pages(browser):
    """pages(name, loops): a page of its own for each kind of loop, opened once."""
    opened = {}

    def get(name: str, loops: list[str]) -> Page:
        if name not in opened:
            opened[name] = Page(browser, {"linear.wat": loops})
        return opened[name]

    yield get
    for page in opened.values():
        page.context.close()


def stages(page: Page, name: str, code: str = STAGES) -> dict[str, np.ndarray]:
    """One row, a tile of four, tiles with rows left, and as many as the model reads."""
    most = model_of(name).config.n_positions
    texts = [ids_of(name, n) for n in sorted({1, min(most, 4), min(most, 7), most})]
    return {stage: unpacked(text) for stage, text in page.run(code, file_of(name), texts)}


@cache
def in_plain_javascript(page: Page, name: str) -> dict[str, np.ndarray]:
    return stages(page, name)


def apart(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> list[str]:
    """The stages that differ, in the order in which a model computes them."""
    assert found.keys() == wanted.keys()
    names = []
    for stage, values in wanted.items():
        shown = ~np.isneginf(values)
        rounded = 1e-6 if values.dtype == np.float32 else CLOSE  # large arrays travel as float32
        if not np.array_equal(np.isneginf(found[stage]), ~shown) or not np.allclose(
            found[stage][shown], values[shown], rtol=0, atol=rounded * (1 + np.abs(values[shown]).max(initial=0))
        ):
            names.append(stage)
    return names


def compiled(text: str) -> list[str]:
    from wasmtime import wat2wasm

    return [b64encode(wat2wasm(text)).decode("ascii")]


@pytest.mark.parametrize("kind", [0, 1], ids=["products and sums fused", "without"])
@pytest.mark.parametrize("name", [*DRAWN, *SHIPPED])
def test_every_stage_is_the_same_as_in_plain_javascript(pages, name, kind):
    loops = binaries(TEXT)
    assert len(loops) == 2, "wasmtime is not installed: nothing is compiled"
    found = stages(pages(f"loops {kind}", loops[kind:][:1]), name)
    assert not apart(found, in_plain_javascript(pages("none", []), name))


WRONG = {  # what is wrong -> a piece of the text, and what stands in its place
    "a row forgotten": ("(call $sum (local.get $a2))", "(call $sum (local.get $a1))"),
    "half of each product": ("(i32.const 16))) (local.get $end)", "(i32.const 32))) (local.get $end)"),
    "one number of two": ("(f64x2.extract_lane 1 (local.get $v))", "(f64.const 0)"),
    "the next row begins too early": ("(local.set $x0 (local.get $x3))", "(local.set $x0 (local.get $x2))"),
    "a gap behind each row": ("(i32.const -2)", "(i32.const -1)"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_loop_is_seen(pages, what):
    right, wrong = WRONG[what]
    text = TEXT.read_text(encoding="utf-8")
    assert text.count(right) == 1
    page = pages(what, compiled(text.replace(right, wrong)))
    names = ("drawn gpt2", "drawn gpt2 relu")  # matrices with an odd and with an even number of columns
    assert any(apart(stages(page, name), in_plain_javascript(pages("none", []), name)) for name in names)


def test_without_memory_for_it_the_model_is_there_in_plain_javascript(pages):
    code = f"""const own = WebAssembly.Memory;
      WebAssembly.Memory = class {{ constructor() {{ throw new RangeError("none"); }} }};
      try {{ {STAGES} }} finally {{ WebAssembly.Memory = own; }}"""
    found = stages(pages("loops 0", binaries(TEXT)[:1]), "drawn gpt2", code)
    plain = in_plain_javascript(pages("none", []), "drawn gpt2")
    assert all(np.array_equal(found[stage], plain[stage]) for stage in plain)
