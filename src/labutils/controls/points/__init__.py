"""Points: words, or anything else that has a name and a vector, on a plane; the nearest of each; and how well a line
separates two groups. It needs no model, so it is the same in both homes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets as t

from labutils.controls.control import Control, widget
from labutils.controls.points.given import given_groups, given_probe, given_tables, given_word
from labutils.controls.points.tables import pairs, table

NEAREST = 20
NONE = -1  # the place of the chosen word before a reader has chosen one


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

    _esm = widget("points")
    control = t.Unicode("points").tag(sync=True)
    title, lede = t.Unicode().tag(sync=True), t.Unicode().tag(sync=True)
    word, k, table, probe = (t.Int(0).tag(sync=True) for _ in range(4))
    words = t.List(help="the names").tag(sync=True)
    groups = t.Dict(help="names: those of the groups, of: for each word its group, or −1").tag(sync=True)
    axes = t.List(help="what the two coordinates are called").tag(sync=True)
    probes = t.List(help="for each line its name, the group above and the group below").tag(sync=True)
    tables = t.List(help="for each table its name, the plane, the nearest, and what the lines say").tag(sync=True)
    source = t.Unicode("Computed beforehand in Python").tag(sync=True)

    def __init__(
        self,
        title: str,
        lede: str,
        words: Sequence[str],
        vectors: Any,
        groups: Mapping[str, Sequence[str]] | Sequence[str | None] | None = None,
        *,
        coordinates: Any = None,
        axes: tuple[str, str] | None = None,
        directions: Mapping[str, tuple] | None = None,
        word: str | int | None = 0,
        k: int | None = None,
        table: str | int = 0,
        probe: tuple[str, str] | str | None = None,
        number: str = "",
        name: str = "",
        **more,
    ):
        words = list(map(str, words))
        given = given_tables(words, vectors, coordinates)
        names, of = given_groups(words, groups)
        lines = pairs(names, of, directions or {}, given)
        nearest = min(NEAREST, len(words) - 1)
        k = min(8, nearest) if k is None else k
        if not 1 <= k <= nearest:
            raise ValueError(f"k={k}: of {len(words)} words, 1 to {nearest} neighbours can be shown.")
        if axes is None:
            axes = ("x", "y") if coordinates is not None else ("Principal component 1", "Principal component 2")
        if isinstance(axes, str) or len(axes) != 2:
            raise ValueError(f"axes={axes!r} is no pair of names.")
        self.width = next(iter(given.values()))[0].shape[1]
        super().__init__(
            title=title,
            lede=lede,
            words=words,
            groups={"names": names, "of": of},
            axes=list(map(str, axes)),
            probes=[{key: line[key] for key in ("name", "above", "below", "fitted")} for line in lines],
            tables=_tables(given, of, lines, nearest),
            word=NONE if word is None else given_word(words, word),
            k=k,
            table=given_word(list(given), table, "table"),
            probe=given_probe(lines, probe),
            number=number,
            name=name,
            **more,
        )

    def __repr__(self) -> str:
        what = f", {len(self.tables)} tables" if len(self.tables) > 1 else ""
        return f"Points({self.title!r}, {len(self.words)} words, {self.width} numbers each{what})"


def _tables(given: dict, of: list[int], lines: list[dict], nearest: int) -> list[dict[str, Any]]:
    made, before = [], None
    for name, (vectors, plane) in given.items():
        made.append({"name": name} | table(vectors, plane, of, lines, nearest, before))
        before = made[-1].pop("coordinates")
    return made
