"""Points: words, or anything else that has a name and a vector, on a plane; the nearest of each; and how well a line
separates two groups. It needs no model, so it is the same in both homes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets as t

from labutils.controls.control import Control, fixed, setting
from labutils.controls.points.given import given_groups, given_probe, given_tables, given_word
from labutils.controls.points.tables import pairs, table


class Points(Control):
    """Words on a plane, the nearest of each by cosine over all of them, and lines that separate two groups.

    Args:
        title, lede: what there is to see, and one sentence that says what to do.
        words: n names, 3 to 2,000. A model’s tokens may be given as they are.
        vectors: an array (n, d); or name -> array (n, d), such as one for each layer, which a slider chooses from.
        groups: up to six. Name -> its words; or for each of the n words the name of its group, or None.
        coordinates: (n, 2), or name -> (n, 2) with the names of the vectors. Without it the plane is the two principal
            components, worked out here, and its shares of the variance are shown.
        axes: what the two coordinates are called.
        directions: name -> (vector, group above, group below): lines besides those that are fitted to each two groups.
        word, k: the word that is chosen first, its name or its place, or None for none, where the reader is to guess
            before choosing; and how many of its nearest are shown, up to 20.
        table: the name or the place of the vectors that are shown first.
        probe: the horizontal axis to begin with: two groups, or the name of a direction; without it the plane.
        number: the number before the title, such as "3.4".

    Raises:
        ValueError: shapes that do not fit, a vector without a direction, a name that there is not; one sentence.

    A line is fitted by least squares with a ridge of a hundredth of the variance, both groups counting alike. Each word
    of a group is judged, and drawn, by a line that was fitted without it.

    >>> Points("Four words", "Choose one.", list("abcd"), [[1, 0], [0.9, 0.1], [0, 1], [0.1, 1]])
    Points('Four words', 4 words, 2 numbers each)
    """

    NEAREST = 20
    # The place of the chosen word before a reader has chosen one.
    NONE = -1

    title: str = fixed()
    lede: str = fixed()
    words: Sequence[str] = fixed(kept=t.List())
    vectors: Any = fixed()
    groups: Mapping[str, Sequence[str]] | Sequence[str | None] | None = fixed(
        default=None, kept=t.Dict(help="names: those of the groups, of: for each word its group, or −1")
    )
    coordinates: Any = fixed(default=None, kw_only=True)
    axes: tuple[str, str] | None = fixed(default=None, kept=t.List(), kw_only=True)
    directions: Mapping[str, tuple] | None = fixed(default=None, kw_only=True)
    word: str | int | None = setting(default=0, kept=t.Int(), kw_only=True)
    k: int | None = setting(default=None, kw_only=True)
    table: str | int = setting(default=0, kept=t.Int(), kw_only=True)
    probe: tuple[str, str] | str | None = setting(default=None, kept=t.Int(), kw_only=True)

    probes = t.List(help="for each line its name, the group above and the group below").tag(sync=True)
    tables = t.List(help="for each table its name, the plane, the nearest, and what the lines say").tag(sync=True)
    source = t.Unicode("Computed beforehand in Python").tag(sync=True)

    def made(self, said):
        words = list(map(str, said.words))
        tables = given_tables(words, said.vectors, said.coordinates)
        names, of = given_groups(words, said.groups)
        lines = pairs(names, of, said.directions or {}, tables)
        nearest = min(self.NEAREST, len(words) - 1)
        k = min(8, nearest) if said.k is None else said.k
        if not 1 <= k <= nearest:
            raise ValueError(f"k={k}: of {len(words)} words, 1 to {nearest} neighbours can be shown.")
        self.width = next(iter(tables.values()))[0].shape[1]
        return {
            "words": words,
            "groups": {"names": names, "of": of},
            "axes": _axes(said.axes, said.coordinates is not None),
            "probes": [{key: line[key] for key in ("name", "above", "below", "fitted")} for line in lines],
            "tables": _tables(tables, of, lines, nearest),
            "word": self.NONE if said.word is None else given_word(words, said.word),
            "k": k,
            "table": given_word(list(tables), said.table, "table"),
            "probe": given_probe(lines, said.probe),
        }

    def __repr__(self) -> str:
        what = f", {len(self.tables)} tables" if len(self.tables) > 1 else ""
        return f"Points({self.title!r}, {len(self.words)} words, {self.width} numbers each{what})"


def _axes(axes: tuple[str, str] | None, coordinates: bool) -> list[str]:
    if axes is None:
        axes = ("x", "y") if coordinates else ("Principal component 1", "Principal component 2")
    if isinstance(axes, str) or len(axes) != 2:
        raise ValueError(f"axes={axes!r} is no pair of names.")
    return list(map(str, axes))


def _tables(given: dict, of: list[int], lines: list[dict], nearest: int) -> list[dict[str, Any]]:
    made, before = [], None
    for name, (vectors, plane) in given.items():
        made.append({"name": name} | table(vectors, plane, of, lines, nearest, before))
        before = made[-1].pop("coordinates")
    return made
