"""What came of predictions moves later ones: once a month, of the outcomes that are known then."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.intelligence.known import rounded
from apps.intelligence.models import Recalibration, RegimePrediction
from apps.intelligence.regimes import recalibrated, standing
from apps.intelligence.rules.recalibration import LEAST, Case, Moved, moved
from apps.intelligence.rules.regimes import HORIZONS, REGIMES, VERSION
from apps.intelligence.telling import HUNDREDTH

AT_ONCE = 500


def issue(*, now: datetime) -> Recalibration | None:
    """Write the recalibration of a month; None where there is one, or too few cases for any.

    Outcomes count that were on record at `now`, of predictions of the method as it is: what holds
    for another chain says nothing of this one.
    """
    month = now.date().replace(day=1)
    known = recalibrated.editions(now)
    if known and known[-1].month >= month:
        return None
    cases = _cases(now)
    found = {days: moved(cases[days], days) for days in HORIZONS}
    if all(one.apart < LEAST for one in found.values()):
        return None
    made: Recalibration = Recalibration.write(
        payload={"horizons": {str(days): _kept(one) for days, one in found.items()}},
        now=now,
        number=len(known) + 1,
        month=month,
        version=VERSION,
    )
    return made


def _cases(now: datetime) -> Mapping[int, list[Case]]:
    """Return the predictions of which it was known by a moment what came, by their horizons."""
    came = {one.of: REGIMES.index(one.regime) for one in standing.came(now) if one.regime}
    made = RegimePrediction.objects.filter(version=VERSION, recorded_at__lte=now)
    found: dict[int, list[Case]] = {days: [] for days in HORIZONS}
    for some in chunks(sorted(came), AT_ONCE):
        for one in proven(made.filter(pk__in=some).order_by("pk")):
            if one.data:
                found[one.horizon].append(_case(one, came[one.pk]))
    return found


def _case(one: RegimePrediction, came: int) -> Case:
    """Return a case: what the chain said itself, before it was moved."""
    told = one.data
    own = told.get("chain") or told["chances"]
    chances, usual = (
        tuple(float(of[name]) for name in REGIMES) for of in (own, told["climatology"])
    )
    return Case(one.due, chances, usual, came)


def _kept(one: Moved) -> dict[str, Any]:
    return {
        "weight": str(one.weight),
        "cases": one.cases,
        "days": one.days,
        "apart": one.apart,
        "before": str(rounded(one.before, HUNDREDTH)),
        "after": str(rounded(one.after, HUNDREDTH)),
    }
