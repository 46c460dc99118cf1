"""Predictions are written here, with the answer that they stand in, and what came of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.core.shapes import iso
from apps.intelligence.known import Made
from apps.intelligence.models import RegimeOutcome, RegimePrediction
from apps.intelligence.regimes import standing
from apps.intelligence.rules.regimes import REGIMES, VERSION, class_of
from apps.intelligence.rules.scoring import brier, rps
from apps.signals.composing import Composed, compose
from apps.signals.composites import composite_of
from apps.signals.quality import Unavailable

ROW = composite_of("regime")
MILLION = 1_000_000
AT_ONCE = 500
DAY = timedelta(days=1)


def keep(slot: int, made: Made, now: datetime) -> None:
    """Write one prediction for each horizon, in the transaction of its answer."""
    RegimePrediction.write_each(
        now=now,
        rows=[
            (
                one["payload"],
                {
                    "slot": slot,
                    "version": made.apart["version"],
                    "horizon": one["horizon"],
                    "due": now.date() + timedelta(days=one["horizon"]),
                    "regime": one["regime"],
                    "quality": made.quality.label,
                },
            )
            for one in made.apart["predictions"]
        ],
    )


def free(slot: int) -> bool:
    """Tell whether nothing was foretold in a slot yet."""
    return not RegimePrediction.objects.filter(slot=slot, version=VERSION).exists()


def resolve(*, now: datetime) -> int:
    """Write what came of the predictions whose day is over; returns how many.

    Each day is looked at as it was known at its end, however late this runs. A record that does
    not prove itself is left alone, and those behind it are not: nothing is scored that may have
    been altered. An outcome that does not is none.
    """
    over = RegimePrediction.objects.filter(due__lt=now.date())
    known = {one.of for one in standing.came(now)}
    waiting = [pk for pk in over.order_by("pk").values_list("pk", flat=True) if pk not in known]
    days: dict[date, Came | None] = {}
    done = 0
    for some in chunks(waiting, AT_ONCE):
        for one in proven(over.filter(pk__in=some).order_by("pk")):
            if one.due not in days:
                days[one.due] = came_on(one.due)
            done += _written(one, days[one.due], now)
    return done


@dataclass(frozen=True, slots=True)
class Came:
    """The composite as it was known at the end of a day."""

    composed: Composed

    @property
    def at(self) -> int:
        """The place of its regime among REGIMES."""
        return class_of(float(self.composed.score))


def came_on(day: date) -> Came | None:
    """Return what was known at the end of a day; None where too little was."""
    try:
        return Came(compose(ROW, as_of=datetime.combine(day + DAY, time(), UTC)))
    except Unavailable:
        return None


def _written(one: RegimePrediction, came: Came | None, now: datetime) -> bool:
    """Keep what came of a prediction; False where another run was quicker."""
    scores = _scores(one, came.at) if came and one.data else {}
    with transaction.atomic():
        RegimePrediction.objects.select_for_update().get(pk=one.pk)
        if proven(one.outcomes.all()):
            return False
        RegimeOutcome.write(
            payload=_payload(came.composed) if came else {},
            now=now,
            prediction_id=one.pk,
            horizon=one.horizon,
            due=one.due,
            **scores,
        )
    return True


def _scores(one: RegimePrediction, came: int) -> dict[str, Any]:
    told = one.data
    chances, usual = _chances(told["chances"]), _chances(told["climatology"])
    stays = [float(name == told["current"]) for name in REGIMES]
    return {
        "regime": REGIMES[came],
        "right": one.regime == REGIMES[came],
        "sure": round(100 * float(told["probability"])),
        "brier": round(MILLION * brier(chances, came)),
        "rps": round(MILLION * rps(chances, came)),
        "brier_climatology": round(MILLION * brier(usual, came)),
        "brier_persistence": round(MILLION * brier(stays, came)),
    }


def _chances(told: Mapping[str, str]) -> list[float]:
    return [float(told[name]) for name in REGIMES]


def _payload(made: Composed) -> dict[str, Any]:
    points = [one.point for one in made.contributions]
    return {
        "score": str(made.score),
        "coverage": str(made.quality.coverage),
        "quality": made.quality.label,
        "inputs": {one.series: [one.day.isoformat(), iso(one.vintage)] for one in points},
    }
