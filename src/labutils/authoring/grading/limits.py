"""What an answer may use of the machine, and how all that it has started is ended."""

import ctypes
import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil

try:
    import resource
except ImportError:  # Windows
    resource = None

GB = 1 << 30
MEMORY = 4.0  # GB, beyond what PyTorch and the checkers take
PROCESSES = 256  # and threads, beyond those that the same user has already
FILE = GB // 4  # bytes of one file
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)
LACKING = {
    "win32": "On Windows nothing limits the memory and the files of an answer. A container does.",
    "darwin": "On macOS nothing limits the memory of an answer. A container does.",
}


def lacking(system: str = sys.platform) -> str:
    """What this system does not limit, in words; empty where nothing is lacking."""
    return LACKING.get(system, "")


def alone() -> None:
    """Give this process a group of its own, so that it can be ended with all that it starts.

    On Linux it adopts what its own processes leave behind, and ends with whoever began it.
    """
    if hasattr(os, "setsid"):
        os.setsid()
    adopt()
    _control(PR_SET_PDEATHSIG, 9)


def adopt() -> None:
    """Let processes whose parents have ended become children of this one, so that none gets lost; on Linux alone."""
    _control(PR_SET_CHILD_SUBREAPER, 1)


def _control(what: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def limit(memory: float = MEMORY) -> None:
    """Limit what this process and those that it starts may use from now on; it cannot be undone but by root.

    Args:
        memory: GB for each process.
    """
    if resource is None:
        return
    limits = {resource.RLIMIT_FSIZE: FILE, resource.RLIMIT_CORE: 0, resource.RLIMIT_NPROC: _threads() + PROCESSES}
    if sys.platform == "linux":  # macOS accepts the limit and does not keep it
        limits[resource.RLIMIT_DATA] = psutil.Process().memory_info().data + int(memory * GB)
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _threads() -> int:
    """How many threads the user has that this process belongs to: the system counts them all."""
    mine, found = os.getuid(), 0
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.uids().real == mine:
                found += process.num_threads()
    return found


def spent(pid: int) -> float:
    """Seconds of a processor that a process has used, with all that it has started; 0 where it is gone."""
    total = 0.0
    with suppress(psutil.Error):
        first = psutil.Process(pid)
        for process in (first, *first.children(recursive=True)):
            with suppress(psutil.Error):
                times = process.cpu_times()
                # on Linux the time of children that have ended and were waited for is told too
                total += (
                    times.user
                    + times.system
                    + getattr(times, "children_user", 0)
                    + getattr(times, "children_system", 0)
                )
    return total


def waited(pid: int) -> float:
    """Seconds in which a process, or one that it has started, could have run and other work had the processors; 0 where
    the system does not tell, which is elsewhere than on Linux.
    """
    total = 0
    with suppress(psutil.Error):
        first = psutil.Process(pid)
        for process in (first, *first.children(recursive=True)):
            with suppress(OSError, ValueError, IndexError):  # no such file, or the process has ended meanwhile
                for thread in os.listdir(f"/proc/{process.pid}/task"):
                    total += int(Path(f"/proc/{process.pid}/task/{thread}/schedstat").read_text().split()[1])
    return total / 1e9


def end(process: BaseProcess) -> None:
    """End a process and all that it has started: its group, and its children that have left the group."""
    with suppress(psutil.Error):
        first = psutil.Process(process.pid)
        first.suspend()  # it lives on, so that it adopts the children of those that are ended, and starts none
        end_children(first)
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def end_children(process: psutil.Process, but: Collection[int] = (), rounds: int = 100) -> None:
    """End all that a process has started, and what that starts meanwhile.

    Args:
        but: children that may stay, with what they have started.
    """
    for _ in range(rounds):
        with suppress(psutil.Error):
            found = [child for child in process.children() if child.pid not in but]
            found += [other for child in found for other in _below(child)]
            found = [child for child in found if _runs(child)]
            if not found:
                return
            for child in found:
                with suppress(psutil.Error):
                    child.kill()


def _below(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def _runs(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE
    return False
