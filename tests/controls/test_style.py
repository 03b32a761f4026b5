"""The stylesheets: complete, in a fixed order, and each rule of JupyterLab's part kept to chapters."""

import re

from labutils.controls.style import LAB, LOOK, SHARED, SITE, css


def test_every_stylesheet_has_its_place():
    assert {path.stem for path in LOOK.glob("*.css")} == {*SHARED, *SITE, *LAB}


def test_tokens_come_first_and_no_unknown_token_is_used():
    for home in ("site", "lab"):
        text = css(home)
        assert text.startswith("/* Inside the Transformer: design tokens.")
        defined = set(re.findall(r"(--itt-[\w-]+)\s*:", text))
        assert set(re.findall(r"var\((--itt-[\w-]+)", text)) <= defined


def test_braces_are_balanced():
    for path in LOOK.parent.rglob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        assert text.count("{") == text.count("}"), path.name


def test_jupyterlab_rules_touch_only_what_is_the_books():
    text = re.sub(r"/\*.*?\*/", "", (LOOK / "lab.css").read_text(encoding="utf-8"), flags=re.S).strip()
    assert text.startswith(":is(.jp-Notebook:has(.itt-strip), .itt-book) {")
    depth = 0
    for i, letter in enumerate(text):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth > 0 or i == len(text) - 1 or i < text.index("{")
