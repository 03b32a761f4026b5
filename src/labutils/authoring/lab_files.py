"""The files of the book's JupyterLab: a notebook that was never run is run when it is opened, not before Lab starts."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from tornado.web import HTTPError
from traitlets import Unicode

from labutils.authoring.copies import CHAPTER_COPIES, EXERCISE_COPIES, SECOND_COPIES, Copies, Damaged
from labutils.places import CHAPTERS


class RunWhenOpened(AsyncLargeFileManager):
    """JupyterLab's own files with one thing added to `get`."""

    chapters = Unicode(str(CHAPTERS), config=True, help="where the chapters lie that the reader's copies are made of")
    _one_by_one: asyncio.Lock | None = None
    _run: tuple[str, float] | None = None  # the copy that is being run, and since when

    async def get(self, path: str, content: bool = True, *arguments, **more) -> dict:
        """As of any file; a working copy that waits to be run is run first, one at a time. Whoever asks for no content
        is told at once, and for how many seconds the copy has been run: `being_run`; or, of a copy that was changed,
        that the book has a newer version: `newer`. Where a copy cannot be read, the error says how it is put back.
        """
        if content and path.endswith(".ipynb"):
            self._one_by_one = self._one_by_one or asyncio.Lock()
            async with self._one_by_one:
                self._run = path.strip("/"), monotonic()
                try:
                    await asyncio.to_thread(self._run_first, path.strip("/"))
                finally:
                    self._run = None
        try:
            found = await super().get(path, content, *arguments, **more)
        except HTTPError as error:
            raise self._with_the_way_back(error, path.strip("/")) from error
        if not content and self._run and self._run[0] == path.strip("/"):
            found["being_run"] = monotonic() - self._run[1]
        elif not content and (newer := await asyncio.to_thread(self._newer, path.strip("/"))):
            found["newer"] = newer
        return found

    def _copies(self, path: str) -> tuple[Copies, str] | None:
        """The copies among which a file lies, and its name among them."""
        folder, _, name = path.rpartition("/")
        for copies, home in ((CHAPTER_COPIES, ""), (EXERCISE_COPIES, "exercises"), (SECOND_COPIES, "more")):
            if folder == home and Path(self.chapters, home, name).is_file() and name.endswith(".ipynb"):
                return replace(copies, originals=Path(self.chapters, home), folder=Path(self.root_dir, home)), name
        return None

    def _run_first(self, path: str) -> None:
        if found := self._copies(path):
            with suppress(Damaged):  # that was said when Lab was started
                found[0].open(found[1])

    def _newer(self, path: str) -> str:
        with suppress(Damaged, OSError):
            found = self._copies(path)
            return found[0].newer(found[1]) if found else ""
        return ""

    def _with_the_way_back(self, error: HTTPError, path: str) -> HTTPError:
        """The error of a file that is no notebook any more, such as one that was cut off, with what to do about it."""
        if error.status_code != 400 or not (found := self._copies(path)):
            return error
        copies, name = found
        number = copies.under + name.split("_")[0]
        return HTTPError(
            400,
            f"{name} is no notebook any more: it may have been cut off. `make reset CHAPTER={number}`, in a terminal, "
            "puts back the book’s and keeps this file beside it.",
        )
