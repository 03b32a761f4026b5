"""A function of the controls fits on a screen or two: at most 60 lines of JavaScript, counted by Biome's parser."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from labutils.authoring.check import scripts
from labutils.places import ROOT

CONTROLS = ROOT / "src/labutils/controls"
MOST = 60  # lines, from the first of a function to its last
# Functions that are still longer, with their lines. The list only shrinks: a number may fall, none is added.
OWED = {
    "beams/beams.js render": 83,
    "budget/budget.js render": 85,
    "engine/backward/session.js session": 70,
    "explorer/explorer.js bar": 66,
    "explorer/explorer.js canvas": 80,
    "explorer/explorer.js render": 86,
    "explorer/map.js heads": 120,
    "explorer/map.js heatmap": 209,
    "explorer/picture.js picture": 62,
    "next_word/hole.js render": 101,
    "next_word/next_word.js bars": 79,
    "next_word/next_word.js renderNext": 202,
    "plane/board.js board": 94,
    "plane/plane.js render": 82,
    "predict/number.js guessNumber": 74,
    "predict/question.js guessChoice": 65,
    "reuse/reuse.js render": 103,
    "steps/steps.js render": 67,
    "sweep/heatmap.js heatmap": 61,
    "train/handle.js handle": 67,
    "train/train.js render": 209,
    "transplant/board.js board": 148,
    "transplant/transplant.js render": 144,
    "walk/walk.js render": 98,
    "walk/words.js readout": 106,
}

# The rule counts lines of code; where a function begins and ends is what is asked of it.
RULE = {"complexity": {"noExcessiveLinesPerFunction": {"level": "error", "options": {"maxLines": 1}}}}
CONFIGURATION = {
    "root": True,
    "files": {"includes": ["**/*.js"]},
    "formatter": {"enabled": False},
    "linter": {"rules": {"preset": "none"} | RULE},
}
FOUND = re.compile(r"^::error title=.*?,file=(?P<file>.*?),line=(?P<first>\d+),endLine=(?P<last>\d+),", re.M)
NAME = re.compile(r"(?:(?:export|default|async|function\*?|const|let|static|return)\s+)*(?P<name>[\w$]+)")


def longer(folder: Path, most: int, settings: Path) -> dict[str, int]:
    """The lines of each function below `folder` that has more than `most`, by its file and its name.

    `settings` is an empty folder for the configuration.
    """
    try:
        biome = scripts.modules() / "@biomejs/biome/bin/biome"
    except scripts.NotHere as reason:
        pytest.skip(str(reason))
    (settings / "biome.jsonc").write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    command = ["node", biome, "lint", f"--config-path={settings}", *scripts.LISTED, "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    found = list(FOUND.finditer(run.stdout + run.stderr))
    assert found, run.stderr  # every folder has functions
    lines = {}
    for match in found:
        path, first, last = folder / match["file"], int(match["first"]), int(match["last"])
        if last - first < most:
            continue
        named = NAME.match(path.read_text(encoding="utf-8").splitlines()[first - 1].strip())
        name = named["name"] if named else f"line {first}"
        key = f"{path.relative_to(folder).as_posix()} {name}"
        lines[key] = max(last - first + 1, lines.get(key, 0))
    return lines


def test_a_function_of_the_controls_has_at_most_60_lines(tmp_path):
    """Cut a long one by idea: what a reader operates, what is drawn, what is computed."""
    found = longer(CONTROLS, MOST, tmp_path)
    grown = {name: n for name, n in found.items() if n > OWED.get(name, MOST)}
    assert not grown, f"longer than {MOST} lines, or than it was: {grown}"
    fallen = {name: found.get(name) for name, n in OWED.items() if found.get(name) != n}
    assert not fallen, f"shorter now: write these numbers into OWED, and take out what is None: {fallen}"


@pytest.mark.parametrize(
    ("begin", "end", "name"),
    [
        ("export function f(x) {", "}", "f"),
        ("export async function* g() {", "}", "g"),
        ("const h = (x) => {", "};", "h"),
        ("const one = {\n  method() {", "  },\n};", "method"),
        ("class One {\n  static begin() {", "  }\n}", "begin"),
    ],
)
def test_a_long_function_is_found_with_its_lines(begin, end, name, tmp_path):
    (tmp_path / "js").mkdir()
    for file, n in (("long.js", 59), ("short.js", 58)):
        body = ["  // one", "  two();"] * 30
        (tmp_path / "js" / file).write_text("\n".join([begin, *body[:n], end]), encoding="utf-8")
    assert longer(tmp_path / "js", MOST, tmp_path) == {f"long.js {name}": 61}
