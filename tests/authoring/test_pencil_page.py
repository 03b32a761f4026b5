"""The paper model on one page: the numbers that TEACH it are there, and none that is no fraction."""

import re

import pytest
import torch

from labutils.authoring.pages import pencil as pencil_page
from labutils.models import paper_model


def test_every_stage_of_the_cat_sat_is_there_in_order():
    text = pencil_page.page()
    expected = [
        "(2, −1, −1, 2)",  # the place of sat
        "(3, −1, −1, 3)",
        "1; 2",
        "(1, −1, −1, 1)",
        "(0, 1, 0) &nbsp; (1, 0, 0)",  # fits in bits
        "(1, 2, 1)/4 &nbsp; (2, 1, 1)/4",
        "(1, 2)/2 &nbsp; (1, 2)/2",
        "(7, 1, −1, 1)",
        "2; 3",
        "(5, −1, −3, −1)/3",
        "(2, −1) → (2, 0)",
        "(−3, 5, 3, 3)",
        "(−5, 3, 1, 1)/3",
        "(−1, −2, −2, 1, 0)",
        "(2, 1, 1, 8, 4)/16",
    ]
    at = 0
    for value in expected:
        assert value in text[at:], value
        at = text.index(value, at) + 1


def test_the_parameters_on_the_page_are_the_models():
    """Tokens, places, the four matrices of attention, the two of the network and one bias: the rest is 1 or 0."""
    rows = re.findall(r"\(([−\d, ]+)\)", pencil_page.page().split("| parameters |")[1])
    assert sum(len(row.split(",")) for row in rows) == 20 + 24 + 4 * 16 + 2 * 8 + 4
    model = paper_model()
    rest = [p for name, p in model.named_parameters() if "bias" in name and "query" not in name]
    assert all((p == 0).all() for p in rest) and sum(p.numel() for p in model.parameters()) == 170


def test_a_number_without_a_fraction_is_refused():
    with pytest.raises(ValueError, match="0.3333 is no simple fraction"):
        pencil_page.number(0.3333)
    assert pencil_page.vector(torch.tensor([0.5, 1 / 3], dtype=torch.float64)) == "(3, 2)/6"
