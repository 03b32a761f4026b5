"""The page Play of the built site: each of its five controls is moved, and what it then says is what Python computes."""

import pytest
import torch
from controls.expected import after, drawn, share, uniform

from labutils.checkpoints import load
from labutils.controls.reading import read

TEXT = "A dog sat on the mat."


def control(page, has: str):
    """The live control that holds `has`."""
    found = page.locator(f".itt-live > .itt:has({has})")
    found.scroll_into_view_if_needed()
    return found


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_every_control_answers_with_pythons_numbers(visit, scheme):
    seen = visit("notebooks/play", scheme)
    seen.wake()
    page = seen.page
    little, reading = load("little-gpt2"), read("little-gpt2", TEXT, 24)

    words = control(page, "[role=listbox]")
    words.get_by_label("Your text").fill(TEXT)
    words.locator(".tok-chip", has_text="dog").first.wait_for()
    assert [
        int(text) for text in words.locator(".tok-lane").first.locator(".tok-chip small").all_inner_texts()
    ] == little.tokenizer.encode(TEXT).ids

    steps = control(page, ".st-table[role=grid]")
    steps.locator("summary", has_text="Another text").click()
    steps.get_by_label("Your text").fill(TEXT)
    steps.locator(".st-table", has_text="dog").wait_for()
    steps.get_by_role("group", name="Layer").locator("label", has_text="2").click()
    steps.get_by_role("group", name="Head").locator("label", has_text="3").click()
    steps.locator(".itt-tokens label").nth(3).click()
    found = [float(text) for text in steps.locator(".st-row:not(.st-heads) .st-wnum").all_inner_texts()[:4]]
    assert found == pytest.approx(reading.weights[2, 3, 3, :4], abs=0.00051)

    explorer = control(page, ".ex-plot")
    explorer.locator("summary", has_text="Another text").click()
    explorer.get_by_label("Your text").fill(TEXT)
    explorer.locator(".ex-word", has_text="dog").first.wait_for()
    explorer.get_by_role("group", name="Layer").locator("label", has_text="2").click()
    explorer.get_by_role("group", name="Head").locator("label", has_text="3").click()
    row = explorer.locator(".ex-word").all_inner_texts()
    query = len([text for text in row if not text.endswith("masked")]) - 1
    assert [float(text.rsplit("\n", 1)[1]) for text in row[: query + 1]] == pytest.approx(
        reading.weights[2, 3, query, : query + 1], abs=0.0051
    )

    guess = control(page, ".guess-choice")
    guess.locator("label", has_text="one half").click()
    guess.get_by_role("button", name="See the answer").click()
    assert (
        guess.locator(".is-right").inner_text().startswith("one half") and "Your guess is right" in guess.inner_text()
    )

    ahead = control(page, "button.nw-row")
    ahead.get_by_label("Your text").fill(TEXT)
    page.wait_for_function("text => document.querySelector('.itt-live .nw-text').textContent === text", arg=TEXT)
    ids = little.tokenizer.encode(TEXT).ids
    ids.append(drawn(after(little, ids), uniform(0, 0)))
    ahead.get_by_role("button", name="Draw a token").click()
    ahead.locator(".nw-step").wait_for()
    assert ahead.locator(".nw-rows .nw-p").first.inner_text() == share(float(torch.max(after(little, ids))))
    assert seen.complaints == []
