"""Trials in fresh processes: what runs there may hang, end its process or copy it, and costs one exercise."""

import os
import re
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, current_process, forkserver, get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory, gettempdir
from threading import Condition, Event, Lock, Thread
from time import monotonic, sleep

import psutil

from labutils.authoring.grading.assignment import Exercise, bound
from labutils.authoring.grading.limits import MEMORY, alone, end, end_children, spent, waited
from labutils.authoring.grading.messages import AT, END, LARGEST, READY, Job, Verdict, unpacked
from labutils.authoring.grading.snapshot import copied

START = 300  # seconds of a processor in which a process has to be ready; it imports PyTorch
BEHIND = 5  # a limit of 60 seconds of a processor stands in front of one of 300 seconds by the clock
LOOK = 0.5  # seconds from one look at the processor time to the next
AFTER = 0.2  # seconds after which it is seen that a process was ended
TIMES = 3  # that a process is started before it is given up
ENDED = "It ended the program that tests it."
NOT_REACHED = (
    "It could not be tested: the program that tests it ended each time before it came to it, because of what your code "
    "above changes for all that follows."
)
FORGED = "Your code wrote verdicts of its own, so none that came with them counts."
# A server that forks imports PyTorch once for all processes; elsewhere than on Linux a fork of it may hang.
PLACE = "an-answer-of-"  # how the names of the folders begin in which answers run; then comes the grader's process
Copying = Callable[[Path, Path], str]
STOP = Event()  # set where whoever grades wants no more of it
STARTING = Lock()
WAY = "forkserver" if sys.platform == "linux" else "spawn"
# What the server has loaded before it forks, in nobody’s time; an optimiser loads the compiler, in two seconds.
LOADED = (f"{__package__}.warden", f"{__package__}.trial", "torch._dynamo")


class Stopped(Exception):
    """A process was stopped or has ended while it tried an exercise. The message says which, to the student."""


def verdicts(
    exercises: list[Exercise],
    code: dict[str, list[str]],
    folder: Path,
    seconds: float,
    memory: float = MEMORY,
    closed: tuple[str, ...] = (),
    copy: Copying = copied,
) -> dict[str, Verdict]:
    """Name of each exercise -> the verdict on it.

    Args:
        code: name of an exercise -> the student's cells for it; what stands above the first exercise under "".
        folder: the code runs in a copy of it, so that it finds files that were handed in and can remove none.
        seconds: of a processor, what one exercise may take, its tests included; what sleeps instead of computing is
            stopped by the clock, after five times as many.
        memory: GB that it may take.
        closed: folders that no answer opens anything of.
        copy: takes the folder and a place, and writes the copy there.
    """
    jobs = {one.name: Job(one, code[one.name]) for one in exercises}
    first, place = exercises[0].name, partial(copy, folder)
    jobs[first] = replace(jobs[first], cells=code.get("", []) + code[first])
    found: dict[str, Verdict] = {}
    orphaned = in_vain = 0
    while len(found) < len(jobs):  # each round has a verdict more, or less code, or is counted
        try:
            with TURNS.one(by_itself=orphaned > 0):
                heard, stopped = _tried(_next(jobs, found, orphaned), (place, memory, closed), seconds, orphaned)
        except Orphaned:
            orphaned += 1
            if orphaned > TIMES + 1:
                raise RuntimeError("The server of processes ends again and again.") from None
            continue
        without, more = _without(jobs, found, stopped), heard | found
        in_vain += len(more) == len(found) and without == jobs
        if in_vain == TIMES:
            more = {name: Verdict(said=NOT_REACHED, look=True) for name in jobs} | found
        found = more
        jobs = {name: replace(job, tested=name not in found) for name, job in without.items()}
    return {name: found[name] for name in jobs}


def _without(jobs: dict[str, Job], found: dict[str, Verdict], stopped: str | None) -> dict[str, Job]:
    """The jobs for the next process, which does without the cells at which one was stopped.

    Where these are gone already, it was not they: what had its verdict before has changed something for all, and the
    next process does without all of that.
    """
    if stopped is None:
        return jobs
    gone = {stopped} if jobs[stopped].cells else set(found)
    return {name: replace(job, cells=[]) if name in gone else job for name, job in jobs.items()}


