"""The parity table of the site, computed: each shipped model, ours against HuggingFace's, forward and backward."""

import re
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from labutils.checkpoints import load
from labutils.parity import StageTable, compare, compare_gradients
from labutils.trace import trace
from labutils.world import RUNNING_TEXT

TEXTS = {"paper-gpt2": "the cat sat", "little-gpt2": RUNNING_TEXT, "little-bert": RUNNING_TEXT}
PRECISIONS = (torch.float32, torch.float64)


@dataclass(frozen=True)
class Pair:
    """One model in one precision: the stages of a forward pass and the gradients of all parameters."""

    name: str
    dtype: torch.dtype
    forward: StageTable
    backward: StageTable


def measure(name: str, dtype: torch.dtype) -> Pair:
    """Run one text through both libraries' version of a shipped model, and back."""
    ours, theirs = (load(name, library=library, dtype=dtype) for library in ("labutils", "transformers"))
    ids = torch.tensor([ours.tokenizer.encode(TEXTS[name]).ids])
    forward = compare(trace(ours.model, ids[0]), trace(theirs.model, ids[0]))
    for model in (ours.model, theirs.model):
        _surprise(model, ids).backward()
    return Pair(name, dtype, forward, compare_gradients(ours.model, theirs.model))


def _surprise(model: nn.Module, ids: Tensor) -> Tensor:
    """A number that every parameter has a part in: the mean surprise at the next token, and at "these two belong
    together".
    """
    out = model(ids)
    logits = out.prediction_logits if hasattr(out, "prediction_logits") else out.logits  # (1, n, V)
    loss = nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:])
    pair = getattr(out, "seq_relationship_logits", None)
    pair = getattr(out, "nsp_logits", None) if pair is None else pair
    return loss if pair is None else loss + nn.functional.cross_entropy(pair, pair.new_zeros(1, dtype=torch.long))


def page() -> str:
    """Markdown: a summary with the measured differences, then the stage table of each model.

    Raises:
        ValueError: a stage differs. A site that claims parity is not built without it.
    """
    pairs = [measure(name, dtype) for name in TEXTS for dtype in PRECISIONS]
    for pair in pairs:
        for table in (pair.forward, pair.backward):
            if not table.equal:
                raise ValueError(f"{pair.name} differs from HuggingFace's at {table.first} in {pair.dtype}.")
    return _summary(pairs) + "".join(_section(name, [pair for pair in pairs if pair.name == name]) for name in TEXTS)


def _summary(pairs: list[Pair]) -> str:
    head = (
        "| Model | Precision | Stages | Largest difference | Gradients | Largest difference"
        " |\n|---|---|--:|--:|--:|--:|\n"
    )
    return head + "".join(
        f"| {pair.name} | {str(pair.dtype).removeprefix('torch.')} | {_cells(pair.forward)} |"
        f" {_cells(pair.backward)} |\n"
        for pair in pairs
    )


def _cells(table: StageTable) -> str:
    return f"{len(table.rows)} | {short(max(row.difference for row in table.rows))}"


def short(difference: float) -> str:
    """One digit and the power of ten, as 2e-16; 0 is 0."""
    return "0" if difference == 0 else f"{difference:.0e}"


def _section(name: str, pairs: list[Pair]) -> str:
    """The stages of one model in order, in each precision; of a stage that every layer has, the largest difference."""
    worst = [_by_stage(pair.forward) for pair in pairs]
    lines = [f"| {stage} | {' | '.join(short(column[stage]) for column in worst)} |" for stage in worst[0]]
    precisions = [str(pair.dtype).removeprefix("torch.") for pair in pairs]
    head = f"| Stage | {' | '.join(precisions)} |\n|---|{'--:|' * len(pairs)}\n"
    return f"\n## {name}\n\n“{TEXTS[name]}”\n\n{head}" + "\n".join(lines) + "\n"


def _by_stage(table: StageTable) -> dict[str, float]:
    largest: dict[str, float] = {}
    for row in table.rows:
        stage = re.sub(r"^layer \d+ ", "", row.stage)
        largest[stage] = max(row.difference, largest.get(stage, 0.0))
    return largest
