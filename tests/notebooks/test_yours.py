"""A cell that is the reader's: after Run All it runs again, and a check below it notices what was changed."""

import ast
import json

import pytest

import labutils.layers.multi_head as package
from labutils.places import CHAPTERS

AGAIN = {"04_attention": ("component", "use-mine", "torch-agrees", "leak-test", "paper-check", "little-check")}
MUTANTS = [
    ("04_attention", "math.sqrt(q.shape[-1]) if", "0.9 / math.sqrt(q.shape[-1]) if", ("torch-agrees", "paper-check")),
    ("04_attention", "~mask, -torch.inf", "~mask, -1.0", ("torch-agrees", "leak-test", "paper-check", "little-check")),
]
DIFFERS = "first stage that differs"


def code(chapter):
    """Name of each cell of code -> its source, in order."""
    cells = json.loads((CHAPTERS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


@pytest.fixture(scope="module", params=AGAIN)
def run(request):
    """A chapter after Run All: its name, its cells, and the names that they have given a meaning."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "attention", package.attention)
        cells, names = code(request.param), {"__name__": "__main__"}
        for source in cells.values():
            exec(source, names)
        yield request.param, cells, names


def shown(source, names):
    """Run a cell and print what its last line gives, as a notebook does."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    if last:
        print(eval(compile(ast.Expression(last.value), "cell", "eval"), names))


def again(run, capsys, old="", new=""):
    """What each cell says that the text asks to run again, after a change of the first: its output, or its error."""
    chapter, cells, names = run
    first, *others = AGAIN[chapter]
    assert old in cells[first]
    exec(cells[first].replace(old, new), names)
    said = {}
    for name in others:
        capsys.readouterr()
        try:
            shown(cells[name], names)
        except AssertionError as error:
            said[name] = f"{DIFFERS}: {error}"
        else:
            said[name] = capsys.readouterr().out
    return said


def test_the_readers_cell_and_the_checks_run_again(run, capsys):
    said = again(run, capsys)
    assert not [name for name, words in said.items() if DIFFERS in words]


@pytest.mark.parametrize("chapter, old, new, noticed", MUTANTS)
def test_each_check_notices_what_was_changed(run, capsys, chapter, old, new, noticed):
    before, said = again(run, capsys), again(run, capsys, old, new)
    for name in noticed:
        assert DIFFERS in said[name] or name == "leak-test" and said[name] != before[name], (name, said[name])
    again(run, capsys)
