"""Eight regions of the United States, and signals of their heat and drought. Pure.

Drought is that of the drought monitor's region, heat the mean of the climate regions of NOAA that
cover it best; the borders of the two differ by a state or so.
"""

from dataclasses import dataclass
from decimal import Decimal

from apps.reference.signals.composites.definitions import Bands


@dataclass(frozen=True, slots=True)
class Region:
    """A region: the series of its heat and of its drought, and what it grows."""

    name: str
    heat: tuple[str, ...]
    drought: str
    commodities: tuple[str, ...]


REGIONS: tuple[Region, ...] = (
    Region("Northeast", ("heat.us.northeast",), "drought.northeast", ("dairy", "corn")),
    Region("Southeast", ("heat.us.southeast",), "drought.southeast", ("cotton", "timber")),
    Region(
        "Midwest",
        ("heat.us.upper_midwest", "heat.us.ohio_valley"),
        "drought.midwest",
        ("corn", "soybeans"),
    ),
    Region("Northern Plains", ("heat.us.plains",), "drought.plains", ("wheat", "cattle")),
    Region("South", ("heat.us.south",), "drought.south", ("cotton", "wheat", "cattle")),
    Region("Southwest", ("heat.us.southwest",), "drought.southwest", ("cattle", "cotton")),
    Region("Northwest", ("heat.us.northwest",), "drought.northwest", ("wheat", "timber")),
    Region("California", ("heat.us.west",), "drought.california", ("fruit", "nuts", "dairy")),
)

# the normal period that a month is compared with (WMO-No. 1203)
NORMAL_YEARS = (1991, 2020)
# fewest of these years for a normal
FEWEST_NORMAL_YEARS = 20
CELSIUS_PER_FAHRENHEIT = Decimal(5) / Decimal(9)
# the index where all land is in severe drought, D2 (droughtmonitor.unl.edu)
SEVERE = Decimal(300)
STRONG = ("HIGH", "EXTREME")
# index of severity and coverage below -> word: the mean class of the land is none, D0, D1, more
DROUGHTS: Bands = ((100, "NORMAL"), (200, "ELEVATED"), (300, "HIGH"), (500, "EXTREME"))
CALM = "NORMAL"
ORDER = ("UNKNOWN", CALM, "ELEVATED", "HIGH", "EXTREME")
# regions under strong heat or drought, fewer than -> what supply of their crops signals
SUPPLY: Bands = ((1, "CALM"), (3, "WATCH"), (8, "SUPPLY_AT_RISK"))
# regions whose month is at 24 degrees C or warmer, fewer than -> loss of work
WORK: Bands = ((1, "NONE"), (3, "LOCAL"), (8, "BROAD"))
# degrees F, 24 C: from there work slows (ILO 2019, a warmer planet)
TIRING_FAHRENHEIT = Decimal("75.2")


def heat_strain_of_place(place: Decimal) -> Decimal:
    """Return the strain of a month of heat: nothing up to the median of its normal, 100 above all.

    `place` is its place among the same months, 0 to 100.
    """
    return max(Decimal(0), 2 * (place - 50))


def more_severe_word(first: str, other: str) -> str:
    """Return the more severe of two words."""
    return max(first, other, key=ORDER.index)
