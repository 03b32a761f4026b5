"""Chromium, Firefox and WebKit behind one small interface: open an address, run a function in the page.

Firefox is Debian's firefox-esr, driven over WebDriver BiDi (W3C working draft); WebKit is MiniBrowser with Debian's
webkit2gtk-driver, driven over WebDriver (W3C recommendation 2018). Both come with the system, not with a package of
Python, so what they need is asked for here and said in one sentence where it is missing.
"""

import contextlib
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

PATIENCE = 300  # seconds
SIZE = (1280, 900)
MINIBROWSER = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec")


class Missing(Exception):
    """A browser, or what it needs, is not on this machine."""


class Chromium:
    def __init__(self, page):
        self.page = page

    def goto(self, address: str) -> None:
        self.page.goto(address, timeout=PATIENCE * 1000)

    def evaluate(self, function: str, argument=None):
        """What `function(argument)` gives in the page, awaited."""
        return self.page.evaluate(function, argument)


class Firefox:
    """One tab of Firefox. Messages: https://w3c.github.io/webdriver-bidi, sections 7.3 and 7.5."""

    def __init__(self, connection):
        self.connection, self.ids = connection, itertools.count()
        self.send("session.new", capabilities={})
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("browsingContext.setViewport", context=self.tab, viewport={"width": SIZE[0], "height": SIZE[1]})

    def send(self, method: str, **params):
        number = next(self.ids)
        self.connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.connection.recv())
            if answer.get("id") == number:
                if answer["type"] != "success":
                    raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
                return answer["result"]

    def goto(self, address: str) -> None:
        self.send("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def evaluate(self, function: str, argument=None):
        """As Chromium's; a value crosses as JSON text, which needs no types of the protocol."""
        code = f"async (given) => JSON.stringify(await ({function})(JSON.parse(given)) ?? null)"
        result = self.send(
            "script.callFunction",
            functionDeclaration=code,
            awaitPromise=True,
            target={"context": self.tab},
            arguments=[{"type": "string", "value": json.dumps(argument)}],
        )
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])


class WebKit:
    """One window of WebKitGTK's MiniBrowser."""

    def __init__(self, driver: str):
        options = {"binary": str(_minibrowser()), "args": ["--automation"]}
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        self.session = driver
        made = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"{driver}/session/{made['sessionId']}"
        self.send("POST", "/timeouts", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000})
        self.send("POST", "/window/rect", {"width": SIZE[0], "height": SIZE[1]})

    def send(self, method: str, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.session + path, data, method=method), timeout=PATIENCE) as answer:
            return json.loads(answer.read())["value"]

    def goto(self, address: str) -> None:
        self.send("POST", "/url", {"url": address})

    def evaluate(self, function: str, argument=None):
        """As Chromium's."""
        code = (
            f"const done = arguments[1]; Promise.resolve(arguments[0]).then({function})"
            ".then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));"
        )
        found = self.send("POST", "/execute/async", {"script": code, "args": [argument]})
        if "error" in found:
            raise RuntimeError(found["error"])
        return found["value"]


@contextlib.contextmanager
def chromium() -> Iterator[Chromium]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or _program("chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = running.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.set_default_timeout(PATIENCE * 1000)
        yield Chromium(page)
        running.close()


@contextlib.contextmanager
def firefox() -> Iterator[Firefox]:
    import websocket

    program = _program("firefox-esr")
    with tempfile.TemporaryDirectory() as profile, _log() as log:
        arguments = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with _running([program, *arguments], log):
            address = _said(log, r"WebDriver BiDi listening on (ws://\S+)")
            connection = websocket.create_connection(
                f"{address}/session", timeout=PATIENCE, suppress_origin=True, enable_multithread=False
            )
            yield Firefox(connection)
            connection.close()


@contextlib.contextmanager
def webkit() -> Iterator[WebKit]:
    program, port, display = _program("WebKitWebDriver"), _free_port(), _program("Xvfb")
    with _log() as log, tempfile.TemporaryDirectory() as home, _screen(display, log) as screen:
        # its own sandbox needs rights that a container has not; pages here are our own
        own = {"DISPLAY": screen, "HOME": home, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        with _running([program, f"--port={port}"], log, os.environ | own | {"GDK_BACKEND": "x11"}):
            window = WebKit(_answering(f"http://127.0.0.1:{port}"))
            yield window
            window.send("DELETE", "")


@contextlib.contextmanager
def _screen(program: str, log: Path) -> Iterator[str]:
    """A screen that nobody sees; the X server says on a pipe which number it took."""
    told, tell = os.pipe()
    command = [program, "-displayfd", str(tell), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with _running(command, log, pass_fds=(tell,)):
        os.close(tell)
        with os.fdopen(told) as pipe:
            yield f":{pipe.readline().strip()}"


@contextlib.contextmanager
def _running(command: list[str], log: Path, environment=None, pass_fds=()) -> Iterator[None]:
    with log.open("ab") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env=environment, pass_fds=pass_fds)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def _log() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.touch()
        yield path


def _said(log: Path, pattern: str) -> str:
    """What a program has written so far, once it matches."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found:
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"Nothing like {pattern!r} was said: {log.read_text(errors='replace')[-500:]}")


def _answering(driver: str) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            with urlopen(f"{driver}/status", timeout=5):
                return driver
        except (URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The driver at {driver} did not answer.")


def _program(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise Missing(f"{name} is not on this machine (Debian: apt-get install firefox-esr webkit2gtk-driver xvfb).")
    return found


def _minibrowser() -> Path:
    for folder in MINIBROWSER:
        found = sorted(Path(folder).glob("webkit2gtk-*/MiniBrowser"))
        if found:
            return found[-1]
    raise Missing("WebKit's MiniBrowser is not on this machine (Debian: apt-get install webkit2gtk-driver).")


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


ENGINES = {"Chromium": chromium, "Firefox": firefox, "WebKit": webkit}
