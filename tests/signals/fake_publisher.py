"""A publisher on loopback, and the rows of the tables bent to it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl

from apps.reference.signals import services
from apps.reference.signals.series import FEEDS, SERIES, Feed, Series


class Publisher(HTTPServer):
    """Set its `body`, `status` and `etag`; `asked` are the paths and headers of requests.

    `answer` gives status and body of a request by its address and parameters instead.
    """

    body, status, etag = b"", 200, ""
    answer: Callable[[str, dict[str, str]], tuple[int, bytes]] | None = None

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/file"


class Handler(BaseHTTPRequestHandler):
    server: Publisher

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        status, sent = self.server.status, self.server.body
        if self.server.answer is not None:
            path, _, query = self.path.partition("?")
            status, sent = self.server.answer(path, dict(parse_qsl(query)))
        same = self.server.etag and self.headers.get("If-None-Match") == self.server.etag
        self.send_response(304 if same else status)
        if self.server.etag:
            self.send_header("ETag", self.server.etag)
        body = b"" if same else sent
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Stay quiet."""


@contextmanager
def publishing() -> Iterator[Publisher]:
    """Open a publisher for a while."""
    server = Publisher()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def feed(name: str, **changed: Any) -> Feed:
    """Return a row of the table of files, at no pace, of any length and age, and without a past."""
    found = next(one for one in FEEDS if one.name == name)
    any_file = {"pace": timedelta(0), "least": 1, "max_age": timedelta(days=36500), "window": None}
    return replace(found, **(any_file | changed))


def rows(name: str, *only: str, **params: str) -> list[Series]:
    """Return the series of a file, or some of them, with other parameters if need be."""
    found = [
        series for series in SERIES if series.feed == name and (not only or series.name in only)
    ]
    return [replace(one, params=dict(one.params) | params) for one in found]


def serve(patch: Any, server: Publisher, one: Feed, wanted: list[Series]) -> Feed:
    """Let one file and its series be all that there is, on the loopback publisher."""
    here = replace(one, url=server.url)
    patch.setattr(services, "FEEDS", (here,))
    patch.setattr(services, "SERIES", tuple(wanted))
    return here
