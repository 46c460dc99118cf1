"""What stops when a key ends: asked before it is revoked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.access import metering
from apps.access.models import ApiKey

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Stops:
    """Billed calls of the account, by month, and the working keys that it would have left.

    Calls are counted by account: which key they came with is not kept.
    """

    months: list[tuple[str, int]]
    others: list[ApiKey]
    same_kind: bool


def stops(*, key: ApiKey, now: datetime) -> Stops:
    """Return what ending a key would leave; two queries for calls, one for keys."""
    this = metering.month_of(now)
    first = now.replace(day=1) - timedelta(days=1)
    months = [
        (month, sum(metering.used(account_id=key.account_id, month=month).values()))
        for month in (this, metering.month_of(first))
    ]
    working = ApiKey.objects.usable(now).filter(account=key.account_id).exclude(pk=key.pk)
    others = list(working.order_by("-pk")[:SHOWN])
    return Stops(months, others, any(one.kind == key.kind for one in others))
