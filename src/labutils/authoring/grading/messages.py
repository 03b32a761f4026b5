"""What goes into a process that tries answers, and what comes back.

What comes back is text, never a pickle: a pickle from there would run here. It names its exercise and repeats the
secret of its process, so that nothing else that writes into the same pipe is taken for a verdict.
"""

from dataclasses import dataclass, field
from hmac import compare_digest

from labutils.authoring.grading.assignment import Exercise

READY, END = "", " "  # in place of an exercise: the process can begin, and it has tried them all
AT = "\t"  # in front of the number of a cell that begins; -1 where the tests do
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
        look: whether whoever grades should look at the answer, because it has changed what tests it.
        wrote: whether it was seen to change or remove what is not its own.
        starts: a program that it starts, which may be none of its business.
        waits: whether that can do anything, so that there are no points until the answer was read.
    """

    right: bool = False
    said: str = ""
    held: list[str] = field(default_factory=list)
    look: bool = False
    wrote: bool = False
    starts: str = ""
    waits: bool = False


def packed(secret: str, exercise: str, verdict: Verdict | None) -> bytes:
    """A message: what came of an exercise, None where it was not tested. Each of its parts is written in hexadecimal
    digits, for which no other module is asked: what that does could have been changed by the answer.
    """
    parts = [secret, exercise]
    if verdict is not None:
        flags = "".join(str(int(flag)) for flag in (verdict.right, verdict.look, verdict.wrote, verdict.waits))
        parts += [flags, verdict.starts, verdict.said[:LONGEST], *verdict.held]
    return b" ".join([part.encode("utf-8", "surrogatepass").hex().encode() for part in parts])


def unpacked(message: bytes, secret: str) -> tuple[str, Verdict | None] | None:
    """The exercise and what came of it; None where the message does not come from the process with this secret."""
    try:
        found = [bytes.fromhex(part.decode()).decode("utf-8", "surrogatepass") for part in message.split(b" ")]
        if not compare_digest(found[0].encode(), secret.encode()):
            return None
        if len(found) == 2:
            return found[1], None
        _, exercise, flags, starts, said, *held = found
        right, look, wrote, waits = (flag == "1" for flag in flags)
        return exercise, Verdict(right, said, held, look, wrote, starts, waits)
    except (ValueError, IndexError):
        return None
