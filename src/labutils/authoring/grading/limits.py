"""What an answer may use of the machine, and how all that it has started is ended."""

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.process import BaseProcess

import psutil

try:
    import resource
except ImportError:  # Windows
    resource = None

GB = 1 << 30
MEMORY = 4.0  # GB, beyond what PyTorch and the checkers take
PROCESSES = 256  # and threads, beyond those that the same user has already
FILE = GB // 4  # bytes of one file
LACKING = {
    "win32": "On Windows nothing limits the memory and the files of an answer. A container does.",
    "darwin": "On macOS nothing limits the memory of an answer. A container does.",
}


def lacking(system: str = sys.platform) -> str:
    """What this system does not limit, in words; empty where nothing is lacking."""
    return LACKING.get(system, "")


def alone() -> None:
    """Give this process a group of its own, so that it can be ended with all that it starts."""
    if hasattr(os, "setsid"):
        os.setsid()


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


def end(process: BaseProcess) -> None:
    """End a process and all that it has started: its group, and its children that have left the group."""
    children = []
    with suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for child in children:
        with suppress(psutil.Error):
            child.kill()
    process.join()
