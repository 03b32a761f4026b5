"""Serve the built site on this machine: `python -m labutils.authoring.serve`, or `make serve`."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from labutils.places import SITE


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, *_):
        pass


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server for one folder, reachable from this machine alone; port 0 takes a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(folder)))


def main() -> None:
    """Serve `_build/html` until interrupted."""
    if not (SITE / "index.html").exists():
        sys.exit("There is no built site yet. Run `make book` first.")
    with server(SITE) as running:
        print(f"http://127.0.0.1:{running.server_port}/  (Ctrl+C stops it)", flush=True)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
