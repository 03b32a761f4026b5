"""Whether an answer reaches for what belongs to whoever grades: tests, solutions, what others have handed in.

Python tells of each file that it opens, lists or removes and of each program that it starts, whichever of its functions
does it, and cannot be told to stop. What such a program does is not seen, so its command is read. What is found is
noted in memory that processes share which an answer forks.
"""

import ctypes
import inspect
import linecache
import os
import re
import sys
import tokenize
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from mmap import mmap
from pathlib import Path
from threading import local
from types import FrameType

from labutils.exercises.checking import PACKAGE
from labutils.exercises.forbidden import BEGINS, OF_CHECKERS

CHECKERS = os.path.join(OF_CHECKERS, "")  # which open files while an answer runs
HERE = os.path.join(Path(__file__).parent, "")  # whose modules are hidden
TRIAL = str(Path(__file__).with_name("trial.py"))  # in which all threads begin that are not an answer's
LISTS = ("os.listdir", "os.scandir")
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.link", "os.symlink", "os.chmod")
CHANGES += ("os.chown", "os.utime", "shutil.rmtree", "shutil.move")
STARTS = {"subprocess.Popen": 1, "os.system": 0, "os.exec": 1, "os.posix_spawn": 1, "os.spawn": 2, "pty.spawn": 0}
# What runs code that is not Python's, or reads memory: of what that opens nothing is told.
NATIVE = ("dlopen", "dlsym", "dlsym/handle", "string_at", "wstring_at", "cdata", "PyObj_FromPtr", "call_function")
NATIVE = tuple(f"ctypes.{name}" for name in NATIVE)
# What shows an answer who calls it, and so what it is compared with and how it is tested.
FRAMES = ("sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile")
FRAMES += ("gc.get_objects", "gc.get_referrers", "gc.get_referents")
INSIDE = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")  # of an error and of what waits within a function
SHOWN = ", which shows what tests it"  # behind such a name
# What makes a program another one, or lets it run more than itself.
TURNS = ("PATH", "LD_", "DYLD_", "BASH", "ENV", "PYTHON", "PIP_", "GCC_", "COMPILER_PATH")
SURROUNDINGS = {name: value for name, value in os.environ.items() if name.startswith(TURNS)}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
HARMLESS = "echo true pwd date whoami ls which uname nproc lscpu free df nvidia-smi".split()
HARMLESS += ("fc-list", "ldconfig")  # which libraries start
# What reads or compiles the files that its command names, and runs nothing; libraries start the compilers.
PLAIN = "cat head tail wc sleep mkdir gcc g++ cc c++ clang clang++ ld objdump nvcc sw_vers sysctl".split()
# How the folders begin whose programs no answer has written.
OF_SYSTEM = ("/usr/", "/bin/", "/sbin/", "/opt/", os.path.join(sys.prefix, ""), os.path.join(sys.base_prefix, ""))
# What only does what it is asked for: the code of ctypes and inspect, and these functions of traceback.
HANDED_ON = (os.path.join(os.path.dirname(ctypes.__file__), ""), inspect.__file__)
WALKS = ("walk_tb", "walk_stack")
# What shows a line of whoever calls, and how Python looks it up: `warnings.warn`, `traceback.print_stack`.
LOOKS_UP = tuple(module.__file__ for module in (linecache, tokenize))
SHOWS = {(warnings.__file__, "_formatwarnmsg_impl"), (inspect.__file__, "getframeinfo")}
SHOWS |= {(traceback.__file__, name) for name in ("line", "_extract_from_extended_frame_gen")}
ASKED = re.compile(r"(python[\d.]* -m )?(pip[\d.]* (list|show|freeze|check)\b.*|(pip|python)[\d.]* (--version|-V))")
TRACKER = (
    rf"{re.escape(sys.executable)} (-[bBdEIOqsSuv]+ )*-c from multiprocessing\.resource_tracker import main;main\(\d+\)"
)
TRACKER = re.compile(TRACKER)  # what a memory that processes share starts
SHELL = re.compile(r"[;&|<>`$()\n]")  # with any of these in it, a command may be several
FINDS = re.compile(r"[*?\[{~]")  # and with these it names files that are not seen here
BETWEEN = re.compile(r"[\s'\"=,:;&|<>`()\[\]{}]+")
SIZE, SHORT = 4096, 60  # bytes of the memory, characters of a command that are told
FOUND, WROTE, WAITS, STARTED = range(4)


