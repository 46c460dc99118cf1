"""Ten farming zones, and what a shift of their rain is called. Pure.

A zone is the country whose rain is measured: finer zones would need weather models that may not be
used commercially. Each weighs the same, since no weight would be right for all of its crops.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.reference.signals.composites.definitions import Bands

# document 3 section 2.7
EARLY, LATE = (1972, 1973, 1974), (2021, 2022, 2023)
# normals of thirty years (WMO-No. 1203)
BEFORE, AFTER = (1961, 1990), (1991, 2020)
# standard errors from zero beyond which a shift is significant (95 %)
CHANCE_ERRORS = Decimal("1.96")
FIRST_YEAR = 1961


@dataclass(frozen=True, slots=True)
class Zone:
    """A farming zone; `hungry` where most who farm eat what they grow (FAO, family farming)."""

    name: str
    series: str
    commodities: tuple[str, ...]
    hungry: bool = False


ZONES: tuple[Zone, ...] = (
    Zone("US grain belt (United States)", "rain.usa", ("corn", "soybeans", "wheat", "cotton")),
    Zone("Cerrado and coffee belt (Brazil)", "rain.bra", ("soybeans", "coffee", "sugar", "corn")),
    Zone("Pampas (Argentina)", "rain.arg", ("soybeans", "corn", "wheat")),
    Zone("Black earth (Ukraine)", "rain.ukr", ("wheat", "corn")),
    Zone("Indo-Gangetic plain (India)", "rain.ind", ("wheat", "sugar", "cotton"), hungry=True),
    Zone("North China plain (China)", "rain.chn", ("wheat", "corn", "cotton")),
    Zone("Wheat belt (Australia)", "rain.aus", ("wheat", "cotton", "sugar")),
    Zone("Cocoa belt (Côte d'Ivoire)", "rain.civ", ("cocoa", "coffee"), hungry=True),
    Zone("Highlands (Ethiopia)", "rain.eth", ("coffee", "corn", "wheat"), hungry=True),
    Zone("Archipelago (Indonesia)", "rain.idn", ("coffee", "cocoa"), hungry=True),
)

# a shift below so many per cent -> its word; a tenth is about one standard error of three years
CLASSES: Bands = (
    (-20, "SEVERE_DRYING"), (-10, "DRYING"), (10, "STABLE"), (20, "WETTING"),
    (1000, "STRONG_WETTING"),
)  # fmt: skip
UNKNOWN = "UNKNOWN"
AT_RISK = ("SEVERE_DRYING", "DRYING")
RISKS: Bands = ((25, "LOW"), (50, "MODERATE"), (75, "HIGH"), (100, "SEVERE"))
# zones at risk, fewer than -> pressure on prices of food; only zones whose farmers eat their own
# harvest -> pressure to leave
FOOD: Bands = ((1, "NONE"), (3, "LOW"), (5, "MODERATE"), (10, "HIGH"))
LEAVING: Bands = ((1, "NONE"), (2, "LOW"), (3, "MODERATE"), (4, "HIGH"))
# zones at risk, from -> what may follow
CASCADES: tuple[tuple[int, str], ...] = ((2, "REGIONAL_SHORTFALL"), (4, "FOOD_SUPPLY_CRISIS"))
# zones at risk that grow a crop, from which it is critical
CRITICAL_ZONES = 2


def list_critical_crops(at_risk: Sequence[Zone]) -> list[str]:
    """Return the crops that several zones at risk grow, in alphabetical order."""
    grown = [crop for zone in at_risk for crop in zone.commodities]
    return sorted({crop for crop in grown if grown.count(crop) >= CRITICAL_ZONES})


def list_possible_cascades(at_risk: Sequence[Zone]) -> list[str]:
    """Return what so many zones at risk may lead to."""
    return [word for least, word in CASCADES if len(at_risk) >= least]
