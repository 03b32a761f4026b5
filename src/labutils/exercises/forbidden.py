"""What ran while the reader's code worked: a card may forbid a tool, whatever name it is called by.

Nothing is read off the code, all is seen when it runs. So it makes no difference whether a function was imported under
another name, kept in a list, inherited or asked for by a string. Operations of PyTorch are seen where they are
carried out: `torch.softmax` and `nn.Softmax` are the same.
"""

import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from labutils.exercises.checking import PACKAGE, NotYet, call
from labutils.exercises.returned import ASKED

LIBRARIES = ("labutils", "tokenizers", "transformers")  # each holds an answer to most exercises
CHECKERS = re.compile(
    r"labutils\.exercises\.ch\d\d"
)  # a folder a chapter: a right answer to most, and models that are handed over
TOOLS = ("labutils.exercises", "labutils.authoring.grading")  # what else stands there holds no answer
UNWATCHED = ("setprofile", "setprofile_all_threads")  # after which nobody would see what runs
SOFTMAX = ("softmax", "logsumexp", "logaddexp", "logcumsumexp", "scaled_dot_product")  # parts of names of operations
BEGINS = (call.__code__, ASKED)  # above these runs what the reader has written
ROOT = str(PACKAGE)
OF_CHECKERS = str(PACKAGE / "exercises")
AUTOGRAD = (
    "torch.autograd.backward",
    "torch.autograd.grad",
    "torch.autograd.forward_ad",
    "torch.autograd.functional",
    "torch._functorch.eager_transforms",
)


@dataclass
class Ran:
    """What ran.

    Attributes:
        operations: of PyTorch, and functions written in C, by their names alone.
        functions: "module.name", of a method "module.Class".
        borrowed: of these, what the reader's own code called of LIBRARIES, not what these call among themselves, nor
            what a checker handed to the reader's function.
        asked: of the functions, what the reader's own lines called first.
        largest: the most numbers in one tensor.
        made: by each operation, how many numbers in all.
    """

    operations: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    borrowed: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    largest: int = 0
    made: Counter[str] = field(default_factory=Counter)


def ran(function: Callable, *arguments) -> Ran:
    """What runs while the reader's function works on these arguments."""
    with watched() as seen:
        call(function, *arguments)
    return seen


def refuse(
    seen: Ran,
    instead: str = "",
    operations: Iterable[str] = (),
    functions: Iterable[str] = (),
    handed_out: Iterable = (),
    largest: int | None = None,
) -> None:
    """Raises NotYet where something ran that the card does without: these, and what was borrowed but not handed out.

    Args:
        instead: what is wanted, in words.
        operations: parts of their names.
        functions: "module.name", or "module" for all that it holds.
        handed_out: functions, classes, objects and modules of LIBRARIES that the reader may use.
        largest: the most numbers that a tensor may hold, 0 for no tensor; without it any.
    """
    allowed = set(map(full_name, handed_out))

    def made(name: str) -> tuple[bool, str]:  # by Python, as for a dataclass: such a name says nothing
        return "__" in name, name

    def asked(name: str) -> tuple[bool, bool, str]:  # a name with _ in front is nobody's own
        return name.rpartition(".")[2].startswith("_"), name not in seen.asked, name

    found = [
        *sorted((name for name in seen.borrowed if not _within(name, allowed)), key=made),
        *sorted((name for name in seen.functions if _within(name, functions)), key=asked),
        *sorted(name.strip("_") for name in seen.operations if any(part in name for part in operations)),
    ]
    if found:
        raise NotYet(
            f"`{_as_written(found[0])}` ran in your function, and the card does without it{instead and f': {instead}'}."
        )
    if largest is not None and seen.largest > largest:
        numbers = "one number" if seen.largest == 1 else f"{seen.largest} numbers"
        raise NotYet(
            f"A tensor of {numbers} was made in your function, and the card does without it"
            f"{instead and f': {instead}'}."
        )


def _as_written(name: str) -> str:
    """The name by which readers know it: PyTorch keeps some of what it offers in modules of its own."""
    return "torch.func" if _within(name, ["torch._functorch"]) else name


def full_name(value: object) -> str:
    """Where a value comes from, as `Ran` has it: a module, a function or class, or the class of a value."""
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, FunctionType | MethodType):  # a decorated function has the name of another
        return _joined(value.__globals__, value.__code__)
    known = value if hasattr(value, "__qualname__") else type(value)
    return f"{known.__module__}.{known.__qualname__}"


