"""The nine global core tipping elements, carbon dioxide, planetary boundaries. Pure.

Thresholds are those of Armstrong McKay and others 2022 (Science 377, eabn7950), degrees C over 1850
to 1900: the least, the best and the highest estimate. A band is not a probability: none has been
published for these.
"""

from dataclasses import dataclass
from decimal import Decimal

from apps.reference.signals.composites.definitions import Bands

# degrees C, Paris Agreement, article 2
PARIS_GOAL = Decimal("1.5")
ELEMENTS_SOURCE = "Armstrong McKay and others 2022, Science 377, eabn7950"


@dataclass(frozen=True, slots=True)
class TippingElement:
    """A tipping element and the warming at which it may tip."""

    name: str
    least: Decimal
    central: Decimal
    most: Decimal

    def band(self, warming: Decimal) -> str:
        """Return the band of a warming: below, between, or above the best estimate."""
        if warming < self.least:
            return "BELOW_MINIMUM"
        return "MINIMUM_TO_CENTRAL" if warming < self.central else "ABOVE_CENTRAL"


# band -> the word for how near it is
RISKS = {"BELOW_MINIMUM": "LOW", "MINIMUM_TO_CENTRAL": "HIGH", "ABOVE_CENTRAL": "IMMINENT"}
ALERTS = tuple(RISKS.values())


def _build_element(name: str, least: str, central: str, most: str) -> TippingElement:
    return TippingElement(name, Decimal(least), Decimal(central), Decimal(most))


ELEMENTS: tuple[TippingElement, ...] = (
    _build_element("Greenland ice sheet", "0.8", "1.5", "3.0"),
    _build_element("West Antarctic ice sheet", "1.0", "1.5", "3.0"),
    _build_element("Labrador-Irminger Sea convection", "1.1", "1.8", "3.8"),
    _build_element("East Antarctic subglacial basins", "2.0", "3.0", "6.0"),
    _build_element("Amazon rainforest", "2.0", "3.5", "6.0"),
    _build_element("Boreal permafrost (collapse)", "3.0", "4.0", "6.0"),
    _build_element("Atlantic meridional overturning circulation", "1.4", "4.0", "8.0"),
    _build_element("Arctic winter sea ice", "4.5", "6.3", "8.7"),
    _build_element("East Antarctic ice sheet", "5.0", "7.5", "10.0"),
)

# ppm below -> word: the boundary, and where its zone of high risk begins (Richardson 2023)
CO2: Bands = ((350, "SAFE"), (450, "INCREASING_RISK"), (10000, "HIGH_RISK"))

# Planetary Health Check 2025: process -> whether its boundary is crossed
BOUNDARIES: tuple[tuple[str, bool], ...] = (
    ("Climate change", True),
    ("Biosphere integrity", True),
    ("Land-system change", True),
    ("Freshwater change", True),
    ("Biogeochemical flows", True),
    ("Novel entities", True),
    ("Ocean acidification", True),
    ("Stratospheric ozone depletion", False),
    ("Atmospheric aerosol loading", False),
)
BOUNDARIES_SOURCE = "Richardson and others 2023; Planetary Health Check 2025"


def highest_alert(risks: list[str]) -> str:
    """Return the most severe of words for how near elements are."""
    return max(risks, key=ALERTS.index)
