"""All outbound HTTP: one class with a total deadline, a limit on size, and a breaker.

Callers subclass `Upstream`, and never import requests themselves. A call goes only where
apps/platform/upstreams/addresses.py allows it, follows no redirect, and uses nothing of the host's
environment (proxies, netrc, cookies).
"""

import json as jsons
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import requests
import urllib3
from django.conf import settings

from apps.platform.common import strict_json
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.upstreams import addresses, body_stream, breaker, slots
from apps.platform.upstreams.auth import Auth
from apps.platform.upstreams.connections import CallConnections
from apps.platform.upstreams.deadlines import DeadlineExceeded, run_with_deadline

T = TypeVar("T")
USER_AGENT = "compliance-oracle/1 (+reference data)"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


class UpstreamError(Exception):
    """An upstream did not give a usable answer; `permanent` errors are not worth a retry."""

    def __init__(self, message: str, *, permanent: bool = False, status: int = 0) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.status = status


class AnswerTooLarge(UpstreamError):
    """The answer exceeds the size limit; a retry would give the same."""


class NotCalled(UpstreamError):
    """The call was refused before anything was sent, which says nothing about the upstream."""


@dataclass(frozen=True, slots=True)
class Download:
    """A finished download: `changed` is False if the upstream said 304."""

    changed: bool
    etag: str = ""
    last_modified: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class _Request:
    """One request; `good` are the statuses that count as an answer."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = field(default=None, repr=False)
    good: tuple[int, ...] = (200,)


class Upstream:
    """One upstream: set `name` and `base_url`, and the rest where the defaults do not fit.

    `timeout` is seconds for connecting and for each wait for bytes, `patience` seconds for a whole
    call, and for a download to begin; a download below `slowest` bytes a second is aborted.
    `largest` limits a body in bytes, as sent and as decompressed. `public_only` restricts calls to
    public addresses whatever UPSTREAM_PRIVATE_RANGES names: for addresses that callers give.
    """

    name = "upstream"
    base_url = ""
    timeout: tuple[float, float] = (3.0, 20.0)
    patience = 60.0
    slowest = 0
    largest = 50 * 1024 * 1024
    public_only = False
    auth: Auth | None = None

    def get_json(
        self,
        path: str = "",
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Any:
        """Return parsed JSON (numbers with fractions as Decimal), or raise UpstreamError.

        With `deadline` (seconds for the whole call) a client is waiting: the call then also needs
        one of the slots that keep half of the workers free. Without, the limit is `patience`.
        """
        return self._parsed(self.get_bytes(path, params=params, headers=headers, deadline=deadline))

    def get_bytes(
        self,
        path: str = "",
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> bytes:
        """Return a whole body of at most `largest` bytes, or raise UpstreamError."""
        request = _Request("GET", path, params or {}, headers or {})
        return self._whole(request, deadline)

    def post_json(
        self,
        path: str = "",
        *,
        json: Any = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Any:
        """Send JSON or a form, and return the parsed JSON of the answer (None when empty)."""
        if form is not None:
            content, kind = urlencode(form).encode(), FORM
        else:
            content = jsons.dumps(json, ensure_ascii=False, allow_nan=False).encode()
            kind = JSON
        raw = self.post_bytes(path, content=content, kind=kind, headers=headers, deadline=deadline)
        return self._parsed(raw) if raw else None

    def post_bytes(
        self,
        path: str = "",
        *,
        content: bytes,
        kind: str = JSON,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> bytes:
        """Send exactly these bytes (as a signature needs) and return the body of a 2xx answer.

        Nothing is sent twice: the caller decides whether to retry.
        """
        all_headers = {"Content-Type": kind} | dict(headers or {})
        request = _Request("POST", path, {}, all_headers, content, good=(200, 201, 202, 204))
        return self._whole(request, deadline)

    def download(
        self,
        path: str,
        target: Path,
        *,
        etag: str = "",
        last_modified: str = "",
        headers: Mapping[str, str] | None = None,
        deadline: float = 1800,
    ) -> Download:
        """Stream a file to `target`, or report that it has not changed since the validators.

        After an error `target` may hold a part of the file. No client waits, so it takes no slot.
        """
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        sent = {name: value for name, value in conditions.items() if value}
        # a 304 to an unconditional request would leave us without the file
        good = (200, 304) if sent else (200,)
        request = _Request("GET", path, {}, dict(headers or {}) | sent, good=good)

        def fetch(line: CallConnections) -> Download:
            with self._send(request, line) as response:
                if response.status_code == 304:
                    return Download(False, etag, last_modified)
                size = 0
                with target.open("wb") as out:
                    for piece in self._pieces(response, line):
                        size += out.write(piece)
                got = response.headers
                return Download(True, got.get("ETag", ""), got.get("Last-Modified", ""), size)

        return self._guarded(fetch, deadline)

    def _whole(self, request: _Request, deadline: float | None) -> bytes:
        def fetch(line: CallConnections) -> bytes:
            with self._send(request, line) as response:
                return b"".join(self._pieces(response, line))

        # calls of background jobs need no slot: they hold no web worker
        with slots.reserve_slot(deadline is not None) as free:
            if not free:
                raise NotCalled(f"{self.name}: too many calls are waiting for upstreams")
            return self._guarded(fetch, self.patience if deadline is None else deadline)

    def _parsed(self, raw: bytes) -> Any:
        try:
            return strict_json.parse_json(raw)
        except DomainError as error:
            raise UpstreamError(f"{self.name}: {error.detail}", permanent=True) from None

    def _guarded(self, fetch: Callable[[CallConnections], T], seconds: float) -> T:
        """Call under the breaker; failures in the body count as well."""
        # an optional upstream without its setting
        if not self.base_url:
            raise NotCalled(f"{self.name} is not configured", permanent=True)
        if breaker.is_breaker_open(self.name, now()):
            raise NotCalled(f"{self.name} is paused after repeated failures")
        try:
            guarded = self._in_time(fetch, seconds)
        except NotCalled:
            raise
        except UpstreamError as error:
            if error.permanent:  # a 404 is an answer, not a fault of the upstream
                breaker.record_success(self.name, now())
            else:
                breaker.record_failure(self.name, str(error), now())
            raise
        breaker.record_success(self.name, now())
        return guarded

    def _in_time(self, fetch: Callable[[CallConnections], T], seconds: float) -> T:
        ranges = () if self.public_only else settings.UPSTREAM_PRIVATE_RANGES
        line = CallConnections(ranges=ranges, seconds=seconds)
        try:
            return run_with_deadline(
                fetch, line=line, seconds=seconds, begins=self.patience, name=self.name
            )
        except DeadlineExceeded:
            raise UpstreamError(f"{self.name}: the deadline passed") from None

    @contextmanager
    def _send(self, request: _Request, line: CallConnections) -> Iterator[requests.Response]:
        """Send one request and return the response with its body unread; uses no database."""
        # gzip only: it is the one encoding that body_stream decompresses within a limit
        all_headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"} | dict(request.headers)
        # last, so that no header of a caller replaces our credentials
        all_headers |= self.auth.headers() if self.auth else {}
        connect, read_limit = (min(limit, line.left()) for limit in self.timeout)
        try:
            addresses.split_url(self.base_url + request.path)
            with (
                line.session() as session,
                session.request(
                    request.method,
                    self.base_url + request.path,
                    params=dict(request.params),
                    headers=all_headers,
                    data=request.content,
                    timeout=(connect, read_limit),
                    stream=True,
                ) as response,
            ):
                line.begun = True
                self._judge(response, request)
                yield response
        except addresses.AddressRefused as error:
            raise NotCalled(f"{self.name}: {error}", permanent=True) from None
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            # the texts of these errors contain the whole address, with tokens: neither shown nor
            # chained
            late = ": the deadline passed" if line.over else ""
            raise UpstreamError(f"{self.name}: {type(error).__name__}{late}") from None

    def _judge(self, response: requests.Response, request: _Request) -> None:
        status = response.status_code
        if status in request.good:
            return
        if 300 <= status < 400 and status != 304:
            place = addresses.redact_url(response.url, response.headers.get("Location", ""))
            text = (
                f"{self.name} answered {status} and points to {place}: redirects are not followed"
            )
            raise UpstreamError(text, permanent=True, status=status)
        # a timeout, a request that came too early and a
        # rate pass by waiting; other 4xx stay as they are
        permanent = 400 <= status < 500 and status not in (408, 425, 429)
        raise UpstreamError(f"{self.name} answered {status}", permanent=permanent, status=status)

    def _pieces(self, response: requests.Response, line: CallConnections) -> Iterator[bytes]:
        """Yield the body as it arrives, decompressed; raises if it is too large or late."""

        def read(size: int) -> bytes:
            # read1 returns what is there; reading whole chunks would wait for a slow drip
            return response.raw.read1(size, decode_content=False) or b""

        encoding, size = response.headers.get("Content-Encoding", ""), 0
        try:
            for piece in body_stream.iter_body(read, encoding=encoding, largest=self.largest):
                size += len(piece)
                if line.over:
                    raise UpstreamError(f"{self.name}: the deadline passed")
                if not line.keeps_up(size, self.slowest):
                    raise UpstreamError(f"{self.name}: slower than {self.slowest} bytes a second")
                yield piece
        except body_stream.BodyTooLarge:
            text = f"{self.name}: more than {self.largest} bytes"
            raise AnswerTooLarge(text, permanent=True) from None
        except body_stream.BodyUnreadable as error:
            raise UpstreamError(f"{self.name}: {error}") from None
