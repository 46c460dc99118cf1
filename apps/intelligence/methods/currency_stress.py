"""Stress of currencies: how dear the dollar is in five of them, and how far they move."""

from datetime import timedelta
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods.lapsing import held
from apps.intelligence.rules import moves
from apps.intelligence.rules.breadth import breadth, graver
from apps.intelligence.rules.currencies import TRENDS, pressed
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.weighing import last_place
from apps.signals.composites import composite_of

ROW = composite_of("currency-stress")
CODES = ("EUR", "CNY", "JPY", "GBP", "INR", "AUD", "CAD", "CHF", "MXN", "SEK")
SERIES = {code: f"fx.usd.{code}" for code in CODES}
MONTH, YEAR = timedelta(days=30), timedelta(days=365)


def compute(known: Known) -> Made:
    """Return the stress of currencies; raises Unavailable without the euro's rate."""
    made = known.compose(ROW)
    then = known.ageless  # what was under pressure stays so until somebody tells otherwise
    losses = {code: then.change_pct(series, MONTH) for code, series in SERIES.items()}
    pressured = [code for code, loss in losses.items() if pressed(loss)]
    told = [
        _currency(known, code, series) | {"pressured": code in pressured}
        for code, series in SERIES.items()
    ]
    now, last = breadth([one["change_month_pct"] for one in told]), breadth([*losses.values()])
    trend = graver(now, last)
    rests = SERIES.values() if trend != now else [SERIES[code] for code in pressured]
    body: dict[str, Any] = {
        "stress_index": made.score,
        "regime": made.band,
        "dollar_trend": TRENDS[trend],
        "pressured": pressured,
        "currencies": told,
        "components": telling.components(made),
    }
    return Made(body=body, quality=held(known, made.quality, rests, of=len(SERIES)))


def _currency(known: Known, code: str, series: str) -> dict[str, Any]:
    """Return one currency against the dollar; see CurrencyOut, but for `pressured`."""
    point, month = known.point(series), known.change_pct(series, MONTH)
    year = known.change_pct(series, YEAR)
    past = moves.volatilities(known.history(series))
    return {
        "code": code,
        "per_usd": point.value if point else None,
        "change_month_pct": None if month is None else rounded(month, telling.HUNDREDTH),
        "change_year_pct": None if year is None else rounded(year, telling.HUNDREDTH),
        "volatility_pct": rounded(past[-1][1], telling.HUNDREDTH) if past else None,
        "volatility_signal": signal_of(last_place(past)),
        "source": point.source if point else "",
        "as_of": point.at if point else None,
    }
