"""All outbound HTTP to upstreams: one class, always a timeout, always a breaker.

Callers subclass `Upstream`, and never import requests themselves.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import requests
import urllib3

from apps.core import parsing
from apps.core.clock import now
from apps.core.problems import DomainError
from apps.upstreams import breaker, slots

CHUNK = 1 << 16
T = TypeVar("T")
USER_AGENT = "compliance-oracle/1 (+reference data)"


class UpstreamError(Exception):
    """An upstream did not give what was asked; `permanent` errors are not worth a retry."""

    def __init__(self, message: str, *, permanent: bool = False, status: int = 0) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.status = status


@dataclass(frozen=True, slots=True)
class Download:
    """A finished download: `changed` is False when the upstream said 304."""

    changed: bool
    etag: str = ""
    last_modified: str = ""
    size: int = 0


class Upstream:
    """One upstream: give `name`, `base_url`, and seconds for connecting and for reading."""

    name = "upstream"
    base_url = ""
    timeout: tuple[float, float] = (3.0, 20.0)
    largest = 50 * 1024 * 1024

    def get_json(
        self,
        path: str = "",
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Any:
        """Return parsed JSON (numbers with fractions as Decimal), or raise UpstreamError.

        `deadline` is in seconds for the whole call; with it, somebody is waiting, and the
        call also needs one of the slots that keep half of the workers free.
        """
        raw = self.get_bytes(path, params=params, headers=headers, deadline=deadline)
        try:
            return parsing.loads(raw)
        except DomainError as error:
            raise UpstreamError(f"{self.name}: {error.detail}", permanent=True) from None

    def get_bytes(
        self,
        path: str = "",
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> bytes:
        """Return a whole body of at most `largest` bytes, or raise UpstreamError."""

        def fetch() -> bytes:
            with self._send(path, params=params, headers=headers, deadline=deadline) as response:
                return b"".join(self._chunks(response, deadline))

        with slots.waiting(deadline is not None) as free:
            if not free:
                raise UpstreamError(f"{self.name}: too many calls wait for upstreams")
            return self._guarded(fetch if deadline is None else self._in_time(fetch, deadline))

    def download(
        self,
        path: str,
        target: Path,
        *,
        etag: str = "",
        last_modified: str = "",
        deadline: float = 1800,
    ) -> Download:
        """Stream a file to `target`, or say that it has not changed since the validators.

        After an error `target` may hold a part of the file.
        """
        asked = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in asked.items() if value}

        def fetch() -> Download:
            with self._send(path, headers=headers, deadline=deadline) as response:
                if response.status_code == 304:
                    return Download(False, etag, last_modified)
                size = 0
                with target.open("wb") as out:
                    for chunk in self._chunks(response, deadline):
                        size += out.write(chunk)
                got = response.headers
                return Download(True, got.get("ETag", ""), got.get("Last-Modified", ""), size)

        return self._guarded(fetch)

    def _guarded(self, fetch: Callable[[], T]) -> T:
        """Call under the breaker; what fails in the body counts as well."""
        if not self.base_url:
            raise UpstreamError(f"{self.name} is not configured", permanent=True)
        if breaker.is_open(self.name, now()):
            raise UpstreamError(f"{self.name} is paused after repeated failures")
        try:
            found = fetch()
        except UpstreamError as error:
            if error.permanent:  # a 404 is an answer, not a fault of the upstream
                breaker.succeeded(self.name, now())
            else:
                breaker.failed(self.name, str(error), now())
            raise
        breaker.succeeded(self.name, now())
        return found

    def _in_time(self, fetch: Callable[[], bytes], deadline: float) -> Callable[[], bytes]:
        """Make a call return by the deadline, come what may.

        Timeouts of sockets do not cover looking up a name, nor headers that drip in byte by
        byte; so the call has a thread of its own, and one that is late is left to its end.
        """

        def bounded() -> bytes:
            answers: SimpleQueue[bytes | Exception] = SimpleQueue()

            def work() -> None:
                try:
                    answers.put(fetch())
                except Exception as error:
                    answers.put(error)

            threading.Thread(target=work, name=f"upstream-{self.name}", daemon=True).start()
            try:
                answer = answers.get(timeout=deadline)
            except Empty:
                raise UpstreamError(f"{self.name}: the deadline passed") from None
            if isinstance(answer, Exception):
                raise answer
            return answer

        return bounded

    @contextmanager
    def _send(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Iterator[requests.Response]:
        """Send a GET and give the response with its body unread; no database in here."""
        connect, read = self.timeout
        if deadline is not None:
            connect, read = min(connect, deadline), min(read, deadline)
        try:
            with requests.get(
                self.base_url + path,
                params=dict(params or {}),
                headers={"User-Agent": USER_AGENT} | dict(headers or {}),
                timeout=(connect, read),
                stream=True,
            ) as response:
                self._judge(response)
                yield response
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise UpstreamError(f"{self.name}: {type(error).__name__}") from error

    def _judge(self, response: requests.Response) -> None:
        status = response.status_code
        if status in (200, 304):
            return
        permanent = 400 <= status < 500 and status not in (408, 425, 429)
        raise UpstreamError(f"{self.name} answered {status}", permanent=permanent, status=status)

    def _chunks(self, response: requests.Response, deadline: float | None) -> Iterator[bytes]:
        """Yield the body as it comes; a slow or endless one ends in an error, not in a hang."""
        size, ends = 0, None if deadline is None else time.monotonic() + deadline
        # read1 returns what is there; reading whole chunks would wait out a slow drip
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            size += len(chunk)
            if size > self.largest:
                raise UpstreamError(f"{self.name}: more than {self.largest} bytes", permanent=True)
            if ends is not None and time.monotonic() > ends:
                raise UpstreamError(f"{self.name}: the deadline passed")
            yield chunk
