"""Walk and Stream in a real JupyterLab: typed into, moved, answered and heard by Python, opened without a kernel."""

from controls.expected import readout
from controls.hostile import type_in
from lab.conftest import assert_stills_outlive_the_kernel
from playwright.sync_api import expect

from labutils.controls import Stream, Walk

CELLS = (
    "from labutils.controls import Stream, Walk",
    'walk = Walk(model="paper-gpt2", stage="text")\nwalk',
    "stream = Stream()\nstream",
    "print(walk.stage, walk.text, stream.layer, stream.part, stream.token)",
)
TYPED = "A dog slept. Tom was near the old bridge."


def test_both_live_through_a_session(jupyterlab):
    jupyterlab.write("stages.ipynb", *CELLS)
    page = jupyterlab.page(height=4600)
    jupyterlab.run_all(page, "stages.ipynb")
    walk, stream = (page.locator(f".itt[data-name={name}]") for name in ("walk", "stream"))
    for control in (walk, stream):
        control.wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)

    type_in(walk, "the cat")
    typed = Walk("the cat", model="paper-gpt2", stage="text")
    expect(walk.locator(".itt-readout")).to_have_text(readout(typed))  # its stations are drawn anew until then
    walk.locator(".wk-stop input").last.check(force=True)
    expect(walk.locator(".itt-readout")).to_have_text(readout(Walk("the cat", model="paper-gpt2")))

    type_in(stream, TYPED)
    expect(stream.locator(".sm-grid")).to_contain_text("dog")
    stream.locator(".sm-cell").nth(3 * 8 + 5).click()  # token 3, layer 2, the feed-forward network
    wanted = Stream(TYPED, layer=2, part="feed_forward", token=3)
    expect(stream.locator(".itt-readout")).to_have_text(readout(wanted))

    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.get_by_text("odds the cat 2 feed_forward 3").wait_for()

    assert_stills_outlive_the_kernel(page, jupyterlab.folder / "stages.ipynb", controls=2)
