"""What was handed in while answers run: what one of them removes or changes of it is put back, and named."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from labutils.authoring.grading.placing import Handed
from labutils.authoring.grading.snapshot import Snapshot
from labutils.authoring.grading.texts import plain


class Submitted:
    """All that a class has handed in, as it was before the first answer ran.

    Args:
        folder: with a folder for each student.
        handed: what was found in these.
    """

    def __init__(self, folder: Path, handed: Iterable[Handed]):
        self.folder, self.snapshot, self.files = folder, Snapshot(), []
        for one in handed:
            for home in dict.fromkeys(path.parent for found in one.found.values() for path in found):
                self.snapshot.add(home)
            self.snapshot.keep_all(one.files())
            self.files += one.files()
        self.known = self._now()

    def changes(self) -> list[str]:
        """What was removed or changed since this was asked the last time, in words; it is put back where it is known
        what it was.
        """
        now = self._now()
        removed = sorted(path for path in self.known if path not in now)
        changed = sorted(path for path in now if path in self.known and now[path] != self.known[path])
        back = {path for path in (*removed, *changed) if self.snapshot.put_back(path)}
        self.known = self._now() if back else now
        said = []
        for done, paths in (("REMOVED", removed), ("CHANGED", changed)):
            for after, some in (
                ("that was put back. Read its code", [path for path in paths if path in back]),
                ("put back your own copy", [path for path in paths if path not in back]),
            ):
                said += [f"{done} {', '.join(map(self._named, some))}: {after}."] * bool(some)
        return said

    def _named(self, path: Path) -> str:
        return plain(path.relative_to(self.folder).as_posix())

    def _now(self) -> dict[Path, tuple]:
        """The files that are there, each with what is another number where it was written anew."""
        found = {}
        for path in self.files:
            with suppress(OSError):
                now = path.lstat()
                found[path] = now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns
        return found
