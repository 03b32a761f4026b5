"""How tests are shared among processes, what is said of each part at the end, and what nbval compares."""

import os
import re
from collections import Counter

import pytest

DRAWN = ("text/html", "text/markdown", "text/latex", "image/svg+xml")
# Notebooks come first, because the site is built from their runs (kept_runs.py), the shortest last: then one process
# builds it, and beside it the other does what needs no site and starts no kernel; one that waits for the site does
# nothing for minutes. After that what takes long, so that two processes end together.
FIRST = (
    "notebooks/more/",
    *(f"notebooks/{digit}" for digit in "0123456789"),
    "notebooks/",
    "tests/site/test_links.py",
    "tests/controls/",
    "tests/exercises/test_answers.py",
    "tests/models/test_same_as_huggingface.py",
    "tests/lab/",
    "tests/site/",
)
WHOLE = ("tests/site/test_pdf.py",)  # what one file of the site's tests shares with no other
PATIENCE = 600  # seconds: a busy machine is no failure
PARTS = {"tests/site/": "site", "tests/lab/": "site", "notebooks/": "notebooks"}  # and all else is unit


def pytest_addoption(parser):
    parser.addoption("--chapter", default="", help="only the tests of this chapter, such as 07")


def of_a_chapter(config):
    """The chapter that alone is tested, or None."""
    return getattr(config, "of_a_chapter", None)


def pytest_ignore_collect(collection_path, config):
    """A file that has no test of the chapter is not read."""
    chapter = of_a_chapter(config)
    return True if chapter and not chapter.may_have(collection_path) else None


def pytest_configure(config):
    """For each process its share of the cores: where two take all of them, threads wait for one another, and a cell of
    seconds takes minutes. And the one chapter that is asked for.
    """
    if config.getoption("--chapter"):
        from of_a_chapter import chosen  # here, because pytest has put tests/ on the path by now

        config.of_a_chapter = chosen(config.getoption("--chapter"))
        os.environ["LAB_CHAPTERS"] = config.of_a_chapter.name
    if hasattr(config.option, "nbval_kernel_startup_timeout"):
        be_patient(config.option)
    os.environ["ITT_STORED"] = "1"  # outputs are compared: no bar that only a slow machine draws
    processes = getattr(config.option, "numprocesses", None)
    if processes:
        os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // processes)))


def be_patient(option) -> None:
    """nbval gives a kernel a minute to start and then ten seconds to answer: too few on a busy machine. And
    ports, which another program may take before the kernel does.
    """
    import nbval.kernel
    from nbval.kernel import RunningKernel

    from labutils.authoring.kernels import OverFiles

    nbval.kernel.KernelManager = OverFiles

    option.nbval_kernel_startup_timeout = PATIENCE
    answered = RunningKernel.await_reply

    def await_reply(kernel, message, timeout=None):
        return answered(kernel, message, timeout=timeout and max(timeout, PATIENCE))

    RunningKernel.await_reply = await_reply


def pytest_collectstart(collector):
    """nbval's own hook: a notebook carries the list of output forms that are not compared, and of a value that is drawn
    only the plain text is.
    """
    if hasattr(collector, "skip_compare"):
        from kept_runs import Kept  # here, because pytest has put tests/ on the path by now

        collector.skip_compare += DRAWN
        if collector.path.parent.name != "exercises":  # their pages show what students get
            collector.kept = Kept(collector)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A cell of a notebook has as long to say what it found as to find it, and what has passed is kept for the site."""
    if hasattr(item, "output_timeout"):  # nbval's five seconds are too few on a busy machine
        item.output_timeout = PATIENCE
    found = yield
    if kept := getattr(item.parent, "kept", None):
        kept.ran(item.cell_num)
    return found


def together(nodeid: str) -> str:
    """What one process does in a row, because what its tests share is made once: a file, of the answers to exercises
    those of a chapter; all that look at one page of the site, which is opened once for them; all that need JupyterLab;
    a notebook, and what is tried in the kernel that has run it.
    """
    file, _, test = nodeid.partition("::")
    page = re.search(r"\[((?:book|notebooks)/\w+(?:/\w+)?)\]$", test)
    if file.startswith("tests/site/") and page and file not in WHOLE:
        return f"tests/site/ {page[1]}"
    if file == "tests/exercises/test_answers.py":
        return f"{file} {test.partition('[')[2][:2]}"
    if file == "tests/notebooks/test_yours.py" and "[" in test:
        return f"notebooks/{test.partition('[')[2].removesuffix(']')}.ipynb"
    return "tests/lab/" if file.startswith("tests/lab/") else file


def pytest_collection_modifyitems(items, config):
    """In the order of FIRST, and there all that stands together as one, where its first test stands, in that order
    too; of one chapter what belongs to it.
    """
    if chapter := of_a_chapter(config):
        others = [item for item in items if not chapter.has(item.nodeid)]
        items[:] = [item for item in items if chapter.has(item.nodeid)]
        config.hook.pytest_deselected(items=others)
    places, groups = {}, {}
    for item in items:
        name = together(item.nodeid)
        places[name] = min(place(item), places.get(name, place(item)))
        groups.setdefault(name, []).append(item)
    items[:] = [item for name in sorted(groups, key=places.get) for item in sorted(groups[name], key=place)]
    wanted = [item for item in items if item.nodeid.startswith("tests/notebooks/test_yours.py")]
    if wanted:
        import again  # here, because pytest has put tests/ on the path by now

        again.WANTED.update(item.callspec.params["chapter"] for item in wanted if hasattr(item, "callspec"))


def place(item) -> int:
    """Where a test stands in FIRST."""
    return next((i for i, start in enumerate(FIRST) if item.nodeid.startswith(start)), len(FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A process takes all that stands together."""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return together(nodeid)

    config.option.loadscopereorder = False  # the order is that of FIRST
    return Together(config, log)


def pytest_terminal_summary(terminalreporter):
    """One line for each part where several were run, so that it is seen which one failed."""
    found, spent = {}, Counter()
    for outcome in (
        "passed",
        "failed",
        "error",
        "skipped",
        "",
    ):  # "": what is made before a test, and put away after it
        for report in terminalreporter.stats.get(outcome, ()):
            part = next((name for start, name in PARTS.items() if report.nodeid.startswith(start)), "unit")
            spent[part] += getattr(report, "duration", 0.0)  # what could not be collected has none
            if outcome:
                found.setdefault(part, Counter())[outcome] += 1
    if len(found) > 1:
        for part, counts in sorted(found.items()):
            outcomes = ", ".join(f"{n} {outcome}" for outcome, n in counts.items())
            terminalreporter.write_line(f"{part}: {outcomes} in {spent[part] / 60:.1f} minutes of one process")
