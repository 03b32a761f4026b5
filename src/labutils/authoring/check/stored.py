"""How a notebook lies in the repository: ids, outputs as plain text, every cell run, copies of the package in step."""

from nbformat import NotebookNode

from labutils.authoring.sync import FIRST_LINE, cell_text, source_of

SKIPS = {"nbval-skip", "skip-execution", "NBVAL_SKIP"}
WIDEST = 86  # characters of a line of code that fit the column; longer ones are cut off until the reader scrolls


def problems(notebook: NotebookNode) -> list[str]:
    """One sentence for each thing that is wrong with the stored form of a notebook; empty if nothing is."""
    found = _identity(notebook)
    if "widgets" in notebook.metadata:
        found.append("Widget state is stored in the notebook. Run `make refresh`.")
    for number, cell in enumerate(notebook.cells):
        found += [f"Cell {number} ({cell.get('id', 'no id')}): {sentence}" for sentence in _cell_problems(cell)]
    return found


def _identity(notebook: NotebookNode) -> list[str]:
    ids = [cell.get("id") for cell in notebook.cells]
    missing = [f"Cell {i} has no id." for i, name in enumerate(ids) if not name]
    twice = sorted({name for name in ids if name and ids.count(name) > 1})
    return missing + [f"Two cells have the id {name}." for name in twice]


def _cell_problems(cell: NotebookNode) -> list[str]:
    if cell.cell_type != "code":
        return []
    found = []
    if SKIPS & set(cell.metadata.get("tags", [])) or cell.source.startswith("# NBVAL_SKIP"):
        found.append("it is skipped. Every cell runs in the tests.")
    if "remove-input" not in cell.metadata.get("tags", []):
        found += [
            f"a line of code is {n} characters long; {WIDEST} fit."
            for n in map(len, cell.source.split("\n"))
            if n > WIDEST
        ]
    for output in cell.get("outputs", []):
        kinds = set(output.get("data", {"text/plain": ""}))
        if kinds != {"text/plain"} or output.output_type not in ("stream", "execute_result"):
            what = output.get("name") or output.get("ename") or ", ".join(sorted(kinds - {"text/plain"})) or "a display"
            found.append(f"an output other than plain text is stored ({what}). Run `make refresh`.")
    return found + _sync_problems(cell)


def _sync_problems(cell: NotebookNode) -> list[str]:
    source = source_of(cell)
    if source is None:
        return []
    if not FIRST_LINE.match(cell.source.split("\n", 1)[0]) or "labutils" not in cell.metadata:
        return [f"its first line and its metadata do not both name {source}. Run `make refresh`."]
    if cell.source != cell_text(source):
        return [f"it differs from {source}. Change the package, then run `make refresh`."]
    return []