@dataclass(frozen=True)
class Taken:
    """What an answer reached for.

    Attributes:
        found: whether for anything that belongs to others.
        wrote: whether it was to change or remove it.
        started: the first program that it started and that is not harmless, with what that was given.
        waits: whether it is one that can do anything, such as a shell or Python; that one is named then.
    """

    found: bool
    wrote: bool
    started: str
    waits: bool


class Opened:
    """An audit hook: whether a student's code reaches for anything of some folders, and what it starts.

    Args:
        folders: with all that is in them, none of them through a link.
    """

    def __init__(self, folders: Iterable[str]):
        self.folders = tuple(os.path.join(folder, "") for folder in folders)
        ends = [Path(folder).parts[-2:] for folder in self.folders]
        ends += [(Path(folder).name, name) for folder in self.folders for name in ("submitted", "source")]
        self.ends = tuple("/".join(parts) for parts in ends if len(parts) == 2)
        self.note = mmap(-1, SIZE)
        self.turned, self.looking = False, local()

    def __call__(self, event: str, given: tuple) -> None:
        if event in STARTS:
            if event == "os.exec" and not os.path.exists(given[0]):
                return  # a folder of the path in which it was looked for
            self.turned |= isinstance(given[-1], Mapping) and any(_turns(*one) for one in given[-1].items())
            self._starts(_command(given[STARTS[event]], given[: STARTS[event]]))
        elif event == "os.putenv":
            self.turned |= _turns(*given)
        elif event in NATIVE:
            if _is_foreign(given[0]) or _asks_itself(sys._getframe(1)):
                self._waits("C code, by ctypes", waits=True)
        elif event in FRAMES or event == "object.__getattr__" and given[1] in INSIDE:
            if not getattr(self.looking, "here", False):
                self.looking.here = True  # who looks asks the same
                try:
                    asks = _asks_itself(sys._getframe(1))
                finally:
                    self.looking.here = False
                if asks:
                    self._waits(f"{event if event in FRAMES else given[1]}{SHOWN}", waits=True)
        elif event == "import":
            if given[1] and str(given[1]).endswith(tuple(EXTENSION_SUFFIXES)) and _is_foreign(given[1]):
                self._waits(f"C code, {os.path.basename(given[1])}", waits=True)
        elif event == "open" or event in LISTS or event in CHANGES:
            frame = sys._getframe(1)
            if event in LISTS and frame.f_code.co_filename.startswith("<frozen importlib"):
                return
            count = 2 if event in CHANGES else 1
            if any(map(self._is_closed, _paths(given[:count]))) and _is_students(frame):
                if event == "open" and _looks_a_line_up(frame):
                    return self._waits(f"a call stack{SHOWN}", waits=True)
                flags = given[2] if event == "open" else None
                self.note[FOUND] = 1
                self.note[WROTE] |= event in CHANGES or isinstance(flags, int) and bool(flags & WRITING)

    def taken(self) -> Taken:
        """What was found since this was asked the last time."""
        text = self.note[STARTED:].rstrip(b"\0").decode(errors="replace")
        found = Taken(bool(self.note[FOUND]), bool(self.note[WROTE]), text, bool(self.note[WAITS]))
        self.note[:] = bytes(SIZE)
        return found

    def _is_closed(self, path: str) -> bool:
        return any(os.path.join(os.path.realpath(one), "").startswith(self.folders) for one in _places(path))

    def _starts(self, command: str) -> None:
        if TRACKER.fullmatch(command) or not _is_students(sys._getframe(2)):
            return
        words = filter(None, BETWEEN.split(command))
        if any(end in command for end in self.ends) or any(self._is_closed(os.path.expanduser(word)) for word in words):
            self.note[FOUND] = 1
        elif self.turned or not _is_harmless(command):
            self._waits(command, waits=self.turned or not _is_plain(command))

    def _waits(self, what: str, waits: bool) -> None:
        if not self.note[WAITS] and (waits or not self.note[STARTED]):
            text = " ".join(what.split())[:SHORT].encode(errors="replace")
            self.note[STARTED:] = text + bytes(SIZE - STARTED - len(text))
            self.note[WAITS] = waits


def _places(path: str) -> Iterator[str]:
    """Where a path may lead: one that is not absolute starts here, or in any folder that is open."""
    yield path
    if not os.path.isabs(path) and os.path.isdir("/proc/self/fd"):
        for number in os.listdir("/proc/self/fd"):
            with suppress(OSError):
                folder = os.readlink(f"/proc/self/fd/{number}")
                if os.path.isdir(folder):
                    yield os.path.join(folder, path)


