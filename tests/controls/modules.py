"""A module of the controls as the browser runs it: its text with everything it imports, its exports on `globalThis`."""

from labutils.controls.bundle import HERE, modules, variable


def load(page, path: str, name: str) -> None:
    """Put what `path` (below labutils/controls) exports on the page as `globalThis[name]`."""
    entry = (HERE / path).resolve()
    page.evaluate("\n".join(["() => {", *modules(entry).values(), f"globalThis.{name} = {variable(entry)};", "}"]))
