"""One exercise tried: the student's cells, then the instructor's tests on what they define."""

import contextlib
import io
import os
import pkgutil
import stat
import sys
from collections.abc import Iterator
from importlib import import_module
from multiprocessing.connection import Connection
from os import getpid

import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from labutils import exercises as checkers
from labutils.authoring.grading.assignment import Exercise
from labutils.authoring.grading.limits import limit
from labutils.authoring.grading.messages import READY, Job, Verdict, packed
from labutils.authoring.grading.originals import put_back, remember
from labutils.exercises.checking import NotYet
from labutils.exercises.forbidden import refuse, watched

for found in pkgutil.walk_packages(checkers.__path__, f"{checkers.__name__}."):
    import_module(found.name)  # now, so that a student's code finds nothing to load in their place
with watched():
    torch.zeros(1)  # for this PyTorch loads much more of itself: once for all processes, and in nobody's time

UNWRITTEN = "It is not written yet."
UNSEEN = "A test that the notebook does not show"
TOO_LARGE = "It wanted more memory than an answer gets."


def try_all(channel: Connection, secret: str, jobs: list[Job], folder: str, memory: float) -> None:
    """Do one job after the other and send what came of each; meant for a process of its own, which it silences.

    Args:
        secret: goes with each verdict.
        folder: where the code runs.
        memory: GB that it may take.
    """
    process = os.getpid()

    def send(exercise: str, verdict: Verdict | None) -> None:
        if getpid() != process:  # an answer has called os.fork(), and this is the copy
            os._exit(0)
        channel.send_bytes(packed(secret, exercise, verdict))

    os.chdir(folder)
    os.environ["MPLBACKEND"] = "agg"
    for number in (1, 2, *_pipes(but=channel.fileno())):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    settings = Config()
    settings.HistoryManager.enabled = False
    shell, names = InteractiveShell(config=settings), {"__name__": "tests"}  # the student's cells are __main__
    torch.set_num_threads(1)  # a core for each answer: threads that wait for one another would use up its seconds
    limit(memory)
    send(READY, None)
    for job in jobs:
        send(job.exercise.name, done(job, shell, names))


def _pipes(but: int) -> Iterator[int]:
    """The other pipes of this process: through them multiprocessing talks to itself, and an answer should not."""
    for number in range(3, 256) if os.name == "posix" else ():
        with contextlib.suppress(OSError):
            mode = os.fstat(number).st_mode
            if number != but and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
                yield number


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
    if isinstance(error, MemoryError) or "DefaultCPUAllocator" in str(error):
        return TOO_LARGE
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0][:300] if said else 'no message'}"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
