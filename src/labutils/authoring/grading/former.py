"""What was left by earlier runs and would be taken for current: feedback of students who are gone, and a version of
accepted.txt that was put aside.
"""

import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from labutils.authoring.grading.accepted import FILE, accepted
from labutils.authoring.grading.kept import beside
from labutils.authoring.grading.texts import composed, plain

FORMER = "feedback-former"  # in the course: feedback of those who are no longer in the class


def put_aside(course: Path, class_: Collection[str]) -> list[str]:
    """Move the feedback of those who are not in the class to a folder of its own; a line that names them."""
    names, moved = set(map(composed, class_)), []
    for path in sorted((course / "feedback").glob("*")):
        if path.is_dir() and not path.is_symlink() and composed(path.name) not in names:
            with suppress(OSError):
                (course / FORMER).mkdir(exist_ok=True)
                shutil.rmtree(course / FORMER / path.name, ignore_errors=True)
                os.replace(path, course / FORMER / path.name)
                moved.append(plain(path.name))
    return [f"No longer in the class: {', '.join(moved)}. Their feedback lies in {FORMER}."] if moved else []


def clear_accepted(course: Path) -> None:
    """Remove the version of accepted.txt that was put aside, once accepted.txt has all of its lines."""
    aside = beside(course / FILE)
    if aside.is_file() and accepted(course, aside.name) <= accepted(course):
        aside.unlink()
