"""Sphinx extension: what a site needs that has an address of its own (`html_baseurl`): a page for addresses that lead
nowhere. Canonical links come from Sphinx, absolute addresses of previews from `previews`. The address is
the setting, or what the environment says: `publish.yml` asks GitHub Pages for it.
"""

import os
from html import escape

PAGE = "404"
WORDS = (
    "<section><h1>There is no such page</h1><p>The address that you followed leads nowhere in this book. A chapter may"
    ' have got another name.</p><p><a href="{home}">To the front page</a>, or <a href="{search}">search the book</a>.'
    "</p></section>"
)


def of_the_host(app, config):
    """Where the setting is empty, the address that a host gives the site while it is built there (`ITT_ADDRESS`)."""
    config.html_baseurl = config.html_baseurl or os.environ.get("ITT_ADDRESS", "")


def not_found(app):
    """The page 404.html, as GitHub Pages and most servers show it for an address without a page."""
    if app.config.html_baseurl:
        yield PAGE, {"title": "There is no such page", "body": _words(app.config.html_baseurl)}, "page.html"


def _words(base: str) -> str:
    home = escape(base.rstrip("/") + "/")
    return WORDS.format(home=home, search=f"{home}search.html")


def based(app, pagename, templatename, context, doctree):
    """A missing page is shown at any depth, so what it loads is named from the root of the site."""
    if pagename == PAGE:
        base = escape(app.config.html_baseurl.rstrip("/") + "/")
        context["metatags"] = f'<base href="{base}">' + context.get("metatags", "")


def setup(app):
    app.connect("config-inited", of_the_host)
    app.connect("html-collect-pages", not_found)
    app.connect("html-page-context", based)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
