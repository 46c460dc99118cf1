"""Rate limits that are exact under any number of processes: one atomic step a call."""

import ipaddress
import logging
import time
from datetime import datetime, timedelta
from functools import lru_cache

import redis
from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from rest_framework.request import Request

from apps.access.models import RateWindow
from apps.core.problems import DomainError

logger = logging.getLogger(__name__)
WINDOW = 60
KEPT = timedelta(minutes=10)
REDIS_TIMEOUT = 0.5
REDIS_PAUSE = 5.0


class RateLimited(DomainError):
    """More calls than the key or address may make in this minute."""

    status, code, title = 429, "rate_limited", "Too many requests"


def hit(*, bucket: str, limit: int, now: datetime) -> None:
    """Count one call of a bucket in the running minute; raises RateLimited past `limit`.

    Redis counts where there is one; else one upsert, which both databases do atomically.
    """
    second = int(now.timestamp())
    starts = second - second % WINDOW
    count = _redis.count(bucket, starts) if settings.REDIS_URL else None
    if count is None:
        count = _upsert(bucket, starts)
    if count > limit:
        raise RateLimited(
            f"More than {limit} calls in a minute.", retry_after=starts + WINDOW - second
        )


class _Redis:
    """Counts in Redis; when it does not answer, the database counts for some seconds."""

    def __init__(self) -> None:
        self.paused_until = 0.0

    def count(self, bucket: str, starts: int) -> int | None:
        """Return the count with this call, or None when Redis cannot tell."""
        if time.monotonic() < self.paused_until:
            return None
        name = f"rate:{bucket}:{starts}"
        try:
            # one transaction: a counter never stands without its end
            with _client(settings.REDIS_URL).pipeline(transaction=True) as steps:
                steps.incr(name)
                steps.expire(name, 2 * WINDOW)
                counted = steps.execute()[0]
        except redis.RedisError:
            logger.exception("Redis does not answer; the database counts calls")
            self.paused_until = time.monotonic() + REDIS_PAUSE
            return None
        return int(counted)


_redis = _Redis()


@lru_cache(maxsize=2)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT
    )


_TABLE = RateWindow._meta.db_table
_UPSERT = (
    f'INSERT INTO "{_TABLE}" (bucket, starts, hits) VALUES (%s, %s, 1) '  # noqa: S608
    f'ON CONFLICT (bucket, starts) DO UPDATE SET hits = "{_TABLE}".hits + 1 RETURNING hits'
)


def _upsert(bucket: str, starts: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_UPSERT, [bucket, starts])
        return int(cursor.fetchone()[0])


def client_address(request: Request | HttpRequest) -> str:
    """Return the caller's address, believing as many proxies as settings.TRUSTED_PROXIES."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.TRUSTED_PROXIES:
        chain = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
        hops = [part.strip() for part in chain if part.strip()]
        if len(hops) >= settings.TRUSTED_PROXIES:
            address = hops[-settings.TRUSTED_PROXIES]
    return _network(address)


def _network(address: str) -> str:
    """An IPv6 client owns a /64: count that, not its 2^64 addresses."""
    try:
        parsed = ipaddress.ip_address(_without_port(address).partition("%")[0])
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _without_port(address: str) -> str:
    """Some proxies write `1.2.3.4:567` or `[2001:db8::1]:567`."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def tidy(key: str, now: datetime) -> None:
    """Job: remove windows that have passed."""
    RateWindow.objects.filter(starts__lt=int((now - KEPT).timestamp())).delete()
