"""Rate limits of callers, on windows that are exact with any number of processes."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from apps.access.keys import rate_limits
from apps.platform.api.authentication import Grant


class CallerRateThrottle(SimpleRateThrottle):
    """Count a call in its caller's current minute, and report the remainder in headers.

    The rate is the caller's own (`Grant.rate`), not one of the settings.
    """

    def __init__(self) -> None:
        """Read no rate from the settings: see Grant.rate."""

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        grant: Grant | None = request.auth  # type: ignore[assignment]
        return grant.rate.bucket if grant and grant.rate else None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the call; RateLimited (429) past the limit."""
        grant: Grant | None = request.auth  # type: ignore[assignment]
        if grant is not None and grant.rate is not None:
            window = rate_limits.count_call(
                bucket=grant.rate.bucket, limit=grant.rate.limit, now=view.now
            )
            grant.headers |= window.headers()
        return True