def _joined(names: dict, code: CodeType) -> str:
    """The full name of code that runs among these names; a method stands for its class.

    Code of the package keeps its name among whatever names somebody lets it run, and as whatever copy.
    """
    code = _original(code)
    home, file = names.get("__name__", "__main__"), code.co_filename
    if file.startswith(ROOT):
        home = ".".join(("labutils", *Path(file).relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    return f"{home}.{code.co_qualname.partition('.')[0]}"


class _Package:
    """The code of the package, each as it is written; a module is listed once, when it has been loaded."""

    def __init__(self):
        self.codes: dict[CodeType, CodeType] = {}
        self.listed: set[str] = set()

    def list(self) -> None:
        """List the code of the modules that have been loaded since the last time."""
        for name in [name for name in [*sys.modules] if name.startswith("labutils") and name not in self.listed]:
            self.listed.add(name)
            for value in [*vars(sys.modules[name]).values()]:
                if getattr(value, "__module__", None) == name:
                    for one in (value, *(vars(value).values() if isinstance(value, type) else ())):
                        one = unwrap(getattr(one, "fget", None) or getattr(one, "__func__", one))
                        for code in _all_codes(one.__code__) if isinstance(one, FunctionType) else ():
                            self.codes.setdefault(code, code)


_PACKAGE = _Package()


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _all_codes(value)


def _original(code: CodeType) -> CodeType:
    """The package's own code where this is a copy of it, under whatever name and of whatever file it says to be."""
    return code if code.co_filename.startswith(ROOT) else _PACKAGE.codes.get(code, code)


@cache
def _written(module: str) -> frozenset[CodeType]:
    """All code that stands in the file of a module; nothing where there is no such file."""
    file = getattr(sys.modules[module], "__file__", None) or ""
    if not file.endswith(".py") or not Path(file).is_file():
        return frozenset()
    return frozenset(_all_codes(compile(Path(file).read_bytes(), file, "exec", dont_inherit=True)))


def _home(frame: FrameType) -> str:
    """The module that a frame's code stands in; "__main__" for that of a notebook, and nothing for what only says that
    it is of a module: made while Python runs, or under a name that a reader has set.
    """
    home, code = frame.f_globals.get("__name__", "__main__"), frame.f_code
    if home == "__main__":
        return home
    module = sys.modules.get(home) if isinstance(home, str) else None
    if module is None or vars(module) is not frame.f_globals:
        return ""
    if home == "copy" or _within(home, LIBRARIES[:1]):
        return home if code in _written(home) else ""
    return home if code.co_filename == getattr(module, "__file__", code.co_filename) else ""


def _within(name: str, homes: Iterable[str]) -> bool:
    return any(name == home or name.startswith(f"{home}.") for home in homes)


def _of_library(name: str) -> bool:
    """Whether a name is of LIBRARIES; the tools of checkers are not, nor is a module that is imported late."""
    if name.endswith(".<module>") or _within(name, TOOLS) and not CHECKERS.match(name):
        return False
    return _within(name, LIBRARIES)


@contextmanager
def watched(operations: bool = True) -> Iterator[Ran]:
    """While this lasts, what runs is written down; without `operations` of PyTorch it costs little."""
    if operations:
        with _Operations(Ran()):  # the first time PyTorch imports much beside, which is not the reader's
            torch.zeros(1)
    seen, before, before_elsewhere = Ran(), sys.getprofile(), threading.getprofile()
    _PACKAGE.list()
    calls = _Calls(seen)
    threading.setprofile(calls)  # for threads that begin meanwhile
    sys.setprofile(calls)
    try:
        with _Operations(seen) if operations else nullcontext():
            yield seen
    finally:
        sys.setprofile(before)
        threading.setprofile(before_elsewhere)


@contextmanager
def checkers_watched() -> Iterator[Ran]:
    """While this lasts, `borrowed` is what the reader's own code calls of the checkers; all else costs little."""
    _PACKAGE.list()
    seen, before = Ran(), sys.gettrace()

    def look(frame: FrameType, event: str, value: object) -> None:
        code = _original(frame.f_code)
        if code.co_filename.startswith(OF_CHECKERS) and not _is_lent(code) and _is_readers(frame.f_back):
            if CHECKERS.match(name := _joined(frame.f_globals, code)):
                seen.borrowed.add(name)

    sys.settrace(look)
    try:
        yield seen
    finally:
        sys.settrace(before)


class _Calls:
    """What Python tells of each call. Calls are very many: a name is made once for each code or class, which is known
    by its place in memory, and what a library calls of itself is passed over before anything else is asked.
    """

    def __init__(self, seen: Ran):
        self.seen = seen
        self.thread = threading.get_ident()
        self.names: dict[int, str] = {}  # of what is of a library, and "" for the rest
        self.kept: list[CodeType | type | dict] = []  # so that their places stay theirs
        self.inside: dict[tuple[int, int], bool] = {}  # places of code and its names: whether its calls are a library's

    def __call__(self, frame: FrameType, event: str, function) -> None:
        if event == "call":
            called, by = frame.f_code, frame.f_back
        elif event == "c_call":
            called, by = type(getattr(function, "__self__", None)), frame
            self.seen.operations.add(function.__name__)
            if function.__name__ in UNWATCHED and _is_readers(by):
                self.seen.borrowed.add(f"sys.{function.__name__}")
        else:
            return
        name = self.names.get(id(called))
        if name is None:
            name = self._named(called, frame, by)
        if not name or name in self.seen.borrowed:
            return
        if by and by.f_code not in BEGINS and self._is_inside(by):
            return
        if self._borrows(name, called, by):
            self.seen.borrowed.add(name)

    def _is_inside(self, by: FrameType) -> bool:
        """Whether what calls is a library's, or copies what a checker hands over."""
        place = id(by.f_code), id(by.f_globals)
        if place not in self.inside:
            home = _home(by)
            self.inside[place] = home == "copy" or _within(home, LIBRARIES)
            self.kept += [by.f_code, by.f_globals]
        return self.inside[place]

    def _named(self, called: CodeType | type, frame: FrameType, by: FrameType | None) -> str:
        """The name of what is called for the first time, "" where it is of no library."""
        name = full_name(called) if isinstance(called, type) else _joined(frame.f_globals, called)
        self.seen.functions.add(name)
        if by and by.f_globals.get("__name__", "__main__") == "__main__":
            self.seen.asked.add(name)
        self.names[id(called)] = found = name if _of_library(name) else ""
        self.kept.append(called)
        return found

    def _borrows(self, name: str, called: CodeType | type, by: FrameType | None) -> bool:
        """Whether it was the reader's code that called this of a library, and not because a checker handed it over."""
        if not _is_readers(by, elsewhere=threading.get_ident() != self.thread):
            return False
        return not CHECKERS.match(name) or not (_is_lent(called) or name in _handed_over(by))


def _is_lent(called: CodeType | type) -> bool:
    """Whether code of a checker is for everybody: a check, or what is within a function, as its models are, or that of
    a module which is imported, or what looks at PyTorch's operations.
    """
    home = _original(called).co_qualname if isinstance(called, CodeType) else ""
    return home.startswith("check_") or "<locals>" in home or home.endswith(("<module>", "__torch_dispatch__"))


def _is_readers(frame: FrameType | None, elsewhere: bool = False) -> bool:
    """Whether it was the reader's code that called, be it through PyTorch, and neither a library nor a checker.

    Args:
        elsewhere: in another thread, which no checker begins.
    """
    while frame and frame.f_code not in BEGINS:
        home = _home(frame)
        if home == "copy":  # `call` hands over a copy of what it was given
            return False
        if home == "__main__" or _within(home, LIBRARIES):
            return home == "__main__"
        frame = frame.f_back
    return frame is not None or elsewhere


def _handed_over(frame: FrameType | None) -> set[str]:
    """The full names of what the checker gave to the reader's function that is running."""
    while frame and frame.f_code not in BEGINS:
        frame = frame.f_back
    return set(map(full_name, tree_leaves(frame.f_locals["arguments"]))) if frame else set()


class _Operations(TorchDispatchMode):
    def __init__(self, seen: Ran):
        super().__init__()
        self.seen = seen

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No: to have this class skipped PyTorch's compiler is loaded, two and a half seconds at the first check."""
        return False

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **(kwargs or {}))
        self.seen.operations.add(name := operation.overloadpacket.__name__)
        sizes = [leaf.numel() for leaf in tree_leaves(result) if isinstance(leaf, Tensor)]
        self.seen.made[name] += sum(sizes)
        self.seen.largest = max(self.seen.largest, *sizes, 0)
        return result
