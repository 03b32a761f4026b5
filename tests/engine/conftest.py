"""The engine in a real browser."""

import pytest
from engine.empty_page import HOME, SOURCES, Page, unpacked  # noqa: F401
from threads import threads


@pytest.fixture(scope="session")
def shared_page(browser):
    """One page for all tests that only call functions."""
    page = Page(browser)
    yield page
    page.context.close()


@pytest.fixture
def page(browser):
    """A page of one's own, for tests that load files."""
    page = Page(browser)
    yield page
    page.context.close()


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    yield from threads(1)
