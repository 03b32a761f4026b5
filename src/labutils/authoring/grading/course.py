"""A course: what its class has handed in, and what each student gets for it."""

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from time import monotonic
from types import MappingProxyType

import labutils
from labutils.authoring import notebooks
from labutils.authoring.grading.accepted import FILE, accepted, nobodys
from labutils.authoring.grading.assignment import exercises, handed_out, owners
from labutils.authoring.grading.culprits import Culprits, Line
from labutils.authoring.grading.former import clear_accepted, put_aside
from labutils.authoring.grading.going_on import Done
from labutils.authoring.grading.handed_in import NotGradable, code_of, rewritten
from labutils.authoring.grading.kept import CHANGED, Kept, beside
from labutils.authoring.grading.limits import MEMORY
from labutils.authoring.grading.marks import (
    NOT_GRADABLE,
    NOT_SUBMITTED,
    READ,
    Mark,
    on_screen,
    rows_of,
    worth,
    write_feedback,
    write_grades,
)
from labutils.authoring.grading.others import Others
from labutils.authoring.grading.pace import left
from labutils.authoring.grading.placing import TOO_MANY, Handed, handed_in, is_litter
from labutils.authoring.grading.processes import Ended, stop, verdicts
from labutils.authoring.grading.strayed import missed, strayed
from labutils.authoring.grading.submitted import Submitted
from labutils.authoring.grading.texts import composed, decoded, names_of, plain
from labutils.authoring.grading.to_read import LISTED, odd_name
from labutils.authoring.grading.unseen import hold_back
from labutils.places import BUILD, SITE, WORK

SECONDS = 60.0
CHECKERS = Path(labutils.__file__).parent / "exercises"  # whose files hold right answers, too, as do
RUN = BUILD / "jupyter_execute"  # the notebooks as the site has them


