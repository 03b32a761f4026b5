"""A chapter in a real JupyterLab: run from top to bottom it looks like the page, and nothing is asked of another host."""

import os
import re
from urllib.parse import urlsplit

import pytest
from lab.conftest import READY, WAITING, until_run
from playwright.sync_api import expect

from labutils.authoring import notebooks
from labutils.authoring.book import keys

# The line of a training that has ended, the only one that may stand on stderr
FULL = re.compile(r"█{30} +[\d,]+ tokens +[\d.]+ nats\n")
NAMES = [f"{notebooks.name(path)}.ipynb" for path in [*notebooks.chapters(), *notebooks.second()]]


def chosen() -> list[str]:
    """The notebooks that are run: LAB_CHAPTERS names them ("all", "02_tokenization,play,more/07_bert"), otherwise it is one, and
    which one depends on the files of the book alone: the same commit gives the same, each change another.
    """
    wish = os.environ.get("LAB_CHAPTERS")
    if not wish:
        return [NAMES[int(keys()["site"], 16) % len(NAMES)]]
    found = [name for name in NAMES if wish == "all" or name.split(".")[0] in wish.split(",")]
    if not found:
        raise pytest.UsageError(
            f'LAB_CHAPTERS is {wish!r} and should be "all" or some of {", ".join(NAMES)}, without their endings.'
        )
    return found


@pytest.fixture(scope="module", params=chosen())
def chapter(request, jupyterlab):
    """A chapter after Run All Cells, and all addresses asked."""
    page, asked = jupyterlab.page(), []
    page.on("request", lambda sent: asked.append(sent.url))
    jupyterlab.run_all(page, request.param)
    until_run(page)
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Idle")
    yield page, asked
    page.close()


def test_every_cell_runs(chapter):
    page, _ = chapter
    said = page.locator(
        ".jp-RenderedText[data-mime-type='application/vnd.jupyter.error'],"
        " .jp-OutputArea-output[data-mime-type*=stderr]"
    ).all_inner_texts()
    assert [text for text in said if not FULL.fullmatch(text)] == []
    assert page.evaluate(WAITING)["left"] == []
    prompts = page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
    assert prompts and all(re.fullmatch(r"\[\d+\]:", prompt) for prompt in prompts if prompt.strip())


def test_nothing_is_asked_of_another_host(chapter, jupyterlab):
    _, asked = chapter
    assert {urlsplit(url).netloc for url in asked if not url.startswith(("data:", "blob:"))} == {
        urlsplit(jupyterlab.address).netloc
    }


def test_markdown_is_drawn_as_on_the_site(chapter):
    page, _ = chapter
    assert page.locator(".jp-MarkdownCell").count() == page.locator(".jp-MarkdownCell.jp-mod-rendered").count() > 0
    assert page.locator(".jp-MarkdownOutput :text('{admonition}')").count() == 0
    assert page.locator(".jp-MarkdownOutput :text(':class:')").count() == 0
    assert page.locator(".katex-error").count() == 0


def test_strip_and_styles_are_there(chapter):
    page, _ = chapter
    strip = page.locator(".itt-strip")
    numbered = page.url.rsplit("/", 1)[1][0].isdigit() and "/more/" not in page.url
    assert strip.count() == numbered  # other pages, such as the playground and second notebooks, open without it
    if not numbered:
        return
    assert strip.locator('[aria-current="step"]').count() == 1
    icon = strip.locator("svg").first.bounding_box()
    assert (icon["width"], icon["height"]) == (52, 52)
    control = page.locator(".itt[data-name]:has(.itt-stage)").first
    assert strip.bounding_box()["width"] <= control.bounding_box()["width"]


def test_every_part_of_jupyterlab_finds_the_version_that_it_was_built_for(jupyterlab):
    page, warned = jupyterlab.page(), []
    page.on("console", lambda message: warned.append(message.text))
    jupyterlab.open(page, NAMES[0])
    page.wait_for_function(READY, arg=NAMES[0])
    page.close()
    assert [text for text in warned if "atisf" in text] == []


def test_a_cell_that_ends_with_an_error_is_seen_at_once_and_what_it_kept_from_running(jupyterlab):
    """So that a chapter with such a cell fails with its error, and not by a limit of time."""
    jupyterlab.write("wrong.ipynb", "input()", "1 / 0", "2")
    page = jupyterlab.page()
    jupyterlab.run_all_and_answer(page, "wrong.ipynb")
    until_run(page)
    page.wait_for_function(f"({WAITING})().left.length < 2")  # its number comes after its error
    assert page.evaluate(WAITING)["left"] == ["2"]
    page.close()
