"""A worker in the test's own process: one turn at a time, by a clock that the test sets."""

import contextlib
import json
import os
import select
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gunicorn.config import Config

from apps.platform.server import connection, worker

App = Callable[[dict[str, Any], Callable[..., Any]], list[bytes]]
HEAD = b"Host: 127.0.0.1\r\n"


class Quiet:
    """Takes what the worker logs."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def access(self, *given: Any) -> None:
        pass

    def _log(self, text: str, *given: Any, **rest: Any) -> None:
        self.lines.append(text % given)

    warning = error = exception = debug = info = _log


class Bench(worker.BufferedWorker):
    """A worker that no arbiter has forked."""

    def __init__(self, app: App) -> None:
        self.cfg = Config()
        self.cfg.set("keepalive", 5)
        self.log, self.wsgi, self.alive = Quiet(), app, True
        self.nr, self.max_requests, self.ppid = 0, 10**9, os.getppid()
        self.PIPE, self.now, self.clients = list(os.pipe()), 1000.0, []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.listener.setblocking(False)
        self.sockets = [self.listener]
        self.prepare()
        self.poller.register(self.listener, worker.READ, self.listener)

    def notify(self) -> None:
        pass

    def turns(self, count: int = 12) -> None:
        """Take so many turns waiting next to nothing."""
        for number in range(count):
            self._turn(0 if number else 0.02)

    def later(self, seconds: float) -> None:
        """Let time pass, and the worker see it."""
        self.now += seconds
        self.swept = 0.0  # it looks once a second
        self.turns()

    def client(self, sent: bytes = b"") -> "Client":
        """Connect a client that sends some bytes."""
        made = Client(self)
        self.clients.append(made)
        if sent:
            made.send(sent)
        else:
            self.turns(2)
        return made

    def end(self) -> None:
        for one in list(self.connections):
            self._drop(one)
        for client in self.clients:
            client.sock.close()
        self.listener.close()
        self.poller.close()
        for handle in self.PIPE:
            os.close(handle)


def readable(sock: socket.socket) -> bool:
    """Wait 20 ms for something to read; poll, unlike select, takes files of any number."""
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(20))


class Client:
    """One connection, from the client's side."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.sock = socket.create_connection(bench.listener.getsockname())
        self.sock.setblocking(False)

    def send(self, data: bytes) -> None:
        """Send all of it, the worker reading meanwhile."""
        while data:
            with contextlib.suppress(BlockingIOError):
                data = data[self.sock.send(data) :]
            self.bench.turns(3)

    def received(self) -> bytes:
        """Return what comes next: some of an answer, or nothing when the worker has closed."""
        for _ in range(200):
            self.bench.turns(2)
            if readable(self.sock):
                break
        found = b""
        with contextlib.suppress(BlockingIOError, ConnectionResetError):
            while part := self.sock.recv(65536):
                found += part
        return found

    def waits(self) -> bool:
        """Whether the connection is open and nothing has come."""
        self.bench.turns(5)
        return not readable(self.sock)

    def closed(self) -> bool:
        """Whether the worker has closed the connection."""
        self.bench.turns(3)
        for _ in range(3):
            if not readable(self.sock):
                return False
            with contextlib.suppress(BlockingIOError):
                try:
                    if not self.sock.recv(1 << 20):
                        return True
                except ConnectionResetError:
                    return True
        return False

    def answers(self) -> list[tuple[int, Any]]:
        """Return status and body of each answer that has come whole."""
        found, rest = [], self.received()
        while rest:
            head, _, rest = rest.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
            while len(rest) < length:
                rest += self.received()
            body, rest = rest[:length], rest[length:]
            parsed = json.loads(body) if b"json" in head.lower() else body
            found.append((int(head.split()[1]), parsed))
        return found


def echo(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    """Answer with method, path and body; `/big` with eight megabytes."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    told = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']} ".encode() + body
    if environ["PATH_INFO"] == "/big":
        told = b"x" * 3_000_000
    if environ["PATH_INFO"] == "/unread":
        environ["wsgi.input"] = None
    start("200 OK", [("Content-Length", str(len(told)))])
    return [told]


def get(path: str = "/", extra: bytes = b"") -> bytes:
    return b"GET " + path.encode() + b" HTTP/1.1\r\n" + HEAD + extra + b"\r\n"


def post(body: bytes, path: str = "/", extra: bytes = b"") -> bytes:
    head = b"POST " + path.encode() + b" HTTP/1.1\r\n" + HEAD + extra
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    made = Bench(echo)
    for module in (worker, connection):
        monkeypatch.setattr(module, "monotonic_seconds", lambda: made.now)
    made.swept = made.now
    yield made
    made.end()
