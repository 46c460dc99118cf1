"""A balancer of connections: each goes to the next host that takes it; nothing is sent twice."""

import socket
import threading
from contextlib import suppress
from itertools import count

CONNECTS_WITHIN = 5.0  # as deploy/nginx.conf has it
READ_AT_ONCE = 65536


class Balancer:
    """Listens on a port; retries connects alone, as a proxy may with any method."""

    def __init__(self, ports: list[int]) -> None:
        self.ports, self._turn = ports, count()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = int(self.listener.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """End it."""
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        host = self._connected()
        with client, suppress(OSError):
            if host is None:
                return
            with host:
                back = threading.Thread(target=_pipe, args=(host, client), daemon=True)
                back.start()
                _pipe(client, host)
                back.join()

    def _connected(self) -> socket.socket | None:
        begins = next(self._turn)
        for place in range(len(self.ports)):
            port = self.ports[(begins + place) % len(self.ports)]
            with suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", port), timeout=CONNECTS_WITHIN)
                connection.settimeout(None)
                return connection
        return None


def _pipe(source: socket.socket, sink: socket.socket) -> None:
    """Pass on what comes until its end; a connection that broke breaks the other."""
    try:
        while data := source.recv(READ_AT_ONCE):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
