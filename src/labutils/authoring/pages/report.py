"""Where an error in the book is reported, in words: from the one setting `repository.url` of _config.yml."""

from labutils.authoring.declared import declared
from labutils.places import ROOT


def repository() -> str:
    """The address of the book's repository as _config.yml has it; empty where it is not set."""
    return declared(ROOT / "_config.yml").get("repository", {}).get("url") or ""


def page(url: str | None = None) -> str:
    """One paragraph of Markdown.

    >>> page("https://example.org/book")
    'Write it as an issue of [the book’s repository](https://example.org/book/issues/new). The link at the end of each
    page fills in the page.\\n'
    """
    url = repository() if url is None else url
    if url:
        return (
            f"Write it as an issue of [the book’s repository]({url.rstrip('/')}/issues/new). The link at the end of"
            " each page fills in the page.\n"
        )
    return (
        "This copy of the book was built without the address of a repository. So give your report to whoever gave you"
        " the book: your teacher, or the place you cloned it from, which `git remote get-url origin` names in your"
        " copy.\n\nIf you publish the book yourself, write the address into `_config.yml`, under `repository`: then the"
        " link at the end of each page opens a new issue there.\n"
    )
