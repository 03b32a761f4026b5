"""One exercise tried: the student's cells, then the instructor's tests on what they define."""

import builtins
import contextlib
import io
import os
import pkgutil
import re
import stat
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from multiprocessing.connection import Connection
from os import _exit, getpid, write
from pathlib import Path
from queue import SimpleQueue
from threading import Thread, stack_size
from types import ModuleType

import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from labutils import exercises as checkers
from labutils.authoring.grading.assignment import Exercise, bound, functions, imports_alone, raises_above, statements
from labutils.authoring.grading.doors import tell
from labutils.authoring.grading.judging import judges_wrongly
from labutils.authoring.grading.limits import limit
from labutils.authoring.grading.looking_in import looks_in
from labutils.authoring.grading.magics import allow
from labutils.authoring.grading.messages import AT, END, READY, Job, Verdict, packed
from labutils.authoring.grading.originals import put_back, remember, set_back
from labutils.authoring.grading.output import Counter, Nowhere, TooMuch
from labutils.authoring.grading.reading import SHOWN, Opened
from labutils.exercises.checking import PACKAGE, NotYet, check
from labutils.exercises.forbidden import CHECKERS, Ran, checkers_watched, refuse, watched
from labutils.exercises.returned import Decides, plainly, returning_plainly
from labutils.exercises.showing import LONGEST, cut

for found in pkgutil.walk_packages(checkers.__path__, f"{checkers.__name__}."):
    import_module(found.name)  # now, so that a student's code finds nothing to load in their place
with watched():
    torch.zeros(1)  # for this PyTorch loads much more of itself: once for all processes, and in nobody's time

UNWRITTEN = "It is not written yet."
STANDS = "But `raise NotImplementedError` still stands above other lines of yours, which do not run: remove it."
UNSEEN = "A test that the notebook does not show"
NO_CELL = "There is no cell for it in the notebook that was handed in."
OPENS = "Your code opens what belongs to tests, to solutions or to others. So it gets no points."
LEAVES = "SystemExit: it ends the program, as `sys.exit()` does."
NOBODY = "EOFError: it waits for somebody to type, as `input()` does, and nobody is there."
TOO_LARGE = "It wanted more memory than an answer gets."
HERE = __name__.rpartition(".")[0]
WITHIN = re.compile(rf"<?{re.escape(HERE)}\b(\.|\w|<\w+>)*( object at 0x[0-9a-fA-F]+>)?")  # what an error calls our own
KNOWN = (str(PACKAGE), sys.prefix, sys.base_prefix)  # where all files lie whose code is not an answer's
STACK = 1 << 24  # bytes of the thread in which answers run: as a program has, which some systems' threads have not


def try_all(
    channel: Connection, secret: str, jobs: list[Job], folder: str, memory: float, closed: Iterable[str] = ()
) -> None:
    """Do one job after the other and send what came of each; meant for a process of its own, which it silences.

    Args:
        secret: goes with each verdict.
        folder: where the code runs.
        memory: GB that it may take.
        closed: folders that no answer opens anything of.
    """
    own = hide()
    os.chdir(folder)
    sys.path.append(folder)  # where a notebook finds modules that lie beside it; it takes the place of no other
    sys.addaudithook(opened := Opened(closed))
    os.environ["MPLBACKEND"] = "agg"
    for number in (1, 2, *_pipes(but=channel.fileno())):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    sys.stdout = sys.stderr = Nowhere()
    tell()
    limit(memory)
    send(channel, packed(secret, READY, None))
    said, sent = SimpleQueue(), SimpleQueue()

    def say(what: tuple[str, Verdict | None] | None) -> None:
        said.put(what)
        sent.get()  # before anything else of an answer runs, which may end the process

    stack_size(STACK)
    Thread(
        target=_each, args=(jobs, own, opened, Path(folder), say), daemon=True
    ).start()  # whose frames do not lead to the secret
    while (heard := said.get()) is not None:
        send(channel, packed(secret, *heard))
        sent.put(None)
    sent.put(None)


