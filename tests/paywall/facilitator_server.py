"""A facilitator over HTTP, on loopback: a test says what it answers, it keeps what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, Any]
Says = Callable[[str, dict[str, Any]], Answer | None]


class Facilitating:
    """`says(path, document)` gives status and document; None hangs up without an answer."""

    def __init__(self, says: Says) -> None:
        self.says, self.asked = says, []  # type: ignore[var-annotated]
        self.headers: list[dict[str, str]] = []
        self.url = ""


@contextmanager
def facilitating(says: Says) -> Iterator[Facilitating]:
    """Serve until the end of the block."""
    found = Facilitating(says)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found.asked.append((self.path, document))
            found.headers.append(dict(self.headers))
            answer = found.says(self.path, document)
            if answer is None:
                self.close_connection = True
                return
            status, said = answer
            body = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if 300 <= status < 400:
                self.send_header("Location", "https://elsewhere.example/")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
