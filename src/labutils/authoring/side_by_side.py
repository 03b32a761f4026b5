"""Runs notebooks side by side, where Jupyter Book would run one after the other."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import nbformat
from jupyter_cache.executors.utils import single_nb_execution
from nbformat import NotebookNode

from labutils.authoring.kernels import AsyncOverFiles

MOST = 300  # seconds for one cell, as `timeout` in _config.yml


def run(
    paths: Iterable[Path], keep: Callable[[NotebookNode, Path, float], None], surroundings: Mapping[str, str]
) -> None:
    """Run each notebook, as many at a time as there are cores, and hand it to `keep` with its path and its seconds.

    The largest file comes first, because it tends to be the longest. A notebook that fails is not kept: Jupyter Book
    runs it again and says what is wrong.
    """
    storing = Lock()

    def one(path: Path) -> None:
        notebook = nbformat.read(path, as_version=4)
        how = {"timeout": MOST, "allow_errors": False, "kernel_manager_class": AsyncOverFiles}
        done = single_nb_execution(notebook, cwd=str(path.parent), **how)
        if not done.err:
            with storing:
                keep(notebook, path, done.time)

    with _environment(surroundings), ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, sorted(paths, key=lambda path: -path.stat().st_size)))


@contextmanager
def _environment(given: Mapping[str, str]):
    """Kernels inherit the environment of this process."""
    before = dict(os.environ)
    os.environ.update(given)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
