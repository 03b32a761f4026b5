"""For nbval: of a value that is drawn, only the plain text is stored and compared."""

DRAWN = ("text/html", "text/markdown", "text/latex", "image/svg+xml")


def pytest_collectstart(collector):
    """nbval's own hook for this: a notebook carries the list of output forms that it does not compare."""
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += DRAWN
