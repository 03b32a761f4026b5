"""What the instructor has to read: a sentence for each reason, on the screen and in the column `read` of grades.csv."""

from collections.abc import Collection, Mapping

from labutils.authoring.grading.accepted import FILE
from labutils.authoring.grading.assignment import Exercise
from labutils.authoring.grading.messages import Verdict
from labutils.authoring.grading.texts import plain

LISTED = "students.txt"


def reasons(
    student: str, found: Mapping[str, Verdict], accepted: Collection[str], exercises: list[Exercise]
) -> list[str]:
    """Why the answers of a student have to be read.

    Args:
        found: name of an exercise -> the verdict on it.
        accepted: exercises whose answers start a program and have been read.
    """
    said, names = [], [one.name for one in exercises if one.name in found]
    if look := [name for name in names if found[name].look]:
        said.append(f"READ THIS ANSWER: it reaches for what tests it ({', '.join(look)})")
    if starts := [name for name in names if found[name].starts and name not in accepted]:
        named = ", ".join(f"`{found[name].starts}` ({name})" for name in starts)
        uses = (
            "uses"
            if any(mark in found[name].starts for name in starts for mark in ("C code", "which shows"))
            else "starts"
        )
        said.append(f"READ THIS ANSWER: it {uses} {named}")
    if waits := [name for name in starts if found[name].waits]:
        lines = " and ".join(f"`{plain(student)} {name}`" for name in waits)
        said.append(f"no points from {waits[0]} on until {FILE} has the line{'s' * (len(waits) > 1)} {lines}")
    return said


def odd_name(name: str, listed: Collection[str], folders: Collection[str]) -> str:
    """What is odd about a name: that the list of the class lacks it, or that another is almost the same.

    Args:
        listed: the names of the list; empty where there is none.
        folders: those who have handed in.

    >>> odd_name("ada", ["Ada"], ["ada"]), odd_name("Ada", ["Ada"], ["ada"]), odd_name("ada", [], ["ada"])
    ('not in students.txt: is it `Ada`?', 'is it the folder `ada`?', '')
    """
    if name in folders and listed and name not in listed:
        other = _alike(name, set(listed) - set(folders))
        return f"not in {LISTED}" + (f": is it `{plain(other)}`?" if other else "")
    other = name not in folders and _alike(name, set(folders) - set(listed))
    return f"is it the folder `{plain(other)}`?" if other else ""


def _alike(name: str, others: Collection[str]) -> str:
    return next((one for one in sorted(others) if _letters(one) == _letters(name)), "")


def _letters(name: str) -> str:
    """
    >>> _letters("Ada Lovelace"), _letters("ada_lovelace")
    ('adalovelace', 'adalovelace')
    """
    return "".join(filter(str.isalnum, name.casefold())) or name
