"""A notebook is run once: what nbval's run of it gave is what the site is built from.

nbval runs each cell and compares its text. The build would run the same notebooks again, which took a quarter of all
tests. So the messages of each run are also told to nbclient, which makes of them the outputs and the state of the
controls just as it does in a build, and when all cells of a notebook have passed it is put where the build looks first.
"""

import os
import time
from functools import cache, partial

import again
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete

from labutils.authoring import book
from labutils.places import CHAPTERS


class Kept:
    """One notebook in nbval's hands: what its cells have given so far."""

    def __init__(self, file):
        self.file, self.heard, self.passed = file, [], set()
        self.start, file.setup = file.setup, self.setup
        self.get, file.get_kernel_message = file.get_kernel_message, self.hear

    def setup(self) -> None:
        """Start nbval's kernel as the build starts its own: without the stylesheet, which pages link, and offline."""
        before = dict(os.environ)
        os.environ.update(book.surroundings())
        try:
            self.start()
        finally:
            os.environ.clear()
            os.environ.update(before)
        kernel = self.file.kernel
        kernel.execute_cell_input = partial(kernel.kc.execute, store_history=True, stop_on_error=False)  # as in a build
        self.started = time.monotonic()
        self.notebook = nbformat.read(self.file.path, as_version=4)
        self.codes = [i for i, cell in enumerate(self.notebook.cells) if cell.cell_type == "code"]
        for i in self.codes:
            self.notebook.cells[i].update(outputs=[], execution_count=None)
        self.client = NotebookClient(self.notebook, record_timing=False)
        self.client.reset_execution_trackers()
        self.client.kc = kernel.kc

    def hear(self, *args, **kwargs) -> dict:
        """The next message of the kernel, which nbval asks for."""
        message = self.get(*args, **kwargs)
        self.heard.append(message)
        return message

    def ran(self, number: int) -> None:
        """A cell has passed: its messages are those with the parent of the last one, by which it became idle."""
        at = self.codes[number]
        own = self.heard[-1]["parent_header"]["msg_id"]
        self.client.clear_before_next_output = False
        for message in self.heard:
            if message["parent_header"].get("msg_id") == own:
                self.tell(message, at)
        self.heard.clear()
        self.passed.add(number)
        if len(self.passed) == len(self.codes):
            self.keep()
            if self.file.path.parent == CHAPTERS and self.file.path.stem in again.WANTED:
                again.hear(self.file.path.stem, self.file.kernel)

    def tell(self, message: dict, at: int) -> None:
        try:
            self.client.process_message(message, self.notebook.cells[at], at)
        except CellExecutionComplete:
            pass  # nbclient's word for idle

    def keep(self) -> None:
        self.client.set_widgets_metadata()
        about = self.file.kernel.kc.kernel_info(reply=True, timeout=600)["content"]
        self.notebook.metadata.language_info = about["language_info"]
        forget_stale()
        book.keep_run(self.notebook, self.file.path, time.monotonic() - self.started)


@cache
def forget_stale() -> None:
    """The build drops what an older state of the code gave: here once, before anything new is kept."""
    with book.one_at_a_time():
        book.forget_stale()
