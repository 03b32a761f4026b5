"""Text as other programs write it, and text that every file and every screen can take."""

import csv
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from unicodedata import normalize

EMPTY = " \t;,\0"  # what stands at both ends of a line without being a name
HEADS = ("student", "folder", "name")  # of the column that has the names of a class, the first that is there
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def decoded(content: bytes) -> str:
    """The text of a file that Notepad, Excel or another program wrote: with a byte order mark, in UTF-16, in cp1252.

    >>> decoded("Ada;Zoë".encode("utf-16")), decoded("Zoë".encode("cp1252")), decoded("Zoë".encode("utf-8-sig"))
    ('Ada;Zoë', 'Zoë', 'Zoë')
    """
    if (encoding := MARKS.get(content[:2])) is not None:
        return content.decode(encoding, errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def plain(text: str) -> str:
    """The text without characters that no file takes, such as those of a name in no encoding.

    >>> plain("Zo\\udceb")
    'Zo\\\\udceb'
    """
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def composed(name: str) -> str:
    """A name in the one form that all systems agree on: macOS writes the dots of an ë as a letter of their own.

    >>> composed("Zoe\\u0308") == composed("Zo\\u00eb")
    True
    """
    return normalize("NFC", name)


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table with a header, whichever of comma, semicolon and tab stands between its columns."""
    if not path.exists():
        return []
    text = decoded(path.read_bytes())
    header = text.partition("\n")[0]
    between = max(",;\t", key=header.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=between, restval="")
    return [{name: value for name, value in row.items() if name is not None} for row in rows]


def names_of(lines: list[str], is_name: Callable[[str], bool]) -> list[str]:
    """The names in a list of a class: one a line, or the column of a table that is headed as in HEADS.

    Args:
        is_name: whether somebody has handed in under it; a name may have a comma.

    Raises:
        ValueError: it has several columns, and none is headed so.

    >>> names_of(["name;Student;mail", "Lovelace;ada;a@x.org"], lambda name: False), names_of(["ada;"], bool)
    (['ada'], ['ada'])
    """
    rows = [line.strip(" \0") for line in lines if line.strip(EMPTY)]
    lines = [line.strip(EMPTY) for line in rows]
    between = next((one for one in ";\t" if any(one in line for line in lines)), "")
    if not between and lines and all("," in line for line in lines):
        between = "" if any(map(is_name, lines)) else ","
    if not between:
        headed = lines and lines[0].lower() in HEADS and not is_name(lines[0])
        return lines[1:] if headed else lines
    rows = list(csv.reader(rows, delimiter=between))
    heads = [cell.strip().lower() for cell in rows[0]]
    column = next((heads.index(head) for head in HEADS if head in heads), None)
    if column is None:
        raise ValueError(
            "students.txt has several columns: head the one with the names of the students’ folders `student`, "
            "or leave that one alone."
        )
    return [row[column].strip() for row in rows[1:] if row[column:] and row[column].strip()]


@contextmanager
def at_once(path: Path) -> Iterator[TextIO]:
    """A file to write into that takes the place of another when it is whole: whoever ends the program, or the machine,
    meanwhile leaves the one that was there.
    """
    new = path.with_name(f"{path.name}.new")
    with new.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def write_whole(path: Path, text: str) -> None:
    """Write a text in place of a file, whole or not at all."""
    with at_once(path) as file:
        file.write(text)