def _next(jobs: dict[str, Job], found: dict[str, Verdict], orphaned: int) -> dict[str, Job]:
    """What the next process tries, after the server has been ended so many times.

    Where it has been ended, it may have been an answer that ran beside this one: all is tried again, by itself.
    Where it ends again, one of this student's answers has ended it. When it did so is not seen from here, because the
    process goes on while its messages are read: so it is tried exercise by exercise, behind those that have passed.
    """
    if orphaned < 2:
        return jobs
    names = list(jobs)
    first = next(i for i, name in enumerate(names) if name not in found)
    return {name: jobs[name] for name in names[: first + 1]}


def _tried(
    jobs: dict[str, Job], within: tuple[Callable[[Path], str], float, tuple[str, ...]], seconds: float, orphaned: int
) -> tuple[dict[str, Verdict], str | None]:
    """What one process says of the exercises, and the one that has stopped it. Raises Orphaned where the server has
    ended, and all processes with it, but for the third time, when the last exercise is to blame for it.

    Args:
        within: what writes a copy of the folder into a place, the memory and the closed folders.
    """
    found, last, after = {}, list(jobs)[-1], AFTER if orphaned else 0.0
    with _process(list(jobs.values()), *within) as said:
        for name in jobs:
            try:
                verdict = said.about(name, seconds, jobs[name])
                if name == last and said.is_orphan(after):
                    raise Stopped(ENDED)
            except Forged:
                return _forged(jobs), None
            except Stopped as error:
                if not said.is_orphan(AFTER):
                    return found | {name: Verdict(said=str(error))}, name
                if orphaned < 2:
                    raise Orphaned from None
                return found | {last: Verdict(said=ENDED)}, last
            if verdict is not None:
                found[name] = replace(verdict, look=verdict.look or said.others)
        try:
            said.ends(seconds)
        except Forged:
            return _forged(jobs), None
    return found, None


def _forged(jobs: dict[str, Job]) -> dict[str, Verdict]:
    return {name: Verdict(said=FORGED, look=True) for name, job in jobs.items() if job.tested}


class Forged(Exception):
    """A process has said more than it was asked for: not all of it comes from the program that tests."""


class Orphaned(Exception):
    """The server that forks processes was ended while one of them tried an answer."""


class Turns:
    """Answers run side by side, but for one whose turn it is to run by itself."""

    def __init__(self):
        self.free, self.running, self.waiting = Condition(), 0, 0

    @contextmanager
    def one(self, by_itself: bool) -> Iterator[None]:
        """Wait until the others allow it: until none runs, or until none wants to run by itself."""
        with self.free:
            self.waiting += by_itself
            self.free.wait_for(lambda: not self.running if by_itself else not self.waiting)
            self.running += 1
        try:
            yield
        finally:
            with self.free:
                self.running -= 1
                self.waiting -= by_itself
                self.free.notify_all()


TURNS = Turns()


class Ended(Exception):
    """Whoever grades has stopped it."""


class _Said:
    """What a process says. It is read beside, because a message that has begun and does not end would be waited for."""

    def __init__(self, channel: Connection, secret: str, pid: int, server: int | None):
        self.heard: SimpleQueue[tuple[str, Verdict | None] | None] = SimpleQueue()
        self.pid, self.server = pid, server
        self.others = False  # whether something came that was no message of this process
        Thread(target=self._listen, args=(channel, secret), daemon=True).start()

    def _listen(self, channel: Connection, secret: str) -> None:
        with suppress(EOFError, OSError):  # nobody is left who could write, or what was written is no message
            while True:
                message = unpacked(channel.recv_bytes(LARGEST), secret)
                if message:
                    self.heard.put(message)
                self.others |= not message
        self.heard.put(None)

    def is_orphan(self, after: float = 0.0) -> bool:
        """Whether the server of this process was ended; `after` so many seconds, in which it would be seen."""
        if self.server is None:
            return False
        sleep(after)
        return not _lives(self.server)

    def about(self, exercise: str, seconds: float, job: Job | None = None) -> Verdict | None:
        """The verdict on an exercise, None where it is not tested. Raises Stopped where none comes.

        Other work on the machine costs nobody a point: the seconds are those of a processor, of the process and all
        that it has started. Five times as many by the clock stand behind them, for an answer that sleeps; what it
        waited while others had the processors is not counted.
        """
        until, begun, before, who = monotonic() + BEHIND * seconds, spent(self.pid), waited(self.pid), "It"
        while True:
            if STOP.is_set():
                raise Ended
            try:
                message = self.heard.get(timeout=LOOK)
            except Empty:
                if spent(self.pid) - begun > seconds:
                    raise Stopped(f"{who} had not finished after {seconds:g} seconds.") from None
                if monotonic() - max(0.0, waited(self.pid) - before) > until:
                    raise Stopped(
                        f"{who} had not finished after {BEHIND * seconds:g} seconds, most of them idle."
                    ) from None
                continue
            if message is None:
                raise Stopped(ENDED)
            if job and message[0].startswith(AT):
                who = _named(job, int(message[0].removeprefix(AT)))
                continue
            if message[0] != exercise:
                raise Forged
            return message[1]

    def ends(self, seconds: float) -> None:
        """It has no more to say. Raises Forged where it has; where an answer has ended it, nothing is missing."""
        with suppress(Stopped):
            self.about(END, seconds)


