"""The reader's own copies of the book's notebooks: placed, run when one is first opened, brought up to date, reset.

One that the reader has not touched follows the book; one that was changed stays as it is until it is reset, and even
then the changed file is kept beside the new one. What was placed stands in `.placed.json` beside the copies.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from labutils.authoring.runs import apart, as_it_is, run_chapter, run_exercises, unanswered
from labutils.places import CHAPTERS, EXERCISES, MORE, WORK

VIEW = "application/vnd.jupyter.widget-view+json"
PLACED = ".placed.json"  # name -> hash of the chapter it was made of, hash of the copy, whether that was run, of what
SOURCES = "sources"  # what hashes are of; older records have none of it, and hashes of the outputs as well
EXERCISE, SECOND = "exercises/", "more/"  # in front of the number: the exercises of a chapter, its second notebook


class Damaged(ValueError):
    """Nobody knows what was placed. The message says what follows."""


@dataclass(frozen=True)
class Copies:
    """A folder of copies.

    Attributes:
        originals: the book's folder.
        folder: the reader's.
        place: writes a copy that was not run: (original, copy).
        run: the same with outputs; returns whether it came to an end, be it an error.
        under: what stands in front of a number where `make reset` names one of them.
    """

    originals: Path
    folder: Path
    place: Callable[[Path, Path], object] = as_it_is
    run: Callable[[Path, Path], bool] = apart(run_chapter)
    under: str = ""

    def update(self) -> list[str]:
        """Bring the copies up to date and lose nothing; none is run yet.

        Returns one sentence for each copy that stays behind because the reader has changed it.

        Raises:
            Damaged: the record of what was placed cannot be read.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        placed, stay = self._placed(), []
        for original in sorted(self.originals.glob("*.ipynb")):
            copy = self.folder / original.name
            entry = placed.get(original.name) or self._as_if_placed(original)
            current = entry.get("made of") == _hash(entry)(original)
            if not copy.exists() or (not current and _hash(entry)(copy) == entry.get("copy")):
                self.place(original, copy)
                self._write(original, ran=False)
            elif not current:
                stay.append(self._stays(original))
        return stay

    def _stays(self, original: Path) -> str:
        return (
            f"{original.name} has a newer version. Yours is changed, so it stays; `make reset "
            f"CHAPTER={self.under}{original.stem.split('_')[0]}` takes the new one and keeps yours beside it."
        )

    def newer(self, name: str) -> str:
        """What is said of a copy that stays behind because the reader has changed it, and nothing of any other.

        Raises:
            Damaged: the record of what was placed cannot be read.
        """
        entry, original, copy = self._placed().get(name, {}), self.originals / name, self.folder / name
        if not original.exists() or not copy.exists():
            return ""
        known = _hash(entry)
        behind = entry.get("made of") != known(original) and entry.get("copy") != known(copy)
        return self._stays(original) if behind else ""

    def _as_if_placed(self, original: Path) -> dict:
        """An entry for a copy of which nothing is recorded; it is written if the copy is what would be placed now."""
        copy = self.folder / original.name
        if not copy.exists():
            return {}
        with TemporaryDirectory() as place:
            self.place(original, Path(place, original.name))
            if content(Path(place, original.name)) != content(copy):
                return {}
        self._write(original, ran=_has_outputs(copy))
        return self._placed()[original.name]

    def open(self, name: str) -> None:
        """Run a copy that was neither run nor changed yet, so that its pictures stand there.

        Raises:
            Damaged: the record of what was placed cannot be read.
        """
        entry, original, copy = self._placed().get(name, {}), self.originals / name, self.folder / name
        known = _hash(entry)
        untouched = original.exists() and copy.exists() and known(copy) == entry.get("copy")
        waits = untouched and not entry.get("ran") and entry.get("made of") == known(original)
        if waits and self.run(original, copy):
            self._write(original, ran=True)

    def reset(self, chapter: str) -> str:
        """Put one copy back as the book has it; a changed one is kept under another name.

        Args:
            chapter: its number or the beginning of its name: ``"04"``, ``"04_attention"``.

        Raises:
            ValueError: no chapter, or more than one, begins like that.
        """
        there = sorted(self.originals.glob("*.ipynb"))
        found = [path for path in there if chapter and path.name.startswith(chapter)]
        if len(found) != 1:
            names = ", ".join(path.stem for path in there)
            raise ValueError(f"Name one chapter, for example `make reset CHAPTER=04`. There are: {names}.")
        original, copy, kept = found[0], self.folder / found[0].name, ""
        self.folder.mkdir(parents=True, exist_ok=True)
        entry = self._placed().get(original.name, {})
        own = entry.get("copy"), _hash(entry)(original)
        if copy.exists() and _hash(entry)(copy) not in own:
            yours = (self.folder / f"{original.stem}.yours-{n}.ipynb" for n in range(1, 10_000))
            free = next(path for path in yours if not path.exists())
            copy.rename(free)
            kept = f" Yours is kept as {free.name}."
        self.place(original, copy)
        self._write(original, ran=False)
        opened = " Where it is open in JupyterLab, choose File, then Reload Notebook from Disk."
        return f"{original.name} is as the book has it.{kept}{opened}"

    def _placed(self) -> dict[str, dict]:
        record = self.folder / PLACED
        try:
            found = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
            if isinstance(found, dict) and all(isinstance(entry, dict) for entry in found.values()):
                return found
        except ValueError:
            pass
        raise Damaged(
            f"{record} is damaged, so nobody knows which notebooks you have changed: all stay as they are. "
            f"Remove that file, and `make reset CHAPTER={self.under}04` brings one up to date."
        )

    def _write(self, original: Path, ran: bool) -> None:
        entry = {"made of": content(original), "copy": content(self.folder / original.name), "ran": ran, "of": SOURCES}
        record = self.folder / PLACED
        whole = record.with_suffix(".new")  # a program that is ended while it writes leaves the old one
        whole.write_text(json.dumps(self._placed() | {original.name: entry}, indent=1), encoding="utf-8")
        whole.replace(record)


