"""Connections that go only to allowed addresses, and to the very address that was checked.

The name is resolved once; each address is checked, and one of those that pass is connected to. So
nothing can resolve to one address for the check and to another for the call. Certificates and the
Host header still use the name.
"""

import ipaddress
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

from requests.adapters import HTTPAdapter
from requests_hardened import Config, HTTPSession
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util.ssl_ import create_urllib3_context

from apps.platform.upstreams.addresses import AddressRefused, Networks, find_objection

GRACE_SECONDS = 30.0  # a publisher may take a while before it sends at its usual pace


class CallConnections:
    """The connections of one call: opened only where allowed, and cut at its deadline.

    `plain` allows public addresses over plain HTTP and on any port, as a sandbox may.
    """

    def __init__(self, *, ranges: Networks, seconds: float, plain: bool = False) -> None:
        self.ranges, self.plain = ranges, plain
        self.over = self.begun = False
        self._began = time.monotonic()
        self._ends = self._began + seconds
        self._lock = threading.Lock()
        self._handles: list[socket.socket] = []

    def session(self) -> HTTPSession:
        """Return a session on this line: no redirect, proxy, netrc or cookie of the host's."""
        config = Config(
            # checked in `connect`: requests-hardened knows neither our setting nor any address of
            # a host but the first
            ip_filter_enable=False,
            ip_filter_allow_loopback_ips=False,
            never_redirect=True,
            default_timeout=(self.left(), self.left()),
        )
        session = _Session(config)
        # a proxy of the environment would connect for us, past every check
        session.trust_env = False
        adapter = _Adapter(self)
        session.mount("https://", adapter)
        session.mount("http://", adapter)
        return session

    def left(self) -> float:
        """Return the remaining seconds of the call, never quite zero."""
        # a timeout of 0 would mean a non-blocking socket
        return max(0.01, self._ends - time.monotonic())

    def keeps_up(self, size: int, slowest: int) -> bool:
        """Tell whether so many bytes by now are a fair pace; within half a minute any is."""
        seconds = time.monotonic() - self._began
        return seconds < GRACE_SECONDS or size >= slowest * seconds

    def connect(self, host: str, port: int, *, scheme: str, timeout: float) -> socket.socket:
        """Connect to the first address of a host that may be called and answers.

        Raises AddressRefused if none may be called, OSError if none answers.
        """
        try:
            # resolved once: a name that resolves to another address for the call than for the check
            # (DNS rebinding) gains nothing
            address_infos = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        except UnicodeError:
            raise AddressRefused(f"{host[:80]!r} is not a host name") from None
        allowed, reason = [], "it has no address"
        for family, kind, protocol, _, where in address_infos:
            address = ipaddress.ip_address(str(where[0]))
            objects = find_objection(
                address, scheme=scheme, port=port, ranges=self.ranges, plain=self.plain
            )
            if objects:
                reason = objects
            else:
                allowed.append((family, kind, protocol, where))
        if not allowed:
            raise AddressRefused(f"{host}: {reason}")
        return self._first(allowed, timeout)

    def _first(self, allowed: Iterable[tuple[Any, ...]], timeout: float) -> socket.socket:
        error: OSError = OSError("no address")
        for family, kind, protocol, where in allowed:
            sock = socket.socket(family, kind, protocol)
            try:
                # as urllib3 does: small requests must not wait
                # for the acknowledgement of earlier bytes
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.settimeout(min(timeout, self.left()))
                self._watch(sock)
                sock.connect(where)
            except OSError as failed:
                sock.close()
                error = failed
            else:
                return sock
        raise error

    def _watch(self, sock: socket.socket) -> None:
        # a second handle, because TLS takes over the first one; shutting down reaches both
        handle = socket.socket(fileno=os.dup(sock.fileno()))
        with self._lock:
            self._handles.append(handle)
            # the deadline may pass between opening a socket and listing it
            over = self.over
        if over:
            self.end()
            raise TimeoutError("the deadline passed")

    def end(self) -> None:
        """Cut every connection, whatever waits on it; no further one is opened."""
        with self._lock:
            self.over = True
            handles, self._handles = self._handles, []
        for handle in handles:
            with suppress(OSError):
                # closing alone would not wake a thread that waits for bytes of it
                handle.shutdown(socket.SHUT_RDWR)
            handle.close()


class _Session(HTTPSession):
    def get_redirect_target(self, resp: Any) -> None:
        """Ignore redirects: requests would read the whole body to offer the next request."""


class _GuardedHttpConnection(HTTPConnection):
    scheme = "http"

    def __init__(self, *args: Any, line: CallConnections, **options: Any) -> None:
        super().__init__(*args, **options)
        self._line = line

    def _new_conn(self) -> socket.socket:
        seconds = self.timeout if isinstance(self.timeout, int | float) else self._line.left()
        return self._line.connect(self._dns_host, self.port, scheme=self.scheme, timeout=seconds)


class _GuardedHttpsConnection(_GuardedHttpConnection, HTTPSConnection):
    scheme = "https"

    def connect(self) -> None:
        """Connect; the certificate authorities are read once per process, which takes long."""
        own = self.cert_file or self.ca_cert_dir or self.ca_cert_data
        if self.ca_certs and not own and self.cert_reqs == "CERT_REQUIRED":
            self.ssl_context, self.ca_certs = _make_ssl_context(self.ca_certs), None
        super().connect()


@lru_cache(maxsize=8)
def _make_ssl_context(authorities: str) -> ssl.SSLContext:
    """Return the context that verifies certificates and host names with a file's authorities."""
    context = create_urllib3_context(cert_reqs=ssl.CERT_REQUIRED)
    context.load_verify_locations(authorities)
    return context


class _GuardedHttpPool(HTTPConnectionPool):
    ConnectionCls = _GuardedHttpConnection


class _GuardedHttpsPool(HTTPSConnectionPool):
    ConnectionCls = _GuardedHttpsConnection


class _Adapter(HTTPAdapter):
    """Make requests use the connections of one call."""

    def __init__(self, line: CallConnections) -> None:
        self._line = line
        # the caller decides: a request that was sent once may have been carried out
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {
            "http": partial(_GuardedHttpPool, line=self._line),
            "https": partial(_GuardedHttpsPool, line=self._line),
        }
