"""How many lines the exercises of a chapter take: `python -m tests.benchmarks.lines`."""

from labutils.authoring.benchmarks import record
from labutils.places import ROOT

# chapter: lines of checkers and of the tests' answers when each mistake stood in both, with ten lines of its own
BEFORE = {
    "00": (642, 384),
    "01": (748, 971),
    "02": (798, 848),
    "03": (793, 820),
    "04": (1257, 731),
    "05": (959, 821),
    "06": (762, 644),
}


def main() -> None:
    lines = lambda files: sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    rows, total = [], 0
    for chapter, before in BEFORE.items():
        checkers = lines((ROOT / f"src/labutils/exercises/ch{chapter}").glob("*.py"))
        answers = lines([ROOT / f"tests/exercises/answers_{chapter}.py"])
        total += checkers + answers
        rows.append(
            {
                "chapter": chapter,
                "checkers and answers before": f"{before[0]:,} + {before[1]:,}",
                "now": f"{checkers:,} + {answers:,}",
                "share": f"{(checkers + answers) / sum(before):.2f}",
            }
        )
    whole = sum(map(sum, BEFORE.values()))
    record(
        "exercises",
        "How many lines the exercises of a chapter take",
        f"**{total:,} lines where {whole:,} were, {total / whole:.2f} of them**; the goal was a half. A mistake that"
        " readers make is one row now, from which the checker, its reply and the test come; before, it stood in the"
        " checker and in the test.",
        rows,
    )


if __name__ == "__main__":
    main()
