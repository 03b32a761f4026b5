import json
import shutil

import pytest
import torch

from labutils.checkpoints.loader import HERE


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """A test that reaches for another host fails, whatever library it goes through."""
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError(f"a network connection was attempted: {args[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(autouse=True, scope="session")
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def copy(tmp_path):
    """copy(name) -> a folder of one's own with the files of a shipped model."""
    return lambda name: shutil.copytree(HERE / name, tmp_path / name)


@pytest.fixture
def edit_json():
    def edit(path, **changes):
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return edit


@pytest.fixture(scope="module")
def one_thread(two_threads):
    """Texts this short are no faster on two, and much slower where others work on the machine."""
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(2)
