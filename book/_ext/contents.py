"""Sphinx extension: the sections of a page stand in the sidebar, below the page's own name, so that the margin beside
the text is free for notes. A name such as GPT-2 stays on one line there too.
"""

from breaks import CLASS, pieces
from bs4 import BeautifulSoup

from labutils.authoring.folds import kind_of


def below(tree, sections: str):
    """The tree of pages, as the theme made it, with the list of a page's sections below the page itself.

    Args:
        tree: a soup or a string; what is given comes back.
        sections: the theme's list of the page's headings.
    """
    soup = tree if isinstance(tree, BeautifulSoup) else BeautifulSoup(str(tree), "html.parser")
    here = soup.select("li.current.active")
    listed = BeautifulSoup(sections, "html.parser").find("ul")
    if here and listed is not None and listed.find("a"):
        nav = soup.new_tag("nav", attrs={"class": "page-toc", "aria-label": "On this page"})
        nav.append(listed)
        for inner in listed.select("ul"):
            inner.decompose()
        fold_asides(soup, listed)
        here[-1].find("a").insert_after(nav)
    keep_names(soup)
    return soup if isinstance(tree, BeautifulSoup) else str(soup)


def fold_asides(soup, listed) -> None:
    """What is read on request stands folded at the end of the list, as it is folded in the text.

    >>> soup = BeautifulSoup("<ul><li><a>Aside: why</a></li><li><a>Recap</a></li></ul>", "html.parser")
    >>> fold_asides(soup, soup.ul)
    >>> [item.get_text() for item in soup.ul], str(soup.summary), soup.details.a.get_text()
    (['Recap', 'AsidesAside: why'], '<summary>Asides</summary>', 'Aside: why')
    """
    asides = [link.parent for link in listed.select("li > a") if kind_of(link.get_text().strip())]
    if not asides:
        return
    item, fold, inner, name = (soup.new_tag(tag) for tag in ("li", "details", "ul", "summary"))
    name.string = "Asides"
    inner.extend(aside.extract() for aside in asides)
    fold.extend([name, inner])
    item.append(fold)
    listed.append(item)


def keep_names(soup) -> None:
    """Mark in the names of pages and sections what stays on one line, as in the text. A name is one box, because the
    links of the sidebar are flex boxes, which drop the space between two.

    >>> soup = BeautifulSoup("<a>In GPT-2</a>", "html.parser")
    >>> keep_names(soup)
    >>> str(soup)
    '<a><span>In <span class="itt-nb">GPT-2</span></span></a>'
    """
    for text in soup.find_all(string=lambda words: words is not None and any(kept for _, kept in pieces(words))):
        name = soup.new_tag("span")
        for piece, kept in pieces(text):
            if kept:
                part = soup.new_tag("span", attrs={"class": CLASS})
                part.string = piece
            name.append(part if kept else piece)
        text.replace_with(name)


def in_the_sidebar(app, pagename, templatename, context, doctree):
    """Wrap the theme's own function, which the template of the sidebar calls."""
    tree, sections = context.get("generate_toctree_html"), context.get("generate_toc_html")
    if doctree is None or tree is None or sections is None:
        return

    def with_sections(kind, *args, **options):
        made = tree(kind, *args, **options)
        return below(made, str(sections())) if kind == "sidebar" else made

    context["generate_toctree_html"] = with_sections


def setup(app):
    app.connect("html-page-context", in_the_sidebar, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
