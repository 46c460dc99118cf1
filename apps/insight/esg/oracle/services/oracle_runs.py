"""Compute the live score every ten minutes in a job; requests read the last run."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from apps.insight.esg.models.oracle_runs import FINEST, EsgRun
from apps.insight.esg.oracle.composites import PILLAR_COMPOSITES
from apps.insight.esg.oracle.rules.live_score import (
    VERSION,
    average_score,
    effective_weight,
    score_of_strain,
    split_contributions,
    worst_label,
)
from apps.insight.stability.oracle.rules.uptime import (
    WINDOW,
    measure_uptime,
    slot_of_moment,
)
from apps.platform.common.clock import format_utc
from apps.reference.signals.composition import ComposedScore, Contribution, compute_composite
from apps.reference.signals.quality import TooFewInputs


def run_live_score(key: str, now: datetime) -> None:
    """Run the oracle for this slot; a second run of a slot does nothing. A job."""
    record_run(now=now)


def record_run(*, now: datetime) -> EsgRun | None:
    """Store the run of this slot and return it; None where the slot has one already.

    A run without a score is stored as such, with the reason.
    """
    slot = slot_of_moment(now)
    # spares the computation when a job is repeated; the unique slot decides a race
    if EsgRun.objects.filter(slot=slot).exists():
        return None
    try:
        live_score = compute_live_score(as_of=now)
    except TooFewInputs as error:
        return store_run(payload={"fault": error.detail}, points=None, quality="", now=now)
    points = Decimal(live_score["average"])
    return store_run(payload=live_score, points=points, quality=live_score["data_quality"], now=now)


def store_run(
    *, payload: dict[str, Any], points: Decimal | None, quality: str, now: datetime
) -> EsgRun | None:
    """Store the result of a run, unless its slot has one already."""
    slot = slot_of_moment(now)
    scored = points is not None
    # before thirty days have passed since the first run, only the slots since then were due
    first = EsgRun.objects.order_by("slot").values_list("slot", flat=True).first()
    window = EsgRun.objects.filter(average__isnull=False, slot__gt=slot - WINDOW, slot__lt=slot)
    up = measure_uptime(
        first=slot if first is None else first, slot=slot, good=window.count() + scored
    )
    columns = {
        "slot": up.slot,
        "average": None if points is None else int(points * FINEST),
        "quality": quality,
        "due": up.due,
        "good": up.good,
        "method": VERSION,
    }
    try:
        # a savepoint, without which PostgreSQL would refuse the rest of an outer transaction
        with transaction.atomic():
            run: EsgRun = EsgRun.write(payload=payload, now=now, **columns)
    # another worker stored the run of this slot first
    except IntegrityError:
        return None
    return run


def compute_live_score(*, as_of: datetime) -> dict[str, Any]:
    """Return the payload of a run, in at most nine queries. Raises TooFewInputs."""
    composed_scores: dict[str, ComposedScore] = {
        name: compute_composite(row, as_of=as_of) for name, row in PILLAR_COMPOSITES.items()
    }
    scores = {name: score_of_strain(score.score) for name, score in composed_scores.items()}
    parts = split_contributions(scores)
    return {
        "average": str(average_score(scores)),
        "data_quality": worst_label([score.quality.label for score in composed_scores.values()]),
        # a score is as old as its oldest composite
        "as_of": format_utc(min(score.quality.as_of for score in composed_scores.values())),
        "pillars": [
            _serialize_pillar(name, score, scores, parts) for name, score in composed_scores.items()
        ],
    }


def _serialize_pillar(
    name: str,
    composed_score: ComposedScore,
    scores: Mapping[str, Decimal],
    parts: Mapping[str, Decimal],
) -> dict[str, Any]:
    held_weight = sum(
        (contribution.weight for contribution in composed_score.contributions), Decimal(0)
    )
    return {
        "pillar": name,
        "score": str(scores[name]),
        "contribution": str(parts[name]),
        "composite": composed_score.name,
        "version": composed_score.version,
        "strain": str(composed_score.score),
        "band": composed_score.band,
        "coverage": str(composed_score.quality.coverage),
        "data_quality": composed_score.quality.label,
        "reasons": list(composed_score.quality.reasons),
        "inputs": [
            _serialize_input(contribution, held_weight=held_weight)
            for contribution in composed_score.contributions
        ],
    }


def _serialize_input(contribution: Contribution, *, held_weight: Decimal) -> dict[str, Any]:
    point = contribution.point
    return {
        "series": contribution.series,
        "value": f"{point.value.normalize():f}",
        "unit": point.unit,
        "source": point.source,
        "licence": point.licence,
        "as_of": point.day.isoformat(),
        "nominal_weight": str(contribution.weight),
        "weight": str(effective_weight(contribution.weight, held=held_weight)),
        "strain": str(contribution.score),
        "share": str(contribution.share),
    }
