"""What goes into a process that tries answers, and what comes back."""

from dataclasses import dataclass, field

from labutils.authoring.grading.assignment import Exercise


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
