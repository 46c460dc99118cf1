"""What was foretold, what came, and how good that was (document 3 section 2.6)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.regimes import recalibrated
from apps.intelligence.rules import scoring
from apps.intelligence.rules.regimes import HORIZONS
from apps.intelligence.rules.subjects import SUBJECTS
from apps.signals.composites import Composite
from apps.signals.quality import TOLERATED, Label, Quality

FINE = Decimal("0.0001")
MILLION = 1_000_000
BRIER, RPS, CLIMATOLOGY, PERSISTENCE = 2, 3, 4, 5  # places in a row of days
BASE_RATES = 3  # the same, of calls
OVERLAP = 7  # days that calls of one week have in common


def compute(known: Known) -> Made:
    """Return the state of all predictions; with none there is nothing to score, and it says so."""
    told = known.beside
    horizons = {f"h{days}": _horizon(told, days) for days in HORIZONS}
    total = sum(one["predictions"] for one in horizons.values())
    resolved = sum(one["resolved"] for one in horizons.values())
    summary = {
        "total_predictions": total,
        "resolved": resolved,
        "pending": total - resolved,
        "by_horizon": horizons,
    }
    made, rough = total + told["calls"]["made"], told["rough"] + told["calls"]["rough"]
    quality = Quality(
        label=_label(made, rough),
        coverage=Decimal(1 if resolved else 0),
        as_of=told["last"] or known.as_of,
        reasons=(*(("estimated_inputs",) if rough else ()), *(() if resolved else ("unresolved",))),
        missing=(),
    )
    body = {
        "summary": summary,
        "recalibration": recalibrated.told(told["recalibration"]),
        "calls": [_calls(told["calls"], row) for row in SUBJECTS],
    }
    return Made(body=body, quality=quality)


def _label(made: int, rough: int) -> Label:
    """Return how good the ledger is: while nothing was foretold, there is nothing that is live."""
    if rough > TOLERATED * made:
        return "ESTIMATED"
    return "LIVE" if made and not rough else "PARTIAL"


def _horizon(told: Mapping[str, Any], days: int) -> dict[str, Any]:
    came = told["outcomes"].get(days, {"n": 0, "unknown": 0, "hits": 0})
    scored = came["n"] - came["unknown"]
    rows = told["days"].get(days, [])
    return {
        "predictions": told["predictions"].get(days, 0),
        "resolved": came["n"],
        "unknown": came["unknown"],
        "scored": scored,
        "regime_accuracy": _over(came["hits"], scored),
        "brier": _mean(rows, BRIER),
        "rps": _mean(rows, RPS),
        "against_climatology": _against(rows, CLIMATOLOGY, days),
        "against_persistence": _against(rows, PERSISTENCE, days),
        "reliability": [
            _bin(one)
            for one in scoring.reliability(
                (sure / 100, count, right) for sure, count, right in told["sure"].get(days, [])
            )
        ],
    }


def _calls(told: Mapping[str, Any], row: Composite) -> dict[str, Any]:
    """Return what came of the calls on one subject; see CallRecordOut."""
    nothing = {"resolved": 0, "unknown": 0, "uncalled": 0, "hits": 0}
    came = told["subjects"].get(row.name, nothing)
    rows = told["days"].get(row.name, [])
    scored = came["resolved"] - came["unknown"] - came["uncalled"]
    return {
        "subject": row.name,
        "title": row.title,
        "calls": told["made"],
        "resolved": came["resolved"],
        "unknown": came["unknown"],
        "uncalled": came["uncalled"],
        "scored": scored,
        "accuracy": _over(came["hits"], scored),
        "brier": _mean(rows, BRIER),
        "against_base_rates": _against(rows, BASE_RATES, OVERLAP),
    }


def _against(rows: Sequence[tuple[Any, ...]], place: int, days: int) -> dict[str, Any]:
    """Return the skill against a reference. Days are drawn in blocks of so many."""
    own, other = [float(row[BRIER]) for row in rows], [float(row[place]) for row in rows]
    within = scoring.interval(own, other, block=days)
    found = scoring.skill(own, other)
    return {
        "n": sum(row[1] for row in rows),
        "days": len(rows),
        "brier": _mean(rows, place),
        "skill": _told(found),
        "low": _told(within[0] if within else None),
        "high": _told(within[1] if within else None),
    }


def _mean(rows: Sequence[tuple[Any, ...]], place: int) -> Decimal | None:
    return _over(sum(row[place] for row in rows), MILLION * sum(row[1] for row in rows))


def _over(part: int, whole: int) -> Decimal | None:
    return rounded(Decimal(part) / whole, FINE) if whole else None


def _told(value: float | None) -> Decimal | None:
    return None if value is None else rounded(value, FINE)


def _bin(one: scoring.Bin) -> dict[str, Any]:
    return {
        "low": rounded(one.low),
        "high": rounded(one.high),
        "n": one.count,
        "said": rounded(one.said, FINE),
        "came": rounded(one.came, FINE),
    }
