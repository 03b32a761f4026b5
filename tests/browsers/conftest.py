"""The built site at an address of this machine, and what its controls say in Chromium when all of them are moved."""

import threading
from pathlib import Path

import pytest
from browsers.drivers import chromium

TYPED = "A dog sat on the mat."
MOVES = Path(__file__).with_name("moves.js").read_text(encoding="utf-8").rstrip().removesuffix(";")


def moved(browser, address: str) -> dict[str, list[dict]]:
    """name of a control -> its states: {"move", "said", "rows"}, the first without a move."""
    browser.goto(address)
    return browser.evaluate(MOVES, TYPED)


@pytest.fixture(scope="session")
def address():
    """Where the site is served."""
    from labutils.authoring.book import build
    from labutils.authoring.serve import server

    with server(build()) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()


@pytest.fixture(scope="session")
def in_chromium(address):
    """in_chromium(page) -> what its controls say there, moved once."""
    seen = {}
    with chromium() as browser:

        def get(page: str) -> dict:
            if page not in seen:
                seen[page] = moved(browser, f"{address}{page}.html")
            return seen[page]

        yield get
