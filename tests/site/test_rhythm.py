"""A chapter is looked at, not only read: something is drawn within the first screen and a half, and then in every two."""

import pytest

from labutils.authoring.front import published

CHAPTERS = [name for name in published() if name.startswith("notebooks/") and name.split("/")[1][0].isdigit()]
SCREEN = {"width": 1280, "height": 900}
FIRST, APART = 1.5, 2.0  # screens, at most
LONG_CODE = 500  # px: a listing that is longer is read on its own and is not counted

# Tops and bottoms of what is drawn or operated on the path, from the title to the quick questions. The component and its
# check are a listing and a table, which are looked up: their height is left out, and that of other long listings.
DRAWN = """longCode => {
  const article = document.querySelector("article"), place = (e) => e.getBoundingClientRect();
  const onPath = (e) => !e.closest("details.itt-aside") && place(e).height > 0;
  const named = (...names) => [...article.querySelectorAll("h2")].filter((h) => names.some((name) => h.textContent.startsWith(name)));
  const [end] = named("Quick questions"), top = place(article).top, last = end ? place(end).top : place(article).bottom;
  const lookedUp = named("The component", "The check").map((h) => h.closest("section"));
  const listings = [...article.querySelectorAll(".cell_input")].filter(onPath)
    .filter((e) => place(e).height > longCode && !lookedUp.some((section) => section.contains(e)));
  const skipped = [...lookedUp, ...listings].map(place);
  const above = (y) => skipped.filter((r) => r.top < y).reduce((sum, r) => sum + Math.min(r.height, y - r.top), 0);
  const drawn = [...article.querySelectorAll(".itt-still, .itt-live, .itt-figure")].filter(onPath).map(place)
    .filter((r) => r.top < last);
  const places = drawn.map((r) => [r.top - top - above(r.top), r.bottom - top - above(r.bottom)]).sort((a, b) => a[0] - b[0]);
  return { places, end: last - top - above(last) };
}"""


@pytest.mark.parametrize("name", CHAPTERS)
def test_something_is_drawn_in_every_two_screens(still, name):
    seen = still(name)
    seen.resize(**SCREEN)
    found = seen.page.evaluate(DRAWN, LONG_CODE)
    screens = lambda px: px / SCREEN["height"]
    first, gaps, bottom = screens(found["places"][0][0]), [], 0.0
    for top, end in found["places"]:
        gaps.append((round(screens(top - bottom), 2), round(screens(bottom), 1)))
        bottom = max(bottom, end)
    gaps.append((round(screens(found["end"] - bottom), 2), round(screens(bottom), 1)))
    assert first <= FIRST
    assert [f"{gap} screens without a picture, {at} screens down" for gap, at in gaps if gap > APART] == []
