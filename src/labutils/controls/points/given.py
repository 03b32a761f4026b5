"""What the author of a plane of points gives, checked. Every complaint is one sentence that names the argument."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

MOST = {"words": 2_000, "groups": 6, "tables": 24, "nearest": 40_000}


def given_tables(words: list[str], vectors: Any, coordinates: Any) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
    """name -> (vectors (n, d), coordinates (n, 2) or None); a single table has no name."""
    if not 3 <= len(words) <= MOST["words"]:
        raise ValueError(f"There are {len(words)} words: a plane shows 3 to {MOST['words']:,}.")
    tables = dict(vectors) if isinstance(vectors, Mapping) else {"": vectors}
    planes = dict(coordinates) if isinstance(coordinates, Mapping) else dict.fromkeys(tables, coordinates)
    if not 1 <= len(tables) <= MOST["tables"]:
        raise ValueError(f"vectors= holds {len(tables)} tables: a slider chooses from 1 to {MOST['tables']}.")
    if len(tables) * len(words) > MOST["nearest"]:
        raise ValueError(
            f"{len(tables)} tables of {len(words):,} words are more than a page should carry"
            f" ({MOST['nearest']:,} vectors): give fewer words."
        )
    if set(planes) != set(tables):
        raise ValueError("coordinates= and vectors= have different names.")
    given = {}
    for name, table in tables.items():
        what = f"vectors[{name!r}]" if name else "vectors"
        array = _numbers(what, table, len(words))
        if array.shape[1] < 2:
            raise ValueError(f"{what} has one number for each word: a plane needs two or more.")
        if (dead := np.flatnonzero(~array.any(1))).size:
            raise ValueError(f"In {what} the vector of {words[dead[0]]!r} is 0 and has no direction: leave it out.")
        plane = planes[name]
        if plane is not None:
            plane = _numbers("coordinates", plane, len(words))
            if plane.shape[1] != 2:
                raise ValueError(f"coordinates has {plane.shape[1]} numbers for each word, and a plane takes two.")
        given[str(name)] = (array, plane)
    return given


def _numbers(what: str, given: Any, n: int) -> np.ndarray:
    """(n, …) as float64."""
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} does not hold numbers in rows of one length.") from None
    if array.ndim != 2 or len(array) != n:
        raise ValueError(f"{what} has the shape {array.shape}, and there are {n} words: it needs a row for each.")
    if not np.isfinite(array).all():
        raise ValueError(f"{what} holds a number that is not finite.")
    return array


def given_groups(words: list[str], groups: Any) -> tuple[list[str], list[int]]:
    """(names of the groups, for each word its group or −1)."""
    if groups is None:
        return [], [-1] * len(words)
    if isinstance(groups, Mapping):
        of = _by_word(words, groups)
    else:
        of = [None if one is None or one == "" else str(one) for one in groups]
        if len(of) != len(words):
            raise ValueError(f"groups= has {len(of)} entries for {len(words)} words: it needs one for each.")
    names = list(dict.fromkeys(one for one in ([*groups] if isinstance(groups, Mapping) else of) if one is not None))
    if len(names) > MOST["groups"]:
        raise ValueError(f"groups= has {len(names)} names: {MOST['groups']} can be told apart by shape and colour.")
    return names, [-1 if one is None else names.index(one) for one in of]


def _by_word(words: list[str], groups: Mapping[str, Sequence[str]]) -> list[str | None]:
    of: list[str | None] = [None] * len(words)
    for name, members in groups.items():
        for member in members:
            if member not in words:
                raise ValueError(f"The group {name!r} has {member!r}, which is not among the words.")
            if of[words.index(member)] not in (None, name):
                raise ValueError(f"{member!r} is in two groups, {of[words.index(member)]!r} and {name!r}.")
            of[words.index(member)] = name
    return of


def given_word(words: list[str], word: str | int, what: str = "word") -> int:
    """The place of a word, or of a table, that is given by its name or its place."""
    if isinstance(word, str):
        if word not in words:
            raise ValueError(f"There is no {what} {word!r} to begin with.")
        return words.index(word)
    if not -len(words) <= word < len(words):
        raise ValueError(f"There is no {what} {word} to begin with: they go from 0 to {len(words) - 1}.")
    return int(word) % len(words)


def given_probe(lines: list[dict], probe: tuple[str, str] | str | None) -> int:
    """The place of a line, counted from 1; 0 is the plane."""
    if probe is None:
        return 0
    for at, line in enumerate(lines, 1):
        if probe == line["name"] or (not isinstance(probe, str) and {*probe} == {line["above"], line["below"]}):
            return at
    raise ValueError(
        f"probe={probe!r} is no line that could be drawn: two groups of four words or more, or the name of a direction."
    )
