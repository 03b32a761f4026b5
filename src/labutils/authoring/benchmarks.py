"""Measured speeds: kept as files that a command writes, shown as a page of the site.

A benchmark compares things in one run on one machine and calls `record`; `make bench` runs them all.
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from labutils.places import BENCHMARKS


def machine() -> str:
    """The machine in words: processor, cores in use, system, Python."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def record(
    name: str, title: str, summary: str, rows: Sequence[Mapping[str, object]], folder: Path = BENCHMARKS
) -> Path:
    """Store one benchmark as benchmarks/<name>.json.

    Args:
        name: the file's name, in lower case with underscores.
        title: what was compared.
        summary: what came out, in sentences with the ratios in them, goal and result alike; Markdown, so a blank
            line begins a paragraph.
        rows: one mapping from column title to cell for each thing measured; all with the same columns. Cells are
            text that is ready to be read ("0.31 s", "12 times").

    Raises:
        ValueError: there are no rows, or their columns differ.
    """
    if not rows or any(list(row) != list(rows[0]) for row in rows):
        raise ValueError(f"Benchmark {name!r}: give at least one row, and the same columns in each.")
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.json"
    result = {"title": title, "summary": summary, "rows": rows, "machine": machine(), "date": date.today().isoformat()}
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def page(folder: Path = BENCHMARKS) -> str:
    """All recorded benchmarks as Markdown, one section each."""
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    return "\n".join(map(_section, results))


def _section(result: Mapping) -> str:
    columns = list(result["rows"][0])
    lines = [columns, ["---"] * len(columns)] + [[str(row[column]) for column in columns] for row in result["rows"]]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return (
        f"## {result['title']}\n\n{result['summary']}\n\n{table}\n\nMeasured on {result['date']}:"
        f" {result['machine']}.\n"
    )
