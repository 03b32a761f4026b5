"""Words: those that never appear, those that are misspelt, and traces of how a text was made.

Checked are our own words: not code, nothing in quotation marks, no word in emphasis that is shown as a word.
Spelling is codespell's list of typing errors, which knows no false alarms from names and terms, and British forms.
"""

import re
from functools import cache
from importlib.resources import files

from nbformat import NotebookNode

from labutils.authoring.check.prose import Block, read_by

NEVER = ("simply", "just", "obviously", "note that", "of course", "easy", "easily")
AMERICAN_TOO = {  # American forms in codespell's list that are British as well, or the name of a thing
    "analog",
    "artifact",
    "artifacts",
    "biased",
    "catalog",
    "catalogs",
    "dialog",
    "dialogs",
    "focused",
    "focuses",
    "focusing",
    "license",
    "licensed",
    "licenses",
    "licensing",
    "meter",
    "meters",
    "practice",
    "practices",
    "program",
    "refocused",
    "routing",
    "specialty",
    "specialties",
    "story",
    "stories",
    "writable",
    "overwritable",
    "acknowledgment",
    "acknowledgments",
    "judgment",
    "judgments",
    "math",
    "salable",
}
NAMES = {"gage"}  # of people, which codespell takes for errors
TRACES = (
    (re.compile(r"(?<![\w.~])/(?:home|root|tmp|work|Users|var|opt)/\w+|\b[A-Z]:\\\w+"), "a path of somebody's machine"),
    (re.compile(r"\b(?:TODO|FIXME|TBD|XXX)\b"), "a mark of unfinished work"),
    (re.compile(r"\b(?:storyboard|ledger|lorem ipsum)\b", re.I), "a word about how the book is made"),
)
SPACED = re.compile(r"[\d.,]*\d\s+(?:%|per ?cent\b)")
INSTRUCTION = re.compile(r"WRITE: [^\n\"]{0,40}|\bC000\b")  # of `pattern/*.txt`


def problems(notebook: NotebookNode) -> list[str]:
    """Words of a notebook that do not belong in the book."""
    found = unwritten(notebook)
    for cell in notebook.cells:
        said = [sentence for block in read_by(cell) for sentence in of_block(block)] + traces(_everything(cell))
        found += [f"{cell.get('id')}: {sentence}" for sentence in dict.fromkeys(said)]
    return found


def _everything(cell: NotebookNode) -> str:
    return "\n".join([cell.source, *(str(output) for output in cell.get("outputs", []))])


def of_block(block: Block) -> list[str]:
    """What is wrong with the words of one block."""
    text = block.words
    found = [f"“{match[0]}” never appears in this book." for word in NEVER for match in _whole(word).finditer(text)]
    for word in re.findall(r"[A-Za-z]+(?:['’][a-z]+)?", text):
        plain = word.replace("’", "'").lower()
        if plain in british():
            found.append(f"“{word}” is spelt “{british()[plain]}” here.")
        elif plain in typos() and plain not in NAMES:
            found.append(f"“{word}” is misspelt; perhaps “{typos()[plain]}”.")
    found += [f"“{match[0]}”: a share is written 96%, without a space." for match in SPACED.finditer(text)]
    twice = re.search(r"\b([A-Za-z]{2,}) \1\b", text)
    return found + ([f"“{twice[0]}”: a word stands twice."] if twice else [])


def unwritten(notebook: NotebookNode) -> list[str]:
    """How much is left of the pattern's instructions, in one sentence."""
    left = [(cell.get("id"), match[0]) for cell in notebook.cells for match in INSTRUCTION.finditer(cell.source)]
    if not left:
        return []
    places = "1 instruction" if len(left) == 1 else f"{len(left)} instructions"
    return [f"{left[0][0]}: {places} of the pattern still to be replaced; here begins the first: “{left[0][1]}”."]


def traces(text: str) -> list[str]:
    """What a text shows of the place and the way it was made."""
    return [f"“{match[0]}” is {what}." for pattern, what in TRACES for match in pattern.finditer(text)]


def _whole(word: str) -> re.Pattern:
    return re.compile(rf"\b{word}\b", re.I)


def _list(name: str) -> dict[str, str]:
    """A dictionary of codespell: word -> correction; those it marks as doubtful are left out."""
    lines = (files("codespell_lib") / "data" / name).read_text(encoding="utf-8").splitlines()
    pairs = (line.split("->") for line in lines if "->" in line)
    return {word: right for word, right in pairs if "," not in right}


@cache
def typos() -> dict[str, str]:
    """Typing errors that have one correction."""
    return _list("dictionary.txt")


@cache
def british() -> dict[str, str]:
    """American form -> British form."""
    return {here: there for there, here in _list("dictionary_en-GB_to_en-US.txt").items() if here not in AMERICAN_TOO}
