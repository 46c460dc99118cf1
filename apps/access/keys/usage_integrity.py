"""Verify billed calls against the hourly records of their counts, which only grow."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Sum

from apps.access.keys.models import UsageCount, UsageRecord
from apps.platform.ledger.verification.verified_reads import filter_verified_records

Key = tuple[int, str, str]


@transaction.atomic
def record_usage(key: str, now: datetime) -> None:
    """Record the counts that have grown since the last time; the job `access.record_usage`."""
    # each call only adds one to a count: a record of each would cost as much as the call
    recorded = _load_recorded_calls()
    # only what has grown: most counts belong to months that are over
    grown = [
        (counted, calls)
        for counted, calls in _load_counted_calls().items()
        if calls > recorded.get(counted, 0)
    ]
    UsageRecord.write_each(
        now=now,
        rows=(
            ({}, {"account": account, "month": month, "unit": unit, "calls": calls})
            for (account, month, unit), calls in grown
        ),
    )


def verify_usage_counts(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield counts that are smaller than their recorded value."""
    recorded, counted = _load_recorded_calls(), _load_counted_calls()
    for (account, month, unit), calls in sorted(recorded.items()):
        now = counted.get((account, month, unit), 0)
        if now < calls:
            yield f"calls of account {account} in {month} ({unit}): {now}, but {calls} are recorded"
    progress(len(counted))


def _load_counted_calls() -> dict[Key, int]:
    rows = UsageCount.objects.order_by().values_list("account_id", "month", "unit")
    totals = rows.annotate(total=Sum("calls"))
    return {(account, month, unit): total for account, month, unit, total in totals}


def _load_recorded_calls() -> dict[Key, int]:
    """Return the newest authentic record of each count."""
    newest = UsageRecord.objects.order_by().values("account", "month", "unit")
    numbers = newest.annotate(newest=Max("pk")).values_list("newest", flat=True)
    recorded_calls: dict[Key, int] = {}
    # a subquery and not a list: there is a record for each account, month and unit, and SQLite
    # limits the parameters of a statement
    for usage_record in filter_verified_records(UsageRecord.objects.filter(pk__in=numbers)):
        recorded_calls[usage_record.account, usage_record.month, usage_record.unit] = (
            usage_record.calls
        )
    return recorded_calls
