"""A file of the size of GPT-2, 124 million drawn weights, in a page: every stage equals that of HuggingFace's model."""

import numpy as np
import pytest
from engine.conftest import unpacked
from engine.own_files import drawn, published
from engine.test_models import flat

from labutils.checkpoints import load
from labutils.controls.engine.model_file import record
from labutils.trace import trace

SIZES = {"n_layer": 12, "n_embd": 768, "n_head": 12, "n_positions": 1024, "vocab_size": 50257}
IDS = [464, 3797, 3332, 319, 262, 2603, 13]
OPENED = """
  const { openFiles } = await engine("own/open");
  const model = await openFiles([...document.querySelector("input").files], a, () => {}, c);
  const pack = (stages) => Object.fromEntries(Object.entries(stages).map(([name, array]) => [name, packed(array)]));
  return { info: model.info, bytes: model.bytes, stages: pack({ ...model.trace(b), next: model.next(b) }) };
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    model = drawn(**SIZES)
    return model, published(model, tmp_path_factory.mktemp("large") / "model.safetensors")


def test_every_stage_of_a_whole_gpt2_equals_huggingfaces(page, large):
    model, path = large
    assert 548_000_000 < path.stat().st_size < 549_000_000  # as the published file, with the masks in it
    page.page.set_content("<input type=file>")
    page.page.set_input_files("input", path)
    found = page.run(OPENED, record("your-gpt2", load("little-gpt2").model, "Your GPT-2"), IDS, False)
    wanted = flat(trace(model, IDS))
    wanted["next"] = wanted["logits"][-SIZES["vocab_size"] :]
    assert found["info"]["parameters"] == 124_439_808 and found["bytes"] < 520_000_000
    assert wanted.keys() <= found["stages"].keys()
    for stage, values in wanted.items():
        here, seen = unpacked(found["stages"][stage]), ~np.isneginf(values)
        assert np.array_equal(~np.isneginf(here), seen), stage
        gap = np.abs(here[seen] - values[seen]).max()
        assert gap <= 2e-5 * (1 + np.abs(values[seen]).max()), (stage, gap)  # both are float32, in another order
