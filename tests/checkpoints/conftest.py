import shutil

import pytest
from model_folders import copy, edit_json, no_network, one_thread, two_threads  # noqa: F401


@pytest.fixture
def folder(made, tmp_path):
    """folder(kind) -> a copy of one's own of what the test file has made."""
    return lambda kind: shutil.copytree(made[kind], tmp_path / kind)
