"""Runs a chapter whole, then some of its cells again, with changes: a plan comes as JSON, what the cells said goes back.

Each chapter has a process of its own, or the kernel that has just run it: what it replaces in the package stays there.
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


def again(plan: dict, names: dict) -> dict:
    """For each change (cell, old, new) what the cells below say, in order; the first change is none."""
    found = []
    for change in plan["changes"]:
        changed = dict(plan["cells"])
        if change:
            cell, old, new = change
            changed[cell] = changed[cell].replace(old, new)
        found.append({name: said(changed[name], names) for name in plan["again"]})
    return {"said": found}


def in_kernel(given: str, answer: str, names: dict) -> None:
    """The same in a kernel that has run the chapter; both are paths, because its output is that of its cells."""
    with open(given, encoding="utf-8") as file:
        plan = json.load(file)
    found = again(plan, names)
    with open(answer, "w", encoding="utf-8") as file:
        json.dump(found, file)


def main(plan: dict) -> dict:
    """Run the chapter, then some of its cells again."""
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for source in plan["cells"].values():
            exec(compile(source, "cell", "exec"), names)
    return again(plan, names)


if __name__ == "__main__":
    given, answer = json.load(sys.stdin), sys.stdout
    sys.stdout = sys.stderr
    json.dump(main(given), answer)
