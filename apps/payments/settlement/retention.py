"""Remove old rehearsals: they moved nothing, and prove nothing."""

from datetime import datetime, timedelta

from apps.payments.settlement.models import Settlement

# docs/settlement.md promises that a rehearsal can be read for 30 days
KEPT = timedelta(days=30)
# rows in one statement
BATCH = 1000


def delete_old_rehearsals(key: str, now: datetime) -> None:
    """Remove old rehearsals in batches."""
    # each in a transaction of its own: on SQLite a long one makes every writer wait
    old = Settlement.objects.filter(sandbox=True, asked_at__lt=now - KEPT)
    while keys := list(old.values_list("pk", flat=True)[:BATCH]):
        Settlement.objects.filter(pk__in=keys).delete()
