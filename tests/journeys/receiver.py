"""Receives callbacks as docs/callbacks.md says: `python -m tests.journeys.receiver PORT FOLDER`.

Each POST is kept as a file of FOLDER, in the order of arrival: its path, headers, and body. GET /
answers, so that somebody can tell that it runs.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Receiver(BaseHTTPRequestHandler):
    """Keeps what comes, and answers 200."""

    folder: Path

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        number = len(list(self.folder.glob("*.json"))) + 1
        kept = {"path": self.path, "headers": headers, "body": body}
        waiting = self.folder / f"{number:04d}.part"
        waiting.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        waiting.rename(waiting.with_suffix(".json"))  # whoever looks finds it whole
        self._answer()

    def _answer(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *said: object) -> None:
        """Say nothing: what came is in the folder."""


def main(port: str, folder: str) -> None:
    """Serve until somebody ends it."""
    Receiver.folder = Path(folder)
    Receiver.folder.mkdir(parents=True, exist_ok=True)
    HTTPServer(("127.0.0.1", int(port)), Receiver).serve_forever()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(0)
