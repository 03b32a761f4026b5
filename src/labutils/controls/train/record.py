"""The runs that a control shows before a reader trains one: `python -m labutils.controls.train.record`, two minutes
each, or with one of their names, such as `labels`.

They are computed by the page's own code in V8, with the control's first settings, once with nothing broken and once
with each thing that a reader can break; no time is kept. Bold in their samples is what the grammar itself follows,
which only Python can ask.
"""

import json
import sys
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

from labutils.controls.engine.stories import stored
from labutils.controls.script import call
from labutils.world import World
from labutils.world.story import OutsideTheWorld

FOLDER = Path(__file__).parent
OUTSIDE = "engine/backward/outside.js"
SIZES = {"places": 256, "width": 64, "layers": 2, "heads": 4, "eps": 1e-5}
PLAN = {"rate": 0.008, "rise": 20, "batch": 8, "most": 1.0, "by": 1}
BROKEN = {"nothing": {}, "rate": {"rate": 30 * PLAN["rate"]}, "labels": {"by": 0}}  # what differs in the plan
SPREAD, SEED = 0.06, 0  # of the weights at the start
SLICE = 20_000  # ms of one call


def file_of(broken: str) -> Path:
    return FOLDER / ("recorded.json" if broken == "nothing" else f"recorded_{broken}.json")


def task(broken: str = "nothing") -> dict[str, Any]:
    """What a run is given, its stories unpacked."""
    data = stored()
    parts = {name: zlib.decompress(b64decode(data[name])) for name in ("told", "fresh")}
    return {
        "config": {"vocab": data["vocabulary"], **SIZES},
        "seed": SEED,
        "spread": SPREAD,
        "plan": PLAN | BROKEN[broken],
        "order": data["order"],
        "end": data["end"],
        **parts,
    }


def made(broken: str = "nothing") -> list[dict[str, Any]]:
    """Train, and return the points of the curve: step, tokens, loss, what was written and how much of it holds. Of a
    broken run also the loss that it is trained on.
    """
    call(OUTSIDE, "begin", task(broken))
    goes, points, world, trained = True, [], World(), None
    while goes:
        answer = call(OUTSIDE, "more", SLICE)
        goes = answer["goes"]
        for told in answer["messages"]:
            if told["kind"] == "fault":
                raise RuntimeError(f"The run broke in {told['where']}.")
            if told["kind"] == "pace":
                trained = round(told["loss"], 4)
            if told["kind"] == "point":
                ids = told["ids"]
                points.append(
                    {
                        **{key: told[key] for key in ("step", "tokens", "ids", "followed")},
                        "loss": round(told["loss"], 4),
                        "lawful": lawful(world, ids),
                        **({} if broken == "nothing" or trained is None else {"trained": trained}),
                    }
                )
    return points


def lawful(world: World, ids: list[int]) -> int:
    """How many tokens there are before the first word that the grammar does not tell."""
    pieces, end = stored()["pieces"], stored()["end"]
    words: list[list[int]] = []  # for each word of the text, its tokens
    for i, token in enumerate(ids):
        if token == end:
            break
        new = not words or pieces[token].startswith("␣") or not pieces[token].isalpha()
        words.append([i]) if new else words[-1].append(i)
    held = 0
    for word in words:
        text = "".join(pieces[t] for t in ids[: word[-1] + 1]).replace("␣", " ").strip()
        try:
            world.next_word(text)
        except OutsideTheWorld:
            break
        held = word[-1] + 1
    else:  # every word holds: so does the end, if the story may end there
        if held < len(ids) and _whole(world, text if words else ""):
            held += 1
    return held


def _whole(world: World, text: str) -> bool:
    try:
        world.log_prob(text)
    except OutsideTheWorld:
        return False
    return True


def recorded(broken: str = "nothing") -> list[dict[str, Any]]:
    """The points as they were recorded."""
    return json.loads(file_of(broken).read_text(encoding="utf-8"))


if __name__ == "__main__":
    for name in sys.argv[1:] or BROKEN:
        lines = ",\n".join(json.dumps(point, separators=(",", ":")) for point in made(name))
        file_of(name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
