"""A publisher of lists on loopback."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Publisher:
    """A publisher on loopback: `files` by path, and the requests that it got."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.status = 200
        self.pause = 0.0
        self.asked: list[tuple[str, str]] = []
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.answer(self)

            def log_message(self, *_: Any) -> None:
                """Keep the test's output quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        time.sleep(self.pause)
        body = self.files.get(request.path, b"")
        etag = f'"{hash(body)}"'
        known = request.headers.get("If-None-Match", "")
        self.asked.append((request.path, known))
        status = 304 if self.status == 200 and known == etag else self.status
        request.send_response(status)
        request.send_header("ETag", etag)
        request.send_header("Content-Length", "0" if status == 304 else str(len(body)))
        request.end_headers()
        if status != 304:
            request.wfile.write(body)


@contextmanager
def publishing() -> Iterator[Publisher]:
    """Run a publisher for the time of the block."""
    publisher = Publisher()
    thread = threading.Thread(target=publisher.server.serve_forever, daemon=True)
    thread.start()
    yield publisher
    publisher.server.shutdown()
    publisher.server.server_close()
    thread.join()
