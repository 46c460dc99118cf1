"""Computes the live score, every ten minutes in a job; requests read the last run."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from apps.core.shapes import iso
from apps.esgoracle.composites import ROWS
from apps.esgoracle.models import FINEST, EsgRun
from apps.esgoracle.rules.live import VERSION, average, calm, contributions, effective, worst
from apps.signals.composing import Composed, Share, compose
from apps.signals.quality import Unavailable
from apps.stability.oracle.rules.uptime import WINDOW, Uptime, measured, slot_of


def run(key: str, now: datetime) -> None:
    """Run the oracle for this slot; a second run of a slot does nothing. A job."""
    run_once(now=now)


def run_once(*, now: datetime) -> EsgRun | None:
    """Store the run of this slot and return it; None where the slot has one already.

    A run that comes to no score is stored as such, with the reason.
    """
    slot = slot_of(now)
    if EsgRun.objects.filter(slot=slot).exists():
        return None
    try:
        told = computed(as_of=now)
    except Unavailable as error:
        return keep(told={"fault": error.detail}, points=None, quality="", now=now)
    points = Decimal(told["average"])
    return keep(told=told, points=points, quality=told["data_quality"], now=now)


def keep(
    *, told: dict[str, Any], points: Decimal | None, quality: str, now: datetime
) -> EsgRun | None:
    """Store what a run came to, unless its slot has one already."""
    up = _uptime(slot_of(now), scored=points is not None)
    columns = {
        "slot": up.slot,
        "average": None if points is None else int(points * FINEST),
        "quality": quality,
        "due": up.due,
        "good": up.good,
        "method": VERSION,
    }
    try:
        with transaction.atomic():
            made: EsgRun = EsgRun.write(payload=told, now=now, **columns)
    except IntegrityError:  # another worker was quicker
        return None
    return made


def _uptime(slot: int, *, scored: bool) -> Uptime:
    """Return the uptime up to this slot, its own run included."""
    first = EsgRun.objects.order_by("slot").values_list("slot", flat=True).first()
    window = EsgRun.objects.filter(average__isnull=False, slot__gt=slot - WINDOW, slot__lt=slot)
    return measured(first=slot if first is None else first, slot=slot, good=window.count() + scored)


def computed(*, as_of: datetime) -> dict[str, Any]:
    """Return what a run of a moment tells; in at most nine queries. Raises Unavailable."""
    found: dict[str, Composed] = {name: compose(row, as_of=as_of) for name, row in ROWS.items()}
    scores = {name: calm(one.score) for name, one in found.items()}
    parts = contributions(scores)
    return {
        "average": str(average(scores)),
        "data_quality": worst([one.quality.label for one in found.values()]),
        "as_of": iso(min(one.quality.as_of for one in found.values())),
        "pillars": [_pillar(name, one, scores, parts) for name, one in found.items()],
    }


def _pillar(
    name: str, found: Composed, scores: Mapping[str, Decimal], parts: Mapping[str, Decimal]
) -> dict[str, Any]:
    held = sum((one.weight for one in found.contributions), Decimal(0))
    return {
        "pillar": name,
        "score": str(scores[name]),
        "contribution": str(parts[name]),
        "composite": found.name,
        "version": found.version,
        "strain": str(found.score),
        "band": found.band,
        "coverage": str(found.quality.coverage),
        "data_quality": found.quality.label,
        "reasons": list(found.quality.reasons),
        "inputs": [_input(one, held=held) for one in found.contributions],
    }


def _input(one: Share, *, held: Decimal) -> dict[str, Any]:
    point = one.point
    return {
        "series": one.series,
        "value": f"{point.value.normalize():f}",
        "unit": point.unit,
        "source": point.source,
        "licence": point.licence,
        "as_of": point.day.isoformat(),
        "nominal_weight": str(one.weight),
        "weight": str(effective(one.weight, held=held)),
        "strain": str(one.score),
        "share": str(one.share),
    }
