"""Health of the ledgers: the age of exported heads and unsealed records, the last verification."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, Subquery

from apps.platform.common.clock import SKEW
from apps.platform.jobs.models import Job, JobState
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import ledger_models

EXPORT, VERIFY, SEAL = "core.export_heads", "core.verify", "core.seal"
ENDED = (JobState.DONE, JobState.FAILED)
VERIFIED = {JobState.DONE.value: "PASSED", JobState.FAILED.value: "FAILED"}
HEADS_OLD_AFTER = timedelta(hours=3)  # they are exported each hour
UNSEALED_LATE_AFTER = timedelta(minutes=15)  # they are sealed each minute


def check_ledgers(now: datetime) -> dict[str, Any]:
    """Return the state of the ledgers, in a few look-ups by index however long they are.

    Confidential ledgers are not counted, so that health does not disclose them.
    """
    # rows of a clock that has since been set back prove nothing until their time comes
    known = Job.objects.filter(created_at__lte=now + SKEW).order_by("-created_at")
    done = known.filter(name=EXPORT, state=JobState.DONE).first()
    exported = done.finished_at if done else None
    # before the first export the age counts from the first seal: a new installation is not late
    since = exported or Seal.objects.order_by("pk").values_list("sealed_at", flat=True).first()
    oldest = min(_oldest_unsealed_times(), default=None)
    verified = known.filter(name=VERIFY, state__in=ENDED).first()
    chained = known.filter(name=SEAL, state__in=ENDED).first()
    faulty = any(job is not None and job.state == JobState.FAILED for job in (verified, chained))
    late = oldest is not None and now - oldest > UNSEALED_LATE_AFTER
    old = since is not None and now - since > HEADS_OLD_AFTER
    return {
        "status": "degraded" if late or old or faulty else "ok",
        "headsSeconds": int((now - exported).total_seconds()) if exported else None,
        "oldestUnsealedSeconds": int((now - oldest).total_seconds()) if oldest else 0,
        "sealing": VERIFIED[chained.state] if chained else "NOT_YET",
        "verification": VERIFIED[verified.state] if verified else "NOT_YET",
    }


def _oldest_unsealed_times() -> list[datetime]:
    """Return when the first record above all sealed ones was written, ledger by ledger.

    Three queries: the position of the sealer, the records that it sealed last, and the records
    above them.
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
            # above what the sealer has sealed or passed:
            # finding gaps below would read the whole ledger
            above = model._default_manager.filter(pk__gt=max(sealed.get(name, 0), candidate))
            oldest[f"of_{name}"] = Subquery(above.order_by("pk").values("recorded_at")[:1])
    row = LedgerHead.objects.annotate(**oldest).values_list(*oldest)[:1]
    return [at for values in row for at in values if at is not None]


def describe_ledger_health(check: dict[str, Any]) -> list[str]:
    """Describe the result of the check for operators."""
    heads, oldest = check.get("headsSeconds"), check.get("oldestUnsealedSeconds") or 0
    sentences = [
        f"The heads were exported {heads // 60} min ago."
        if heads is not None
        else "The heads have not been exported yet."
    ]
    if oldest > UNSEALED_LATE_AFTER.total_seconds():
        sentences.append(
            f"The oldest unsealed record has waited for {oldest // 60} min: check the job that "
            "chains records, and run verify_ledger."
        )
    if check.get("sealing") == "FAILED":
        sentences.append(
            "The last sealing refused records or a chain not written by this platform: run "
            "verify_ledger, which names them."
        )
    if check.get("verification") == "FAILED":
        sentences.append("The last verification of all ledgers failed: run verify_ledger.")
    return sentences
