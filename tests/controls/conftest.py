"""Controls in a real browser, on a page of their own opened from disk, with the shipped models beside it."""

import os
import shutil
from urllib.parse import urlencode

import pytest
from axe import findings
from threads import threads

from labutils.controls.engine.export import export
from labutils.controls.standalone import write

COMPLAINTS = ("error", "warning")
PATIENCE = 120_000  # milliseconds: a machine five times slower than ours is waited for
# a control that has got another width hears of it in one frame and is drawn in the next
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with the scripts of the shipped models."""
    folder = tmp_path_factory.mktemp("models")
    export(folder)
    return folder


class Opened:
    """A page with controls. `control(i)` is the i-th that runs; `complaints` are the console's."""

    def __init__(self, page):
        self.page, self.complaints, self.requests = page, [], []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda m: m.type in COMPLAINTS and self.complaints.append(m.text))
        page.on("request", lambda request: self.requests.append(request.url))

    def control(self, i: int = 0):
        place = self.page.locator(".cell_output").nth(i)
        place.scroll_into_view_if_needed()
        root = place.locator(".itt-live > .itt")
        root.wait_for()
        return root

    def theme(self, name: str) -> None:
        self.page.evaluate("name => { document.documentElement.dataset.theme = name }", name)

    def stop_the_clock(self) -> None:
        """From here on the page's time goes on by `page.clock.run_for` alone; a clock that is only installed also runs."""
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1000)

    def axe(self) -> list[str]:
        """Serious and critical findings."""
        return findings(self.page)

    def fits(self, *widths: int, look=lambda width: None) -> None:
        """At each of the widths nothing scrolls sideways and `look(width)` holds. At the last one, best the narrowest,
        axe looks at everything once, and at the colours of the other theme. It comes last, because it asks for the
        stylesheet in a way that a page from disk forbids.
        """
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": 900})
            self.page.evaluate(DRAWN)
            assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            look(width)
        assert self.complaints == []
        assert self.axe() == []
        self.theme("dark")
        assert findings(self.page, structure=False) == []


def linked(source: str, target: str) -> None:
    """The same file under another name: copies of the models for all pages of the tests would be gigabytes."""
    try:
        os.link(source, target)
    except OSError:  # another disk, or one that knows no links
        shutil.copyfile(source, target)


class Pages:
    """Opens pages, each in a folder and a context of its own: open(control, …, width=760, without=("little-gpt2.js",),
    damage={"little-gpt2.js": text}, state={"itt": …}).
    """

    def __init__(self, browser, models, folder):
        self.browser, self.models, self.folder, self.contexts = browser, models, folder, []

    def open(self, *controls, width=760, theme="light", without=(), damage=None, state=None, **context) -> Opened:
        folder = self.folder / f"page{len(self.contexts)}"
        index = write(folder, controls, theme, models=())
        models = folder / "_static" / "models"
        shutil.copytree(self.models, models, ignore=shutil.ignore_patterns(*without), copy_function=linked)
        for name, content in (damage or {}).items():
            (models / name).unlink(missing_ok=True)  # the file itself belongs to all pages
            (models / name).write_text(content, encoding="utf-8")
        self.contexts.append(self.browser.new_context(viewport={"width": width, "height": 900}, **context))
        self.contexts[-1].set_default_timeout(PATIENCE)
        opened = Opened(self.contexts[-1].new_page())
        opened.page.goto(index.as_uri() + (f"#{urlencode(state)}" if state else ""))
        return opened

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def open_page(browser, models, tmp_path):
    """`Pages.open`, for pages of one test."""
    pages = Pages(browser, models, tmp_path)
    yield pages.open
    pages.close()


@pytest.fixture(scope="module")
def lasting_page(browser, models, tmp_path_factory):
    """lasting_page(make) -> (the page, its control): opened once for all tests of a file that type into it, one after
    the other.
    """
    pages, opened = Pages(browser, models, tmp_path_factory.mktemp("lasting")), {}

    def get(make):
        if make not in opened:
            opened[make] = pages.open(make())
        return opened[make], opened[make].control()

    yield get
    pages.close()


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    yield from threads(1)
