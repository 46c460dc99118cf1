"""Circuit breakers: an upstream that fails again and again is not called for a while."""

from datetime import datetime, timedelta

from django.db.models import F

from apps.platform.common.clock import SKEW
from apps.platform.upstreams.models import UpstreamState

OPENS_AFTER = 5  # failures in a row
LONGEST_PAUSE = timedelta(minutes=10)
# a busy upstream would otherwise write its row at each call
NOTED_EVERY = timedelta(minutes=1)


def pause_after(failures: int) -> timedelta:
    """Return the pause after a number of failures in a row: 30 s, doubled up to 10 min."""
    # the exponent is limited, or after some days of failures the product would overflow
    return min(LONGEST_PAUSE, timedelta(seconds=30) * 2 ** min(failures - OPENS_AFTER, 10))


def is_breaker_open(name: str, now: datetime) -> bool:
    """Tell whether calls are refused at `now`; after the pause one call may try again."""
    state = UpstreamState.objects.filter(pk=name).first()
    if state is None or state.open_until is None:
        return False
    # a longer pause than the longest was begun by a clock that has since been set back: it is over
    if now < state.open_until <= now + LONGEST_PAUSE + SKEW:
        return True
    # half open: the caller that moves the end of the pause is the one that tries
    won = UpstreamState.objects.filter(pk=name, open_until=state.open_until).update(
        open_until=now + pause_after(OPENS_AFTER)
    )
    return not won


def record_success(name: str, now: datetime) -> None:
    """Close the breaker; when it is closed already, write at most once a minute."""
    state, was_created = UpstreamState.objects.get_or_create(pk=name, defaults={"last_ok_at": now})
    fresh = state.last_ok_at is not None and now - state.last_ok_at < NOTED_EVERY
    if not was_created and (state.failures or state.open_until or not fresh):
        UpstreamState.objects.filter(pk=name).update(failures=0, open_until=None, last_ok_at=now)


def record_failure(name: str, error: str, now: datetime) -> None:
    """Count a failure; from the fifth in a row the breaker is open."""
    UpstreamState.objects.get_or_create(pk=name)
    # added up in the database: of several processes that fail at once each one counts
    UpstreamState.objects.filter(pk=name).update(
        failures=F("failures") + 1, last_error=error[:300], last_error_at=now
    )
    failures = UpstreamState.objects.values_list("failures", flat=True).get(pk=name)
    if failures >= OPENS_AFTER:
        UpstreamState.objects.filter(pk=name).update(open_until=now + pause_after(failures))
