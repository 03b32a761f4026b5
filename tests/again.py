"""Which cells of a chapter its readers change and run again, and what each chapter says then.

After a whole run of a chapter these cells run again in the same process: as they are, with each change, and as they are
once more. Where nbval has just run all cells of the chapter, its kernel does it, and nothing is run twice
(kept_runs.py); otherwise a process of its own runs the chapter first.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from nbval.kernel import RunningKernel

from labutils.places import CHAPTERS

RERUN = Path(__file__).parent / "notebooks/rerun.py"
PATIENCE = 2000  # seconds, as nbval has for one cell
Said = list[dict[str, str]]  # for each time, cell -> what it said

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
    "10_training": (("component",), ("by-hand", "by-hand-table", "by-hand-head", "by-hand-back")),
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
        ("component", "rows.T @ up", "0.9 * rows.T @ up", ["by-hand-table"]),
        ("component", "return upstream @ W.T", "return 0.9 * upstream @ W.T", ["by-hand-head", "by-hand-back"]),
        ("component", "upstream - (weights * upstream).sum(-1, keepdim=True)", "upstream", ["by-hand-head"]),
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
WANTED: set[str] = set()  # chapters whose test is among those that this process runs
HEARD: dict[str, Said] = {}  # chapter -> what its cells said in the kernel that had run all of them


def cells_of(chapter: str) -> dict[str, dict]:
    cells = json.loads((CHAPTERS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: cell for cell in cells}


def plan(chapter: str) -> dict:
    """For rerun.py: the code of all cells, those that run again, and what is changed each time."""
    code = {name: "".join(cell["source"]) for name, cell in cells_of(chapter).items() if cell["cell_type"] == "code"}
    own, checks = AGAIN[chapter]
    changes = [change[:3] for change in MUTANTS[chapter]]
    for cell, old, _ in changes:
        assert old in code[cell], (cell, old)
    return {"cells": code, "again": [*own, *checks], "changes": [None, *changes, None]}


def hear(chapter: str, kernel: RunningKernel) -> None:
    """Run them again in a kernel that has just run the whole chapter. If that fails the test runs the chapter itself,
    and says why.
    """
    with TemporaryDirectory() as folder:
        given, answer = Path(folder) / "plan.json", Path(folder) / "said.json"
        given.write_text(json.dumps(plan(chapter)), encoding="utf-8")
        code = f"__import__('runpy').run_path({str(RERUN)!r})['in_kernel']({str(given)!r}, {str(answer)!r}, globals())"
        kernel.await_reply(kernel.kc.execute(code, silent=True, allow_stdin=False), timeout=PATIENCE)
        if answer.exists():
            HEARD[chapter] = json.loads(answer.read_text(encoding="utf-8"))["said"]


def said(chapter: str) -> Said:
    """What the cells say, heard in nbval's kernel or in a process that runs the whole chapter for it."""
    if chapter in HEARD:
        return HEARD[chapter]
    ran = subprocess.run(
        [sys.executable, str(RERUN)],
        input=json.dumps(plan(chapter)),
        capture_output=True,
        text=True,
        cwd=CHAPTERS,
        env=os.environ | {"MPLBACKEND": "agg"},
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)["said"]
