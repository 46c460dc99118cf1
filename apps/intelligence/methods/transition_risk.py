"""What regime holds and what comes in 30, 60 and 90 days (document 3 section 2.6)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods.lapsing import held
from apps.intelligence.regimes import chain, leads, memory, recalibrated
from apps.intelligence.regimes.memory import Alike
from apps.intelligence.regimes.past import Month, ages_of, months, number_of
from apps.intelligence.regimes.recalibrated import Edition
from apps.intelligence.rules.recalibration import mixed
from apps.intelligence.rules.regimes import HORIZONS, REGIMES, TREND, VERSION, class_of, trend_of
from apps.signals.composing import Composed, split
from apps.signals.composites import composite_of
from apps.signals.quality import Unavailable

ROW = composite_of("regime")
READ = tuple(dict.fromkeys((*(part.series for part in ROW.parts), *leads.READ)))
FINE = Decimal("0.0001")
LEAST = 60  # months of the past without which nothing is foretold


def compute(known: Known) -> Made:
    """Return the outlook; raises Unavailable where too little is known of now or of the past."""
    made = known.compose(ROW)
    past = months(ROW, known.past, until=known.as_of.date(), ages=ages_of(known.points))
    if len(past) < LEAST:
        raise Unavailable("Too few months of the past are known to tell what comes.")
    then = known.ageless  # what comes is foretold of all as last known, as calm as it may be else
    now = _now(then, then.compose(ROW))
    usual = _exact(chain.climatology(past))
    own = {days: _exact(chain.chances(past, now, days)) for days in HORIZONS}
    edition = known.beside.get("recalibration")
    told = {days: _moved(own[days], usual, edition, days) for days in HORIZONS}
    alike = memory.similar(past, now)
    body: dict[str, Any] = {
        "current_score": made.score,
        "current_regime": made.band,
        "transition_signal": trend_of([float(one) for one in told[TREND]], class_of(now.score)),
        "horizons": {f"h{days}": _horizon(chances) for days, chances in told.items()},
        "scenario_memory": {
            "similar_scenarios": [_scenario(one, now) for one in alike],
            "pattern_note": memory.note(alike),
        },
        "components": telling.components(made),
        "leads": [_lead(one, now) for one in leads.LEADS],
        "months_learnt": len(past),
        "recalibration": recalibrated.told(edition),
    }
    apart = {
        "version": VERSION,
        "predictions": [_kept(days, told[days], own[days], usual, made) for days in HORIZONS],
    }
    quality = held(known, made.quality, READ, of=len(READ))
    return Made(body=body, quality=quality, apart=apart)


def _now(known: Known, made: Composed) -> Month:
    day = known.as_of.date()
    return Month(
        day=day,
        number=number_of(day),
        score=float(made.score),
        places={one.series: float(one.score) for one in made.contributions},
        leads=leads.now({name: known.history(name) for name in leads.READ}),
    )


def _exact(chances: Sequence[float]) -> list[Decimal]:
    """Return chances in steps of 0.0001 that sum to 1."""
    told = [rounded(one, Decimal("1E-12")) for one in chances]
    return split(told, held=sum(told, Decimal(0)))


def _moved(
    own: Sequence[Decimal], usual: Sequence[Decimal], edition: Edition | None, days: int
) -> Sequence[Decimal]:
    """Return the chances of a horizon as the recalibration that holds moves them."""
    weight = recalibrated.weight(edition, days)
    return split(mixed(own, usual, weight), held=Decimal(1)) if weight else own


def _horizon(chances: Sequence[Decimal]) -> dict[str, Any]:
    most = max(chances)
    return {
        "most_likely": REGIMES[list(chances).index(most)],
        "confidence": most,
        "probabilities": dict(zip(REGIMES, chances, strict=True)),
    }


def _scenario(one: Alike, now: Month) -> dict[str, Any]:
    return {
        "date": one.month.day.isoformat(),
        "similarity": rounded(one.similarity, FINE),
        "regime": REGIMES[class_of(one.month.score)],
        "days_ago": (now.day - one.month.day).days,
        "regime_after": REGIMES[class_of(one.after.score)] if one.after else None,
    }


def _lead(lead: leads.Lead, now: Month) -> dict[str, Any]:
    value = now.leads.get(lead.name)
    return {
        "name": lead.name,
        "title": lead.title,
        "value": None if value is None else rounded(value, FINE),
        "weights": {f"h{days}": rounded(lead.weight(days), FINE) for days in HORIZONS},
    }


def _kept(
    days: int,
    chances: Sequence[Decimal],
    own: Sequence[Decimal],
    usual: Sequence[Decimal],
    made: Composed,
) -> dict[str, Any]:
    """Return a prediction as it is kept: horizon, regime, payload (see RegimePrediction)."""
    told = _horizon(chances)
    return {
        "horizon": days,
        "regime": told["most_likely"],
        "payload": {
            "score": str(made.score),
            "current": made.band,
            "probability": str(told["confidence"]),
            "chances": {name: str(one) for name, one in told["probabilities"].items()},
            "chain": {name: str(one) for name, one in zip(REGIMES, own, strict=True)},
            "climatology": {name: str(one) for name, one in zip(REGIMES, usual, strict=True)},
        },
    }
