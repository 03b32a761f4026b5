"""The JavaScript of the controls, run from Python: what comes back, what a broken module says, and that nothing starts
before it is needed.
"""

import subprocess
import sys

import pytest

from labutils.controls import Sweep, bundle, script


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for module in (bundle, script):
        monkeypatch.setattr(module, "HERE", tmp_path)

    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")

    return write


def test_what_goes_in_and_what_comes_back(folder):
    folder(
        there=(
            'import { twice } from "./help.js";\nexport const f = (x, list) => ({ x: twice(x), list, none: null'
            " });\nexport const sum = (data) => { let n = 0; for (let i = 0; i < data.byteLength; i++) n +="
            " data.getUint8(i); return n; };"
        ),
        help="export const twice = (x) => x + x;",
    )
    assert script.call("there.js", "f", "é🐈\u2028'\"</b>\\", [1, 0.1]) == {
        "x": "é🐈\u2028'\"</b>\\" * 2,
        "list": [1, 0.1],
        "none": None,
    }
    assert script.call("there.js", "sum", bytes(range(256))) == sum(range(256))
    assert (
        script.call("there.js", "f", "\ud800", [])["x"] == "\ufffd\ufffd"
    )  # half a character could not be written into a page


def test_a_file_that_was_edited_is_read_again_for_another_module(folder):
    for one, number in (("first", 1), ("second", 2)):
        folder(
            shared=f"export const n = {number};", **{one: 'import { n } from "./shared.js";\nexport const f = () => n;'}
        )
        assert script.call(f"{one}.js", "f") == number


@pytest.mark.parametrize(
    "name, source, error, words",
    [
        ("broken0", "export const f = (;", script.ScriptError, r"broken0\.js cannot be read: SyntaxError: "),
        (
            "broken1",
            "export const f = () => null.x;",
            script.ScriptError,
            r"f of broken1\.js failed: Cannot read properties of null",
        ),
        ("broken2", "export const g = () => 1;", script.ScriptError, r"f of broken2\.js failed: "),
        (
            "broken3",
            'export const f = () => { throw new Error("The text is too long."); };',
            ValueError,
            r"^The text is too long\.$",
        ),
    ],
)
def test_a_bad_script_is_one_sentence(folder, name, source, error, words):
    folder(**{name: source})
    with pytest.raises(error, match=words) as refusal:
        script.call(f"{name}.js", "f")
    assert "\n" not in str(refusal.value) and str(refusal.value).endswith(".")


def test_the_same_picture_every_time_and_in_every_process():
    code = (
        "from labutils.controls import Sweep; print(Sweep('t', 'l', ('n', [1, 2, 3]), bars=(['a', 'b'], [[1, 2], [3,"
        " 4], [5, 6]]), curves={'c': [1, 4, 9]}).picture())"
    )
    first, second = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600).stdout
        for _ in range(2)
    )
    assert first == second and "<svg" in first
    sweep = Sweep("t", "l", ("n", [1, 2, 3]), bars=(["a", "b"], [[1, 2], [3, 4], [5, 6]]), curves={"c": [1, 4, 9]})
    assert sweep.picture() + "\n" == first


def test_v8_starts_with_the_first_picture_and_not_before():
    code = (
        "import sys, labutils.controls, labutils.controls.sweep; assert 'py_mini_racer' not in sys.modules;"
        " labutils.controls.Sweep('t', 'l', ('n', [1, 2]), curves={'c': [1, 2]}).picture(); assert 'py_mini_racer' in"
        " sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600).returncode == 0


def test_in_the_loop_of_a_notebook_a_picture_is_drawn_all_the_same():
    code = (
        "import asyncio; from labutils.controls.script import call\nasync def cell(): return call('look/words.js',"
        " 'num', -1.5)\nprint(asyncio.run(cell()), call('look/words.js', 'num', -1.5))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=600,
            check=True,
        ).stdout
        == "−1.50 −1.50\n"
    )


def test_without_v8_the_control_stays_and_a_sentence_says_what_is_missing(monkeypatch):
    def missing():
        raise script.NoEngine(
            "The still picture is drawn by JavaScript: install the package mini-racer, as requirements.txt names it."
        )

    monkeypatch.setattr(script, "_engine", missing)
    assert "install the package mini-racer" in Sweep("t", "l", ("n", [1, 2]), curves={"c": [1, 2]}).still()


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "&lt;b&gt;", "</script>", "\"' onload='x", "a\x00b\x1b", "\ud800"]
)
def test_text_is_never_markup(text):
    made = script.call(
        "look/markup.js", "markup", [{"tag": "b", "props": {"text": text, "title": text}, "kids": [text]}, text]
    )
    inside = made.removeprefix('<b title="')
    assert made.count("<") == 2 and inside.count('"') == 1 and "\x00" not in made and "\ud800" not in made
