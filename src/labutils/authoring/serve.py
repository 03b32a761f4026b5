"""Serve the built site on this machine: `python -m labutils.authoring.serve`, or `make serve`."""

import gzip
import sys
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

from labutils.authoring.arguments import given
from labutils.places import SITE

TEXT = {".html", ".css", ".js", ".json", ".svg", ".txt"}


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each, and text compressed, as the servers of published sites do."""

    def send_head(self):
        path = Path(self.translate_path(self.path))
        taken = "gzip" in self.headers.get("Accept-Encoding", "")
        if not (taken and path.suffix in TEXT and path.is_file()):
            return super().send_head()
        content = _compressed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return BytesIO(content)

    def log_message(self, *_):
        pass


@lru_cache(maxsize=256)
def _compressed(path: Path, changed: int) -> bytes:
    return gzip.compress(path.read_bytes(), compresslevel=6)


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
    given(__doc__)
    main()
