"""The book is built without a network: whatever runs in that build reaches its own machine alone."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from labutils.authoring import book

LISTEN = """
import socket
own = socket.socket()
own.bind(("127.0.0.1", 0))
own.listen()
"""


def run(code: str, inner: bool = False) -> subprocess.CompletedProcess:
    """A Python as the build starts it, or one that such a Python starts."""
    if inner:
        code = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {code!r}]).returncode)"
    return subprocess.run([sys.executable, "-c", code], env=book.surroundings(), capture_output=True, text=True)


@pytest.mark.parametrize("inner", [False, True], ids=["a process", "one that it starts"])
@pytest.mark.parametrize(
    "asks, named",
    [
        ("import socket; socket.create_connection(('192.0.2.1', 80), 1)", "192.0.2.1"),
        ("import socket; socket.getaddrinfo('huggingface.co', 443)", "huggingface.co"),
        ("import socket; socket.gethostbyname('example.org')", "example.org"),
        ("import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))", "192.0.2.1"),
        ("import urllib.request; urllib.request.urlopen('https://example.org')", "example.org"),
    ],
)
def test_another_machine_is_refused_by_name(asks, named, inner):
    found = run(asks, inner)
    assert found.returncode
    assert f"The book is built without a network, and something asked for {named!r}." in found.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_its_own_machine_is_reached(host):
    found = run(LISTEN + f"socket.create_connection(({host!r}, own.getsockname()[1]), 5); print('reached')")
    assert (found.returncode, found.stdout) == (0, "reached\n"), found.stderr


def test_jupyter_book_and_its_kernels_get_these_surroundings(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "mine")
    seen = []
    monkeypatch.setattr(
        book.subprocess, "run", lambda *args, env, **more: seen.append(env) or SimpleNamespace(returncode=0)
    )
    book.jupyter_book(everything=False)
    assert seen[0]["PYTHONPATH"].split(book.os.pathsep) == [str(book.OFFLINE), "mine"]
    assert (book.OFFLINE / "sitecustomize.py").exists()
