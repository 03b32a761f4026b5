"""What tests in a browser share: one Chromium for each process of tests, because Playwright runs but once in each."""

import os
import shutil
from collections import Counter
from functools import partial

import pytest

# `make bench` measures and asserts nothing; `make browsers` needs two more browsers
collect_ignore = ["benchmarks"] if os.environ.get("BROWSERS") else ["benchmarks", "browsers"]
# The first is Chromium without its windows: it lays out and draws the same, and takes a seventh less of a processor.
NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    *("chrome", "msedge"),
)
NO_BROWSER = (
    "no Chromium here, so nothing was opened in a browser (Debian: apt-get install chromium; or set CHROMIUM=path)"
)
PATIENCE = 120_000  # milliseconds: a busy machine is no failure
# What a window of Chromium does for people. The popup of the address bar costs each new context a renderer of its own, more
# than a page of ours; the names after it are those that Playwright switches off, because this list takes the place of its own.
OFF = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,msForceBrowserSignIn,"
    "msEdgeUpdateLaunchServicesPreferredVersion"
)
QUIET = (
    "--disable-gpu",
    "--font-render-hinting=none",  # letters as wide as in a window, where lines break at the same words
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={OFF}",
)


@pytest.fixture(scope="session")
def browser():
    """Chromium, or one line that says why these tests did not run."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import expect, sync_playwright

    sandbox = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=[*QUIET, *sandbox])
        expect.set_options(timeout=PATIENCE)
        be_patient(chromium)
        chromium.phone = playwright.devices["Pixel 7"] | {"viewport": {"width": 390, "height": 844}}
        yield chromium
        chromium.close()


@pytest.fixture(scope="session", autouse=True)
def finalizers_that_raise_nothing():
    """Controls of several tests have one id, and whichever is collected second finds that its comm is gone. Python 3.11
    parses the traceback of what a finalizer raises, and where the collector has interrupted `ast.parse` that one fails:
    "AST constructor recursion depth mismatch", in whatever test it happens to be.
    """
    from comm.base_comm import CommManager

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CommManager, "unregister_comm", lambda manager, comm: manager.comms.pop(comm.comm_id, None))
        yield


def be_patient(chromium) -> None:
    """Whatever is opened in it waits as long as PATIENCE says; Playwright alone waits half a minute."""

    def opened(how, *args, **options):
        made = how(*args, **options)
        made.set_default_timeout(PATIENCE)
        return made

    for name in ("new_context", "new_page"):
        setattr(chromium, name, partial(opened, getattr(chromium, name)))


def pytest_terminal_summary(terminalreporter):
    """One line for each reason to skip, such as a missing browser, instead of one for each test."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, tests in reasons.items():
        terminalreporter.write_line(f"{tests} tests skipped: {reason}")
