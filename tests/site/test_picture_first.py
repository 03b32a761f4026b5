"""The picture first: in the opening control of a chapter data are seen within the first screen, wide and on a phone, and
no control of its path is higher than a screen.
"""

import pytest

from labutils.authoring.front import published

CHAPTERS = [name for name in published() if name.startswith("notebooks/") and name.split("/")[1][0].isdigit()]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SEEN = 120  # px of the stage, or all of it, that stand in the first screen
HIGHEST = 800  # px of a control, at 1280
TALLEST = ("04_attention", "06_feed_forward", "08_gpt2")  # where the controls with most parts stand

# Of each control on the path: its name, its height, where its stage begins and ends. A still picture stands for the
# control that waits.
CONTROLS = """() => [...document.querySelectorAll("article .itt[data-name]:not(.itt .itt), article .itt-still")]
  .filter((control) => !control.closest("details.itt-aside") && !control.querySelector(".itt-strip"))
  .filter((control) => control.querySelector(".itt-stage"))
  .map((control) => {
    const stage = control.querySelector(".itt-stage").getBoundingClientRect(), box = control.getBoundingClientRect();
    const name = control.dataset.name ?? control.closest("[data-name]")?.dataset.name ?? "";
    return { name, height: box.height, top: stage.top + scrollY, bottom: stage.bottom + scrollY };
  })"""


def controls(page, screen) -> list[dict]:
    """The controls of the path as they stand on a screen, once they have drawn themselves for it."""
    page.set_viewport_size(screen)
    for _ in range(3):  # heard of in one frame, drawn in the next
        page.evaluate("new Promise(requestAnimationFrame)")
    return page.evaluate(CONTROLS)


def late(page, screen) -> list[str]:
    """What is wrong with the opening control of a page on a screen."""
    first, *_ = controls(page, screen)
    seen, wanted = screen["height"] - first["top"], min(SEEN, first["bottom"] - first["top"])
    if seen >= wanted:
        return []
    return [f"{screen['width']} px: {max(0, round(seen))} px of the data of {first['name']} are in the first screen"]


def high(page) -> list[str]:
    """The controls of the path that are too high."""
    found = [one for one in controls(page, WIDE) if one["height"] > HIGHEST]
    return [f"{one['name']} is {round(one['height'])} px high, at most {HIGHEST}" for one in found]


@pytest.mark.parametrize("name", CHAPTERS)
def test_data_are_seen_in_the_first_screen_and_no_control_is_higher_than_one(awake, name):
    page = awake(name).page
    assert late(page, WIDE) + late(page, PHONE) + high(page) == []


@pytest.mark.parametrize(
    "name", ["notebooks/play", "notebooks/own_gpt2", *(f"notebooks/more/{one}" for one in TALLEST)]
)
def test_no_control_beside_the_path_is_higher_than_a_screen(awake, name):
    assert high(awake(name).page) == []


PAGE = """<article><div style="height:{above}px"></div><div class="itt-live"><div class="itt" data-name="steps-7.1">
<div style="height:{head}px"></div><div class="itt-stage" style="height:{stage}px"></div></div></div>
<details class="itt-aside" open><div class="itt" data-name="aside"><div class="itt-stage" style="height:900px"></div>
</div></details></article><style>body, html {{ margin: 0 }}</style>"""


@pytest.mark.parametrize(
    ("above", "head", "stage", "said"),
    [
        (300, 200, 400, []),
        (300, 460, 80, []),
        (300, 500, 200, ["1280 px: 100 px of the data", "390 px: 44 px of the data"]),
        (300, 440, 200, ["390 px: 104 px of the data"]),
        (300, 900, 40, ["1280 px: 0 px", "390 px: 0 px", "steps-7.1 is 940 px high, at most 800"]),
        (100, 200, 700, ["steps-7.1 is 900 px high, at most 800"]),
    ],
)
def test_a_page_that_begins_with_settings_is_found(browser, above, head, stage, said):
    page = browser.new_page()
    page.set_content(PAGE.format(above=above, head=head, stage=stage))
    found = late(page, WIDE) + late(page, PHONE) + high(page)
    page.close()
    assert [one[: len(words)] for one, words in zip(found, said, strict=True)] == said
