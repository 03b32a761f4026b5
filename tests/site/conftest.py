"""The built site in a real browser: built once, opened from a server and from disk, every request and message noted."""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Error, expect

WIDE = {"width": 1280, "height": 900}
PATIENCE = 120_000  # milliseconds: a machine five times slower than ours is waited for


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built if it is not fresh."""
    from labutils.authoring.book import build

    return build()


@pytest.fixture(scope="session")
def roots(site, browser):
    """Where the site is reached: scheme -> the address that every request has to begin with."""
    from labutils.authoring.serve import server

    expect.set_options(timeout=PATIENCE)
    with server(site) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield {"http": f"http://127.0.0.1:{running.server_port}/", "file": site.as_uri() + "/"}
        running.shutdown()


DRAWN = """async () => {
  if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done));
  await document.fonts.ready;
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame); // heard in one, drawn in the next
}"""


@dataclass
class Visit:
    """One page as opened: Playwright's page, what it asked for, what of that is still on its way, and what it
    complained about.
    """

    page: object
    requests: list[str] = field(default_factory=list)
    pending: set = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)

    def rest(self) -> None:
        """Wait until the page has drawn itself, and has got all that it asked for, twice in a row: what arrives may ask
        for more.
        """
        end, quiet = time.monotonic() + PATIENCE / 1000, 0
        while quiet < 2:
            try:
                self.page.evaluate(DRAWN)
                quiet = 0 if self.pending else quiet + 1
            except Error as error:  # the page leads to another one
                assert "navigation" in str(error), error
                self.page.wait_for_load_state()
            assert time.monotonic() < end, f"still on their way: {[request.url for request in self.pending]}"

    def resize(self, width: int, height: int = 900) -> None:
        """Another window, and what depends on it has been drawn again."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(DRAWN)

    def unfold(self) -> None:
        """Open all asides and answers."""
        self.page.evaluate("document.querySelectorAll('details.itt-fold').forEach((fold) => { fold.open = true; })")

    def wake(self) -> None:
        """Start every control of the page by bringing it near, one after the other."""
        self.unfold()
        left = self.page.locator(".itt-still").count()
        while left:
            self.page.evaluate("document.querySelector('.itt-still')?.scrollIntoView()")
            self.page.wait_for_function("left => document.querySelectorAll('.itt-still').length < left", arg=left)
            left = self.page.locator(".itt-still").count()


class Visits:
    """Opens pages and closes them: open("book/claims#c135", scheme, theme, phone) waits until the page has settled."""

    def __init__(self, browser, roots):
        self.browser, self.roots, self.contexts = browser, roots, []

    def open(self, name: str, scheme: str = "http", theme: str = "light", phone: bool = False, **context) -> Visit:
        device = self.browser.phone if phone else {"viewport": WIDE}
        self.contexts.append(self.browser.new_context(**device | context, color_scheme=theme))
        page = self.contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        seen = Visit(page)
        page.on("request", lambda request: (seen.requests.append(request.url), seen.pending.add(request)))
        page.on("requestfinished", lambda request: seen.pending.discard(request))
        page.on(
            "requestfailed",
            lambda request: (seen.pending.discard(request), seen.complaints.append(f"failed: {request.url}")),
        )
        page.on(
            "response", lambda answer: answer.status >= 400 and seen.complaints.append(f"{answer.status}: {answer.url}")
        )
        page.on("pageerror", lambda error: seen.complaints.append(f"script: {error}"))
        page.on("console", lambda m: m.type in ("error", "warning") and seen.complaints.append(f"{m.type}: {m.text}"))
        end = min((name + end).index(end) for end in "?#")
        page.goto(f"{self.roots[scheme]}{name[:end]}.html{name[end:]}", timeout=PATIENCE)
        if context.get("java_script_enabled", True):
            seen.rest()
        return seen

    def close(self) -> None:
        while self.contexts:
            self.contexts.pop().close()


@pytest.fixture
def visit(browser, roots):
    """`Visits.open`, for pages of one test."""
    visits = Visits(browser, roots)
    yield visits.open
    visits.close()


class Kept:
    """The page that was asked for last, opened once for all tests in a row that ask for it: the same name gives it
    again, as wide as at first, on a screen and with its folds as they were.
    """

    def __init__(self, visits: Visits, prepare=lambda seen: None):
        self.visits, self.prepare, self.name, self.seen = visits, prepare, None, None

    def __call__(self, name: str) -> Visit:
        if name != self.name:
            self.visits.close()
            self.name, self.seen = None, self.visits.open(name)
            self.seen.page.evaluate("globalThis.opened = new Set(document.querySelectorAll('details[open]'))")
            self.prepare(self.seen)
            self.name = name
        page = self.seen.page
        page.set_viewport_size(WIDE)
        page.emulate_media(media="screen")
        page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = opened.has(fold); })")
        page.evaluate("scrollTo(0, 0)")
        return self.seen


def woken(seen: Visit) -> None:
    """All controls run, and what loads when it comes near has come."""
    seen.wake()
    seen.page.locator("footer").last.scroll_into_view_if_needed()
    seen.rest()


@pytest.fixture(scope="session")
def still(browser, roots):
    """still(name) -> the page from a server as it is on arrival."""
    visits = Visits(browser, roots)
    yield Kept(visits)
    visits.close()


@pytest.fixture(scope="session")
def awake(browser, roots):
    """awake(name) -> the page from a server with all its controls awake."""
    visits = Visits(browser, roots)
    yield Kept(visits, woken)
    visits.close()
