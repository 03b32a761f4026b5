"""Cells that are the reader's: after Run All they run again, and each check below notices what was changed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from labutils.places import CHAPTERS

INVITES = "edit-me"  # the id of the cell of text that says what to change and what to run again
# chapter: the cells that are the reader's, what its text says to run again
AGAIN = {
    "01_rnn": (("component",), ("check-plain",)),
    "02_tokenization": (("component-wordpiece", "component-train", "component-bpe"), ("use-mine", "check-many")),
    "03_embeddings": (("component-norm", "component"), ("check-cell",)),
    "04_attention": (("component",), ("use-mine", "torch-agrees", "leak-test", "paper-check", "little-check")),
    "05_multi_head": (("component",), ("stage-check", "use-mine")),
    "06_feed_forward": (("component", "component-blocks"), ("little-check", "use-mine")),
    "07_bert": (("component", "own-bert"), ("load-keys", "own-check")),
    "08_gpt2": (("component-block", "component"), ("stage-check",)),
    "09_output_heads": (("component",), ("check-bert",)),
    "10_training": (("component", "component-attention"), ("by-hand", "by-hand-back")),
    "11_kv_cache": (("component", "component-cache"), ("decode", "three-caches", "steps-agree", "float32-close")),
    "12_decoding": (
        ("component-temperature", "component-cuts", "component-draw"),
        ("check-hf", "check-draws", "draws-hold"),
    ),
}
# chapter: cell, what is changed in it, and the checks that say so
MUTANTS = {
    "01_rnn": [
        ("component", "torch.tanh(total)", "total", ["check-plain"]),
        ("component", "+ self.from_state(h)", "+ self.from_state(h).detach()", ["check-plain"]),
        ("component", "state = cell(token, state)", "state = cell(token, cell.start(token))", ["check-plain"]),
    ],
    "02_tokenization": [
        ("component-bpe", "min(known", "max(known", ["check-many"]),
        ("component-wordpiece", "range(len(word), start, -1)", "range(start + 1, len(word) + 1)", ["check-many"]),
        ("component-train", "(-pairs[pair]", "(pairs[pair]", ["use-mine"]),
    ],
    "03_embeddings": [
        ("component-norm", "centred = x - x.mean(-1, keepdim=True)", "centred = x", ["check-cell"]),
        ("component", "token + segment + position)", "token + position)", ["check-cell"]),
        ("component", "self.norm(total))", "total)", ["check-cell"]),
    ],
    "04_attention": [
        (
            "component",
            "math.sqrt(q.shape[-1]) if",
            "0.9 / math.sqrt(q.shape[-1]) if",
            ["use-mine", "torch-agrees", "paper-check", "little-check"],
        ),
        (
            "component",
            "~mask, -torch.inf",
            "~mask, -1.0",
            ["use-mine", "torch-agrees", "leak-test", "paper-check", "little-check"],
        ),
        ("component", "return shares @ v", "return shares.detach() @ v", ["little-check"]),
    ],
    "05_multi_head": [
        ("component", "self.query(x)", "0.9 * self.query(x)", ["use-mine", "stage-check"]),
        ("component", "self.output(see(", "(see(", ["use-mine", "stage-check"]),
    ],
    "06_feed_forward": [
        ("component", "ACTIVATIONS[self.activation](hidden)", "hidden.clamp(min=0)", ["little-check"]),
        ("component-blocks", "x + attended", "attended", ["little-check", "use-mine"]),
        ("component-blocks", 'see("ffn_input", self.norm2(x))', 'see("ffn_input", x)', ["little-check", "use-mine"]),
    ],
    "07_bert": [
        ("component", "x = self.norm(x)", "x = x", ["own-check"]),
        ("component", "self.bias", "self.shift", ["load-keys"]),
        ("own-bert", "x = block(x, padding_mask(attention_mask))", "x = block(x)", ["own-check"]),
    ],
    "08_gpt2": [
        ("component-block", "c.n_heads)", "1)", ["stage-check"]),
        ("component", "self.final_norm(x)", "x", ["stage-check"]),
        ("component", "block(x, mask)", "block(x, None)", ["stage-check"]),
    ],
    "09_output_heads": [
        ("component", "torch.tanh(self.dense(x[:, 0]))", "torch.tanh(self.dense(x[:, -1]))", ["check-bert"])
    ],
    "10_training": [
        ("component", "rows.T @ up", "0.9 * rows.T @ up", ["by-hand-back"]),
        ("component-attention", " / math.sqrt(q.shape[-1])", "", ["by-hand-back"]),
        ("component-attention", "upstream - (weights * upstream).sum(-1, keepdim=True)", "upstream", ["by-hand-back"]),
    ],
    "11_kv_cache": [
        ("component", "new.detach()", "0.9 * new.detach()", ["steps-agree"]),
        ("component", "self.length = past + n", "self.length = n", ["steps-agree"]),
        (
            "component-cache",
            "torch.arange(past, past + n)",
            "torch.arange(n)",
            ["decode", "steps-agree", "float32-close"],
        ),
    ],
    "12_decoding": [
        ("component-temperature", "logits / tau", "logits * tau", ["check-hf"]),
        ("component-cuts", "logits < least", "logits <= least", ["check-hf"]),
        ("component-cuts", "before >= p", "before + odds >= p", ["check-hf"]),
        ("component-cuts", "odds < p *", "odds < 3 * p *", ["check-hf"]),
        ("component-draw", "ends[..., -1:]", "0.9 * ends[..., -1:]", ["check-draws", "draws-hold"]),
    ],
}
# what stands below "The check" and says in its text that it is about the package's model, not about the reader's
OF_THE_PACKAGE = {"07_bert": {"bert-check", "bert-backward"}, "10_training": {"paper-check"}}

PREPARE = {"by-hand", "three-caches"}  # they say nothing: the next cell compares what they have made


def cells_of(chapter: str) -> dict[str, dict]:
    cells = json.loads((CHAPTERS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: cell for cell in cells}


def checks_of(chapter: str) -> list[str]:
    """The cells of code below the heading that all chapters give their check."""
    below, found = False, []
    for name, cell in cells_of(chapter).items():
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and (headings := re.findall(r"^## .*", text, re.M)):
            below = headings[-1] == "## The check"
        elif below and cell["cell_type"] == "code":
            found.append(name)
    return found


def test_every_chapter_that_invites_a_change_is_tried():
    chapters = [path.stem for path in sorted(CHAPTERS.glob("[0-9]*.ipynb"))]
    assert [name for name in chapters if INVITES in cells_of(name) or checks_of(name)] == list(AGAIN) == list(MUTANTS)


@pytest.mark.parametrize("chapter", AGAIN)
def test_after_run_all_the_cells_run_again_and_each_check_notices_a_change(chapter):
    cells = cells_of(chapter)
    code = {name: "".join(cell["source"]) for name, cell in cells.items() if cell["cell_type"] == "code"}
    own, checks = AGAIN[chapter]
    changes = [change[:3] for change in MUTANTS[chapter]]
    for cell, old, _ in changes:
        assert old in code[cell], (cell, old)
    plan = {"cells": code, "again": [*own, *checks], "changes": [None, *changes, None]}
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("rerun.py"))],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        cwd=CHAPTERS,
        env=os.environ | {"MPLBACKEND": "agg"},
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    before, *said, after = json.loads(ran.stdout)["said"]
    assert not {name: words for name, words in before.items() if "RAISED" in words or "differs" in words}
    assert after == before
    for (cell, old, new, noticed), words in zip(MUTANTS[chapter], said, strict=True):
        unseen = [name for name in noticed if words[name] == before[name]]
        assert not unseen, f"{cell}, {new!r} in place of {old!r}: {unseen} said {[words[name] for name in unseen]}"


def test_each_check_is_run_again_and_has_a_mutant_that_it_notices():
    for chapter, (_, again) in AGAIN.items():
        cells, noticed = cells_of(chapter), {name for *_, names in MUTANTS[chapter] for name in names}
        assert set(checks_of(chapter)) - set(again) == OF_THE_PACKAGE.get(chapter, set()), chapter
        unseen = set(again) - noticed
        assert unseen <= PREPARE and not any(cells[name]["outputs"] for name in unseen), (chapter, unseen)
