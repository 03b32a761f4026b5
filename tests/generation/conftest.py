"""One thread: the models are tiny, and a second thread costs more than it brings."""

import pytest
from threads import threads


@pytest.fixture(autouse=True)
def one_thread():
    yield from threads(1)
