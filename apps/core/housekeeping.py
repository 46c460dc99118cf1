"""Jobs of the kernel: sealing, verifying, tidying, and exporting the heads of ledgers."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from apps.core import heads as signed_heads
from apps.core import sealing, witness
from apps.core.heads import heads
from apps.core.idempotency import KEPT
from apps.core.ledger import ledgers
from apps.core.models import IdempotentCall, Job, JobAttempt, JobState
from apps.core.partitions import making, standing

__all__ = ["export_heads", "heads", "partitions", "seal", "tidy", "verify"]

logger = logging.getLogger(__name__)

JOBS_KEPT = timedelta(days=7)
BATCH = 1000


def seal(key: str, now: datetime) -> None:
    """Chain every record that waits."""
    sealing.seal_all(now=now)


class LedgersFaulty(Exception):
    """A ledger is not as it was written; the message says no more than how many faults."""


def verify(key: str, now: datetime) -> None:
    """Verify every ledger against the exported heads, as `manage.py verify_ledger` does.

    Raises LedgersFaulty, so that the run counts as failed. Faults are logged; what is wrong
    with a confidential ledger is told by the command alone.
    """
    exported, notes = signed_heads.read(signed_heads.files())
    for note in notes:
        logger.warning("verifying ledgers: %s", note)
    faults = 0
    for name, model in sorted(ledgers().items()):
        found = sealing.verify(ledger=name, heads=exported.get(name)).faults
        faults += len(found)
        for fault in [] if model.CONFIDENTIAL else found:
            logger.error("ledger %s: %s", name, fault)
    if faults:
        raise LedgersFaulty(f"{faults} fault(s) in the ledgers: run verify_ledger")


def tidy(key: str, now: datetime) -> None:
    """Remove what is kept for a time only; failed jobs stay until someone looks at them."""
    _delete(IdempotentCall.objects.filter(created_at__lt=now - KEPT))
    # a job that comes back again and again has runs without end
    old_runs = JobAttempt.objects.filter(started_at__lt=now - JOBS_KEPT)
    _delete(old_runs.exclude(job__state=JobState.FAILED))
    _delete(Job.objects.filter(state=JobState.DONE, finished_at__lt=now - JOBS_KEPT))
    _delete(Session.objects.filter(expire_date__lt=now))
    witness.forget(now=now)


def _delete(found: QuerySet[Any]) -> None:
    """Delete in batches: one long transaction would make every writer wait on SQLite."""
    while keys := list(found.values_list("pk", flat=True)[:BATCH]):
        found.model._default_manager.filter(pk__in=keys).delete()


def partitions(key: str, now: datetime) -> None:
    """Make the months to come of the ledgers that are partitioned (apps/core/partitions)."""
    for model in standing.models():
        making.ahead(model, now=now)


def export_heads(key: str, now: datetime) -> None:
    """Write the signed heads of all ledgers to where settings.HEADS_TO says."""
    signed_heads.export(now)
