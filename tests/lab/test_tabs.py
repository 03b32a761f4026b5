"""Which tabs JupyterLab opens again: those of this copy of the book, and not those of another."""

import re
import subprocess
from contextlib import contextmanager, suppress
from socket import create_connection
from time import sleep

import nbformat
import pytest
from lab.conftest import OPTIONS, PATIENCE, address

from labutils.authoring import lab

TABS = (
    """() => [...document.querySelectorAll("#jp-main-dock-panel .lm-TabBar-tabLabel")].map((tab) => tab.textContent)"""
)


@pytest.fixture
def settings_of_one_user(tmp_path, monkeypatch):
    """Two books of one user have the same settings, in their home."""
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "home" / name))


@contextmanager
def opened(browser, work):
    """A page of the book in this folder, in a browser that was just started, until what it shows was saved."""
    running = lab.jupyterlab(work, *OPTIONS, stderr=subprocess.PIPE, text=True)
    context = browser.new_context()
    try:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{listening(running)}/lab/tree/{lab.START}")
        page.wait_for_function("() => globalThis.jupyterapp?.restored.then(() => true)")
        yield page
    finally:
        context.close()
        running.terminate()
        running.wait(PATIENCE / 1000)


def test_each_copy_of_the_book_opens_its_own_tabs_again(browser, tmp_path, settings_of_one_user):
    mine, other = tmp_path / "mine", tmp_path / "other"
    for work in (mine, other):
        work.mkdir()
        nbformat.write(nbformat.v4.new_notebook(), work / "first.ipynb")
        (work / lab.START).write_text("# Start", encoding="utf-8")
    with opened(browser, mine) as page:
        with page.expect_response(lambda answer: saves(answer, "first.ipynb")):
            page.evaluate("jupyterapp.commands.execute('docmanager:open', { path: 'first.ipynb' })")
    with opened(browser, other) as page:
        page.wait_for_function("() => document.querySelector('.jp-MarkdownViewer')")
        assert "first.ipynb" not in page.evaluate(TABS)
    with opened(browser, mine) as page:
        page.wait_for_function(f"() => ({TABS})().includes('first.ipynb')")


def listening(running):
    """The address of a JupyterLab that answers by now: it says it a moment before."""
    here = address(running)
    while True:
        with suppress(ConnectionRefusedError), create_connection(("127.0.0.1", int(here.rpartition(":")[2]))):
            return here
        sleep(0.05)


def saves(answer, name):
    """Whether an answer is that to a request which writes down open tabs, this one among them."""
    is_asked = answer.request.method == "PUT" and re.search(r"/api/workspaces/", answer.url)
    return is_asked and name in (answer.request.post_data or "")
