"""The page of claims: its filter by mouse and by keyboard, and the ways between a box and its entry."""

from playwright.sync_api import expect

from labutils.authoring.ledger import ledger, proved


def shown(page):
    return page.locator(".itt-claims > li:visible")


def test_the_filter_leaves_what_was_asked_for(visit):
    page, all_ = visit("book/claims").page, ledger()
    form = page.locator(".itt-filter")
    expect(shown(page)).to_have_count(len(all_))
    page.get_by_label("Chapter").select_option("4 Attention")
    expect(shown(page)).to_have_count(sum(entry.chapter == "04_attention" for entry in all_))
    form.locator("label", has_text="Wrong").click()
    expected = sum(entry.chapter == "04_attention" and entry.verdict == "wrong" for entry in all_)
    expect(shown(page)).to_have_count(expected)
    expect(form.get_by_role("status")).to_have_text(f"{expected} of {len(all_)}")


def test_the_filter_knows_where_a_claim_was_read(visit):
    page, all_ = visit("book/claims").page, ledger()
    text = all_[0].text
    page.get_by_label("Read in").select_option(text)
    expect(shown(page)).to_have_count(sum(entry.text == text for entry in all_))


def test_the_filter_works_by_keyboard(visit):
    page, all_ = visit("book/claims").page, ledger()
    page.locator(".itt-filter input[name=verdict]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_have_count(sum(entry.verdict == "wrong" for entry in all_))
    page.keyboard.press("ArrowRight")
    expect(shown(page)).to_have_count(sum(entry.verdict == "imprecise" for entry in all_))


def test_on_a_phone_one_frame_holds_all_verdicts(visit):
    page = visit("book/claims", viewport={"width": 390, "height": 844}).page
    row = page.locator(".itt-filter-row")
    frame, parts = row.bounding_box(), [label.bounding_box() for label in row.locator("label").all()]
    assert frame["x"] + frame["width"] <= 370 and len(parts) == 5
    for part in parts:
        assert frame["x"] < part["x"] and part["x"] + part["width"] < frame["x"] + frame["width"]
    assert row.locator("span").evaluate_all("all => all.every(one => getComputedStyle(one).borderTopWidth === '0px')")


def test_without_javascript_the_whole_list_stands_there(visit):
    page = visit("book/claims", java_script_enabled=False).page
    expect(shown(page)).to_have_count(len(ledger()))
    expect(page.locator(".itt-filter")).to_be_hidden()


def test_a_box_and_its_entry_lead_to_each_other(visit, site):
    """One of each kind: in a chapter and in a second notebook, on the path and folded away. That all are linked is
    proved with all links of the site.
    """
    kinds = {}
    for claim, name in proved().items():
        before = (site / f"notebooks/{name}.html").read_text(encoding="utf-8").partition(f'id="{claim.lower()}"')[0]
        kinds["/" in name, before.count("<details") > before.count("</details>")] = name, claim
    assert {second for second, _ in kinds} == {folded for _, folded in kinds} == {False, True}
    for (_, folded), (name, claim) in kinds.items():
        page, place = visit(f"notebooks/{name}").page, f"#{claim.lower()}"
        link = page.locator(f"{place} a[href*='book/claims.html#']")
        assert link.is_visible() != folded
        page.evaluate("document.querySelectorAll('details.itt-fold').forEach(fold => { fold.open = true })")
        link.click()
        page.wait_for_url(f"**/book/claims.html{place}", wait_until="commit")
        page.locator(place).get_by_role("link", name="Proved in").click()
        page.wait_for_url(f"**/{name}.html{place}", wait_until="commit")
        expect(page.locator(place)).to_be_in_viewport()


def test_a_link_to_an_entry_that_is_filtered_away_shows_it(visit):
    page = visit("book/claims").page
    right = next(entry for entry in ledger() if entry.verdict == "right").id.lower()
    page.locator(".itt-filter label", has_text="Wrong").click()
    expect(page.locator(f"#{right}")).to_be_hidden()
    page.evaluate("id => { location.hash = id }", right)
    expect(page.locator(f"#{right}")).to_be_visible()


def test_on_the_narrowest_phone_no_verdict_stands_alone_in_the_middle(visit):
    page = visit("book/claims", viewport={"width": 320, "height": 800}).page
    boxes = [label.bounding_box() for label in page.locator(".itt-filter-row label").all()]
    assert len({round(one["x"]) for one in boxes}) == 2 and len({round(one["width"]) for one in boxes}) == 1


def test_the_filters_stand_in_one_line_and_each_verdict_has_a_mark(visit):
    page = visit("book/claims", viewport={"width": 1280, "height": 900}).page
    tops = page.locator(".itt-filter fieldset").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert len(tops) == 3 and max(tops) - min(tops) < 2
    mark = "one => getComputedStyle(one, '::before').content"
    verdicts = ("wrong", "imprecise", "contradicted", "right")
    marks = [page.locator(f"[data-verdict={one}] .itt-claim-head b").first.evaluate(mark) for one in verdicts]
    assert marks == ['"✕ "', '"≈ "', '"≠ "', '"✓ "']


def test_on_paper_they_stand_in_two_columns(visit):
    page = visit("book/claims").page
    page.emulate_media(media="print")
    assert page.locator("#itt-claims").evaluate("one => getComputedStyle(one).columnCount") == "2"
