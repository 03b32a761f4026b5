"""Controls in a real browser, on a page of their own opened from disk, with the shipped models beside it."""

import shutil
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from threads import threads

from labutils.controls.engine.export import export
from labutils.controls.standalone import write

COMPLAINTS = ("error", "warning")


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

    def axe(self) -> list[str]:
        """Serious and critical findings."""
        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")]


@pytest.fixture
def open_page(browser, models, tmp_path):
    """open_page(control, …, width=760, without=("little-gpt2.js",), damage={"little-gpt2.js": text}, state={"itt": …}) -> Opened"""
    contexts = []

    def open_(*controls, width=760, theme="light", without=(), damage=None, state=None, **context):
        folder = tmp_path / f"page{len(contexts)}"
        index = write(folder, controls, theme, models=())
        shutil.copytree(models, folder / "_static" / "models", ignore=shutil.ignore_patterns(*without))
        for name, content in (damage or {}).items():
            (folder / "_static" / "models" / name).write_text(content, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **context))
        opened = Opened(contexts[-1].new_page())
        opened.page.goto(index.as_uri() + (f"#{urlencode(state)}" if state else ""))
        return opened

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    yield from threads(1)