def _each(
    jobs: list[Job],
    own: list[ModuleType],
    opened: Opened,
    folder: Path,
    say: Callable[[tuple[str, Verdict | None] | None], None],
) -> None:
    """Do one job after the other and say what came of each, then that all are done, then nothing more."""
    process, screen = getpid(), sys.stdout

    def begin(cell: int) -> None:
        if getpid() == process:
            say((f"{AT}{cell}", None))

    settings = Config()
    settings.HistoryManager.enabled = False
    try:
        shell, names = InteractiveShell(config=settings), {"__name__": "tests"}  # the student's cells are __main__
        allow(shell)
        torch.set_num_threads(1)  # a core for each answer: threads that wait for one another would use up its seconds
        for job in jobs:
            screen.counter.printed = 0
            verdict = done(job, shell, names, own, begin)
            taken = opened.taken()
            if taken.found and verdict:
                verdict = Verdict(said=OPENS, look=True, wrote=taken.wrote)
            if verdict:
                looked = "" if taken.waits else looks_in(_with_modules(job.cells, folder))
                verdict.starts, verdict.waits = looked and f"{looked}{SHOWN}" or taken.started, taken.waits
            if getpid() != process:
                break
            say((job.exercise.name, verdict))
        else:
            say((END, None))
    finally:
        if getpid() != process:  # an answer has called os.fork(), and this is the copy
            _exit(0)
        say(None)


def _with_modules(cells: list[str], folder: Path) -> Iterator[str]:
    """The cells, and the modules beside the notebook that they name."""
    yield from cells
    for path in sorted(folder.glob("*.py")):
        if any(path.stem in code for code in cells):
            with contextlib.suppress(OSError):
                yield path.read_text(encoding="utf-8", errors="replace")


def hide() -> list[ModuleType]:
    """The modules that grade, which are found by their names no more: whoever imports them gets others. What is built
    in they have by themselves.
    """
    own = [module for name, module in sorted(sys.modules.items()) if name.startswith(HERE)]
    for module in own:
        del sys.modules[module.__name__]
        vars(module).update({name: value for name, value in vars(builtins).items() if name not in vars(module)})
    parent = sys.modules[HERE.rpartition(".")[0]]
    vars(parent).pop(HERE.rpartition(".")[2], None)
    return own


def send(channel: Connection, message: bytes) -> None:
    """Send a message as the channel does, past all that could listen."""
    if os.name != "posix":
        channel.send_bytes(message)
        return
    left = len(message).to_bytes(4, "big") + message
    while left:
        left = left[write(channel.fileno(), left) :]


def _pipes(but: int) -> Iterator[int]:
    """The other pipes of this process: through them multiprocessing talks to itself, and an answer should not."""
    for number in range(3, 256) if os.name == "posix" else ():
        with contextlib.suppress(OSError):
            mode = os.fstat(number).st_mode
            if number != but and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
                yield number


