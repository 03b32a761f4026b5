"""Budget: its parameters are HuggingFace's, its bytes and operations the package's, and each input moves what is said."""

import re

import pytest
import torch
import transformers
from bs4 import BeautifulSoup
from controls.hands import assert_a_picture, choose, taken
from playwright.sync_api import expect

from labutils.controls import Budget
from labutils.controls.budget import SHAPES
from labutils.layers import cache_bytes, operations, parameters


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_has_the_parameters_that_huggingface_counts(name):
    s = SHAPES[name]
    if s["gated"]:
        config = transformers.LlamaConfig(
            vocab_size=s["vocab"],
            hidden_size=s["width"],
            intermediate_size=s["ffn"],
            num_hidden_layers=s["layers"],
            num_attention_heads=s["heads"],
            num_key_value_heads=s["keyHeads"],
        )
        kind = transformers.LlamaForCausalLM
    else:
        config = transformers.GPT2Config(n_embd=s["width"], n_layer=s["layers"], n_head=s["heads"])
        kind = transformers.GPT2LMHeadModel
    with torch.device("meta"):
        assert Budget(name).numbers()["parameters"] == sum(p.numel() for p in kind(config).parameters())


def test_72_36_and_18_mebibytes():
    kept = [Budget(kept_bits=bits).numbers()["kept"] / 2**20 for bits in (32, 16, 8, 4)]
    assert kept == [72, 36, 18, 9] == [cache_bytes(1024, 12, 12, 64, bits / 8) / 2**20 for bits in (32, 16, 8, 4)]


@pytest.mark.parametrize("tokens", [1, 100, 1024])
def test_its_operations_are_those_of_the_package(tokens):
    wanted = 12 * sum(operations(1, 768, 12, 3072, past=tokens - 1)) + 2 * 50257 * 768
    assert Budget(tokens=tokens, texts=3).numbers()["operations"] == 3 * wanted


@pytest.mark.parametrize("name", SHAPES)
def test_its_parts_are_those_of_the_package_and_of_huggingface(name):
    s, control = SHAPES[name], Budget(name, tokens=96, parts=True)
    found = control.by_part()
    assert sum(found["parameters"].values()) == control.numbers()["parameters"]
    if s["gated"]:
        network, comparing = 3 * s["width"] * s["ffn"], 4 * 96**2 * s["width"]
        projections = 2 * s["width"] ** 2 * (1 + s["keyHeads"] / s["heads"])
        rows = (2 * 96 * network, 2 * 96 * projections, comparing)
        assert found["parameters"]["networks"] == s["layers"] * network
        assert found["parameters"]["attention"] == s["layers"] * projections
    else:
        one, of = parameters(s["width"], s["ffn"]), operations(96, s["width"], s["heads"], s["ffn"])
        rows = (of.feed_forward, of.projecting, of.comparing)
        assert found["parameters"]["networks"] == s["layers"] * one.feed_forward
        assert found["parameters"]["attention"] == s["layers"] * one.attention
    assert list(found["operations"].values()) == [s["layers"] * row for row in rows]


def test_the_view_of_parts_has_inputs_of_its_own(open_page):
    opened = open_page(Budget(tokens=256, parts=True), width=760)
    control = opened.control()
    said = control.locator(".itt-readout")
    expect(said).to_contain_text("45.5% of them are in its feed-forward networks")
    expect(said).to_contain_text("A text of 256 tokens takes 45.9 billion operations in its blocks, 63.2%")
    control.get_by_role("slider", name="Tokens").press("End")
    expect(said).to_contain_text("54.5% of them in the networks. Longer texts it cannot read.")
    choose(control, "A weight", 1)
    expect(said).to_contain_text("237 MiB in float16")
    control.get_by_role("combobox", name="Model").select_option("GPT-2 XL")
    expect(said).to_contain_text("63.1%")
    assert control.get_by_role("slider").count() == 1 and control.get_by_role("combobox").count() == 1
    assert "parameters,tables and norms," in taken(opened, control, "Data (CSV)")
    assert_a_picture(opened, taken(opened, control, "Picture (SVG)"))
    assert opened.complaints == []
    opened.fits(1280, 350)


def test_the_still_picture_shows_them():
    still = Budget().picture()
    assert all(words in still for words in (">475 MiB<", ">72 MiB<", ">72 KiB<", "124 million parameters"))


def test_one_axis_holds_for_all_formats_so_fewer_bits_shorten_their_own_bar():
    def drawn(**more):
        still = BeautifulSoup(Budget("GPT-2 XL", tokens=1024, **more).picture(), "html.parser").select_one(
            "svg.is-wide"
        )
        return [float(one["width"]) for one in still.select("rect")], [t.get_text() for t in still.select("text")]

    (weights, kept), words = drawn(weight_bits=32)
    (fewer, same), _ = drawn(weight_bits=4)
    assert (fewer, same) == (pytest.approx(weights / 8), kept)
    assert words[:3] == ["0", "2 GiB", "4 GiB"]
    (_, kept), _ = drawn(kept_bits=32, texts=40)  # more texts than the weights weigh: the axis grows with them
    assert kept == pytest.approx(weights)
    assert drawn(kept_bits=8, texts=40)[0][1] == pytest.approx(kept / 4)


def test_every_input_moves_what_is_said(open_page):
    opened = open_page(Budget(), width=760)
    control = opened.control()
    said = control.locator(".itt-readout")
    expect(said).to_contain_text("keeps 72 MiB, 15% of the weights")
    choose(control, "A kept number", 2)
    expect(said).to_contain_text("keeps 18 MiB")
    choose(control, "A weight", 1)
    expect(said).to_contain_text("237 MiB")
    control.get_by_role("combobox", name="Key heads").select_option("1")
    expect(said).to_contain_text("keeps 1.5 MiB")
    expect(said).to_contain_text("It was built with 12 key heads.")
    control.get_by_role("combobox", name="Model").select_option("Llama 3 8B")
    expect(control.get_by_role("combobox", name="Key heads")).to_have_value("8, as built")
    control.get_by_role("slider", name="Tokens").press("End")
    control.get_by_role("slider", name="Texts").press("End")
    expect(said).to_contain_text("64 texts of 8,192 tokens keep 32 GiB, 2.1 times as much as the weights")
    assert f"bytes kept,{32 * 2**30}" in taken(opened, control, "Data (CSV)")
    assert_a_picture(opened, taken(opened, control, "Picture (SVG)"))
    link = control.get_by_role("link", name="Link to this state")
    link.focus()
    expect(link).to_have_attribute("href", re.compile("tokens=8192&texts=64"))
    control.get_by_role("combobox", name="Model").select_option("GPT-2 XL")
    expect(said).to_contain_text("of 1,024 tokens")
    expect(said).to_contain_text("Longer texts it cannot read.")
    assert opened.complaints == []


def test_no_serious_finding_and_no_sideways_scroll(open_page):
    opened = open_page(Budget("Llama 2 70B", texts=40), width=1280)
    opened.control()
    opened.fits(1280, 350)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"model": "GPT-9"}, "is not known"),
        ({"kept_bits": 3}, "is not known"),
        ({"tokens": 0}, "outside 1 to 8192"),
        ({"key_heads": 5}, "5 key heads cannot serve 12 heads equally"),
    ],
)
def test_wrong_arguments_are_one_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        Budget(**arguments)
