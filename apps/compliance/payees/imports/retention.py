"""Removes the lines of old imports: they repeat names and wallets that registrations hold."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import Coalesce

from apps.compliance.payees.models import Stage, WalletImport

KEPT = timedelta(days=90)  # from when it was done, or last continued
AT_REST = (Stage.CHECKED, Stage.STOPPED, Stage.DONE)
REVIEW = Q(review=True) | Q(outcome="", foreseen_review=True)


def delete_old_import_lines(key: str, now: datetime) -> None:
    """Remove the lines of imports that have been idle for 90 days (a job); safe to repeat.

    Each result is in the events of its registration, and the counts are in the import.
    """
    # the latest of the three that is set
    last = Coalesce("finished_at", "started_at", "uploaded_at")
    resting = WalletImport.objects.filter(stage__in=AT_REST, emptied_at=None)
    for batch in resting.annotate(last=last).filter(last__lte=now - KEPT).order_by("pk"):
        _empty_import(batch, now)


@transaction.atomic
def _empty_import(batch: WalletImport, now: datetime) -> None:
    stage = Stage(batch.stage)
    # if it was continued just now, it is running and keeps its lines
    if batch.move_stage(frm=stage, to=stage, emptied_at=now, sums=count_line_outcomes(batch)):
        batch.lines.all().delete()


def count_line_outcomes(batch: WalletImport) -> list[dict[str, Any]]:
    """Return how many lines had the foreseen result, and how many are under review."""
    if batch.emptied_at is not None:
        return list(batch.sums)
    import_lines = batch.lines.values("foreseen", "outcome")
    groups = import_lines.annotate(lines=Count("pk"), review=Count("pk", filter=REVIEW)).order_by()
    return [dict(group) for group in groups]
