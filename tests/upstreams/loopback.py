"""An upstream on loopback that behaves as badly as a test asks."""

import gzip
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler], None]


class Loopback:
    """Answers paths from a table and counts the calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.stopping = threading.Event()
        self.answers: dict[str, Answer] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                outer.calls.append(self.path)
                outer.headers.append(dict(self.headers))
                size = int(self.headers.get("Content-Length", 0))
                outer.bodies.append(self.rfile.read(size))
                # the client may give up, as it should
                with suppress(BrokenPipeError, ConnectionResetError):
                    outer.answers.get(path, status(404))(self)

            do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()


def body(content: bytes, code: int = 200, **headers: str) -> Answer:
    """Answer with a whole body."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        handler.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def status(code: int) -> Answer:
    """Answer with a status and nothing else."""
    return body(b"", code)


def silent(seconds: float) -> Answer:
    """Say nothing for a while, then hang up."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(seconds)

    return answer


def drip(pieces: int, pause: float, *, headers: bool = False) -> Answer:
    """Send byte by byte, either the body or already the headers."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if headers:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        else:
            handler.send_response(200)
            handler.end_headers()
        for _ in range(pieces):
            handler.wfile.write(b"1")
            handler.wfile.flush()
            time.sleep(pause)

    return answer


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Send zeros for as long as somebody listens."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"0" * 65536)


def bomb(handler: BaseHTTPRequestHandler) -> None:
    """Send little that becomes much."""
    body(gzip.compress(b"0" * 5_000_000), Content_Encoding="gzip")(handler)


def chunked(pieces: list[bytes], *, whole: bool = True, **headers: str) -> Answer:
    """Send a body in chunks, byte by byte where it hurts most, and end it or not."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            handler.wfile.flush()
            time.sleep(0.01)
        if whole:
            handler.wfile.write(b"0\r\n\r\n")
        handler.close_connection = True

    return answer


def cut_short(handler: BaseHTTPRequestHandler) -> None:
    """Promise more than is sent."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"a": 1')
