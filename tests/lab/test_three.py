"""Sweep, vectors and segments in a real JupyterLab: run, moved, heard by Python, run again, saved, opened without a
kernel.
"""

import re

from controls.expected import laid
from lab.conftest import assert_stills_outlive_the_kernel
from playwright.sync_api import expect

from labutils.checkpoints import load
from labutils.controls.segments import LANES

CELLS = (
    "from labutils.controls import Segments, Sweep, Vectors",
    (
        'sweep = Sweep("Two bars", "Move it.", ("n", [1, 2, 3]), bars=(["a", "b"], [[1, 2], [3, 4], [5, 6]]),'
        ' curves={"c": [7, 8, 9]})\nsweep'
    ),
    "vectors = Vectors(layer=2, head=4, query=8)\nvectors",
    "segments = Segments()\nsegments",
    "print(sweep.first, vectors.text, vectors.head, segments.first, segments.length)",
)


def test_the_three_live_through_a_session(jupyterlab):
    jupyterlab.write("three.ipynb", *CELLS)
    page = jupyterlab.page(height=4600)
    jupyterlab.run_all(page, "three.ipynb")
    sweep, vectors, segments = (page.locator(f".itt[data-name={name}]") for name in ("sweep", "vectors", "segments"))
    for control in (sweep, vectors, segments):
        control.wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)

    sweep.get_by_role("slider").press("End")
    expect(sweep.locator(".itt-readout")).to_have_text("n 3: the highest of 2 bars is b with 6; c is 9.")
    vectors.get_by_label("Your text").fill("A dog sat.")
    vectors.locator(".vc-table", has_text="dog").wait_for()
    vectors.get_by_role("group", name="Head").locator("label", has_text="7").click()
    segments.get_by_label("First text").fill("A dog slept.")
    segments.get_by_role("slider").press("ArrowRight")
    for i, lane in enumerate(LANES):
        wanted = laid(load(lane["name"]).tokenizer, "A dog slept.", "It was tired.", 17, lane)["tokens"]
        expect(segments.locator(".sg-lane").nth(i).locator(".sg-card > span:nth-child(2)")).to_have_text(
            [str(token["id"]) for token in wanted]
        )
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.get_by_text("2 A dog sat. 7 A dog slept. 17").wait_for()

    sweep.get_by_role("button", name="Copy as a cell").click()
    expect(sweep.locator(".itt-told")).to_have_text(re.compile(r"^Copied: run it in a cell|^Sweep\(\"Two bars\""))
    page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()  # the control's own cell once more
    page.keyboard.press("Control+Enter")
    expect(sweep.locator(".itt-readout")).to_have_text("n 1: the highest of 2 bars is b with 2; c is 7.")
    expect(sweep).to_have_count(1)

    assert_stills_outlive_the_kernel(page, jupyterlab.folder / "three.ipynb", controls=3)
