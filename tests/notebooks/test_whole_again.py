"""A chapter that was broken as its text invites begins anew in the same kernel: with the package's own functions."""

import json
import re
import subprocess
import sys

import pytest
from again import MUTANTS, RERUN, cells_of, plan

import labutils.layers.multi_head
import labutils.layers.scaled_dot_product
import labutils.text.bpe
import labutils.text.bpe_fast
import labutils.text.wordpiece
from labutils.exchanged import EXCHANGED, put_back
from labutils.places import CHAPTERS

BROKEN = {"02_tokenization": 0, "04_attention": 1}  # which of its mutants
TWICE = """import contextlib, io, json, runpy, sys
given, answer = json.load(sys.stdin), sys.stdout
sys.stdout = sys.stderr
shown, names, ended = runpy.run_path(given["rerun"])["shown"], {"__name__": "__main__"}, []
for change in (given["change"], None):
    with contextlib.redirect_stdout(io.StringIO()):
        for name, source in given["cells"].items():
            if change and name == change[0]:
                source = source.replace(*change[1:])
            try:
                shown(source, names)
            except Exception as error:
                ended.append([name, str(error)])
                break
json.dump(ended, answer)
"""


@pytest.mark.parametrize("chapter", BROKEN)
def test_a_chapter_with_a_broken_function_runs_again_from_the_top_once_it_is_mended(chapter):
    cell, old, new, noticed = MUTANTS[chapter][BROKEN[chapter]]
    given = {"cells": plan(chapter)["cells"], "change": (cell, old, new), "rerun": str(RERUN)}
    ran = subprocess.run(
        [sys.executable, "-c", TWICE], input=json.dumps(given), capture_output=True, text=True, cwd=CHAPTERS
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    [(red, _)] = json.loads(ran.stdout)  # the first time at a check that notices it, and the second time nowhere
    assert red in noticed


def test_what_chapters_exchange_is_listed():
    found = set()
    for path in CHAPTERS.rglob("*.ipynb"):
        code = "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
        homes = dict(re.findall(r"^import (labutils\.[\w.]+) as (package\w*)$", code, re.M))
        for home, called in homes.items():
            found |= {f"{home}:{name}" for name in re.findall(rf"^ *{called}\.(\w+) = ", code, re.M)}
    assert found == set(EXCHANGED)


@pytest.mark.parametrize("chapter", BROKEN)
def test_a_chapter_that_exchanges_something_begins_with_the_whole_package(chapter):
    first = next(cell for cell in cells_of(chapter).values() if cell["cell_type"] == "code")
    assert "you_are_here(" in "".join(first["source"])


def test_the_own_functions_are_put_back_and_what_is_own_stays(monkeypatch):
    own = labutils.text.wordpiece.longest_match
    put_back()
    assert labutils.text.wordpiece.longest_match is own
    for place in EXCHANGED:
        home, _, name = place.partition(":")
        monkeypatch.setattr(sys.modules[home], name, lambda *given: None)
    put_back()
    assert labutils.layers.multi_head.attention is labutils.layers.scaled_dot_product.attention
    assert labutils.text.bpe.merge_fast is labutils.text.bpe_fast.merge_fast
    assert labutils.text.wordpiece.longest_match.__code__ == own.__code__
