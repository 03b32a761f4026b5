"""Sphinx extension: each page ends with a way on, a way back, and a way to report an error on it.

The way on is the author's own where the page's last paragraph is a link and nothing else; otherwise the next page.
"""

import re
from html import escape
from urllib.parse import quote

# after it only closing tags may come, and scripts that other extensions put there
LINK_AT_THE_END = re.compile(
    r"<p(?P<id> id=\"[^\"]*\")?>\s*<a [^>]*>(?:(?!</?(?:a|p)\b).)*</a>\s*</p>\s*</section>(?!.*<(?:p|h[1-6]|li|pre)\b)",
    re.S,
)
REPORT = "book/report"  # where it is told in words how to report an error


def own_way_on(body: str) -> str | None:
    """The body with its last paragraph marked, if that is a link and nothing else."""
    found = LINK_AT_THE_END.search(body)
    if not found:
        return None
    at = found.start()
    name, text = found["id"] or "", body[body.index(">", at) + 1 :]
    return f'{body[:at]}<p{name} class="{onward(found[0])}">{text}'


def report_address(repository: str, pagename: str, pathto) -> str:
    """The repository's form for a new issue, or our own page where the repository is not known."""
    if repository:
        return f"{repository.rstrip('/')}/issues/new?title={quote(f'Error on {pagename}: ')}"
    return pathto(REPORT)


def ends(app, pagename, templatename, context, doctree):
    """Put the ways below the text of a page."""
    if doctree is None:
        return  # search and the like
    following, before = context.get("next"), context.get("prev")
    home = {"link": context["pathto"](app.config.root_doc), "title": escape(app.config.html_title)}
    own = own_way_on(context["body"])
    on = "" if own else _onward(following or home)
    back = f'<a href="{before["link"]}">← {before["title"]}</a>' if before else ""
    address = escape(
        report_address(app.config.html_theme_options.get("repository_url", ""), pagename, context["pathto"])
    )
    report = "" if pagename == REPORT else f'<a href="{address}">Report an error on this page</a>'
    context["body"] = (
        own or context["body"]
    ) + f'<nav class="itt-ways" aria-label="On and back">{on}<p class="itt-back">{back}{report}</p></nav>'


def _onward(page: dict) -> str:
    return f'<p class="{onward(page["title"])}"><a href="{page["link"]}">{page["title"]}</a></p>'


def onward(link: str) -> str:
    """The classes of a way on; the number of a chapter stands in an em of its own."""
    return "itt-onward itt-to-chapter" if "<em>" in link else "itt-onward"


def setup(app):
    app.connect("html-page-context", ends)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
