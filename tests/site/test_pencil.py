"""The paper model on one page: on paper it is one, and on a phone nothing of it is lost."""

import re


def test_it_prints_on_one_page(site, browser):
    page = browser.new_page()
    page.goto((site / "book/pencil.html").as_uri())
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 1