def done(
    job: Job,
    shell: InteractiveShell,
    names: dict,
    own: Iterable[ModuleType] = (),
    begin: Callable[[int], None] = lambda cell: None,
) -> Verdict | None:
    """The verdict on one exercise, or None where it is not tested.

    Args:
        shell: where all of the student's code runs.
        names: where the instructor's runs.
        own: modules that nobody else finds, which are kept as they are like the others.
        begin: is told the number of each of the student's cells before it runs, and -1 before the tests do.
    """
    exercise = job.exercise
    for code in (*exercise.given, exercise.start):
        with contextlib.suppress(Exception):  # a start raises; a control may want what only the student's cells define
            exec(code, names)
    memory = remember(own)
    with checkers_watched() as seen:
        results = [shell.run_cell(code, silent=True) for code in exercise.given]
        for i, code in enumerate(job.cells):
            begin(i)
            results.append(shell.run_cell(code, silent=True))
    errors = [result.error_before_exec or result.error_in_exec for result in results]
    settings, replaced = set_back(memory), put_back(memory)
    if not job.tested:
        return None
    begin(-1)
    answers = {name: shell.user_ns[name] for name in exercise.names if name in shell.user_ns}
    verdict = _checkers_own(seen, names) or tested(exercise, answers, names)
    settings += set_back(memory)
    wrong, again = judges_wrongly(), put_back(memory)
    if again:
        said = f"While it was tested, your code replaced {_listed(again)}, so the tests say nothing."
        return Verdict(said=said, look=True)
    if wrong:
        return Verdict(said=f"Your code has changed {wrong}, so the tests say nothing.", look=True)
    if not verdict.right:
        missing = [name for name in exercise.asked if name not in answers]
        errors = [_placed(error, code, exercise) for error, code in zip(errors, (*exercise.given, *job.cells))]
        if len(job.cells) == 1 and results[-1].error_before_exec:  # what was tested is what was handed out
            verdict.said, verdict.held = UNWRITTEN, []
        said = _with_errors(verdict.said, errors, missing, is_stub(job)) if job.cells else NO_CELL
        verdict.said = WITHIN.sub("the program that tests it", said)
        if verdict.said == UNWRITTEN and not is_stub(job) and any(map(raises_above, job.cells)):
            verdict.said += f" {STANDS}"
        if is_stub(job):
            verdict.held = []  # by what was handed out: a function whose mistake is to be found does some things right
    if replaced:
        verdict.said += f"\nYour code had replaced {_listed(replaced)}. It was tested with the original."
        verdict.look = True
    if settings:
        verdict.said += f"\nYour code sets {_listed(dict.fromkeys(settings))}. It was tested with what is usual."
    verdict.said = verdict.said.lstrip("\n")
    return verdict


def _checkers_own(seen: Ran, names: dict) -> Verdict | None:
    """The verdict on cells in which the checkers' own answers ran, None where none did."""
    try:
        refuse(seen, handed_out=names.values())
    except NotYet as error:
        return Verdict(said=str(error).replace("in your function", "in a cell of yours"), look=True)
    return None


def tested(exercise: Exercise, answers: dict, names: dict) -> Verdict:
    """The verdict of the tests alone, on what the student has defined."""
    held = Printed()
    try:
        tried = names | {name: _deciding_nothing(name, answer, exercise) for name, answer in answers.items()}
    except Decides as error:
        return Verdict(said=f"Here is {error}")
    try:
        with contextlib.redirect_stdout(held), watched(operations=False) as seen:
            exec(exercise.check, tried)
        refuse(seen, handed_out=names.values())
    except NotYet as error:
        return Verdict(said=_not_yet(error, tried), held=held.lines, look=any(map(CHECKERS.match, seen.borrowed)))
    except AssertionError as error:
        return Verdict(said=_asserted(error, tried) or "The check below it fails.", held=held.lines)
    except BaseException as error:
        return Verdict(said=_sentence(error), held=held.lines)
    try:
        with contextlib.redirect_stdout(io.StringIO()), watched(operations=False) as seen:
            exec(exercise.hidden, tried)
        refuse(seen, handed_out=names.values())
    except AssertionError as error:
        return Verdict(said=f"{UNSEEN} fails{f': {_asserted(error, tried)}' if str(error) else '.'}", held=held.lines)
    except BaseException as error:
        return Verdict(said=f"{UNSEEN} ended: {_kind(error)}", held=held.lines)
    return Verdict(right=True, held=held.lines)


def _deciding_nothing(name: str, answer: object, exercise: Exercise) -> object:
    """An answer for the tests: a function whose values are plain, or a plain value. Raises Decides.

    Whatever stands for a function is one: part of another, a method, an object or a class that can be called.
    """
    called = callable(answer) and not isinstance(answer, type | torch.nn.Module)
    stands = callable(answer) and name in functions(exercise.start)
    return returning_plainly(answer) if called or stands else plainly(answer)


