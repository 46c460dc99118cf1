"""Remove old rehearsals: they moved nothing, and prove nothing."""

from datetime import datetime, timedelta

from apps.payments.settlement.models import Settlement

KEPT = timedelta(days=30)
BATCH = 1000


def delete_old_rehearsals(key: str, now: datetime) -> None:
    """Remove old rehearsals in batches: a long transaction would make every writer wait."""
    old = Settlement.objects.filter(sandbox=True, asked_at__lt=now - KEPT)
    while keys := list(old.values_list("pk", flat=True)[:BATCH]):
        Settlement.objects.filter(pk__in=keys).delete()
