"""Trials in fresh processes: what runs there may hang, or end its process, and costs one exercise."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from labutils.authoring.grading.assignment import Exercise
from labutils.authoring.grading.messages import Job, Verdict

START = 300  # seconds in which a process has to be ready; it imports PyTorch
# A server that forks imports PyTorch once for all processes; elsewhere than on Linux a fork of it may hang.
WAY = "forkserver" if sys.platform == "linux" else "spawn"


class Stopped(Exception):
    """A process was stopped or has ended while it tried an exercise. The message says which, to the student."""


def verdicts(exercises: list[Exercise], code: dict[str, list[str]], folder: Path, seconds: float) -> dict[str, Verdict]:
    """Name of each exercise -> the verdict on it.

    Args:
        code: name of an exercise -> the student's cells for it; what stands above the first exercise under "".
        folder: where the code runs, so that it finds files that were handed in with it.
        seconds: what one exercise may take, its tests included.
    """
    jobs = {one.name: Job(one, code[one.name]) for one in exercises}
    first = exercises[0].name
    jobs[first] = replace(jobs[first], cells=code.get("", []) + code[first])
    found: dict[str, Verdict] = {}
    while len(found) < len(jobs):
        with _process(list(jobs.values()), folder) as channel:
            for name in jobs:
                try:
                    verdict = _received(channel, seconds)
                except Stopped as error:
                    found.setdefault(name, Verdict(said=str(error)))
                    jobs[name] = replace(jobs[name], cells=[])  # the next process does without them
                    break
                if verdict is not None:
                    found[name] = verdict
        jobs = {name: replace(job, tested=name not in found) for name, job in jobs.items()}
    return {name: found[name] for name in jobs}


def _received(channel: Connection, seconds: float) -> Verdict | None:
    """The verdict on the next exercise, None where it is not tested. Raises Stopped where none comes."""
    if not channel.poll(seconds):
        raise Stopped(f"It had not finished after {seconds:g} seconds.")
    try:
        return channel.recv()
    except EOFError:
        raise Stopped("It ended the program that tests it.") from None


@contextmanager
def _process(jobs: list[Job], folder: Path) -> Iterator[Connection]:
    """The way to the verdicts of a process that is ready to try. Raises RuntimeError where it does not start."""
    context = get_context(WAY)
    if WAY == "forkserver":
        context.set_forkserver_preload([f"{__package__}.trial"])
    channel, other_end = context.Pipe(duplex=False)
    process = context.Process(target=_try_all, args=(other_end, jobs, str(folder)), daemon=True)
    process.start()
    other_end.close()
    try:
        try:
            _received(channel, START)
        except Stopped:
            raise RuntimeError("The process that tries answers did not start.") from None
        yield channel
    finally:
        process.kill()
        process.join()
        channel.close()


def _try_all(channel: Connection, jobs: list[Job], folder: str) -> None:
    from labutils.authoring.grading.trial import try_all  # there, not here: whoever grades needs no PyTorch

    try_all(channel, jobs, folder)
