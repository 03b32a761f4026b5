"""Which file is which assignment: its content says so, wherever it lies and whatever it is called."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from labutils.authoring.grading.handed_in import NotGradable, code_of, name_of, read

LITTER = ("__MACOSX", "Thumbs.db", "desktop.ini")  # what systems leave in folders; hidden files are left out as well
OTHER = "None of its cells is an answer of this assignment. Is it another notebook?"


@dataclass
class Handed:
    """What one student has handed in.

    Attributes:
        folder: the student's.
        found: name of an assignment -> its notebooks by their paths.
        broken: files that cannot be read as a notebook -> why.
        others: all other files.
    """

    folder: Path
    found: dict[str, dict[Path, NotebookNode]] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)
    others: list[Path] = field(default_factory=list)

    def own_place(self, assignment: str) -> Path:
        """Where the notebook of an assignment belongs."""
        return self.folder / assignment / f"{assignment}.ipynb"

    def chosen(self, assignment: str, owners: dict[str, str]) -> tuple[Path, NotebookNode] | None:
        """The notebook of an assignment, None where there is none.

        Args:
            owners: name of each cell that was handed out -> its exercise.

        Raises:
            NotGradable: what lies at its place is another notebook or none, or several files could be meant.
        """
        place, found = self.own_place(assignment), self.found.get(assignment, {})
        if place in found:
            return place, found[place]
        if found:
            path, notebook = next(iter(found.items()))
            if any(code_of(other, owners) != code_of(notebook, owners) for other in found.values()):
                names = " and ".join(self.name(path) for path in found)
                raise NotGradable(f"{names} are this assignment, and they differ. Keep the one that counts.")
            return path, notebook
        if place.is_file():
            raise NotGradable(self.broken.get(place, OTHER))
        return None

    def name(self, path: Path) -> str:
        """A file as it is named to a student."""
        return path.relative_to(self.folder).as_posix()

    def not_placed(self, assignments: Iterable[str]) -> Iterator[str]:
        """A line for each file that is graded as nothing; what lies beside an assignment belongs to it."""
        homes, said = {path.parent for found in self.found.values() for path in found}, set()
        for assignment in assignments:
            place, found = self.own_place(assignment), self.found.get(assignment, {})
            if place in found:
                yield from (f"{self.name(path)}: {self.name(place)} counts" for path in found if path != place)
            elif not found:
                said.add(place)  # by the mark, which is "not gradable"
        yield from (f"{self.name(path)}: it cannot be read" for path in self.broken if path not in said)
        for path in self.others:
            if path not in said and (path.parent not in homes or is_named_so(path)):
                yield self.name(path)


def is_named_so(path: Path) -> bool:
    """Whether a file is called a notebook; browsers add endings of their own, as in `04_attention.ipynb.txt`."""
    return ".ipynb" in path.name.lower()


def handed_in(folder: Path, answers: Mapping[str, Collection[str]]) -> Handed:
    """Read a student's folder, with all folders in it.

    Args:
        answers: name of an assignment -> the names of the cells that a student fills in.
    """
    handed = Handed(folder)
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if not path.is_file() or any(part.startswith(".") or part in LITTER for part in parts):
            continue
        if not is_named_so(path):
            handed.others.append(path)
            continue
        try:
            notebook = read(path)
        except NotGradable as error:
            handed.broken[path] = str(error)
            continue
        names = {name_of(cell) for cell in notebook.cells}
        counts = {assignment: len(names & set(cells)) for assignment, cells in answers.items()}
        if most := max(counts.values(), default=0):
            assignment = next(name for name, count in counts.items() if count == most)
            handed.found.setdefault(assignment, {})[path] = notebook
        else:
            handed.others.append(path)
    return handed
