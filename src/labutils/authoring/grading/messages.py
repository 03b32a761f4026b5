"""What goes into a process that tries answers, and what comes back.

What comes back is text, never a pickle: a pickle from there would run here. It names its exercise and repeats the
secret of its process, so that nothing else that writes into the same pipe is taken for a verdict.
"""

import json
from dataclasses import asdict, dataclass, field

from labutils.authoring.grading.assignment import Exercise

READY = ""  # in place of an exercise: the process can begin
LARGEST = 1 << 20  # bytes of one message; what is longer is none
LONGEST = 20_000  # characters that a student is told about one exercise


@dataclass(frozen=True)
class Job:
    """An exercise and the student's cells for it. What is tested no more only runs: later cells may need it."""

    exercise: Exercise
    cells: list[str]
    tested: bool = True


@dataclass
class Verdict:
    """What became of one exercise.

    Attributes:
        right: whether all tests passed.
        said: what the student is told, in sentences.
        held: the properties that held, as the check prints them.
    """

    right: bool = False
    said: str = ""
    held: list[str] = field(default_factory=list)


def packed(secret: str, exercise: str, verdict: Verdict | None) -> bytes:
    """A message: what came of an exercise, None where it was not tested."""
    content = verdict and asdict(verdict) | {"said": verdict.said[:LONGEST]}
    return json.dumps({"secret": secret, "exercise": exercise, "verdict": content}).encode()


def unpacked(message: bytes, secret: str) -> tuple[str, Verdict | None] | None:
    """The exercise and what came of it; None where the message does not come from the process with this secret."""
    try:
        found = json.loads(message)
        if found["secret"] == secret:
            return found["exercise"], found["verdict"] and Verdict(**found["verdict"])
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    return None
