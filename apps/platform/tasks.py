"""Jobs of the platform: sealing, verifying, tidying, and exporting the heads of ledgers."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from apps.platform.api.idempotency import KEPT
from apps.platform.api.models import IdempotentCall
from apps.platform.jobs.models import Job, JobAttempt, JobState
from apps.platform.jobs.registry import DAY, HOUR, MINUTE, JobSpec
from apps.platform.ledger import sealer, written_record_log
from apps.platform.ledger.partitions import creation, pg_catalog
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.verification import signed_heads, verifier

logger = logging.getLogger(__name__)

JOBS_KEPT = timedelta(days=7)
BATCH = 1000  # rows of one DELETE


def seal_ledgers(key: str, now: datetime) -> None:
    """Chain every unsealed record."""
    sealer.seal_all_ledgers(now=now)


class LedgersFaulty(Exception):
    """A ledger is not as it was written; the message gives only the number of faults."""


def verify_ledgers(key: str, now: datetime) -> None:
    """Verify every ledger against the exported heads, as `manage.py verify_ledger` does.

    Raises LedgersFaulty, so that the run counts as failed. Faults are logged; those of a
    confidential ledger are shown by the command only.
    """
    exported, notes = signed_heads.read_signed_heads(signed_heads.head_files())
    for note in notes:
        logger.warning("verifying ledgers: %s", note)
    faults = 0
    for name, model in sorted(ledger_models().items()):
        ledger_faults = verifier.verify_ledger(ledger=name, heads=exported.get(name)).faults
        faults += len(ledger_faults)
        # readers of the process log may not know of the SAR log
        for fault in [] if model.CONFIDENTIAL else ledger_faults:
            logger.error("ledger %s: %s", name, fault)
    if faults:
        raise LedgersFaulty(f"{faults} fault(s) in the ledgers: run verify_ledger")


def remove_expired_rows(key: str, now: datetime) -> None:
    """Delete expired rows; failed jobs stay until they have been reviewed."""
    # a project that only takes payments has no sessions, but loads this module all the same
    from django.contrib.sessions.models import Session

    _delete_in_batches(IdempotentCall.objects.filter(created_at__lt=now - KEPT))
    # a periodic job has an unlimited number of runs
    old_runs = JobAttempt.objects.filter(started_at__lt=now - JOBS_KEPT)
    _delete_in_batches(old_runs.exclude(job__state=JobState.FAILED))
    _delete_in_batches(Job.objects.filter(state=JobState.DONE, finished_at__lt=now - JOBS_KEPT))
    _delete_in_batches(Session.objects.filter(expire_date__lt=now))
    written_record_log.remove_old_notes(now=now)


def _delete_in_batches(rows: QuerySet[Any]) -> None:
    """Delete rows in batches."""
    # each is a transaction of its own: during one long one every writer would wait on SQLite
    while keys := list(rows.values_list("pk", flat=True)[:BATCH]):
        rows.model._default_manager.filter(pk__in=keys).delete()


def create_month_partitions(key: str, now: datetime) -> None:
    """Create the coming months of partitioned ledgers (ledger/partitions)."""
    for model in pg_catalog.partitionable_models():
        creation.create_upcoming_partitions(model, now=now)


def export_heads(key: str, now: datetime) -> None:
    """Write the signed heads of all ledgers to the destinations of settings.HEADS_TO."""
    signed_heads.export_signed_heads(now)


JOBS = {
    "core.seal": JobSpec(
        handler=seal_ledgers,
        title="Chain new ledger records",
        every=MINUTE,
        retries=(),
        stops="New records are not chained: an alteration could not be detected.",
        vital=True,
    ),
    "core.tidy": JobSpec(
        handler=remove_expired_rows,
        title="Remove expired idempotent answers and old jobs",
        every=HOUR,
        retries=(),
        stops="Expired answers, old jobs and ended sign-ins stay, and the database grows.",
    ),
    "core.export_heads": JobSpec(
        handler=export_heads,
        title="Write the signed heads of all ledgers",
        every=HOUR,
        stops="Heads of ledgers are not written out: a later proof has gaps.",
    ),
    "core.partitions": JobSpec(
        handler=create_month_partitions,
        title="Make the partitions of the months to come",
        every=DAY,
        stops="New records of partitioned ledgers go on in the partition of the month before.",
    ),
    "core.verify": JobSpec(
        handler=verify_ledgers,
        title="Verify all ledgers",
        lease=2 * HOUR,
        every=DAY,
        first=HOUR,
        retries=(),
        stops="Ledgers are not verified automatically: an altered record stays unnoticed.",
        vital=True,
    ),
}