def _named(job: Job, cell: int) -> str:
    """What had not finished: the answer, or a cell that the student added to it, which is shown by its first line."""
    code = job.cells[cell] if job.cells else ""
    if cell < 0 or set(job.exercise.names) & (bound(code) or set(re.findall(r"\w+", code))):
        return "It"
    first = next(iter(code.split("\n")), "").strip()
    return f"A cell that you have added, `{first[:60]}`," if first else "A cell that you have added"


@contextmanager
def _process(jobs: list[Job], copy: Callable[[Path], str], memory: float, closed: tuple[str, ...]) -> Iterator[_Said]:
    """What a process says that is ready to try. Raises RuntimeError where it does not start."""
    context = get_context(WAY)
    if WAY == "forkserver":
        context.set_forkserver_preload([*LOADED])
    secret = secrets.token_hex(16)
    with TemporaryDirectory(prefix=f"{PLACE}{os.getpid()}-", ignore_cleanup_errors=True) as place:
        channel, other_end = context.Pipe(duplex=False)
        arguments = (other_end, secret, jobs, copy(Path(place)), memory, closed)
        process = context.Process(target=_try_all, args=arguments, daemon=True)
        with STARTING:
            _start(process)
            server = _server()
        other_end.close()
        try:
            said = _Said(channel, secret, process.pid, server)
            try:
                said.about(READY, START)
            except Stopped:
                if said.is_orphan(AFTER):
                    raise Orphaned from None
                raise RuntimeError("The process that tries answers did not start.") from None
            yield said
        finally:
            end(process)
            _end_strays()
            channel.close()


def _start(process) -> None:
    """Start a process; where the server has just been ended there is a new one the next time."""
    for i in range(TIMES):
        if STOP.is_set():
            raise Ended
        try:
            with _deaf_to_ctrl_c():
                return process.start()
        except (EOFError, OSError):
            if STOP.is_set():
                raise Ended from None
            if i == TIMES - 1:
                raise
            sleep(AFTER)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """What is started meanwhile never hears Ctrl+C, which a terminal sends to all: it would end with a traceback while
    it loads. Whoever grades hears it, and ends it.

    The signal is blocked in this thread alone, which those that it starts inherit: to ignore it, the main thread would
    have to be deaf meanwhile too. Windows blocks no signals.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # now, because what starts it lets the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _server() -> int | None:
    """The process from which those of answers are forked, where there is one."""
    return getattr(forkserver._forkserver, "_forkserver_pid", None) if WAY == "forkserver" else None


def stop() -> None:
    """Let all that tries answers end soon. A server in which none runs is ended now: it may still load."""
    STOP.set()
    server = _server()
    with suppress(psutil.Error):
        if server is not None and not psutil.Process(server).children():
            psutil.Process(server).kill()


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.Error:
        return False


def _end_strays() -> None:
    """End what is left of an answer that has ended its own process: on Linux the server has adopted it."""
    server = _server()
    if server is not None:
        with STARTING, suppress(psutil.Error):
            end_children(psutil.Process(server), but=[child.pid for child in active_children()])


def sweep() -> None:
    """Remove the folders of graders that were ended and could not do it themselves."""
    for path in Path(gettempdir()).glob(f"{PLACE}*"):
        grader = path.name.removeprefix(PLACE).partition("-")[0]
        if grader.isdigit() and not psutil.pid_exists(int(grader)):
            shutil.rmtree(path, ignore_errors=True)


def _try_all(channel: Connection, secret: str, *given) -> None:
    alone()
    mine = current_process()
    mine._args = mine._kwargs = ()  # where an answer would find the secret
    mine._config["daemon"] = False  # here alone: it may have processes of its own, which end with it
    from labutils.authoring.grading.trial import try_all  # there, not here: whoever grades needs no PyTorch

    try_all(channel, secret, *given)
