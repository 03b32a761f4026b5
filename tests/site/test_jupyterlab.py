"""A chapter in a real JupyterLab: run from top to bottom it looks like the page, and nothing is asked of another host."""

import re
import shutil
import time
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import TimeoutError, expect

from labutils.authoring import lab, notebooks

PATIENCE = 240_000  # milliseconds: a machine five times slower than ours is waited for
BEGUN = """[...document.querySelectorAll(".jp-CodeCell")].some((cell) =>   // a star while a cell waits or runs, then its number
  /\\[[*\\d]/.test(cell.querySelector(".jp-InputPrompt")?.textContent) || cell.querySelector(".jp-OutputArea-child"))"""
FINISHED = """[...document.querySelectorAll(".jp-CodeCell")].every((cell) => {
  const prompt = cell.querySelector(".jp-InputPrompt").textContent;          // empty where the code is folded away
  return prompt ? /\\d/.test(prompt) : cell.querySelector(".jp-OutputArea-child");
})"""


@pytest.fixture(scope="module")
def jupyter(browser, tmp_path_factory):
    """The address of a JupyterLab on fresh working copies, without the settings of whoever runs the tests."""
    work, private = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("jupyter")
    lab.update(notebooks.CHAPTERS, work, make=shutil.copyfile)  # not run before, so that it is seen when they run
    options = ("--no-browser", "--allow-root", "--ServerApp.token=", "--ServerApp.port=0", "--ServerApp.port_retries=0")
    whole = private / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    whole.parent.mkdir(parents=True)
    whole.write_text('{"windowingMode": "none"}')  # every cell is on the page, not only those in view
    info = private / "said.txt"
    with info.open("w") as said, pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_CONFIG_DIR", str(private))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(private))
        patch.setenv("JUPYTERLAB_SETTINGS_DIR", str(private / "settings"))
        running = lab.jupyterlab(work, *options, stderr=said)
    try:
        yield _address(info, running)
    finally:
        running.terminate()
        running.wait(30)


def _address(info, running, patience: float = 300) -> str:
    """Where JupyterLab says that it listens, once it answers."""
    end = time.monotonic() + patience
    while time.monotonic() < end and running.poll() is None:
        if found := re.search(r"http://(?:localhost|127\.0\.0\.1):(\d+)/lab", info.read_text()):
            address = f"http://127.0.0.1:{found[1]}"
            with urlopen(f"{address}/api", timeout=60):
                return address
        time.sleep(0.5)
    raise RuntimeError(f"JupyterLab did not start:\n{info.read_text()[-2000:]}")


@pytest.fixture(scope="module", params=[path.name for path in notebooks.chapters()])
def chapter(request, jupyter, browser):
    """A chapter after Run All Cells, and all addresses asked."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page, asked = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda sent: asked.append(sent.url))
    # a workspace of its own: in a shared one JupyterLab opens the notebooks of other tests again
    page.goto(f"{jupyter}/lab/workspaces/{request.param.split('.')[0]}/tree/{request.param}?reset", timeout=PATIENCE)
    expect(page.locator(".jp-Notebook")).to_have_count(1)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Idle")  # the kernel is there
    run_all(page)
    page.wait_for_function(FINISHED, timeout=2 * PATIENCE)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Idle")
    yield page, asked
    context.close()


def run_all(page) -> None:
    """Run All Cells from the menu, until it has begun: a click while JupyterLab still starts goes nowhere."""
    page.locator(".jp-Notebook .jp-MarkdownCell").first.click()  # this notebook, not the file browser, is what the menu acts on
    for _ in range(5):
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        try:
            page.wait_for_function(BEGUN, timeout=15_000)
            return
        except TimeoutError:
            page.keyboard.press("Escape")
    raise AssertionError("Run All Cells was chosen five times, and no cell began to run.")


def test_every_cell_runs(chapter):
    page, _ = chapter
    assert page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.error'], .jp-OutputArea-output[data-mime-type*=stderr]").all_inner_texts() == []
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
    assert prompts and all(re.fullmatch(r"\[\d+\]:", prompt) for prompt in prompts if prompt.strip())


def test_nothing_is_asked_of_another_host(chapter, jupyter):
    _, asked = chapter
    assert {urlsplit(url).netloc for url in asked if not url.startswith(("data:", "blob:"))} == {urlsplit(jupyter).netloc}


def test_markdown_is_drawn_as_on_the_site(chapter):
    page, _ = chapter
    assert page.locator(".jp-MarkdownCell").count() == page.locator(".jp-MarkdownCell.jp-mod-rendered").count() > 0
    assert page.locator(".jp-MarkdownOutput :text('{admonition}')").count() == 0
    assert page.locator(".jp-MarkdownOutput :text(':class:')").count() == 0
    assert page.locator(".katex-error").count() == 0


def test_strip_and_styles_are_there(chapter):
    page, _ = chapter
    strip = page.locator(".itt-strip")
    numbered = page.url.rsplit("/", 1)[1][0].isdigit()
    assert strip.count() == numbered  # other pages, such as the playground, open without it
    if not numbered:
        return
    assert strip.locator('[aria-current="step"]').count() == 1
    icon = strip.locator("svg").first.bounding_box()
    assert (icon["width"], icon["height"]) == (52, 52)
    assert strip.bounding_box()["width"] <= 46 * 16
