"""Which file is which assignment: its content says so, wherever it lies and whatever it is called."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labutils.authoring.grading.handed_in import LINK, Notebook, NotGradable, code_of, read
from labutils.authoring.grading.texts import plain

LITTER = ("__macosx", "thumbs.db", "desktop.ini")  # what systems leave in folders; hidden files are left out as well
OTHER = (
    "None of its cells is an answer of this assignment. Is it another notebook? If a program has removed the names of "
    "its cells, copy the answers into a new copy of the assignment."
)
ANOTHER = "{} holds the answers of {}. Hand in the notebook of this assignment, too."
PROGRAM = "{} is a Python program, not a notebook. Hand in the notebook itself."
INSTEAD = (".zip", ".html", ".htm")  # what is handed in where a notebook is meant
MOST = 1000  # files of one student that are looked at
TOO_MANY = f"The folder holds more than {MOST} files. Looked at were the notebooks among them, and your code ran alone."


@dataclass
class Handed:
    """What one student has handed in.

    Attributes:
        folder: the student's.
        found: name of an assignment -> its notebooks by their paths.
        broken: files that cannot be read as a notebook -> why.
        others: all other files.
        crowded: whether there are more files than anybody looks at.
        unreadable: why nothing was read, where that is so.
    """

    folder: Path
    found: dict[str, dict[Path, Notebook]] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)
    others: list[Path] = field(default_factory=list)
    crowded: bool = False
    unreadable: str = ""

    def own_place(self, assignment: str) -> Path:
        """Where the notebook of an assignment belongs."""
        return self.folder / assignment / f"{assignment}.ipynb"

    def files(self) -> list[Path]:
        """All files that were looked at."""
        return [*(path for found in self.found.values() for path in found), *self.broken, *self.others]

    def chosen(self, assignment: str, owners: dict[str, str]) -> tuple[Path, Notebook] | None:
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
        if place in self.broken or place in self.others:
            raise NotGradable(self.broken.get(place, OTHER))
        for other, notebooks in self.found.items():
            if place in notebooks:
                raise NotGradable(ANOTHER.format(plain(place.name), other))
        for path, why in self.broken.items():
            if is_for(path, assignment):
                raise NotGradable(why)
        for path in self.programs(assignment):
            raise NotGradable(PROGRAM.format(plain(path.name)))
        return None

    def programs(self, assignment: str) -> list[Path]:
        """The programs that could be meant as an assignment, where there is no notebook of it."""
        return [path for path in self.others if path.suffix.lower() == ".py" and is_for(path, assignment)]

    def differing(self, assignment: str, graded: Path, owners: dict[str, str]) -> str:
        """The notebooks of the assignment that are not the one which was graded, in words; nothing where the answers in
        them are the same.
        """
        found = self.found[assignment]
        answers = code_of(found[graded], owners)
        others = [self.name(path) for path, other in found.items() if code_of(other, owners) != answers]
        return f"{' and '.join(others)}: not the same, and not graded" if others else ""

    def name(self, path: Path) -> str:
        """A file as it is named to a student."""
        return plain(path.relative_to(self.folder).as_posix())

    def not_placed(self, assignments: Iterable[str]) -> Iterator[str]:
        """A line for each file that is graded as nothing; what lies beside an assignment belongs to it."""
        homes, said = {path.parent for found in self.found.values() for path in found}, set()
        for assignment in assignments:
            place, found = self.own_place(assignment), self.found.get(assignment, {})
            if place in found:
                yield from (f"{self.name(path)}: {self.name(place)} counts" for path in found if path != place)
            elif not found:
                said |= {place, *self.programs(assignment)}  # by the mark
                said |= {path for path in self.broken if is_for(path, assignment)}
        yield from (f"{self.name(path)}: it cannot be read" for path in self.broken if path not in said)
        for path in self.others:
            if path not in said and (path.parent not in homes or is_named_so(path)):
                yield self.name(path)


def is_for(path: Path, assignment: str) -> bool:
    """Whether a file that cannot be read has the name or the folder of an assignment."""
    return path.name.startswith(assignment) or path.parent.name == assignment


def is_named_so(path: Path) -> bool:
    """Whether a file is called a notebook; browsers add endings of their own, as in `04_attention.ipynb.txt`."""
    return ".ipynb" in path.name.lower()


def is_litter(name: str) -> bool:
    """Whether a file or folder is what a system or a program leaves behind."""
    return name.startswith(".") or name.lower() in LITTER


def handed_in(folder: Path, answers: Mapping[str, Collection[str]]) -> Handed:
    """Read a student's folder, with all folders in it; links are not followed.

    Args:
        answers: name of an assignment -> the names of the cells that a student fills in.
    """
    if folder.is_symlink():
        return Handed(folder, unreadable="it is a link, and links are not followed. Hand in the files themselves.")
    handed = Handed(folder)
    for path in _files(folder):
        named_so = is_named_so(path)
        if not named_so and path.is_symlink() and path.name.startswith(tuple(answers)):
            handed.broken[path] = LINK.format(plain(path.name))
        elif not named_so and path.is_dir():  # a link to a folder that is no assignment
            continue
        elif not named_so and len(handed.others) >= MOST:
            handed.crowded = True
        elif named_so or path.suffix.lower() in INSTEAD and any(is_for(path, name) for name in answers):
            _place(handed, path, answers)
        else:
            handed.others.append(path)
    return handed


def _files(folder: Path) -> Iterator[Path]:
    for home, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(home) / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not is_litter(name) and name not in links)
        for name in sorted([*names, *links]):
            path = Path(home) / name
            if not is_litter(name) and (path.is_symlink() or path.is_file()):
                yield path


def _place(handed: Handed, path: Path, answers: Mapping[str, Collection[str]]) -> None:
    """Find out which assignment a file is."""
    try:
        notebook = read(path)
    except NotGradable as error:
        handed.broken[path] = str(error)
        return
    names = {cell.name for cell in notebook}
    counts = {assignment: len(names & set(cells)) for assignment, cells in answers.items()}
    if most := max(counts.values(), default=0):
        assignment = next(name for name, count in counts.items() if count == most)
        handed.found.setdefault(assignment, {})[path] = notebook
    else:
        handed.others.append(path)
