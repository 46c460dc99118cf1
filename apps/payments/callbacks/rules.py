"""When callbacks are tried, what counts as delivered, and when an endpoint is paused. Pure.

Document 2 sections 6 and 8; DESIGN section 4 *Callbacks*.
"""

from datetime import datetime, timedelta

# document 2 section 6: the delay of each attempt after the one before; the first is immediate
RETRY_DELAYS = (timedelta(seconds=5), timedelta(seconds=30), timedelta(minutes=5))
ATTEMPTS = 1 + len(RETRY_DELAYS)  # document 2 section 8

# RFC 9110 section 15.5.11: the address is gone for good, so it wants no more calls
GONE = 410
PAUSED_AFTER = timedelta(days=3)
# after a resume, until one is delivered
PAUSED_AGAIN_AFTER = timedelta(days=1)
# a few failures far apart prove nothing
LEAST_FAILURES = 3 * ATTEMPTS

# reasons of failed attempts, in words
FAILURE_LABELS = {
    "timeout": "It did not answer in time",
    "unreachable": "It could not be reached",
    "refused_address": "Its address may not be called",
    "tls": "Its certificate or TLS is invalid",
    "broken": "The connection was cut off, or the answer was not HTTP",
    "redirect": "It answered with a redirect, which is not followed",
    "gone": "It answered 410 Gone: it accepts no more callbacks",
    "status": "It answered with a status other than 2xx",
    "altered": "The stored body differs from the published one: it is not sent",
    "interrupted": "The sender was stopped while it was sent: it may have arrived",
}


def delay_before_next_attempt(*, tries: int) -> timedelta | None:
    """Return the delay after the `tries`-th attempt of a series, None after the last.

    Document 2 section 6: 5 seconds, 30 seconds, 5 minutes.
    """
    return RETRY_DELAYS[tries - 1] if 1 <= tries < ATTEMPTS else None


def failure_of_status(*, status: int) -> str:
    """Return the code of a failing HTTP status; empty for 2xx, the only success."""
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        # not followed: the new address was never checked or agreed
        return "redirect"
    return "gone" if status == GONE else "status"


def is_failing(
    *, since: datetime | None, resumed_at: datetime | None, failures: int, now: datetime
) -> bool:
    """Tell whether an endpoint has failed long enough to be paused.

    That is three days of nothing but failures, at least twelve of them; one day after it was
    resumed.
    """
    if since is None or failures < LEAST_FAILURES:
        return False
    # failures before a resume do not count: they would pause it again at once
    if resumed_at is None or resumed_at < since:
        return now - since >= PAUSED_AFTER
    return now - resumed_at >= PAUSED_AGAIN_AFTER
