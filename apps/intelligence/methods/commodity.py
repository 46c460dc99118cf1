"""Stress of raw materials: six prices, each with what its neighbour says of it (3 §2.7)."""

from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import inflation
from apps.intelligence.methods.lapsing import held
from apps.intelligence.rules import leads
from apps.intelligence.rules.breadth import breadth, graver
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.telling import HUNDREDTH
from apps.signals.composing import Composed
from apps.signals.composites import composite_of
from apps.signals.deriving import yearly_change

ROW = composite_of("commodity-stress")
# name in the answer -> its series; the field that only it has, and of which other series that is
PRICES: dict[str, tuple[str, str, str]] = {
    "oil": ("oil.wti.month", "brent_premium", "oil.brent.month"),
    "natural_gas": ("gas.us.month", "europe_premium", "gas.europe"),
    "gold": ("gold", "silver_ratio", "silver"),
    "wheat": ("wheat", "corn_ratio", "corn"),
    "corn": ("corn", "soybean_ratio", "soybeans"),
    "copper": ("copper", "gold_ratio", "gold"),
}
SERIES = tuple(series for series, _, _ in PRICES.values())
SHOWN = (*dict.fromkeys(other for _, _, other in PRICES.values()), inflation.PRICES)
MONTH, YEAR = 1, 12


def compute(known: Known) -> Made:
    """Return the stress of raw materials; raises Unavailable without oil."""
    made = known.compose(ROW)
    prices = {name: _price(known, made, *told) for name, told in PRICES.items()}
    yearly = [one["change_year_pct"] for one in prices.values()]
    lead = inflation.lead_of(known, _mean_change(known))
    last = [_change(known.ageless, series, YEAR) for series in SERIES]
    cross = graver(breadth(yearly), breadth(last))
    rests = SERIES if cross != breadth(yearly) else ()
    body: dict[str, Any] = {
        "stress_index": made.score,
        "regime": made.band,
        "commodities": prices,
        "cross_commodity_signal": cross,
        "inflation_lead_signal": lead["signal"],
        "inflation_lead": lead,
        "contributions": telling.components(made),
        "narrative": _narrative(made, yearly, lead),
    }
    return Made(body=body, quality=held(known, made.quality, rests, of=len(SERIES)))


def _price(known: Known, made: Composed, series: str, field: str, other: str) -> dict[str, Any]:
    """Return one price; see the shapes of CommoditiesOut."""
    place = next((one.score for one in made.contributions if one.series == series), None)
    point = known.point(series)
    seen = telling.seen(point, score=place) if point else telling.absent(series)
    return seen | {
        "change_month_pct": _change(known, series, MONTH),
        "change_year_pct": _change(known, series, YEAR),
        "signal": signal_of(place),
        field: _beside(known, series, other, ratio=field.endswith("ratio")),
    }


def _change(known: Known, series: str, months: int) -> Decimal | None:
    """Return the change in per cent over so many months; None where that month has no value."""
    levels = leads.periods(known.history(series), leads.month_of)
    if not levels:
        return None
    newest = max(levels)
    base = levels.get(newest - months)
    return rounded(100 * (levels[newest] / base - 1)) if base else None


def _beside(known: Known, series: str, other: str, *, ratio: bool) -> Decimal | None:
    """Return a price over another, or what the other costs more."""
    mine, theirs = known.value(series), known.value(other)
    if mine is None or theirs is None or not theirs:
        return None
    return rounded(mine / theirs if ratio else theirs - mine, HUNDREDTH)


def _mean_change(known: Known) -> dict[int, float]:
    """Return by month the mean of the yearly changes of all six, where all are known."""
    found = [
        leads.periods(sorted(yearly_change([dict(known.history(series))]).items()), leads.month_of)
        for series, _, _ in PRICES.values()
    ]
    months = set.intersection(*map(set, found))
    return {month: sum(one[month] for one in found) / len(found) for month in sorted(months)}


def _narrative(made: Composed, yearly: list[Decimal | None], lead: dict[str, Any]) -> str:
    risen = sum(one is not None and one > 0 for one in yearly)
    told = (
        f"The stress of raw materials is {made.score:.1f} of 100 ({made.band}); {risen} of "
        f"{len(yearly)} cost more than a year before."
    )
    if lead["lead_months"] is None:
        return f"{told} What they have told of inflation does not stand out from chance."
    months = "a month" if lead["lead_months"] == 1 else f"{lead['lead_months']} months"
    return (
        f"{told} Inflation has followed their yearly changes after {months} (correlation "
        f"{lead['correlation']}, {lead['pairs']} pairs)."
    )
