from importlib.metadata import version

import pytest
from text.vocabularies import MAKERS, Pair

from labutils.text.unicode import table


@pytest.fixture(scope="session")
def vocabularies(tmp_path_factory):
    """name -> Pair, each trained when it is first asked for."""
    source = f"tokenizers {version('tokenizers')}"
    if table()["source"] != source:  # each version of the library has another idea of some thousand characters
        pytest.skip(f"unicode.json was made from {table()['source']}, and installed is {source}")
    root, pairs = tmp_path_factory.mktemp("vocabularies"), {}

    def get(name):
        if name not in pairs:
            pairs[name] = Pair(MAKERS[name](root / name))
        return pairs[name]

    return get


@pytest.fixture(params=MAKERS)
def vocabulary(request, vocabularies):
    """Each vocabulary in turn."""
    return vocabularies(request.param)