def _turns(name: str | bytes, value: str | bytes) -> bool:
    """Whether to set this in the surroundings of a program makes another one of it."""
    name, value = os.fsdecode(name), os.fsdecode(value)
    return name.startswith(TURNS) and SURROUNDINGS.get(name) != value


def _is_foreign(what: object) -> bool:
    """Whether a library is none of the system's and of no package."""
    if not isinstance(what, str | bytes | os.PathLike):
        return False
    path = os.fsdecode(what)
    if not os.path.dirname(path):
        return False  # the system finds it
    return not os.path.realpath(path).startswith((*map(os.path.realpath, OF_SYSTEM), "/lib", str(PACKAGE)))


def _asks_itself(frame: FrameType | None) -> bool:
    """Whether it is a student's code that asks for this, and no package."""
    while frame and (frame.f_code.co_filename.startswith(HANDED_ON) or frame.f_code.co_name in WALKS):
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith(HERE):
        return False
    name, file = frame.f_globals.get("__name__"), frame.f_code.co_filename
    module = sys.modules.get(name) if isinstance(name, str) else None
    known = module is not None and vars(module) is frame.f_globals and getattr(module, "__file__", None) == file
    return not known or not file.startswith(OF_SYSTEM) and not file.startswith(str(PACKAGE))


def _paths(given: Iterable[object]) -> Iterator[str]:
    for one in given:
        if one is None or isinstance(one, str | bytes | os.PathLike):
            yield "." if one is None else os.fsdecode(one)


def _command(given: object, before: tuple = ()) -> str:
    """The command line of a program; of a shell that was given one, that.

    Args:
        before: what stands in front of it where Python tells of it, the program last: it may be called by another name.

    >>> _command(["sh", "-c", "ls"], ("/bin/sh",)), _command(["ls", "a.py"], ("/usr/bin/python3",))
    ('ls', '/usr/bin/python3 a.py')
    """
    words = [given] if isinstance(given, str | bytes | os.PathLike) else list(given or ())
    words = list(_paths(words))
    for program in _paths(before[-1:]):
        if words and not isinstance(given, str | bytes) and _program(program)[0] != os.path.basename(words[0]):
            words[0] = program
    shell = len(words) > 2 and words[1] == "-c" and os.path.basename(words[0]) in ("sh", "bash", "dash", "zsh")
    return " ".join(words[2:] if shell else words)


def _is_harmless(command: str) -> bool:
    """
    >>> _is_harmless("ls -l"), _is_harmless("/usr/bin/python3 -m pip list"), _is_harmless("ls; cat word.txt")
    (True, True, False)
    """
    program, rest = _program(command)
    return not SHELL.search(command.strip()) and (
        program in HARMLESS or bool(ASKED.fullmatch(f"{program} {rest}".strip()))
    )


def _is_plain(command: str) -> bool:
    """Whether a program does no more than its command says, to files that it names.

    >>> _is_plain("cat word.txt"), _is_plain("cat /tmp/*/a"), _is_plain("./cat a"), _is_plain("python -c 1")
    (True, False, False, False)
    """
    program, _ = _program(command)
    return program in PLAIN and not SHELL.search(command.strip()) and not FINDS.search(command)


def _program(command: str) -> tuple[str, str]:
    """The name of a program of the system, and what it is given; of another program no name.

    >>> _program("/usr/bin/cat a"), _program("./cat a")
    (('cat', 'a'), ('', 'a'))
    """
    program, _, rest = command.strip().partition(" ")
    folder, name = os.path.split(program)
    known = folder == "" or os.path.join(folder, "").startswith(OF_SYSTEM)
    return name if known else "", rest


def _looks_a_line_up(frame: FrameType | None) -> bool:
    """Whether Python opens a file for the lines that a call stack or a warning shows: nobody asks for more of it."""
    while frame and frame.f_code.co_filename in LOOKS_UP:
        frame = frame.f_back
    while frame and frame.f_code.co_filename == inspect.__file__ and frame.f_code.co_name != "getframeinfo":
        frame = frame.f_back
    return frame is not None and (frame.f_code.co_filename, frame.f_code.co_name) in SHOWS


def _is_students(frame: FrameType | None) -> bool:
    """Whether what opens is a cell of the student's, a function of the student's that a test calls, or in a thread that
    the student has begun.
    """
    ours = False
    while frame:
        if frame.f_code not in BEGINS and frame.f_code.co_filename.startswith(CHECKERS):
            return False  # to show where an error happened, or to know a copy of their own code
        if frame.f_globals.get("__name__") == "__main__" or frame.f_code in BEGINS:
            return True
        ours |= frame.f_code.co_filename == TRIAL
        frame = frame.f_back
    return not ours
