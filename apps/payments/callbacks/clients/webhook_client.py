"""One POST to an address that a caller gave: checked on connecting, bounded, without redirects.

The connections are those of every outbound call (upstreams/connections.py): the name is resolved
once, all of its addresses are checked, and one that passed is connected to; no proxies, cookies or
netrc. That is stricter than requests-hardened alone, which checks the first address and lets
site-local and translated IPv6 through; its session is used underneath.

There is no breaker: the specification says how often and when an address is tried.
"""

import errno
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import requests
import urllib3
from django.conf import settings

from apps.payments.callbacks import rules
from apps.payments.callbacks.callback_urls import allowed_networks
from apps.payments.callbacks.models.deliveries import LONGEST_EXCERPT
from apps.platform.upstreams import addresses
from apps.platform.upstreams.connections import CallConnections
from apps.platform.upstreams.deadlines import DeadlineExceeded, run_with_deadline

# seconds: to connect, and for a whole attempt
CONNECT_SECONDS, WHOLE_SECONDS = 3.0, 10.0
# the status has arrived, and the body is not worth a longer wait
BODY_SECONDS = 1.0
# bytes: the log of an attempt shows only the beginning
LARGEST_BODY = 4096


@dataclass(slots=True)
class AttemptResult:
    """The result of an attempt: `error` is a code of callbacks/rules.py, empty when delivered.

    `beginning` are the first bytes of the answer, `excerpt` the same as readable text.
    """

    error: str = ""
    status: int | None = None
    excerpt: str = ""
    latency_ms: int = 0
    beginning: bytes = b""


def post_callback(*, url: str, content: bytes, headers: Mapping[str, str]) -> AttemptResult:
    """Send exactly these bytes once, and return the result; it never raises.

    It takes ten seconds at most, whatever the receiver does. Only a 2xx status counts as delivered.
    """
    began, reply = time.monotonic(), AttemptResult()

    def fetch(line: CallConnections) -> None:
        addresses.split_url(url)
        # the overall deadline ends it, connecting included
        timeout = (CONNECT_SECONDS, WHOLE_SECONDS)
        # a compressed answer could unpack to any size, and nobody reads it
        all_headers = {"Accept-Encoding": "identity", "Accept": "*/*"} | dict(headers)
        with (
            line.session() as session,
            session.post(
                url, data=content, headers=all_headers, timeout=timeout, stream=True
            ) as answer,
        ):
            line.begun = True
            # set before the body is read: a broken body does not undo a delivery
            reply.error = rules.failure_of_status(status=answer.status_code)
            reply.status = answer.status_code
            beginning = _read_beginning(answer, line)
            reply.excerpt, reply.beginning = format_excerpt(beginning), beginning

    line = CallConnections(
        ranges=allowed_networks(), seconds=WHOLE_SECONDS, plain=not settings.PRODUCTION
    )
    try:
        run_with_deadline(
            fetch, line=line, seconds=WHOLE_SECONDS, begins=WHOLE_SECONDS, name="callback"
        )
    except Exception as error:
        # if it broke off after the status, the status counts
        if reply.status is None:
            reply.error = _classify_error(error)
    latency = min(time.monotonic() - began, WHOLE_SECONDS)
    # a late thread may still write to `reply`, so the result is a copy
    return AttemptResult(
        reply.error, reply.status, reply.excerpt, int(latency * 1000), reply.beginning
    )


def _read_beginning(answer: requests.Response, line: CallConnections) -> bytes:
    """Return the first bytes of a body, as far as they arrive soon."""
    beginning = b""
    # a socket timeout restarts with each byte: only closing the line ends a drip
    cut = threading.Timer(BODY_SECONDS, line.end)
    cut.daemon = True
    cut.start()
    try:
        while len(beginning) < LARGEST_BODY:
            piece = answer.raw.read1(LARGEST_BODY - len(beginning), decode_content=False)
            if not piece:
                break
            beginning += piece
    except (OSError, urllib3.exceptions.HTTPError):
        pass
    finally:
        cut.cancel()
    return beginning[:LARGEST_BODY]


def format_excerpt(body: bytes) -> str:
    """Return the beginning of a body to be read: one line, without control or hidden characters."""
    text = body.decode("utf-8", "replace")
    # the text is shown at the desk and by the API: no control or bidi characters of a stranger
    shown = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(shown.split())[:LONGEST_EXCERPT]


# causes of a missing answer; the first one found among an error and its causes counts
_ERROR_KINDS: tuple[tuple[tuple[type[BaseException], ...], str], ...] = (
    ((addresses.AddressRefused,), "refused_address"),
    (
        (DeadlineExceeded, requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError),
        "timeout",
    ),
    ((ssl.SSLError, requests.exceptions.SSLError), "tls"),
    ((ConnectionRefusedError, socket.gaierror), "unreachable"),
    ((requests.exceptions.InvalidURL, UnicodeError), "refused_address"),
)
_UNREACHABLE_ERRNOS = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EHOSTDOWN)


def _classify_error(error: BaseException) -> str:
    """Classify why there was no answer; the texts of such errors contain whole addresses."""
    causes = list(_iter_causes(error))
    for kinds, word in _ERROR_KINDS:
        if any(isinstance(cause, kinds) for cause in causes):
            return word
    lost = any(
        isinstance(cause, OSError) and cause.errno in _UNREACHABLE_ERRNOS for cause in causes
    )
    return "unreachable" if lost else "broken"


def _iter_causes(error: BaseException, depth: int = 6) -> Iterator[BaseException]:
    yield error
    if depth:
        # requests and urllib3 wrap the cause in args or `reason` as well as in __cause__
        for inner in (*error.args, getattr(error, "reason", None), error.__cause__):
            if isinstance(inner, BaseException):
                yield from _iter_causes(inner, depth - 1)
