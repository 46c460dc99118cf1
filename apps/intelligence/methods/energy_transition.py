"""How fast the world's electricity leaves fossil sources (3 §2.7)."""

from decimal import Decimal
from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import averages
from apps.intelligence.rules import transition
from apps.signals.quality import Unavailable

SHARE, FOSSIL = "energy.renewables", "energy.fossil"
CARBON = {"us": "energy.carbon.us", "eu": "energy.carbon.eu", "global_": "energy.carbon"}
# series -> its part in the coverage
WEIGHTS: dict[str, Decimal] = {
    SHARE: Decimal("0.4"),
    FOSSIL: Decimal("0.2"),
    **dict.fromkeys(CARBON.values(), Decimal("0.1")),
    "energy.renewables.us": Decimal("0.05"),
    "energy.renewables.eu": Decimal("0.05"),
}
YEARS = 10  # over which a trend is measured
HUNDREDTH = Decimal("0.01")


def compute(known: Known) -> Made:
    """Return the state of the transition; raises Unavailable without the renewable share."""
    quality = known.judge(
        [known.input(name, weight, required=name == SHARE) for name, weight in WEIGHTS.items()]
    )
    point = known.point(SHARE)
    if point is None:
        raise Unavailable(f"There is no {SHARE} in age: there is no number without it.")
    rise = averages.slope(averages.by_year(known.history(SHARE)), YEARS)
    fossil = averages.slope(averages.by_year(known.history(FOSSIL)), YEARS)
    pace = transition.pace_of(point.value, rise, point.day.year)
    unit = telling.absent(CARBON["global_"])["unit"]
    body: dict[str, Any] = {
        "renewable_share_pct": rounded(point.value, HUNDREDTH),
        "renewable_trend": transition.trend_of(rise),
        "renewable_trend_pp_per_year": _shown(rise),
        "fossil_demand_curve": transition.fossil_of(fossil),
        "fossil_trend_pp_per_year": _shown(fossil),
        "pace_of_goal": pace,
        "signal": transition.signal_of(pace),
        "grid_carbon_intensity": {name: known.value(one) for name, one in CARBON.items()}
        | {"unit": unit},
        "components": [_component(known, name) for name in WEIGHTS],
    }
    return Made(body=body, quality=quality)


def _shown(value: Decimal | None) -> Decimal | None:
    return None if value is None else rounded(value, HUNDREDTH)


def _component(known: Known, name: str) -> dict[str, Any]:
    """Return an input; its signal is whether it moves as the transition needs."""
    point = known.point(name)
    if point is None:
        return telling.absent(name)
    change = averages.slope(averages.by_year(known.history(name)), YEARS)
    good = -1 if name == FOSSIL or name in CARBON.values() else 1
    if change is None:
        return telling.seen(point)
    return telling.seen(point, signal="NORMAL" if change * good > 0 else "HIGH")
