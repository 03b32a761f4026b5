"""Plane: stories at every temperature and top-p, how many the grammar accepts and how many different words they use."""

import traitlets as t

from labutils.controls.control import Control, fixed, setting
from labutils.making import plane


class Plane(Control):
    """A plane of two settings with a point to drag. Beside it stand stories that were drawn there; one that the grammar
    refuses is marked at its first wrong word.

    Args:
        temperature, top_p: where the point stands, each one of those that were measured.
        tried: the settings that were tried, "0.5/0.8 1/0.95" for temperatures 0.5 and 1 with top-p 0.8 and 0.95, or
            "all". What was not tried is an empty outline.
        shut, until: a setting, "1/1", that opens once the guess of this name has been made.
        whole: whether all stories that were kept are shown, not three.
        number: the number before the title, such as "12.1".

    Raises:
        ValueError: a temperature or a top-p that was not measured.

    What the reader changes is in the traits of the same names. The stories were written once, by
    `labutils.making.plane`.
    """

    TITLE = "Bold or lawful"
    LEDE = (
        "Drag the point, or use the arrow keys. Which setting uses the most different words while the grammar still"
        " accepts at least 54 of its 60 stories?"
    )

    temperature: float = setting(default=0.0, choices=plane.TEMPERATURES)
    top_p: float = setting(default=0.5, choices=plane.TOP_PS)
    tried: str = setting(default="")
    whole: bool = setting(default=False)
    shut: str = fixed(default="", kw_only=True)
    until: str = fixed(default="", kw_only=True)

    finished = t.Dict(help="the settings, and for each what was found and some of its stories").tag(sync=True)

    def made(self, said):
        return {"finished": plane.stored()}

    def __repr__(self) -> str:
        return f"Plane(temperature={self.temperature}, top_p={self.top_p})"
