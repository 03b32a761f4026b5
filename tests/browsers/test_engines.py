"""Each control says in Firefox and in WebKit what it says in Chromium: `make browsers`."""

import re

import pytest
from browsers.conftest import moved
from browsers.drivers import ENGINES, Missing

PAGES = (
    "book/index",
    "notebooks/00_pipeline",
    "notebooks/01_rnn",
    "notebooks/02_tokenization",
    "notebooks/03_embeddings",
    "notebooks/04_attention",
    "notebooks/05_multi_head",
    "notebooks/06_feed_forward",
    "notebooks/play",
)
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")


@pytest.fixture(scope="session", params=["Firefox", "WebKit"])
def other(request):
    try:
        with ENGINES[request.param]() as browser:
            yield browser
    except Missing as sentence:
        pytest.fail(str(sentence))


def same(one: str, other: str) -> bool:
    """The same words, and each number the same but for one unit of its last digit: engines round sums differently."""
    if NUMBER.split(one) != NUMBER.split(other):
        return False
    return all(near(*pair) for pair in zip(NUMBER.findall(one), NUMBER.findall(other)))


def near(one: str, other: str) -> bool:
    digits = len(one.partition(".")[2])
    a, b = (float(text.replace(",", "").replace("−", "-")) for text in (one, other))
    return digits == len(other.partition(".")[2]) and abs(a - b) < (1.5 * 10**-digits if digits else 0.5)


def differences(expected: dict, found: dict) -> list[str]:
    if sorted(expected) != sorted(found):
        return [f"controls {sorted(found)}, expected {sorted(expected)}"]
    wrong = []
    for name, states in expected.items():
        if [state["move"] for state in states] != [state["move"] for state in found[name]]:
            wrong.append(f"{name}: other moves")
        for one, other in zip(states, found[name]):
            texts = [(one["said"], other["said"]), *zip(sum(one["rows"], []), sum(other["rows"], []))]
            bad = [pair for pair in texts if not same(*pair)]
            if bad or len(one["rows"]) != len(other["rows"]):
                wrong.append(f"{name}, {one['move'] or 'at first'}: {bad[:3]}")
    return wrong


@pytest.mark.parametrize("page", PAGES)
def test_every_control_says_the_same(other, page, address, in_chromium):
    expected = in_chromium(page)
    assert expected and all(state["said"] for states in expected.values() for state in states)
    assert differences(expected, moved(other, f"{address}{page}.html")) == []


def test_a_difference_is_seen():
    states = {"steps": [{"move": "", "said": "was gives 0.370 to It", "rows": [["It", "0.37"]]}]}
    later = {"steps": [{"move": "", "said": "was gives 0.371 to It", "rows": [["It", "0.39"]]}]}
    assert differences(states, states) == []
    assert differences(states, later) == ["steps, at first: [('0.37', '0.39')]"]
    assert same("1,000 of “a”", "1,000 of “a”") and not same("1,000", "1,001") and not same("−1.5", "1.5")