def cores() -> int:
    """How many answers may run at once: the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def assignments(course: Path) -> list[str]:
    """The assignments that can be graded: the folders of source/ with a notebook of their name."""
    return sorted(path.stem for path in (course / "source").glob("*/*.ipynb") if path.stem == path.parent.name)


def students(course: Path) -> dict[str, Path]:
    """The class, each with a folder: the names of students.txt, and whoever has handed in anything.

    Raises ValueError where the list has several columns and none that says it has the names.
    """
    found = {name: course / "submitted" / name for name in listed(course)}
    for path in sorted((course / "submitted").glob("*")):
        if path.is_dir() and not is_litter(path.name):
            name = composed(path.name)
            taken = name in found and found[name] != path and found[name].is_dir()
            found[path.name if taken else name] = path
    return dict(sorted(found.items()))


def listed(course: Path) -> list[str]:
    """The names of students.txt; none where there is no such file."""
    path = course / LISTED
    lines = decoded(path.read_bytes()).splitlines() if path.exists() else []
    return list(map(composed, names_of(lines, lambda name: (course / "submitted" / name).is_dir())))


class Course:
    """A course with all that was handed in; it is read before any answer runs, so that an answer can remove nothing.

    Args:
        folder: has source/, submitted/ and, if the instructor likes, students.txt.
        seconds: of a processor, what one exercise may take.
        memory: GB that it may take.
        jobs: how many students' answers run at once.
        part: (i, n) for the i-th of n parts of the class, counted from 0; its rows go to a table of their own, which
            `join` puts together with the others.
        by_hand: folders of the instructor's own elsewhere, which answers must not change either, and which of their
            files count.
    """

    def __init__(
        self,
        folder: Path,
        seconds: float = SECONDS,
        memory: float = MEMORY,
        jobs: int = 1,
        part: tuple[int, int] = (0, 1),
        by_hand: Mapping[Path, str] = MappingProxyType({}),
    ):
        self.folder, self.jobs, self.whole = folder, jobs, part[1] == 1  # a part that is not complete has to show it
        self.looking, self.at_work, self.culprits = Lock(), set(), Culprits(self._note)
        self.marks: dict[str, Mark] = {}  # of the assignment that is being graded
        self.table = folder / ("grades.csv" if part[1] == 1 else f"grades-{part[0]}-of-{part[1]}.csv")
        self.limits = {"seconds": seconds, "memory": memory}
        closed = tuple(os.path.realpath(path) for path in (folder, CHECKERS, SITE, RUN, WORK, *by_hand))
        sources = {name: notebooks.read(folder / "source" / name / f"{name}.ipynb") for name in assignments(folder)}
        self.tests = {name: exercises(source) for name, source in sources.items()}
        self.owners = {name: owners(source) for name, source in sources.items()}
        self.handed_out = {name: handed_out(source) for name, source in sources.items()}
        self.answers = {name: [one.name for one in tests] for name, tests in self.tests.items()}
        clear_accepted(folder)
        self.everybody = everybody = students(folder)
        self.accepted, self.names = accepted(folder), _odd_names(listed(folder), everybody)
        self.unknown = list(nobodys(self.accepted, everybody, [one.name for own in self.tests.values() for one in own]))
        class_ = list(everybody.items())[part[0] :: part[1]]
        self.handed = {name: self._read(home) for name, home in class_}
        self.submitted = Submitted(folder / "submitted", self.handed.values())
        self.tried = partial(verdicts, **self.limits, closed=closed, copy=self.submitted.snapshot.copy)
        self.texts = {name: [cell.source for cell in source.cells] for name, source in sources.items()}
        self.others = Others(self.handed, everybody)
        self.submissions = 0  # that were graded so far
        self.rows = rows_of(self.table)
        told = [path for name in self.handed for path in (folder / "feedback" / name).glob("*.md")]
        self.kept = Kept([self.table, *told, *(folder / "source").glob("*/*.ipynb")], by_hand, [folder / FILE])

    def grade(self, assignment: str) -> list[Mark]:
        """Grade one assignment of the class; writes grades.csv and feedback/ and prints a line for each student.

        Where the last run was stopped, those that it has graded are not graded again; `end` says that it was not.
        """
        tests, found, finished = self.tests[assignment], [], SimpleQueue()
        done = Done(self.table, assignment, self.digest, self.kept)
        kept = self._kept(assignment, done)
        if not kept and not any(self._is_in(one, assignment) for one in self.handed.values()):
            return self._nobody(assignment)
        print(f"{assignment}, {worth(tests):g} points{f', {len(kept)} graded before' if kept else ''}", flush=True)
        waiting = [name for name in self.handed if plain(name) not in kept]
        pool, begun = ThreadPoolExecutor(self.jobs), monotonic()
        try:
            for name in waiting:
                pool.submit(self._watched, assignment, name).add_done_callback(finished.put)
            for i, _ in enumerate(waiting, 1):
                mark, seconds = finished.get().result()
                found.append(mark)
                self.marks[mark.student] = mark
                self.submissions += mark.status != NOT_SUBMITTED
                count = f"{len(kept) + i} of {len(self.handed)}, {seconds:.0f} s"
                count += left(i, len(waiting) - i, monotonic() - begun, self.jobs)
                print(f"  {on_screen(mark, tests):<60}  {count}", flush=True)
                self._say(self.culprits.graded(mark.student, mark.wrote()))
                self._tell(assignment, mark)
                self._write(assignment, found, kept)
                with self.looking:
                    done.add(mark.student)
        except KeyboardInterrupt:
            stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            self.culprits.found(self._changes(), self.at_work)
            self._say(self.culprits.rest())
            self.at_work.clear()
            self._write(assignment, found, kept)
            self.marks = {}
        return found

    def _is_in(self, handed: Handed, assignment: str) -> bool:
        """Whether a student has handed in anything for an assignment, be it nothing that can be graded."""
        try:
            return bool(handed.unreadable) or handed.chosen(assignment, self.owners[assignment]) is not None
        except NotGradable:
            return True

    def _nobody(self, assignment: str) -> list[Mark]:
        """The marks for what nobody has handed in: their rows, and one line for all."""
        found = [self._named(Mark(student, NOT_SUBMITTED)) for student in self.handed]
        points = f"{worth(self.tests[assignment]):g} points"
        print(f"{assignment}, {points}: not submitted by any of {len(found)}", flush=True)
        for mark in found:
            self._tell(assignment, mark)
        self._write(assignment, found, {})
        return found

    def _tell(self, assignment: str, mark: Mark) -> None:
        path = self.folder / "feedback" / mark.student / f"{assignment}.md"
        with self.looking, suppress(OSError):  # a name that no file can have: the row says the points
            write_feedback(path, mark, self.tests[assignment], self.kept)

    def _write(self, assignment: str, found: list[Mark], kept: dict[str, dict]) -> None:
        tests, write = self.tests[assignment], self.kept.write
        with self.looking:
            stay = self._older(assignment, found) if self.whole else kept.values()
            self.rows = write_grades(self.table, assignment, found, tests, stay, self.rows, write)

    def _older(self, assignment: str, found: list[Mark]) -> list[dict]:
        """The rows of the class for which there is no new one yet: if this run is stopped, they are all there is."""
        waiting = set(map(plain, self.handed)) - {plain(mark.student) for mark in found}
        return [row for row in self.rows if row["assignment"] == assignment and row["student"] in waiting]

    def _note(self, student: str, line: str) -> None:
        """What an answer may have done, for its row; where it is not graded yet, it is so again."""
        if student in self.marks:
            self.marks[student].notes.append(line)

    def _named(self, mark: Mark) -> Mark:
        """The mark with what is odd about the student's name, and what of the student has been read."""
        read = frozenset(exercise for name, exercise in self.accepted if name == composed(mark.student))
        return replace(mark, name=self.names.get(mark.student, ""), accepted=read)

    def to_read(self) -> int:
        """How many rows of the table have something to be read."""
        return sum(bool(row.get(READ)) for row in self.rows)

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(f"    {line}", flush=True)

    def _changes(self) -> list[Line]:
        """Put back what an answer has changed, and what is to be said of it."""
        found = [(True, line) for line in self.submitted.changes()]
        changed = self.kept.put_back()
        if changed:
            found.append((True, f"CHANGED {self._listed(changed)}: that was put back. Read its code."))
        if own := [path for path in changed if path in self.kept.own and beside(path).is_file()]:
            said = f"Was it you who changed {self._listed(own)}? It lies there with {CHANGED} after its name."
            found.append((False, said))
        if added := self.kept.added():
            found.append((True, f"OR YOU ADDED {self._listed(added)}: look at it before `make assignments`."))
        return found

    def _listed(self, paths: Iterable[Path]) -> str:
        """Files as they are named to whoever grades, from the course or from what it lies in."""
        known = [
            [path.relative_to(home) for home in (self.folder, self.folder.parent) if path.is_relative_to(home)] + [path]
            for path in paths
        ]
        return ", ".join(plain(names[0].as_posix()) for names in known)

    def end(self, graded: Iterable[str]) -> None:
        """The run has come to its end: the next one grades these assignments again, for all students."""
        for assignment in graded:
            Done(self.table, assignment, self.digest, self.kept).all()
        for line in put_aside(self.folder, self.everybody):
            print(line)

    def digest(self, assignment: str, student: str) -> str:
        """What the mark of a student depends on, in one text."""
        handed = self.handed.get(student)
        mine = handed and (handed.found.get(assignment), handed.broken, handed.unreadable)
        read = sorted(exercise for name, exercise in self.accepted if name == composed(student))
        return repr((self.tests[assignment], self.limits, mine, read))

    def _kept(self, assignment: str, done: Done) -> dict[str, dict]:
        """The rows of those that a run has graded which was stopped."""
        before = set(map(plain, done.students()))
        rows = [row for row in self.rows if row["assignment"] == assignment]
        return {row["student"]: row for row in rows if row["student"] in before}

    def _read(self, home: Path) -> Handed:
        """What a student has handed in; nothing where even that fails."""
        try:
            return handed_in(home, self.answers)
        except Exception as error:  # whatever it is: the others are graded
            return Handed(home, unreadable=f"{type(error).__name__}: {error}")

    def _watched(self, assignment: str, student: str) -> tuple[Mark, float]:
        """The mark of one student and the seconds that it took; what was changed meanwhile is put back."""
        begun = monotonic()
        with self.looking:
            self.at_work.add(student)
        try:
            mark = self.mark(student, assignment)
        except Ended:
            raise
        except Exception as error:
            mark = Mark(student, NOT_GRADABLE, f"Grading ended with an error, which may not be yours: {_said(error)}")
        with self.looking:
            self.culprits.found(self._changes(), self.at_work)
            self.at_work.discard(student)
        return self._named(mark), monotonic() - begun

    def mark(self, student: str, assignment: str) -> Mark:
        """The mark for what one student has handed in."""
        handed, belongs = self.handed[student], self.owners[assignment]
        if handed.unreadable:
            return Mark(student, NOT_GRADABLE, f"The folder cannot be read: {plain(handed.unreadable)}")
        try:
            chosen = handed.chosen(assignment, belongs)
        except NotGradable as error:
            return Mark(student, NOT_GRADABLE, str(error))
        if chosen is None:
            return Mark(student, NOT_SUBMITTED)
        path, notebook = chosen
        where = "" if path == handed.own_place(assignment) else handed.name(path)
        tests, before = self.tests[assignment], self.handed_out[assignment]
        code = code_of(notebook, belongs, before)
        found = self.tried(tests, code, path.parent)
        strayed(tests, code, found)
        missed(tests, code, rewritten(notebook, belongs, before), found)
        hold_back(tests, code, found)
        given = (*self.texts[assignment], *before.values(), *(cell for cells in code.values() for cell in cells))
        self.others.hold_back(student, assignment, given, found)
        others = handed.differing(assignment, path, belongs)
        return Mark(student, where=where, others=others, beside=TOO_MANY if handed.crowded else "", verdicts=found)

    def not_placed(self) -> Iterator[str]:
        """A line for each file that is graded as nothing."""
        for path in sorted((self.folder / "submitted").glob("*")):
            if path.is_file() and not is_litter(path.name):
                yield f"{plain(path.name)}: it lies in no student's folder"
        for student, handed in self.handed.items():
            yield from (f"{plain(student)}/{line}" for line in handed.not_placed(self.tests))


def _odd_names(listed: list[str], class_: Mapping[str, Path]) -> dict[str, str]:
    """Whose name is odd, and what is."""
    folders = [name for name, folder in class_.items() if folder.is_dir()]
    return {name: said for name in class_ if (said := odd_name(name, listed, folders))}


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {plain(str(error))[:200]}"