CHAPTER_COPIES = Copies(CHAPTERS, WORK)
EXERCISE_COPIES = Copies(EXERCISES, WORK / "exercises", unanswered, apart(run_exercises), EXERCISE)
SECOND_COPIES = Copies(MORE, WORK / "more", under=SECOND)


def reset(name: str) -> str:
    """Put back a chapter (``"04"``), its exercises (``"exercises/04"``) or its second notebook (``"more/04"``).

    Raises ValueError where there is none.
    """
    copies = next((one for one in (EXERCISE_COPIES, SECOND_COPIES) if name.startswith(one.under)), CHAPTER_COPIES)
    return copies.reset(name.removeprefix(copies.under))


def content(path: Path) -> str:
    """Hash of what a reader can change in a notebook, its sources: running it changes the outputs."""
    return _hashed(path, lambda cell: [cell["cell_type"], _lines(cell["source"])])


def _content_with_outputs(path: Path) -> str:
    """The hash of older records."""
    return _hashed(
        path, lambda cell: (cell["cell_type"], _lines(cell["source"]), list(map(_shown, cell.get("outputs", []))))
    )


def _lines(source: str | list) -> list:
    """A source as nbformat writes it: other programs may write it as one text."""
    return source.splitlines(keepends=True) if isinstance(source, str) else source


def _hash(entry: dict) -> Callable[[Path], str]:
    """The hash that an entry is of."""
    return content if not entry or entry.get("of") == SOURCES else _content_with_outputs


def _hashed(path: Path, of_cell: Callable[[dict], object]) -> str:
    text = path.read_bytes()
    try:
        cells = [of_cell(cell) for cell in json.loads(text)["cells"]]
    except (ValueError, KeyError, TypeError):
        return hashlib.sha256(text).hexdigest()
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def _has_outputs(path: Path) -> bool:
    try:
        return any(cell.get("outputs") for cell in json.loads(path.read_bytes())["cells"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _shown(output: dict) -> list:
    """An output without the numbers that every run gives anew."""
    data = {kind: shown for kind, shown in output.get("data", {}).items() if kind != VIEW}
    return [output["output_type"], output.get("text"), data]
