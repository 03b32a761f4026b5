"""A copy of code for a first reading: without what the package marks as later, and each docstring in one paragraph.

    cache: Callable | None = None,  # later
    k, v = cache(k, v) if cache else (k, v)  # later
    # at first: k = split_heads(self.key(x), self.n_heads)
    k = split_heads(self.key(source), self.n_key_heads)
    # later: fewer keys than queries
    def shared(self, x): ...

`# later` after a line leaves out the statement that begins there, or the line; alone above a definition, the
definition; and above anything else, that comment to its end. `# at first: …`, once or several times, puts its own code
in place of the statement below it, or of the line that opens it if the code ends with a colon.

The first paragraph of a docstring says what is done. The others, on sources, arguments and errors, wait in the package.
"""

import ast
import re

LATER, AT_FIRST = re.compile(r"(.*?)\s*# later\b"), re.compile(r"\s*# at first: (.+)")
WIDTH = 86  # characters of a line that fit the column of the page


def shortened(code: str) -> str:
    """A definition without what it marks as later, its docstrings brief and its signatures in few lines.

    >>> print(shortened("def f(\\n    x,\\n    y=0,  # later\\n):\\n    # at first: return x\\n    return x + y"))
    def f(x):
        return x
    """
    text = joined(_brief(_without_later(code)))
    ast.parse(text)
    return text


def _without_later(code: str) -> str:
    lines = code.split("\n")
    statements = {}  # the line where it begins -> the line where it ends
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            statements[first] = max(node.end_lineno, statements.get(first, 0))
    kept, i = [], 1
    while i <= len(lines):
        line = lines[i - 1]
        later, instead = LATER.match(line), AT_FIRST.match(line)
        if instead:
            kept.append(line[: line.index("#")] + instead[1])
            i += 1
            if not AT_FIRST.match(lines[i - 1]):
                i = i + 1 if instead[1].endswith(":") else statements[i] + 1
        elif later and later[1].strip():
            i = statements.get(i, i) + 1
        elif later:
            i += 1
            while lines[i - 1].lstrip().startswith("#"):
                i += 1
            i = statements[i] + 1 if lines[i - 1].lstrip().startswith(("def ", "class ", "@")) else i
        else:
            kept.append(line)
            i += 1
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).rstrip()


def _brief(code: str) -> str:
    """The code with the first paragraph of each docstring."""
    lines = code.split("\n")
    for node in reversed(list(ast.walk(ast.parse(code)))):  # from the end, so that the numbers of lines stay right
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and (said := ast.get_docstring(node)) and "\n\n" in said:
            first, last = node.body[0].lineno, node.body[0].end_lineno
            end = next(i for i in range(first, last) if not lines[i].strip())  # the blank line, counted from 0
            closing = [lines[last - 1]] if end - first else []
            lines[first - 1 : last] = [*lines[first - 1 : end], *closing]
            if not closing:
                lines[first - 1] += '"""'
    return "\n".join(lines)


def joined(code: str) -> str:
    """The code with its signatures and calls in one line where they fit, else with their arguments in few lines.

    >>> print(joined("def f(\\n    self,\\n    " + ",\\n    ".join(f"{c * 30}: int" for c in "abc") + ",\\n):"))
    def f(
        self, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: int, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb: int,
        cccccccccccccccccccccccccccccc: int
    ):
    """

    def fitting(found: re.Match) -> str:
        line = re.sub(r"\s+", " ", found[2]).replace("( ", "(").replace(", )", ")").replace(" )", ")")
        if len(found[1] + line) <= WIDTH:
            return found[1] + line
        opening, arguments, closing = re.fullmatch(r"(\S.*\(\n)((?:.*\n)*)(\s*\).*)", found[2]).groups()
        if "#" in arguments:
            return found[0]
        return f"{found[1]}{opening}{_packed(arguments, found[1] + 4 * ' ')}\n{closing}"

    code = re.sub(r"^( *)(def \w+\(\n(?:.*\n)*?\s*\)(?: -> .*)?:)$", fitting, code, flags=re.M)
    return re.sub(r"^( *)(\S.*\(\n +.*[^,\n]\n *\))$", fitting, code, flags=re.M)


def _packed(arguments: str, margin: str) -> str:
    """Lines of arguments, as many in a line as fit."""
    lines = [margin]
    for argument in arguments.strip().removesuffix(",").splitlines():
        argument = argument.strip()
        if len(lines[-1]) + 1 + len(argument) > WIDTH and lines[-1] != margin:
            lines.append(margin)
        lines[-1] += argument if lines[-1] == margin else " " + argument
    return "\n".join(lines)