class Printed(io.TextIOBase):
    """The properties that held, out of all that is printed; however much that is, little is kept."""

    def __init__(self):
        self.lines, self.counter = [], Counter()

    def write(self, text: str) -> int:
        checks = sys._getframe(1).f_globals.get("__name__") == check.__module__  # and not the answer
        if checks and len(self.lines) < 50:
            self.lines += [line[:120] for line in text[:5000].splitlines() if line.startswith("✓")]
        self.counter.add(text)
        return len(text)


def is_stub(job: Job) -> bool:
    """Whether nothing has been written: the cells are as they were handed out, or empty, but for comments."""
    start = statements(job.exercise.start)
    wanted = set(job.exercise.names)
    return all(
        statements(code) in ([], start) or imports_alone(code) and not wanted & bound(code) for code in job.cells
    )


def _with_errors(said: str, errors: list, missing: list[str], stub: bool) -> str:
    """What the test says, below the error that one of the student's cells ended with.

    Args:
        missing: what the exercise asks for and is not defined.
        stub: whether nothing has been written.
    """
    own = [error for error in errors if error is not None and not isinstance(error, NotImplementedError)]
    if stub or any(isinstance(error, NotImplementedError) for error in errors) and not own:
        return UNWRITTEN if missing or stub else said
    if missing:
        said = f"Nothing here is called {_listed(f'`{name}`' for name in missing)}, and that is what is tested."
    if not own:
        return said
    ended = f"A cell of yours ended with an error. {_sentence(own[0])}"
    return ended if said == UNWRITTEN or missing else f"{ended}\n{said}"


def _placed(error: BaseException | None, code: str, exercise: Exercise) -> BaseException | None:
    """An error; one of a cell that Python cannot read says in which line of which exercise."""
    if not isinstance(error, SyntaxError) or not str(error.filename).startswith(("<ipython-input", "<tokenize>")):
        return error
    lines = code.splitlines()
    line = error.text or (lines[error.lineno - 1] if 0 < (error.lineno or 0) <= len(lines) else "")
    shown = f": `{line.strip()}`" if line.strip() else ""
    return type(error)(f"{error.msg} in line {error.lineno} of a cell of {exercise.title}{shown}")


def _not_yet(error: NotYet, names: dict) -> str:
    """What a property says, unless what is behind it says more."""
    if isinstance(error.__cause__, NotImplementedError):
        return UNWRITTEN
    if isinstance(error.__cause__, TooMuch):
        return str(error.__cause__)
    return TOO_LARGE if _is_memory(error.__cause__) else _asserted(error, names)


def _asserted(error: AssertionError, names: dict) -> str:
    """What a test says that runs among these names; of what the answer says itself, as much as of any error."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_globals is not names]
    files = [frame.f_code.co_filename for frame in frames]
    own = any(not os.path.isabs(file) or not file.startswith(KNOWN) for file in files)
    return _sentence(error) if own and str(error) else str(error)


def _is_memory(error: BaseException | None) -> bool:
    return isinstance(error, MemoryError) or "DefaultCPUAllocator" in str(error)


def _sentence(error: BaseException) -> str:
    if isinstance(error, NotImplementedError):
        return UNWRITTEN
    if _is_memory(error):
        return TOO_LARGE
    if isinstance(error, TooMuch):
        return str(error)
    if isinstance(error, EOFError):
        return NOBODY
    if isinstance(error, SystemExit):
        return LEAVES
    if isinstance(error, Decides):
        return f"It returned {error}"
    return f"{cut(type(error).__name__, LONGEST)}: {cut(str(error)) or 'no message'}"


def _kind(error: BaseException) -> str:
    """An error without what it says, which could tell the test that it ended."""
    if isinstance(error, NotImplementedError) or _is_memory(error):
        return _sentence(error)
    return f"{next(one.__name__ for one in type(error).mro() if one in vars(builtins).values())}."


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
