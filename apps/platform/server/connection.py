"""One client's connection: its requests, its answers, and its deadlines."""

import select
import socket
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from gunicorn.http.errors import NoMoreData

from apps.platform.server.request_inbox import RequestInbox

READ_AT_ONCE = 65536  # bytes
SEND_AT_ONCE = 65536  # bytes that are collected before the first is sent
# seconds from the first byte to the end of the headers, and before a first byte
HEAD_SECONDS = 10.0
WHOLE_SECONDS = 30.0  # seconds from the first byte to the end of the body
SEND_SECONDS = 60.0  # seconds to take an answer that does not fit the kernel's buffer
LINGER_SECONDS = 2.0  # seconds to read on after a refusal, because a reset could overtake it
MOST_ANSWER = 4 * 1024 * 1024  # bytes kept for a slow reader; beyond it the worker waits
# seconds without a byte taken; well below gunicorn's `timeout`, after which it kills the worker
STALLED_SECONDS = 10.0


class ConnectionState(Enum):
    """What a connection is waiting for."""

    READING = auto()
    READY = auto()
    SENDING = auto()
    LINGERING = auto()


class ConnectionClosed(Exception):
    """The client has closed its side between two requests."""


class SendBuffer:
    """A replacement for gunicorn's socket: a slow reader costs memory, not the worker."""

    def __init__(self, *, sock: socket.socket, waited: Callable[[], None]) -> None:
        self._sock, self._waited = sock, waited
        self._held = bytearray()

    @property
    def size(self) -> int:
        """The number of bytes that the client has not taken yet."""
        return len(self._held)

    def sendall(self, data: bytes) -> None:
        """Take bytes of an answer; wait only if far more is held than any page is long."""
        self._held += data
        if len(self._held) >= SEND_AT_ONCE:
            self.flush()
        while len(self._held) > MOST_ANSWER:
            poll = select.poll()
            poll.register(self._sock, select.POLLOUT)
            if not poll.poll(STALLED_SECONDS * 1000):
                raise BrokenPipeError("the client does not read")
            # tells gunicorn that this worker is alive, since the wait keeps it from its own loop
            self._waited()
            self.flush()

    def flush(self) -> bool:
        """Send what the kernel takes now; return whether nothing is left. Raises OSError."""
        try:
            while self._held:
                sent = self._sock.send(self._held)
                del self._held[:sent]
        except BlockingIOError:
            return False
        return True


class Connection:
    """A client's non-blocking socket, with the deadline of its current phase."""

    def __init__(
        self,
        *,
        cfg: Any,
        sock: socket.socket,
        peer: Any,
        server: Any,
        now: float,
        waited: Callable[[], None],
    ) -> None:
        sock.setblocking(False)
        self.sock, self.peer, self.server = sock, peer, server
        self.inbox = RequestInbox(cfg=cfg, peer=peer)
        self.outbox = SendBuffer(sock=sock, waited=waited)
        self.state = ConnectionState.READING
        self.watched = 0
        self.weight = 0
        self.closing = self.refused = False
        self._begun = now
        self.deadline = now + HEAD_SECONDS

    @property
    def address(self) -> str:
        """The client's address, for fair shares."""
        return str(self.peer[0]) if isinstance(self.peer, tuple) else ""

    def receive(self, now: float) -> Any:
        """Read what has arrived; return the request once it is complete.

        Raises ConnectionClosed, OSError, RequestRefused or an error of gunicorn's parser.
        """
        try:
            data = self.sock.recv(READ_AT_ONCE)
        except BlockingIOError:
            return None
        if not data:
            # an end within a request is an error to report,
            # one between two requests the usual close
            if self.inbox.started:
                raise NoMoreData
            raise ConnectionClosed
        if not self.inbox.started:
            # the deadline runs from the first byte: one that
            # moved with each byte would let a client drip
            self._begun = now
        self.inbox.feed(data)
        return self.advance(now)

    def advance(self, now: float) -> Any:
        """Return the next request if all of it is here, and say until when it has to be."""
        request = self.inbox.take()
        if request is None and self.inbox.started:
            allowed = WHOLE_SECONDS if self.inbox.headed else HEAD_SECONDS
            self.deadline = self._begun + allowed
            # RFC 9110 section 10.1.1; gunicorn would send it only once the application is called,
            # which here waits for the body
            if self.inbox.expects():
                self.outbox.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                self.outbox.flush()
        return request

    def idle(self, now: float, seconds: float) -> None:
        """Wait some seconds for the next request."""
        self.state, self._begun, self.deadline = ConnectionState.READING, now, now + seconds

    def discard(self) -> bool:
        """Read and discard; return whether the client has closed."""
        try:
            return not self.sock.recv(READ_AT_ONCE)
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Close the socket."""
        self.sock.close()


def monotonic_seconds() -> float:
    """Return the monotonic clock of the deadlines, in seconds."""
    return time.monotonic()
