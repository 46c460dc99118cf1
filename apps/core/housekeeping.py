"""Jobs of the kernel: sealing, tidying, and exporting the heads of ledgers."""

import json
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import QuerySet

from apps.core import sealing
from apps.core.idempotency import KEPT
from apps.core.ledger import ledgers
from apps.core.models import IdempotentCall, Job, JobAttempt, JobState
from apps.core.shapes import iso
from apps.core.signing import attest

JOBS_KEPT = timedelta(days=7)
BATCH = 1000


def seal(key: str, now: datetime) -> None:
    """Chain every record that waits."""
    sealing.seal_all(now=now)


def tidy(key: str, now: datetime) -> None:
    """Remove what is kept for a time only; failed jobs stay until someone looks at them."""
    _delete(IdempotentCall.objects.filter(created_at__lt=now - KEPT))
    # a job that comes back again and again has runs without end
    old_runs = JobAttempt.objects.filter(started_at__lt=now - JOBS_KEPT)
    _delete(old_runs.exclude(job__state=JobState.FAILED))
    _delete(Job.objects.filter(state=JobState.DONE, finished_at__lt=now - JOBS_KEPT))
    _delete(Session.objects.filter(expire_date__lt=now))


def _delete(found: QuerySet[Any]) -> None:
    """Delete in batches: one long transaction would make every writer wait on SQLite."""
    while keys := list(found.values_list("pk", flat=True)[:BATCH]):
        found.model._default_manager.filter(pk__in=keys).delete()


def heads(now: datetime) -> dict[str, object]:
    """Return the signed statement of where each ledger ends, for keeping elsewhere."""
    found = {}
    for ledger in sorted(ledgers()):
        position, digest = sealing.last_seal(ledger)
        found[ledger] = {"position": position, "digest": digest}
    return attest({"heads": found, "statedAt": iso(now)})


def export_heads(key: str, now: datetime) -> None:
    """Append the signed heads to VAR_DIR/heads.jsonl: a tail that is cut later then shows."""
    path = settings.VAR_DIR / "heads.jsonl"
    with path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(heads(now), sort_keys=True) + "\n")
