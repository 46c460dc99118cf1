"""The scheduled run: computed, stored as a sealed record, once a slot of ten minutes."""

import uuid
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.advisory.chat import configured
from apps.core.jobs import enqueue
from apps.signals.quality import Unavailable
from apps.stability.models import StabilityRun
from apps.stability.models.runs import MICRO
from apps.stability.oracle import computing, weighing
from apps.stability.oracle.rules.curves import METHOD
from apps.stability.oracle.rules.uptime import WINDOW, Uptime, measured, slot_of


def run(key: str, now: datetime) -> None:
    """Run the oracle for this slot; a second run of a slot does nothing."""
    run_once(now=now)


def run_once(*, now: datetime) -> StabilityRun | None:
    """Store the run of this slot and return it; None where the slot has one already.

    A run that cannot compute is stored as such, with the reason and what was known.
    """
    slot = slot_of(now)
    if StabilityRun.objects.filter(slot=slot).exists():
        return None
    held = weighing.in_force()
    found = computing.known(as_of=now)
    columns: dict[str, Any] = {"run_id": uuid.uuid4(), "slot": slot, "weights": held.version}
    try:
        made = computing.compute(found, weights=held.weights)
    except Unavailable as error:
        told: dict[str, Any] = {"fault": error.detail, "series": computing.evidence(found)}
        columns |= {"score": None, "deviation": None, "quality": "", "sample": _sample(found)}
    else:
        told = made.told
        deviation = int(made.deviation * MICRO)
        columns |= {"score": made.score, "deviation": deviation, "quality": made.quality.label}
        columns |= {"sample": _sample(found)}
    up = _uptime(slot, scored=columns["score"] is not None)
    return _store(told, columns | {"due": up.due, "good": up.good, "method": METHOD}, now)


@transaction.atomic
def _store(told: dict[str, Any], columns: dict[str, Any], now: datetime) -> StabilityRun | None:
    try:
        with transaction.atomic():
            made: StabilityRun = StabilityRun.write(payload=told, now=now, **columns)
    except IntegrityError:  # another worker was quicker
        return None
    if made.score is not None and configured():
        enqueue(job="stability.narrate", key=str(made.pk), now=now)
    return made


def _sample(found: computing.Known) -> bool:
    return any(point.sample for point in found.points.values())


def _uptime(slot: int, *, scored: bool) -> Uptime:
    """Return the uptime up to this slot, its own run included."""
    first = StabilityRun.objects.order_by("slot").values_list("slot", flat=True).first()
    window = StabilityRun.objects.filter(score__isnull=False, slot__gt=slot - WINDOW, slot__lt=slot)
    return measured(first=slot if first is None else first, slot=slot, good=window.count() + scored)
