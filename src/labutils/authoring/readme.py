"""What README.md says of Binder and Colab: `python -m labutils.authoring.readme` writes it, once the repository has an
address (`repository.url` in _config.yml). Without one there would be links that lead nowhere, so there are none.
"""

import re

from labutils.authoring.arguments import given
from labutils.authoring.pages.report import repository
from labutils.places import ROOT

BEGIN, END = "<!-- in a browser: written by labutils.authoring.readme -->", "<!-- end -->"
SECTION = re.compile(rf"{BEGIN}\n.*?{END}\n", re.S)
WORDS = """
## In a browser, without installing

[Binder](https://mybinder.org/v2/gh/{name}/HEAD?urlpath=lab/tree/work) opens JupyterLab on a copy of the chapters.
[Colab](https://colab.research.google.com/github/{name}/blob/main/notebooks/04_attention.ipynb) opens one chapter; run
this in a cell before its first one, then restart if Colab asks for it. Boxes and folded hints are plain text there.

```
%pip install -q "git+{url}" bertviz
```

"""


def written(readme: str, url: str) -> str:
    """README.md for a repository at `url`.

    Raises:
        ValueError: README.md has no place for it, or the address is not one on GitHub, which Binder and Colab need.
    """
    if not SECTION.search(readme):
        raise ValueError(f"README.md has no lines “{BEGIN}” and “{END}” to write between.")
    url = url.rstrip("/")
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+)", url)
    if url and not found:
        raise ValueError(f"Binder and Colab need an address on GitHub, https://github.com/owner/name, not {url}.")
    words = WORDS.format(name=found[1], url=url) if found else ""
    return SECTION.sub(lambda _: f"{BEGIN}\n{words}{END}\n", readme)


if __name__ == "__main__":
    given(__doc__)
    path = ROOT / "README.md"
    path.write_text(written(path.read_text(encoding="utf-8"), repository()), encoding="utf-8")
