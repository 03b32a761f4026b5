"""The built site in a real browser: built once, opened from a server and from disk, every request and message noted."""

import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import expect

PATIENCE = 120_000  # milliseconds: a machine five times slower than ours is waited for
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built if it is not fresh."""
    from labutils.authoring.book import build

    return build()


@pytest.fixture(scope="session")
def roots(site):
    """Where the site is reached: scheme -> the address that every request has to begin with."""
    from labutils.authoring.serve import server

    with server(site) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield {"http": f"http://127.0.0.1:{running.server_port}/", "file": site.as_uri() + "/"}
        running.shutdown()


@dataclass
class Visit:
    """One page as opened: Playwright's page, and what it asked for and complained about while it loaded."""

    page: object
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def wake(self) -> None:
        """Start every control of the page by bringing it near, one after the other."""
        still = self.page.locator(".itt-still")
        while left := still.count():
            self.page.evaluate("document.querySelector('.itt-still')?.scrollIntoView()")
            expect(still).not_to_have_count(left)


@pytest.fixture
def visit(browser, roots):
    """Open ``name`` ("book/index", "book/claims#c135") and wait until it has settled: visit(name, scheme, theme, phone)."""
    contexts = []

    def open_(name: str, scheme: str = "http", theme: str = "light", phone: bool = False, **context) -> Visit:
        device = browser.phone if phone else {"viewport": {"width": 1280, "height": 900}}
        contexts.append(browser.new_context(**device | context, color_scheme=theme))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        seen = Visit(page)
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("requestfailed", lambda request: seen.complaints.append(f"failed: {request.url}"))
        page.on("response", lambda answer: answer.status >= 400 and seen.complaints.append(f"{answer.status}: {answer.url}"))
        page.on("pageerror", lambda error: seen.complaints.append(f"script: {error}"))
        page.on("console", lambda m: m.type in ("error", "warning") and seen.complaints.append(f"{m.type}: {m.text}"))
        end = min((name + end).index(end) for end in "?#")
        page.goto(f"{roots[scheme]}{name[:end]}.html{name[end:]}", wait_until="networkidle", timeout=PATIENCE)
        return seen

    yield open_
    for context in contexts:
        context.close()
