"""Health of the ledgers: the age of exported heads and waiting records, the last verification."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, Subquery

from apps.platform.jobs.models import Job, JobState
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import ledger_models

EXPORT, VERIFY, SEAL = "core.export_heads", "core.verify", "core.seal"
ENDED = (JobState.DONE, JobState.FAILED)
VERIFIED = {JobState.DONE.value: "PASSED", JobState.FAILED.value: "FAILED"}
HEADS_OLD_AFTER = timedelta(hours=3)
UNSEALED_LATE_AFTER = timedelta(minutes=15)
SKEW = timedelta(minutes=2)  # by which hosts' clocks may differ


def check_ledgers(now: datetime) -> dict[str, Any]:
    """Return how the ledgers stand, in a few look-ups by index however long they are.

    Confidential ledgers are not counted: nobody learns of them here.
    """
    # what a clock that has since been set back wrote proves nothing until its time comes
    known = Job.objects.filter(created_at__lte=now + SKEW).order_by("-created_at")
    done = known.filter(name=EXPORT, state=JobState.DONE).first()
    exported = done.finished_at if done else None
    since = exported or _first_sealed_at()
    oldest = min(_oldest_unsealed_times(), default=None)
    verified = known.filter(name=VERIFY, state__in=ENDED).first()
    chained = known.filter(name=SEAL, state__in=ENDED).first()
    faulty = any(one is not None and one.state == JobState.FAILED for one in (verified, chained))
    late = oldest is not None and now - oldest > UNSEALED_LATE_AFTER
    old = since is not None and now - since > HEADS_OLD_AFTER
    return {
        "status": "degraded" if late or old or faulty else "ok",
        "headsSeconds": int((now - exported).total_seconds()) if exported else None,
        "oldestUnsealedSeconds": int((now - oldest).total_seconds()) if oldest else 0,
        "sealing": VERIFIED[chained.state] if chained else "NOT_YET",
        "verification": VERIFIED[verified.state] if verified else "NOT_YET",
    }


def _first_sealed_at() -> datetime | None:
    return Seal.objects.order_by("pk").values_list("sealed_at", flat=True).first()


def _oldest_unsealed_times() -> list[datetime]:
    """Return when the first record above all that is sealed was written, ledger by ledger.

    Three queries: where the sealer is, which records it sealed last, and what is above them.
    """
    heads = {head.ledger: head for head in LedgerHead.objects.all()}
    ends = Q(pk=None)
    for head in heads.values():
        ends |= Q(ledger=head.ledger, position=head.position)
    sealed = dict(Seal.objects.filter(ends).values_list("ledger", "record_id"))
    oldest = {}
    for name, model in ledger_models().items():
        if not model.CONFIDENTIAL:
            candidate = heads[name].candidate if name in heads else 0
            above = model._default_manager.filter(pk__gt=max(sealed.get(name, 0), candidate))
            oldest[f"of_{name}"] = Subquery(above.order_by("pk").values("recorded_at")[:1])
    row = LedgerHead.objects.annotate(**oldest).values_list(*oldest)[:1]
    return [at for values in row for at in values if at is not None]


def describe_ledger_health(check: dict[str, Any]) -> list[str]:
    """Return what the check says, in words for operators."""
    heads, oldest = check.get("headsSeconds"), check.get("oldestUnsealedSeconds") or 0
    said = [
        f"The heads were exported {heads // 60} min ago."
        if heads is not None
        else "The heads have not been exported yet."
    ]
    if oldest > UNSEALED_LATE_AFTER.total_seconds():
        said.append(
            f"A record waits for its seal since {oldest // 60} min: look at the job that chains "
            "records, and run verify_ledger."
        )
    if check.get("sealing") == "FAILED":
        said.append(
            "The last sealing refused records or a chain that this platform did not write: "
            "run verify_ledger, which names them."
        )
    if check.get("verification") == "FAILED":
        said.append("The last verification of all ledgers failed: run verify_ledger.")
    return said
