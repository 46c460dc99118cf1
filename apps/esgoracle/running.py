"""Computes the live score, every ten minutes in a job; requests read the last run."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.core.shapes import iso
from apps.esgoracle.composites import ROWS
from apps.esgoracle.models import EsgRun
from apps.esgoracle.rules.live import VERSION, average, calm, worst
from apps.signals.composing import Composed, Share, compose
from apps.signals.quality import Unavailable

EVERY = timedelta(minutes=10)
FRESH = 2 * EVERY  # one that is older is computed anew: no job has run
KEPT = timedelta(days=90)
WINDOW = timedelta(days=30)  # of which the uptime is


def slot_of(now: datetime) -> int:
    """Return the ten minutes that a moment is in, counted since 1970."""
    return int(now.timestamp()) // int(EVERY.total_seconds())


def run(key: str, now: datetime) -> None:
    """Compute the live score and keep it, or why there is none; a job of config/jobs.py."""
    try:
        made = computed(now=now)
    except Unavailable as error:
        made = EsgRun(slot=slot_of(now), ran_at=now, ok=False, reason=error.detail[:200])
    keep(made)
    EsgRun.objects.filter(slot__lt=slot_of(now - KEPT)).delete()


def keep(made: EsgRun) -> None:
    """Store a run, unless its ten minutes have one."""
    EsgRun.objects.bulk_create([made], ignore_conflicts=True)


def current(*, now: datetime) -> EsgRun:
    """Return the last good run, or one that is computed now and not stored yet (`pk` None).

    Raises Unavailable where too little is known for a number.
    """
    slots = (slot_of(now - FRESH), slot_of(now))
    kept = EsgRun.objects.good().filter(slot__range=slots, ran_at__lte=now).order_by("-slot")
    return kept.first() or computed(now=now)


def computed(*, now: datetime) -> EsgRun:
    """Return a run as of a moment; in at most nine queries. Raises Unavailable."""
    found: dict[str, Composed] = {name: compose(row, as_of=now) for name, row in ROWS.items()}
    scores = {name: calm(one.score) for name, one in found.items()}
    detail = {
        "version": VERSION,
        "average": str(average(scores)),
        "as_of": iso(min(one.quality.as_of for one in found.values())),
        "pillars": [_pillar(name, one, scores) for name, one in found.items()],
    }
    quality = worst([one.quality.label for one in found.values()])
    return EsgRun(slot=slot_of(now), ran_at=now, ok=True, quality=quality, detail=detail)


def _pillar(name: str, found: Composed, scores: Mapping[str, Decimal]) -> dict[str, Any]:
    return {
        "pillar": name,
        "score": str(scores[name]),
        "composite": found.name,
        "version": found.version,
        "strain": str(found.score),
        "band": found.band,
        "coverage": str(found.quality.coverage),
        "data_quality": found.quality.label,
        "reasons": list(found.quality.reasons),
        "inputs": [_input(one) for one in found.contributions],
    }


def _input(one: Share) -> dict[str, Any]:
    point = one.point
    return {
        "series": one.series,
        "value": f"{point.value.normalize():f}",
        "unit": point.unit,
        "source": point.source,
        "licence": point.licence,
        "as_of": point.day.isoformat(),
        "weight": str(one.weight),
        "strain": str(one.score),
        "share": str(one.share),
    }


def uptime(*, now: datetime) -> tuple[int, int]:
    """Return how many runs were due and how many came to a score.

    Of thirty days, or since the first run; the running ten minutes count once they have a run.
    """
    last = slot_of(now)
    first = EsgRun.objects.filter(slot__gte=slot_of(now - WINDOW)).order_by("slot").first()
    since = first.slot if first else last
    held = EsgRun.objects.filter(slot__gte=since, slot__lte=last)
    due = last - since + int(held.filter(slot=last).exists())
    return due, held.good().count()
