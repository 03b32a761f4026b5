"""One run at a time writes the table of a class: two would each grade all, and write over each other's rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import SoftFileLock, Timeout

FILE = ".grading.lock"  # in the course, while a run goes on: its process and its machine
PATIENCE = 1.0  # seconds; what a run left behind that was killed is found and taken over in less


class AtWork(Exception):
    """Another run grades this course. The message says which, to the instructor."""


@contextmanager
def one_run(course: Path) -> Iterator[None]:
    """Hold a course. A file that was left behind by a process that is no more, on this machine, is taken over.

    Raises:
        AtWork: another process holds it.
    """
    lock = SoftFileLock(course / FILE, timeout=PATIENCE, poll_interval=PATIENCE / 20)
    try:
        lock.acquire()
    except Timeout:
        which = f"Process {lock.pid}" if lock.pid else "Another process"
        raise AtWork(
            f"{which} is grading this course: wait until it has ended, or grade with `--part`. "
            f"If it was on another machine and is no more, remove {course / FILE}."
        ) from None
    try:
        yield
    finally:
        lock.release()
