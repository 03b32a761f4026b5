"""The files of the book's JupyterLab: a notebook that was never run is run when it is opened, not before Lab starts."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from traitlets import Unicode

from labutils.authoring.copies import CHAPTER_COPIES, EXERCISE_COPIES, SECOND_COPIES, Damaged
from labutils.places import CHAPTERS


class RunWhenOpened(AsyncLargeFileManager):
    """JupyterLab's own files with one thing added to `get`."""

    chapters = Unicode(str(CHAPTERS), config=True, help="where the chapters lie that the reader's copies are made of")
    _one_by_one: asyncio.Lock | None = None
    _run: tuple[str, float] | None = None  # the copy that is being run, and since when

    async def get(self, path: str, content: bool = True, *arguments, **more) -> dict:
        """As of any file; a working copy that waits to be run is run first, one at a time. Whoever asks for no content
        is told at once, and for how many seconds the copy has been run: `being_run`.
        """
        if content and path.endswith(".ipynb"):
            self._one_by_one = self._one_by_one or asyncio.Lock()
            async with self._one_by_one:
                self._run = path.strip("/"), monotonic()
                try:
                    await asyncio.to_thread(self._run_first, path.strip("/"))
                finally:
                    self._run = None
        found = await super().get(path, content, *arguments, **more)
        if not content and self._run and self._run[0] == path.strip("/"):
            found["being_run"] = monotonic() - self._run[1]
        return found

    def _run_first(self, path: str) -> None:
        folder, _, name = path.rpartition("/")
        for copies, home in ((CHAPTER_COPIES, ""), (EXERCISE_COPIES, "exercises"), (SECOND_COPIES, "more")):
            if folder == home:
                here = replace(copies, originals=Path(self.chapters, home), folder=Path(self.root_dir, home))
                with suppress(Damaged):  # that was said when Lab was started
                    here.open(name)
