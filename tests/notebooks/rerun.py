"""Runs a chapter whole, then some of its cells again, with changes: a plan comes as JSON, what the cells said goes back.

Each chapter has a process of its own, as it has a kernel of its own: what it replaces in the package stays there.
"""

import ast
import contextlib
import io
import json
import sys
import traceback


def shown(source: str, names: dict) -> None:
    """Run a cell and print what its last line gives, as a notebook does."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    if last:
        print(eval(compile(ast.Expression(last.value), "cell", "eval"), names))


def said(source: str, names: dict) -> str:
    """What a cell prints; of an error its last line."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            shown(source, names)
        except Exception:
            print("RAISED", traceback.format_exc().strip().splitlines()[-1])
    return out.getvalue()


def main(plan: dict) -> dict:
    """For each change (cell, old, new) what the cells below say, in order; the first change is none."""
    cells, names, found = plan["cells"], {"__name__": "__main__"}, []
    with contextlib.redirect_stdout(io.StringIO()):
        for source in cells.values():
            exec(compile(source, "cell", "exec"), names)
    for change in plan["changes"]:
        changed = dict(cells)
        if change:
            cell, old, new = change
            changed[cell] = changed[cell].replace(old, new)
        found.append({name: said(changed[name], names) for name in plan["again"]})
    return {"said": found}


if __name__ == "__main__":
    given, answer = json.load(sys.stdin), sys.stdout
    sys.stdout = sys.stderr
    json.dump(main(given), answer)
