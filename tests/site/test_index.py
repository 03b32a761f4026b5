"""The index and the page of tests in a browser: a name leads to its cell, to a control, to the text of a test."""

from playwright.sync_api import expect


def test_a_name_leads_to_its_cell_even_where_that_is_folded(visit):
    page = visit("book/a_to_z").page
    page.locator("#at06").get_by_role("link", name="Three right masks").click()
    page.wait_for_url("**/notebooks/04_attention.html#cell-log-of-mask")
    expect(page.locator("#cell-log-of-mask")).to_be_in_viewport()


def test_a_name_leads_to_an_exercise_and_to_a_claim(visit):
    page = visit("book/a_to_z").page
    page.locator("#at05").get_by_role("link", name="exercise 4.1").click()
    page.wait_for_url("**/exercises/04_attention.html#cell-04-merge-card")
    expect(page.locator("#cell-04-merge-card")).to_be_in_viewport()
    page.go_back()
    page.locator("#at06").get_by_role("link", name="box C135").click()
    page.wait_for_url("**/04_attention.html#cell-claim-135")
    expect(page.get_by_text("Add log M to the scores")).to_be_in_viewport()


def test_tests_are_folded_and_lead_to_their_text(visit):
    page = visit("book/a_to_z").page
    row = page.locator("#at17")
    leak = row.get_by_role("link", name="no leak", exact=True)
    expect(leak).to_be_hidden()
    row.locator("summary").click()
    leak.click()
    page.wait_for_url("**/book/tests_layers.html#layers-attention-no-leak")
    expect(page.locator("#layers-attention-no-leak")).to_be_in_viewport()
    expect(page.locator("#layers-attention-no-leak")).to_contain_text("def test_no_leak():")


def test_a_claim_without_a_box_leads_to_its_test(visit):
    page = visit("book/claims").page
    page.locator("#c126").get_by_role("link", name="Shown by a test").click()
    page.wait_for_url("**/book/tests_claims.html#claims-attention-c126-*")
    expect(page.locator(":target")).to_be_in_viewport()
    expect(page.locator(":target")).to_contain_text("def test_c126_")


def test_what_is_planned_says_its_chapter_and_leads_nowhere(visit):
    row = visit("book/a_to_z").page.locator("#sc06")
    expect(row).to_contain_text("comes in chapter 15, Scaling")
    expect(row.locator("a")).to_have_count(0)
