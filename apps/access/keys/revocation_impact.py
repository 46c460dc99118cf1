"""Assess what stops when a key ends, before it is revoked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.access.keys import metering
from apps.access.keys.models import ApiKey

SHOWN = 10  # other keys of the account that the page names


@dataclass(frozen=True, slots=True)
class RevocationImpact:
    """Billed calls of the account, by month, and the working keys that would remain.

    Calls are counted by account: the key of each call is not kept.
    """

    months: list[tuple[str, int]]
    others: list[ApiKey]
    same_kind: bool


def assess_revocation(*, key: ApiKey, now: datetime) -> RevocationImpact:
    """Return the effect of ending a key; two queries for calls, two for keys."""
    this = metering.get_month(now)
    # the day before the first: thirty days back from a 31st is the same month
    first = now.replace(day=1) - timedelta(days=1)
    months = [
        (month, sum(metering.count_calls_by_unit(account_id=key.account_id, month=month).values()))
        for month in (this, metering.get_month(first))
    ]
    working = ApiKey.objects.usable(now).filter(account=key.account_id).exclude(pk=key.pk)
    others = list(working.order_by("-pk")[:SHOWN])
    # of all of them, not only of those that are shown
    return RevocationImpact(months, others, working.filter(kind=key.kind).exists())
