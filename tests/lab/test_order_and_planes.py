"""Shuffle, matrices of a sweep and points in a real JupyterLab: run, moved, heard by Python, opened without a kernel."""

from controls.expected import readout
from lab.conftest import assert_stills_outlive_the_kernel
from playwright.sync_api import expect

from labutils.controls import Shuffle

CELLS = (
    "import numpy as np\nfrom labutils.controls import Points, Shuffle, Sweep",
    'shuffle = Shuffle(model="paper-gpt2")\nshuffle',
    (
        'matrix = Sweep("Two", "Move it.", ("n", [1, 2]), name="matrix",'
        ' matrix=(["a", "b"], ["x", "y"], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]))\nmatrix'
    ),
    'points = Points("Four", "Choose.", list("abcd"), [[1, 0], [2, 1], [0, 1], [1, 3]], k=2)\npoints',
    "print(shuffle.order, shuffle.mask, matrix.first, matrix.row, matrix.column, points.word, points.k)",
)


def test_the_three_live_through_a_session(jupyterlab):
    jupyterlab.write("planes.ipynb", *CELLS)
    page = jupyterlab.page(height=4600)
    jupyterlab.run_all(page, "planes.ipynb")
    shuffle, matrix, points = (page.locator(f".itt[data-name={name}]") for name in ("shuffle", "matrix", "points"))
    for control in (shuffle, matrix, points):
        control.wait_for()
    expect(page.locator(".itt-still:visible")).to_have_count(0)

    for name in ("Positions", "Causal mask"):  # Python is asked stage by stage
        shuffle.get_by_role("switch", name=name).locator("..").click()
    shuffle.locator(".sh-chip").first.focus()
    page.keyboard.press("Shift+ArrowRight")  # the word takes it, not JupyterLab
    bag = Shuffle(model="paper-gpt2", positions=False, mask=False, order="1 0 2")
    expect(shuffle.locator(".itt-readout")).to_have_text(readout(bag))

    matrix.get_by_role("slider").press("End")
    matrix.locator(".sw-map").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(matrix.locator(".sw-cell")).to_have_text("Row “b”, column “y”: 8. No square in this line is larger.")

    points.get_by_label("Find a word").fill("d")
    points.get_by_role("slider", name="Nearest words").press("ArrowRight")
    expect(points.locator(".pt-word")).to_have_text(["c", "b", "a"])
    page.locator(".jp-CodeCell").last.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.get_by_text("1 0 2 False 1 1 1 3 3").wait_for()

    assert_stills_outlive_the_kernel(page, jupyterlab.folder / "planes.ipynb", controls=3)
