"""Rate limits that are exact with any number of processes: one atomic step per call."""

import functools
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import redis
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.access.keys.client_address import get_client_address
from apps.access.keys.rate_windows import WINDOW, count_in_redis, open_side_database
from apps.platform.common import clock
from apps.platform.common.problems import DomainError, respond_with_problem

logger = logging.getLogger(__name__)
# seconds without Redis after a failure: else each call would wait REDIS_TIMEOUT for it
REDIS_PAUSE = 5.0
# of this process, by its monotonic clock
_paused_until = [0.0]


class RateLimited(DomainError):
    """The key or address has made more calls than it may in this minute."""

    status, code, title = 429, "rate_limited", "Too many requests"


@dataclass(frozen=True, slots=True)
class RateWindow:
    """A caller's count in the current minute; `reset` is its end in Unix seconds."""

    limit: int
    count: int
    reset: int

    def headers(self) -> dict[str, str]:
        """Return the rate headers of an answer (document 3 section 4)."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, self.limit - self.count)),
            "X-RateLimit-Reset": str(self.reset),
        }


def count_call(*, bucket: str, limit: int, now: datetime) -> RateWindow:
    """Count one call of a bucket in the current minute; raises RateLimited past `limit`.

    Redis counts if configured; without it, or while it does not answer, this host counts.
    """
    second = int(now.timestamp())
    # windows begin with the full minute everywhere, so that hosts count in the same one
    starts = second - second % WINDOW
    window = RateWindow(limit, _count_in_window(bucket, starts), starts + WINDOW)
    if window.count > limit:
        raise RateLimited(
            f"More than {limit} calls in a minute.",
            retry_after=window.reset - second,
            headers=window.headers(),
        )
    return window


def count_refused_call(*, request: HttpRequest, now: datetime) -> None:
    """Count a call that is refused for lack of a payment or a valid key, by its address.

    Raises RateLimited past the limit. The count is separate: valid keys behind the same address are
    not affected.
    """
    limit = settings.REFUSED_RATE_PER_MINUTE
    count_call(bucket=f"refused:{get_client_address(request)}", limit=limit, now=now)


def limit_per_address(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Count a public page against the free rate of its reader's address; past it 429."""
    # a page that reads histories costs as much as a call

    @functools.wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **rest: Any) -> HttpResponse:
        bucket, limit = f"page:{get_client_address(request)}", settings.FREE_RATE_PER_MINUTE
        try:
            count_call(bucket=bucket, limit=limit, now=clock.now())
        except RateLimited as error:
            return respond_with_problem(error)
        return view(request, *args, **rest)

    return wrapped


def _count_in_window(bucket: str, starts: int) -> int:
    if settings.REDIS_URL and time.monotonic() >= _paused_until[0]:
        try:
            return count_in_redis(url=settings.REDIS_URL, bucket=bucket, starts=starts)
        # too many calls for a few seconds are better than none: each host then allows the full
        # limit
        except redis.RedisError:
            logger.exception("Redis does not answer; each host counts for itself")
            _paused_until[0] = time.monotonic() + REDIS_PAUSE
    side = open_side_database(settings.VAR_DIR / "rates.sqlite3")
    return side.count(bucket=bucket, starts=starts)
