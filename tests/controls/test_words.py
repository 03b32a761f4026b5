"""The words for numbers and tokens, tables that a spreadsheet may open, and text that never becomes markup."""

import math
import random
import re
from pathlib import Path

import pytest
from controls.expected import label
from controls.modules import load

from labutils.controls import bundle
from labutils.controls.reading import fitted, loaded

CONTROLS = Path(bundle.__file__).parent

NUMBERS = [
    0.0,
    -0.001,
    0.005,
    0.0049,
    0.995,
    0.9949,
    1.0,
    -1.005,
    2.5,
    12345.678,
    -0.5,
    1e-9,
    *(random.Random(0).uniform(-3, 3) for _ in range(200)),
]
TOKENS = [
    "cat",
    "␣cat",
    "␣",
    "␣␣␣␣␣␣",
    "##ed",
    "a\u202eb",
    "\u200f",
    "x" * 40,
    "👩‍👩‍👧",
    "⟨E2 82⟩",
    "é",
    "\n",
    "<b>",
    "a\x00b",
    "\ufeff",
    "ab␣",
]


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    for path, name in (
        ("look/kit.js", "kit"),
        ("look/markup.js", "markup"),
        ("look/words.js", "words"),
        ("look/draw.js", "draw"),
        ("look/save.js", "save"),
        ("look/feed.js", "feed"),
        ("explorer/numbers.js", "numbers"),
    ):
        load(page, path, name)
    yield page
    page.close()


@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
def test_numbers(page, decimals):
    ties = [
        x for x in NUMBERS if not math.isclose(abs(x) * 10**decimals % 1, 0.5, abs_tol=1e-9)
    ]  # where rounding is a matter of taste
    assert page.evaluate("([xs, d]) => xs.map((x) => words.num(x, d))", [ties, decimals]) == [
        re.sub("^-", "−", f"{0.0 if abs(x) < 0.5 * 10**-decimals else x:.{decimals}f}") for x in ties
    ]
    assert page.evaluate("() => words.num(-Infinity)") == "−∞"


def test_shares(page):
    shares = {
        0: "0%",
        0.001: "under 1%",
        0.005: "1%",
        0.94: "94%",
        0.125: "13%",
        0.9949: "99%",
        0.995: "over 99%",
        1: "100%",
    }
    assert page.evaluate("(xs) => xs.map(words.pct)", list(shares)) == list(shares.values())
    drawn = [share.replace("under ", "<").replace("over ", ">") for share in shares.values()]
    assert page.evaluate("(xs) => xs.map(words.short)", list(shares)) == drawn


def test_no_picture_writes_a_share_in_the_words_of_a_sentence():
    """What is drawn has the form of `short`, and no control makes one of its own."""
    own = re.compile(r"""["`]([<>]\s*\d+%|[<>] [\d$]|(?:under|over) \d+%)|pct\([^()]*\)\.replace""")
    written = {
        f"{path.parent.name}/{path.name}": [found[0] for found in own.finditer(path.read_text(encoding="utf-8"))]
        for path in CONTROLS.glob("*/*.js")
    }
    assert {name: forms for name, forms in written.items() if forms} == {
        "look/words.js": ['"under 1%', '"over 99%', "pct(x).replace"],
        "points/words.js": ['"under 1%'],
    }


def test_tokens(page):
    assert page.evaluate("(ts) => ts.map((t) => words.label(t))", TOKENS) == [label(token) for token in TOKENS]
    assert page.evaluate("() => words.label('a\\u202eb')") == "aU+202Eb"


def test_a_vector_is_columns_about_its_zero_line(page):
    assert (
        page.evaluate("() => draw.columns([3, -1.5, 0, 99], 3, 28)")
        == "M1.5 1.00h7.0v13.00h-7.0zM11.5 14.00h7.0v6.50h-7.0zM21.5 13.40h7.0v0.60h-7.0zM31.5 1.00h7.0v13.00h-7.0z"
    )


@pytest.mark.parametrize(
    "most, top", [(0, 1), (0.3, 0.3), (1, 1), (1.01, 2), (4.1, 5), (27, 30), (0.0123, 0.02), (65, 80), (99, 100)]
)
def test_the_top_of_a_scale_is_the_next_number_that_can_be_written(page, most, top):
    assert page.evaluate("(most) => numbers.ceiling([0, most])", most) == pytest.approx(top)


@pytest.mark.parametrize("cap", [2, 3, 7, 50])
@pytest.mark.parametrize("name", ["little-gpt2", "little-bert"])
def test_a_text_that_is_too_long_keeps_its_last_special_token(page, name, cap):
    encoding = loaded(name).tokenizer.encode("The cat sat on the mat. It was tired.")
    ids = page.evaluate(
        "([e, cap]) => feed.fitted(e, cap)",
        [{"ids": list(encoding.ids), "special": list(encoding.special_tokens_mask)}, cap],
    )
    assert ids == fitted(encoding, cap) and len(ids) == min(cap, len(encoding.ids))
    assert name == "little-gpt2" or ids[-1] == encoding.ids[-1]


def test_a_table_for_a_spreadsheet_runs_nothing(page):
    text = page.evaluate(
        "([head, rows]) => save.csvText(head, rows)",
        [["key", "a,b"], [["=1+1", "−0.50"], ['say "no"', "-x"], ["@me", "−∞"]]],
    )
    assert text == 'key,"a,b"\r\n\'=1+1,-0.50\r\n"say ""no""",\'-x\r\n\'@me,-∞\r\n'


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "&lt;b&gt;", "</script>"])
def test_text_never_becomes_markup(page, text):
    made = page.evaluate(
        "(t) => { const all = [markup.b(t), markup.bdi(t), words.quote(t), markup.e('i', {}, t)].map((one) =>"
        " kit.h('p', {}, one).firstChild).concat([kit.h('b', { text: t }), kit.s('text', { text: t })]); return"
        " all.map((el) => [el.textContent, el.querySelectorAll('*').length]); }",
        text,
    )
    assert [inside for _, inside in made] == [0] * 6
    assert all(text in said or label(text) in said for said, _ in made)
