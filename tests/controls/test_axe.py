"""axe as the tests run it finds what axe finds by itself, and looks where it is told to."""

import pytest
from axe import SAMPLE, SERIOUS, findings
from axe_playwright_python.sync_playwright import Axe

FAULTS = """<!doctype html><html lang="en"><head><title>Faults</title><style>
  body { background: #fff; color: #222; } .pale { color: #bbb; } .veil { background: rgb(0 0 0 / 60%); position: relative; }
  .half { opacity: .4; } a { text-decoration: none; color: #333; }
</style></head><body><main><h1>Faults</h1>
<p class="pale">Pale on white.</p>
<div class="veil"><p>Dark on a veil.</p></div><p class="half">Half seen.</p>
<p>A text with <a href="#">a link</a> that looks like all other words of it.</p>
<article><p class="pale">Pale in an article.</p></article>
<mjx-container><p class="pale">Pale in a formula.</p></mjx-container>
<img src="data:,"><button></button><input type="text"><ul><p>no item</p></ul><div role="checkbox" tabindex="0">no state</div>
</main></body></html>"""
PALE = {"pale on white", "dark on a veil", "half seen", "pale in an article", "pale in a formula"}


@pytest.fixture
def page(browser):
    context = browser.new_context()
    page = context.new_page()
    page.set_content(FAULTS)
    yield page
    context.close()


def pale(page) -> list[str]:
    """The texts of all elements whose contrast is too low."""
    found = page.evaluate("axe.run({ runOnly: ['color-contrast'] }).then((results) => results.violations)")
    return sorted(node["html"].split(">", 1)[1].split(".")[0].lower() for one in found for node in one["nodes"])


def test_it_finds_what_axe_finds(page):
    theirs = Axe().run(page, context={"exclude": ["mjx-container"]}).response["violations"]
    assert pale(page) == sorted(PALE)
    page.reload()
    page.set_content(FAULTS)
    ours = {one.split(":")[0] for one in findings(page)}
    assert ours == {one["id"] for one in theirs if one["impact"] in SERIOUS}
    assert ours >= {
        "color-contrast",
        "link-in-text-block",
        "image-alt",
        "button-name",
        "label",
        "list",
        "aria-required-attr",
    }
    assert pale(page) == sorted(PALE - {"pale in a formula"})


def test_colours_are_judged_alone_and_outside_of_what_is_named(page):
    assert {one.split(":")[0] for one in findings(page, structure=False)} == {"color-contrast", "link-in-text-block"}
    assert findings(page, structure=False, outside=("article",))
    assert pale(page) == sorted(PALE - {"pale in a formula", "pale in an article"})
    assert "color-contrast" not in str(findings(page, colours=False))
    page.evaluate("document.querySelectorAll('.pale, .veil, .half, a').forEach((one) => one.remove())")
    assert findings(page, structure=False) == []


ONE_OF_MANY = {
    "a colour of its own": "one.style.color = '#bbb'",
    "a size of its own": "one.style.cssText = 'font-size: 12px; color: #808080'",
    "a surface of its own": "one.style.background = '#444'",
    "a surface around it": "one.parentElement.style.background = '#444'",
    "half seen with all around it": "one.parentElement.style.opacity = '.3'",
    "moved onto another surface": "one.className = 'away'",
}


@pytest.mark.parametrize("change", ONE_OF_MANY.values(), ids=ONE_OF_MANY)
def test_of_many_that_are_painted_alike_three_are_judged_and_one_that_is_not_always(page, change):
    page.set_content(
        "<html lang=en><title>Many</title><style>body { background: #fff; color: #222 } .dark { background: #333; height: 90px }"
        " .dark p { color: #fff } .away { position: absolute; top: 120px; left: 20px }</style><main><h1>Many</h1>"
        + "<div class=dark><p>White.</p></div>"
        + "<section><p>One <b>of</b> many.</p></section>" * 60
    )
    assert findings(page) == []
    assert len(page.evaluate(SAMPLE, [[], "none"])) == 4  # the heading, the white one, the two of the many
    page.evaluate(f"one => {{ {change} }}", page.locator("section p").nth(17).element_handle())
    assert {one.split(":")[0] for one in findings(page)} == {"color-contrast"}


def test_a_kind_that_was_judged_on_another_page_is_not_judged_again_and_a_new_one_is(page):
    known = set()
    assert findings(page, known=known) and not known  # what is wrong stays unknown
    page.evaluate("document.querySelectorAll('.pale, .veil, .half, a').forEach((one) => one.remove())")
    assert "color-contrast" not in str(findings(page, known=known)) and known
    page.set_content(FAULTS)
    away = known.copy()
    assert {one.split(":")[0] for one in findings(page, structure=False, known=known)} == {
        "color-contrast",
        "link-in-text-block",
    }
    assert known == away
    assert pale(page) == sorted(PALE - {"pale in a formula"})
    judged = set(page.evaluate(SAMPLE, [[], "none"]))
    assert findings(page, structure=False, known=judged) == []


def test_what_lies_outside_of_what_is_judged_does_not_become_known(page):
    page.evaluate("document.querySelectorAll('.veil, .half, main > .pale, a').forEach((one) => one.remove())")
    known = set()
    assert findings(page, structure=False, outside=("article",), known=known) == []
    assert {one.split(":")[0] for one in findings(page, structure=False, known=known)} == {"color-contrast"}
