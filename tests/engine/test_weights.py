"""A model file that is cut short, altered, or lies about itself is refused with one sentence."""

import base64
import copy
import zlib

import numpy as np
import pytest
import torch
from engine.models import draw, file_of

from labutils.controls.engine.model_file import model_file
from labutils.models import GPT2, GPT2Config

OPEN = 'const { openModel } = await engine("model_file"); await openModel(a);'
OLDER = f"""const own = Uint8Array.fromBase64;
Uint8Array.fromBase64 = undefined;
try {{ {OPEN} }} finally {{ Uint8Array.fromBase64 = own; }}"""


@pytest.fixture
def file():
    return copy.deepcopy(file_of("drawn gpt2"))


def data_of(file: dict) -> bytes:
    return base64.b64decode(file["weights"]["data"])


def put(file: dict, data: bytes, checksum: bool = True) -> dict:
    file["weights"]["data"] = base64.b64encode(data).decode()
    if checksum:
        file["weights"]["crc32"] = zlib.crc32(data)
    return file


both_browsers = pytest.mark.parametrize("code", [OPEN, OLDER], ids=["a browser of today", "an older one"])


@both_browsers
def test_the_file_itself_is_fine(shared_page, file, code):
    assert shared_page.fails(code, file) == "no error"


def test_cut_short(shared_page, file):
    n = len(data_of(file))
    put(file, data_of(file)[:-2])
    assert (
        shared_page.fails(OPEN, file)
        == f"The weights of “drawn gpt2” are incomplete: {n - 2} of {n} bytes arrived. Reload the page."
    )


def test_one_bit_changed(shared_page, file):
    data = bytearray(data_of(file))
    data[1000] ^= 1
    put(file, bytes(data), checksum=False)
    assert (
        shared_page.fails(OPEN, file)
        == "The weights of “drawn gpt2” are damaged: their checksum is wrong. Reload the page."
    )


@both_browsers
def test_no_base64(shared_page, file, code):
    file["weights"]["data"] = "<html>not found</html>"
    assert (
        shared_page.fails(code, file)
        == "The weights of “drawn gpt2” are damaged: they are not base64. Reload the page."
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_weight_that_is_no_number(shared_page, file, value):
    halves = np.frombuffer(data_of(file), "<f2").copy()
    halves[31 * 15 + 1] = value  # the token table comes first, then the positions
    put(file, halves.tobytes())
    assert (
        shared_page.fails(OPEN, file)
        == "The weights of “drawn gpt2” hold a value that is no number, in embeddings.position.table.weight: build the"
        " site again."
    )


@pytest.mark.parametrize(
    "change, sentence",
    [
        (lambda w: w["shapes"].update({"final_norm.gain": [14]}), "final_norm.gain is 14 and should be 15"),
        (
            lambda w: w["shapes"].update({"blocks.0.feed_forward.expand.weight": [15, 22]}),
            "blocks.0.feed_forward.expand.weight is 15 × 22 and should be 22 × 15",
        ),
        (lambda w: w["shapes"].update({"blocks.0.norm1.gain": None}), "blocks.0.norm1.gain is null and should be 15"),
        (lambda w: w["shapes"].pop("blocks.2.norm2.bias"), "blocks.2.norm2.bias is missing"),
        (lambda w: w["shapes"].update({"blocks.3.norm1.gain": [15]}), "blocks.3.norm1.gain belongs to no part of it"),
        (lambda w: w.pop("shapes"), "embeddings.token.weight is missing"),
        (lambda w: w.update({"dtype": "float32"}), "are of type float32, which this page cannot read"),
    ],
)
def test_lies_about_its_shape(shared_page, file, change, sentence):
    change(file["weights"])
    said = shared_page.fails(OPEN, file)
    assert sentence in said and said.endswith("uild the site again.")


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"layers": 0}, "layers is 0"),
        ({"heads": 4}, "3 key heads cannot serve 4 heads equally"),
        ({"headDim": 6}, "blocks.0.attention.query.weight is 15 × 15 and should be 18 × 15"),
        ({"keyHeads": 1}, "blocks.0.attention.key.weight is 15 × 15 and should be 5 × 15"),
        ({"rotaryBase": 0}, "the base of the rotary positions is 0"),
        ({"rotaryBase": 1e4}, "5 columns do not fall into pairs to be turned"),
        ({"tied": False}, "head.weight is missing"),
        ({"vocab": 1e9}, "vocab is 1000000000"),
        ({"maxTokens": 16}, "embeddings.position.table.weight is 17 × 15 and should be 16 × 15"),
        ({"activation": "swish"}, "the activation is swish"),
        ({"activation": "constructor"}, "the activation is constructor"),
        ({"eps": 0}, "eps is 0"),
        ({"width": None}, "width is null"),
    ],
)
def test_lies_about_its_configuration(shared_page, file, change, sentence):
    file["config"] |= change
    assert sentence in shared_page.fails(OPEN, file)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"norm": "batch"}, "“batch” is no norm that this page computes"),
        ({"norm": "rms"}, "blocks.0.norm1.bias belongs to no part of it"),
        ({"scale": 0}, "the scale of the scores is 0"),
        ({"has": ["token", "taste"]}, "“taste” is no stage"),
        ({"has": ["token"]}, "embeddings.position.table.weight belongs to no part of it"),
        ({"block": "post-norm"}, "final_norm.gain belongs to no part of it"),
        ({"biases": []}, "blocks.0.attention.query.bias belongs to no part of it"),
        ({"same": None}, "the table of stages is missing"),
    ],
)
def test_lies_about_its_record(shared_page, file, change, sentence):
    assert sentence in shared_page.fails(OPEN, file | change)


def test_no_model_at_all(shared_page):
    assert "layers is undefined" in shared_page.fails(OPEN, {"name": "x", "kind": "gpt2", "causal": True})


def test_what_it_is_called_changes_nothing(shared_page, file):
    assert shared_page.fails(OPEN, file | {"kind": "another"}) == "no error"


def test_python_refuses_to_write_what_is_not_exact():
    model = draw(GPT2(GPT2Config(vocab_size=5, n_positions=4, d_model=4, n_layers=1, n_heads=2)))
    gain = model.final_norm.gain
    for value, sentence in (
        (0.1, "final_norm.gain is not exactly float16"),
        (torch.nan, "no finite number"),
        (1e6, "not exactly float16"),
    ):
        with torch.no_grad():
            gain[0] = value
        with pytest.raises(ValueError, match=sentence):
            model_file("mine", model)
    with pytest.raises(ValueError, match="Only GPT2 and Bert of labutils"):
        model_file("mine", torch.nn.Linear(2, 2))


def test_checksum_is_zlibs(shared_page):
    data = bytes(range(256)) * 5
    assert shared_page.run(
        'const { checksum } = await engine("weights"); return checksum(Uint8Array.from(a));', list(data)
    ) == zlib.crc32(data)
