"""Text as other programs write it, and text that every file and every screen can take."""

import csv
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from unicodedata import normalize

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
