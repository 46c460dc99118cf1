"""Health of re-screening: list changes that known parties were not yet screened against."""

from datetime import datetime, timedelta
from typing import Any

from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rescreening import due_runs
from apps.platform.desk.health import CheckWording, format_short_span

LATE_AFTER = timedelta(hours=6)  # a change waits at most so long


def check_rescreening(now: datetime) -> dict[str, Any]:
    """Return how many changes wait and since when: degraded for one that waits long or failed."""
    runs = list(Rescreen.objects.exclude(stage=Stage.DONE).select_related("source"))
    busy = {run.source_id for run in runs}
    waits = [source for source, _ in due_runs.find_due_lists() if source.pk not in busy]
    # a LATE run has screened all parties; it waits on purpose
    since = [run.planned_at for run in runs if run.stage == Stage.MAIN]
    since += [wait.live_since for wait in waits if wait.live_since]
    oldest = min(since, default=now)
    failed = sorted(run.source.slug for run in runs if run.last_error)
    late = now - oldest > LATE_AFTER
    return {
        "status": "degraded" if late or failed else "ok",
        "waiting": len(waits),
        "running": len(runs),
        "failed": failed,
        "oldestSeconds": int((now - oldest).total_seconds()) if late else 0,
    }


def describe_rescreening(rescreening: dict[str, Any]) -> list[str]:
    """Return what the check says, in words for operators."""
    waiting, running = rescreening.get("waiting", 0), rescreening.get("running", 0)
    sentences = [
        f"List changes that known parties have not yet been re-screened against: {waiting} "
        f"waiting, {running} in progress."
        if waiting or running
        else "Known parties have been re-screened against all list changes."
    ]
    if failed := rescreening.get("failed"):
        sentences.append(f"The run stopped for: {', '.join(failed)}. See the runs and failed jobs.")
    if oldest := rescreening.get("oldestSeconds"):
        sentences.append(
            f"The oldest has been waiting for {format_short_span(oldest)}: see the failed jobs."
        )
    return sentences


WORDS = CheckWording("Re-screening", describe_rescreening)
