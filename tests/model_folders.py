"""Fixtures of the tests that load, make and measure model folders; the conftest.py beside these tests imports them."""

import json
import shutil

import pytest
import torch
from threads import threads

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
    """Two threads at most: where processes of tests share the cores each has fewer, and a second one would only wait."""
    yield from threads(min(2, torch.get_num_threads()))


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
    yield from threads(1)
