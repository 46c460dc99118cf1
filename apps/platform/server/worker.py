"""The worker: one request at a time, taken from connections whose request is whole."""

import contextlib
import errno
import os
import selectors
import socket
from collections import Counter, deque
from datetime import datetime
from typing import Any

from gunicorn.http import wsgi
from gunicorn.workers.base import Worker

from apps.platform.server import file_limits, shutdown
from apps.platform.server.connection import (
    LINGER_SECONDS,
    SEND_SECONDS,
    Connection,
    ConnectionClosed,
    ConnectionState,
    monotonic_seconds,
)
from apps.platform.server.refusals import RequestRefused, refusal_of_error, render_refusal

# clients in one turn, so that those who are connected already get their share
ACCEPTED_AT_ONCE = 64
MOST_HELD = 64 * 1024 * 1024  # bytes of all requests and answers in progress, per process
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
# errors of accept(2) that a closed connection cures
TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
CROWDED = RequestRefused(503, "unavailable", "Too many requests are being sent at once.")
LATE = RequestRefused(408, "request_timeout", "The request was not complete in time.")


class BufferedWorker(Worker):
    """Read from all clients, answer one at a time.

    It is a process with one thread, like gunicorn's own `sync` worker, because answering is
    processor work; but a client that sends or reads slowly occupies only bounded memory, not the
    worker. At the limit of connections the address with the most loses its oldest.
    """

    def init_process(self) -> None:
        """Make room for connections, then run."""
        # before gunicorn's own, which enters the loop and returns only at the end
        self.prepare()
        super().init_process()

    def prepare(self) -> None:
        """Start with no connections."""
        self.poller = selectors.DefaultSelector()
        self.connections: dict[Connection, None] = {}  # in the order of arrival
        self.by_address: Counter[str] = Counter()
        self.ready: deque[Connection] = deque()
        self.held = self.refused = 0
        self.last_refused = ""
        self.swept = monotonic_seconds()
        self.most = file_limits.raise_open_file_limit(self.cfg.worker_connections)

    def run(self) -> None:
        """Serve until asked to stop or until the parent is gone, then finish what was begun."""
        for listener in self.sockets:
            listener.setblocking(False)
            self.poller.register(listener, READ, listener)
        self.poller.register(self.PIPE[0], READ)
        # one second at most: gunicorn kills a worker that has not called notify() for `timeout`
        while self.alive and self.ppid == os.getppid():
            self._turn(1.0)
        until = monotonic_seconds() + self.cfg.graceful_timeout
        # clients whose handshake is done must be accepted
        # before the listener closes, or they are reset
        self._take_in(until)
        for listener in self.sockets:
            self.poller.unregister(listener)
            listener.close()
        while self._finishing() and self.ppid == os.getppid() and monotonic_seconds() < until:
            self._turn(0.2)
        for connection in list(self.connections):
            self._drop(connection)
        self.poller.close()

    def _take_in(self, latest: float) -> None:
        """Accept waiting clients if no other process will, because the whole server is stopping."""
        if any(shutdown.is_held_by_process(self.ppid, listener) for listener in self.sockets):
            return
        if any(
            shutdown.is_listener_shared(listener, server=self.ppid) for listener in self.sockets
        ):
            return
        if all(shutdown.ignore_new_connections(listener) for listener in self.sockets):
            until = monotonic_seconds() + shutdown.HANDSHAKE_SECONDS
            while monotonic_seconds() < until or (
                shutdown.has_waiting_clients(self.sockets) and monotonic_seconds() < latest
            ):
                self._turn(0.1)

    def _finishing(self) -> bool:
        """Close idle connections; return whether any client is still sending or being answered."""
        for connection in list(self.connections):
            if connection.state is ConnectionState.READING and not connection.inbox.started:
                self._drop(connection)
        return bool(self.connections)

    def _turn(self, seconds: float) -> None:
        """Read and send what is possible, then answer one complete request."""
        self.notify()
        for key, _mask in self.poller.select(0 if self.ready else seconds):
            if isinstance(key.data, Connection):
                self._step(key.data)
            elif key.data is None:
                with contextlib.suppress(BlockingIOError):
                    os.read(self.PIPE[0], 4096)
            else:
                self._accept(key.data)
        if self.ready:
            self._answer(self.ready.popleft())
        if monotonic_seconds() - self.swept >= 1.0:
            self.swept = now = monotonic_seconds()
            # at most one line a second, so that a flood of connections does not flood the log
            if self.refused:
                self.log.warning(
                    "refused %d requests, the last of %s", self.refused, self.last_refused
                )
                self.refused = 0
            for connection in list(self.connections):
                if connection.state is ConnectionState.READY or connection.deadline > now:
                    continue
                if connection.state is ConnectionState.READING and connection.inbox.started:
                    self._refuse(connection, LATE)
                else:
                    self._drop(connection)

    def _accept(self, listener: socket.socket) -> None:
        """Take new clients until one has sent a whole request: the next may be another worker's."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, peer = listener.accept()
            except OSError as error:
                if error.errno in TOO_MANY_FILES:
                    self._evict()
                return
            connection = Connection(
                cfg=self.cfg,
                sock=sock,
                peer=peer,
                server=listener.getsockname(),
                now=monotonic_seconds(),
                waited=self.notify,
            )
            self.connections[connection] = None
            self.by_address[connection.address] += 1
            if len(self.connections) > self.most:
                self._evict()
            self._step(connection)
            # the rest may go to a worker that is idle
            if self.ready:
                return

    def _step(self, connection: Connection) -> None:
        """Handle a readiness event of the connection's socket."""
        # a turn's list of events was made before its first was handled
        if connection not in self.connections:
            return  # closed earlier in this turn
        try:
            if connection.state is ConnectionState.SENDING:
                self._send(connection)
            elif connection.state is ConnectionState.LINGERING:
                if connection.discard():
                    self._drop(connection)
            else:
                self._queue(connection, connection.receive(monotonic_seconds()))
        except (ConnectionClosed, ConnectionError, TimeoutError):
            self._drop(connection)
        except Exception as error:
            self._refuse(connection, error)

    def _queue(self, connection: Connection, request: Any) -> None:
        """Wait for more of a request, or queue it to be answered."""
        if request is None:
            self._watch(connection, READ)
        else:
            # stop reading: what a client sends ahead stays in the kernel until it is answered
            self._watch(connection, 0)
            connection.state = ConnectionState.READY
            self.ready.append(connection)
        self._weigh(connection)

    def _answer(self, connection: Connection) -> None:
        if connection not in self.connections:
            return
        # it was complete when it was queued, so this is the same request and never None
        request = connection.inbox.take()
        try:
            connection.closing = not self._serve(connection, request)
            connection.inbox.done()
            self._send(connection)
        except (ConnectionError, TimeoutError):
            self._drop(connection)
        except Exception as error:
            self._refuse(connection, error)

    def _serve(self, connection: Connection, request: Any) -> bool:
        """Let the application answer; return whether the connection may stay open."""
        begun = datetime.now()  # noqa: DTZ005  what gunicorn's access log subtracts from
        response, environ = wsgi.create(
            request, connection.outbox, connection.peer, connection.server, self.cfg
        )
        self.nr += 1
        # a process is replaced after some time, which bounds what a leak can take
        if self.nr >= self.max_requests:
            self.alive = False
        if not self.alive or not self.cfg.keepalive:
            response.force_close()
        parts = self.wsgi(environ, response.start_response)
        # RFC 9110 section 9.3.2: the client reads what follows the header of such an answer as the
        # next one
        alone = request.method == "HEAD"
        try:
            for part in parts:
                response.write(b"" if alone else part)
            response.close()
        except Exception as error:
            if response.headers_sent and not isinstance(error, OSError):
                self.log.exception("a response was cut off")
                # the client must not take the part for the
                # whole, so no second answer may complete it
                raise ConnectionAbortedError from error
            raise
        finally:
            self.log.access(response, request, environ, datetime.now() - begun)  # noqa: DTZ005
            if hasattr(parts, "close"):
                parts.close()
        return not response.should_close()

    def _send(self, connection: Connection) -> None:
        """Send the answer as far as the client takes it; then close or await what comes next."""
        now = monotonic_seconds()
        if not connection.outbox.flush():
            if connection.state is not ConnectionState.SENDING:
                connection.state, connection.deadline = ConnectionState.SENDING, now + SEND_SECONDS
            self._watch(connection, WRITE)
            self._weigh(connection)
        elif connection.refused:
            # closing with unread input would reset the
            # connection and could destroy the refusal on its way
            connection.sock.shutdown(socket.SHUT_WR)
            connection.state, connection.deadline = ConnectionState.LINGERING, now + LINGER_SECONDS
            self._watch(connection, READ)
        elif connection.closing:
            self._drop(connection)
        else:
            connection.idle(now, self.cfg.keepalive)
            self._queue(connection, connection.advance(now))

    def _refuse(self, connection: Connection, error: Exception) -> None:
        """Send the refusal, then close."""
        refused = refusal_of_error(error)
        if refused.status == 500:
            self.log.error("no response could be written", exc_info=error)
        else:
            self.refused += 1
            self.last_refused = f"{connection.address}: {refused.detail}"
        connection.refused = True
        # what follows a request that could not be parsed has no known beginning
        connection.inbox.forget()
        self._weigh(connection)
        try:
            connection.outbox.sendall(render_refusal(refused))
            self._send(connection)
        except OSError:
            self._drop(connection)

    def _evict(self) -> None:
        """Close the oldest connection, not about to be answered, of the address with most."""
        # of one client with a thousand connections, not of a thousand clients with one
        for address, _count in self.by_address.most_common():
            for connection in self.connections:
                if connection.address == address and connection.state is not ConnectionState.READY:
                    self._drop(connection)
                    return

    def _weigh(self, connection: Connection) -> None:
        """Account for the bytes held; above the limit the heaviest connection is closed."""
        weight = connection.inbox.size + connection.outbox.size
        self.held += weight - connection.weight
        connection.weight = weight
        if self.held > MOST_HELD:
            waiting = [
                open_connection
                for open_connection in self.connections
                if open_connection.state is not ConnectionState.READY
            ]
            heaviest = max(
                waiting, key=lambda open_connection: open_connection.weight, default=None
            )
            if heaviest and heaviest.state is ConnectionState.READING:
                self._refuse(heaviest, CROWDED)
            elif heaviest:
                self._drop(heaviest)  # in the middle of an answer nothing else can be sent

    def _watch(self, connection: Connection, events: int) -> None:
        if connection.watched == events:
            return
        if not connection.watched:
            self.poller.register(connection.sock, events, connection)
        elif events:
            self.poller.modify(connection.sock, events, connection)
        else:
            self.poller.unregister(connection.sock)
        connection.watched = events

    def _drop(self, connection: Connection) -> None:
        if connection not in self.connections:
            return
        del self.connections[connection]
        self._watch(connection, 0)
        self.by_address[connection.address] -= 1
        if not self.by_address[connection.address]:
            del self.by_address[connection.address]
        self.held -= connection.weight
        connection.close()
