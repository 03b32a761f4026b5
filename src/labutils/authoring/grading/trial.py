"""One exercise tried: the student's cells, then the instructor's tests on what they define."""

import contextlib
import io
import os
import pkgutil
import sys
from importlib import import_module
from multiprocessing.connection import Connection

import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from labutils import exercises as checkers
from labutils.authoring.grading.assignment import Exercise
from labutils.authoring.grading.messages import Job, Verdict
from labutils.authoring.grading.originals import put_back, remember
from labutils.exercises.checking import NotYet
from labutils.exercises.forbidden import refuse, watched

for found in pkgutil.iter_modules(checkers.__path__, f"{checkers.__name__}."):
    import_module(found.name)  # now, so that a student's code finds nothing to load in their place
with watched():
    torch.zeros(1)  # for this PyTorch loads much more of itself: once for all processes, and in nobody's time

UNWRITTEN = "It is not written yet."
UNSEEN = "A test that the notebook does not show"


def try_all(channel: Connection, jobs: list[Job], folder: str) -> None:
    """Do one job after the other and send what came of each; meant for a process of its own, which it silences."""
    os.chdir(folder)
    os.environ["MPLBACKEND"] = "agg"
    for number in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    settings = Config()
    settings.HistoryManager.enabled = False
    shell, names = InteractiveShell(config=settings), {"__name__": "tests"}  # the student's cells are __main__
    channel.send(None)  # ready
    for job in jobs:
        channel.send(done(job, shell, names))


def done(job: Job, shell: InteractiveShell, names: dict) -> Verdict | None:
    """The verdict on one exercise, or None where it is not tested.

    Args:
        shell: where all of the student's code runs.
        names: where the instructor's runs.
    """
    exercise = job.exercise
    for code in (*exercise.given, exercise.start):
        with contextlib.suppress(NotImplementedError):
            exec(code, names)
    memory = remember()
    results = [shell.run_cell(code, silent=True) for code in (*exercise.given, *job.cells)]
    errors = [result.error_before_exec or result.error_in_exec for result in results]
    replaced = put_back(memory)
    if not job.tested:
        return None
    answers = {name: shell.user_ns[name] for name in exercise.names if name in shell.user_ns}
    verdict = tested(exercise, answers, names)
    if again := put_back(memory):
        return Verdict(said=f"While it was tested, your code replaced {_listed(again)}, so the tests say nothing.")
    if not verdict.right:
        complete = answers.keys() >= set(exercise.names)
        verdict.said = _with_errors(verdict.said, errors, complete) if job.cells else "There is no cell for it."
    if replaced:
        verdict.said += f"\nYour code had replaced {_listed(replaced)}. It was tested with the original."
    return verdict


def tested(exercise: Exercise, answers: dict, names: dict) -> Verdict:
    """The verdict of the tests alone, on what the student has defined."""
    held, tried = _Held(), names | answers
    try:
        with contextlib.redirect_stdout(held), watched(operations=False) as seen:
            exec(exercise.check, tried)
        refuse(seen, handed_out=names.values())
    except NotYet as error:
        written = not isinstance(error.__cause__, NotImplementedError)
        return Verdict(said=str(error) if written else UNWRITTEN, held=held.lines)
    except AssertionError as error:
        return Verdict(said=str(error) or "The check below it fails.", held=held.lines)
    except BaseException as error:
        return Verdict(said=_sentence(error), held=held.lines)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(exercise.hidden, tried)
    except AssertionError as error:
        return Verdict(said=f"{UNSEEN} fails{f': {error}' if str(error) else '.'}", held=held.lines)
    except BaseException as error:
        return Verdict(said=f"{UNSEEN} ended: {_sentence(error)}", held=held.lines)
    return Verdict(right=True, held=held.lines)


class _Held(io.TextIOBase):
    """The properties that held, out of all that is printed; however much that is, little is kept."""

    def __init__(self):
        self.lines = []

    def write(self, text: str) -> int:
        if len(self.lines) < 50:
            self.lines += [line[:120] for line in text[:5000].splitlines() if line.startswith("✓")]
        return len(text)


def _with_errors(said: str, errors: list, complete: bool) -> str:
    """What the test says, below the error that one of the student's cells ended with.

    Args:
        complete: whether everything that the exercise asks for is defined.
    """
    own = [error for error in errors if error is not None and not isinstance(error, NotImplementedError)]
    if not own:
        return said if complete else UNWRITTEN
    ended = f"A cell of yours ended with an error. {_sentence(own[0])}"
    return ended if said == UNWRITTEN else f"{ended}\n{said}"


def _sentence(error: BaseException) -> str:
    if isinstance(error, NotImplementedError):
        return UNWRITTEN
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0][:300] if said else 'no message'}"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
