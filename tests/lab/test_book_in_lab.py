"""What JupyterLab says and does for the book: a chapter that is being run, a link to an entry of the glossary."""

import json

from lab.conftest import READY
from playwright.sync_api import expect

from labutils.authoring import lab

LATE = "late.ipynb"


def test_a_chapter_that_is_run_first_says_so_in_its_tab_and_for_how_long(jupyterlab):
    jupyterlab.write(LATE, "6 * 7")
    page, waiting = jupyterlab.page(), []

    def answer(route):
        if "content=0" in route.request.url:
            found = route.fetch()
            route.fulfill(response=found, body=json.dumps(found.json() | {"being_run": 12.3}))
        elif waiting or route.request.method != "GET":
            route.continue_()
        else:
            waiting.append(route)  # the file itself comes when it was run

    page.route(f"**/api/contents/{LATE}?*", answer)
    jupyterlab.open(page, LATE)
    said = page.locator(".itt-first-run")
    expect(said).to_contain_text("opened for the first time")
    expect(said).to_contain_text("12 seconds so far")
    waiting[0].continue_()
    page.wait_for_function(READY, arg=LATE)
    expect(said).to_have_count(0)
    page.close()


def test_a_link_to_an_entry_of_the_glossary_opens_at_the_entry(jupyterlab):
    lab.place_pages(jupyterlab.folder)
    jupyterlab.write("link.ipynb", "1")
    path = jupyterlab.folder / "link.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    text = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "[there](book/glossary.md#residual-stream)"}
    path.write_text(json.dumps(notebook | {"cells": [text]}), encoding="utf-8")
    page = jupyterlab.page()
    jupyterlab.open(page, "link.ipynb")
    page.wait_for_function(READY, arg="link.ipynb")
    page.get_by_role("link", name="there").click()
    entry = page.get_by_role("heading", name="residual stream")
    expect(entry).to_be_focused()
    expect(entry).to_be_in_viewport()
    page.close()
