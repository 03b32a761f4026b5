"""Sphinx extension: what is read on request is folded, as JupyterLab folds it: asides, answers to a guess, and the code
of a cell with the tag `fold-input`.

A native disclosure does it, so links, search and printing open it, and a page without JavaScript has it too.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from labutils.authoring.folds import kind_of


class Folds(SphinxPostTransform):
    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """What opens is a section again, so that the rules for what stands in a section hold in it."""
        for section in list(self.document.findall(nodes.section)):
            kind = kind_of(section[0].astext()) if isinstance(next(iter(section), None), nodes.title) else None
            if kind:
                section.insert(1, _html("</summary>\n<section>\n"))
                section.insert(0, _html(f'<details class="itt-fold itt-{kind}"><summary>'))
                section.append(_html("</section></details>\n"))
        for code in list(self.document.findall(_folded_code)):
            code.insert(0, _html(f'<details class="itt-fold itt-code"><summary>{_name_of(code)}</summary>\n'))
            code.append(_html("</details>\n"))


def _folded_code(node: nodes.Node) -> bool:
    """The code of a cell with the tag."""
    cell = node.parent if isinstance(node, nodes.container) and "cell_input" in node["classes"] else None
    return cell is not None and "tag_fold-input" in cell["classes"]


def _name_of(code: nodes.Node) -> str:
    """What a fold of code holds: nothing but imports, the class that it defines, or the code of what is seen below."""
    lines = [line for line in code.astext().splitlines() if line.strip() and not line.startswith("#")]
    if lines and all(line.startswith(("import ", "from ")) for line in lines):
        return "Its imports"
    classes = [line.split()[1].split("(")[0].rstrip(":") for line in lines if line.startswith("class ")]
    return f"The code of {' and '.join(classes)}" if classes else "Its code"


def _html(text: str) -> nodes.raw:
    return nodes.raw("", text, format="html")


def setup(app):
    app.add_post_transform(Folds)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
