"""Run the oracle once in each slot of ten minutes, and store the run as a sealed record."""

import uuid
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.insight.stability.models import StabilityRun
from apps.insight.stability.models.runs import MICRO, PARTS
from apps.insight.stability.oracle import computation
from apps.insight.stability.oracle import series_snapshot as oracle_series_snapshot
from apps.insight.stability.oracle.rules.curves import METHOD
from apps.insight.stability.oracle.rules.uptime import (
    WINDOW,
    measure_uptime,
    slot_of_moment,
)
from apps.insight.stability.oracle.selectors import tier_weights
from apps.platform.advisory.chat import is_model_configured
from apps.platform.jobs.job_queue import enqueue_job
from apps.reference.signals.quality import TooFewInputs


def run_oracle(key: str, now: datetime) -> None:
    """Run the oracle for this slot; a second run of a slot does nothing."""
    record_run(now=now)


def record_run(*, now: datetime) -> StabilityRun | None:
    """Store the run of this slot and return it; None where the slot has one already.

    A run that cannot compute is stored as such, with the reason and what was known.
    """
    slot = slot_of_moment(now)
    # spares the computation when a job is repeated; the unique slot decides a race
    if StabilityRun.objects.filter(slot=slot).exists():
        return None
    weights = tier_weights.load_weights_in_force()
    series_snapshot = oracle_series_snapshot.load_series_snapshot(as_of=now)
    columns: dict[str, Any] = {"run_id": uuid.uuid4(), "slot": slot, "weights": weights.version}
    try:
        run = computation.compute_run(series_snapshot, weights=weights.weights)
    except TooFewInputs as error:
        payload: dict[str, Any] = {
            "fault": error.detail,
            "series": computation.serialize_evidence(series_snapshot),
        }
        columns |= {"score": None, "deviation": None, "coverage": None, "quality": ""}
    else:
        payload = run.payload
        deviation = int(run.deviation * MICRO)
        coverage = int(payload["coverage"] * PARTS)
        columns |= {"score": run.score, "deviation": deviation, "coverage": coverage}
        columns |= {"quality": run.quality.label}
    columns |= {"sample": any(point.sample for point in series_snapshot.points.values())}
    scored = columns["score"] is not None
    first = StabilityRun.objects.order_by("slot").values_list("slot", flat=True).first()
    window = StabilityRun.objects.filter(score__isnull=False, slot__gt=slot - WINDOW, slot__lt=slot)
    up = measure_uptime(
        first=slot if first is None else first, slot=slot, good=window.count() + scored
    )
    return _store_run(payload, columns | {"due": up.due, "good": up.good, "method": METHOD}, now)


@transaction.atomic
def _store_run(
    payload: dict[str, Any], columns: dict[str, Any], now: datetime
) -> StabilityRun | None:
    try:
        with transaction.atomic():
            run: StabilityRun = StabilityRun.write(payload=payload, now=now, **columns)
    # another worker stored the run of this slot first
    except IntegrityError:
        return None
    # in the transaction of the run: run and job exist together, or not at all
    if run.score is not None and is_model_configured():
        enqueue_job(job="stability.narrate", key=str(run.pk), now=now)
    return run
