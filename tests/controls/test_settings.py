"""One line declares an argument: its signature, its check, its trait, and what a page may set it to."""

import inspect
from collections import Counter
from typing import Any

import numpy as np
import pytest
import traitlets as t
from playwright.sync_api import expect

from labutils import controls
from labutils.controls import NextWord, Steps, bundle
from labutils.controls.control import Control, fixed, setting


class Made(Control):
    """All kinds of lines."""

    TITLE, LEDE, CAP = "Made", "Nothing is drawn.", 7
    text: str = setting()
    count: int | None = setting(default=None, least=1, most=4)
    share: float = setting(default=0.5, least=0.0, most=1.0, kw_only=True)
    part: str = setting(default="row", choices=("row", "column"))
    on: bool = fixed(default=True)
    place: str | int = setting(default=0, kept=t.Int())
    data: Any = fixed(default=None)
    found: int = setting(default=0, init=False)

    def made(self, said):
        return {"place": int(said.place), "count": said.count or 2, "found": len(said.data or "")}


@pytest.fixture(autouse=True)
def without_a_module(monkeypatch):
    monkeypatch.setattr("labutils.controls.control.widget", lambda folder: "")
    monkeypatch.setattr("labutils.controls.control.look", lambda folder, asks: "")


def test_the_signature_is_that_of_the_lines():
    assert str(inspect.signature(Made)) == (
        "(text: str, count: int | None = None, part: str = 'row', on: bool = True, place: str | int = 0,"
        " data: Any = None, *, share: float = 0.5, title: str | None = None, lede: str | None = None,"
        " number: str = '', name: str = '', guess: Any = None)"
    )


def test_values_become_traits_and_what_no_trait_holds_is_not_kept():
    made = Made("a", np.int64(3), place="2", data="abc", share=1, on=0, number="1.2")
    assert (made.text, made.count, made.place, made.share, made.on, made.found) == ("a", 3, 2, 1.0, False, 3)
    assert (made.title, made.cap, made.number) == ("Made", 7, "1.2") and not made.has_trait("data")
    assert type(made.count) is int and type(made.on) is bool
    assert made.settings == {
        "text": {},
        "count": {"least": 1, "most": 4},
        "share": {"least": 0.0, "most": 1.0},
        "part": {"choices": ["row", "column"]},
        "place": {},
        "found": {},
    }
    with pytest.raises(t.TraitError):
        made.count = 5


def test_what_any_widget_takes_goes_to_the_widget():
    made = Made("a", model_id="front", layout={"width": "50%"}, tabbable=False)
    assert (made.model_id, made.layout.width, made.tabbable) == ("front", "50%", False)
    assert "model_id" not in inspect.signature(Made).parameters


def test_a_kernel_gives_the_same_ids_as_the_last_one_and_none_twice(monkeypatch):
    """By them a page that was loaded again finds the controls of the kernel that runs."""
    kernels = []
    for _ in range(2):
        monkeypatch.setattr("labutils.controls.control.MADE", Counter())
        kernels.append(
            [made.model_id for made in (Made("a"), Made("a"), Made("a", number="1.2"), Made("a", name="\ud800"))]
        )
    assert kernels[0] == kernels[1] and len(set(kernels[0])) == 4


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"count": 0}, "count=0 is outside 1 to 4."),
        ({"count": 2.5}, "count=2.5 is no whole number."),
        ({"share": float("nan")}, "share=nan is outside 0.0 to 1.0."),
        ({"share": "much"}, "share='much' is no number."),
        ({"text": 3}, "text=3 is no text."),
        ({"part": "rows"}, "part='rows' is not known: choose 'row' or 'column'."),
        ({"on": "yes"}, "on='yes' is no truth value."),
    ],
)
def test_a_wrong_value_is_one_sentence(wrong, words):
    with pytest.raises(ValueError) as refusal:
        Made(**{"text": "a"} | wrong)
    assert str(refusal.value) == words


@pytest.mark.parametrize("wrong, words", [({}, "missing a required argument: 'text'"), ({"txt": "a"}, "'text'|'txt'")])
def test_a_wrong_name_is_pythons_own_error(wrong, words):
    with pytest.raises(TypeError, match=f"^Made: .*({words})"):
        Made(**wrong)


@pytest.mark.parametrize("folder", bundle.controls())
def test_every_control_declares_all_that_it_takes(folder):
    made = getattr(controls, bundle.class_of(folder))
    assert "__init__" not in vars(made)
    for name, line in made.lines.items():
        assert not line.reader or made.class_traits(sync=True)[name], name


def test_a_page_reads_cap_range_and_choices_from_the_class(open_page):
    address = {"itt": "s", "temperature": "1e9", "step": "2"}
    control = open_page(Steps(name="s"), state=address).control()
    assert control.locator("input[type=range]").first.get_attribute("max") == f"{Steps.lines['temperature'].most:g}"
    expect(control.get_by_label("Your text, up to 24 tokens")).to_be_visible()
    expect(control.locator(".itt-value").first).to_have_text("4.0")
    expect(control.locator(".st-walk input").nth(1)).to_be_checked()
    control = open_page(NextWord(name="n"), state={"itt": "n", "top": "7"}).control()
    expect(control.get_by_label("10", exact=True)).to_be_checked()
