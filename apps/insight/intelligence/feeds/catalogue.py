"""The eleven feeds: one row each, with the source of its number.

A feed uses the first of its `sources` that the platform has: the product with the full answer if
the catalogue has one, else a substitute. A new product in the catalogue is therefore bound only
here, by its name and the path of its headline.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.insight.intelligence.rules import feed_bands
from apps.insight.intelligence.rules.feed_bands import Bands
from apps.reference.signals.composites import Composite, Part, find_composite


@dataclass(frozen=True, slots=True)
class ProductSource:
    """The headline of a product of the catalogue; `path` is in the names of its shape."""

    product: str
    path: str


@dataclass(frozen=True, slots=True)
class CompositeSource:
    """The score of a composite; 100 less that score if `mirrored`."""

    row: Composite
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class SeriesSource:
    """The newest value of a series; its signal is by the percentile of `placed`, if given."""

    name: str
    placed: str = ""
    direction: int = 1


@dataclass(frozen=True, slots=True)
class StabilitySource:
    """The score of the last run of the stability oracle."""


FeedSource = ProductSource | CompositeSource | SeriesSource | StabilitySource


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """One feed; `bands` give its signal, and `version` changes with all that changes its number."""

    slug: str
    unit: str
    about: str
    sources: tuple[FeedSource, ...]
    bands: Bands
    version: str = "2"

    @property
    def name(self) -> str:
        """The product name under which its numbers are stored."""
        return f"feed:{self.slug}"


# document 3 section 2.7: 40 % debt to GDP, 30 % trend of the deficit, 30 % expected inflation
FISCAL_DOMINANCE = Composite(
    name="fiscal-dominance",
    title="Fiscal dominance in the United States",
    start=date(2003, 1, 1),
    parts=(
        Part(series="debt.us", weight=Decimal("0.4"), required=True),
        Part(series="balance.us", weight=Decimal("0.3"), direction=-1),
        Part(series="us.breakeven.10y", weight=Decimal("0.3")),
    ),
    bands=((20, "LOW"), (45, "MODERATE"), (70, "ELEVATED"), (100, "ACUTE")),
)

FEEDS: tuple[Feed, ...] = (
    Feed(
        slug="macro-stress-index",
        unit="score",
        about="Financial market stress: 0 is calm, 100 the most strained since 2000.",
        sources=(ProductSource("macro-stress", "stress_index"),),
        bands=feed_bands.MARKETS,
    ),
    Feed(
        slug="systemic-risk",
        unit="score",
        about="Stress of the seven layers that shocks run through: 0 is calm, 100 the most "
        "strained.",
        sources=(
            ProductSource("cascade", "nervous_system.systemic_risk_score"),
            CompositeSource(find_composite("regime")),
        ),
        bands=feed_bands.SCORE,
    ),
    Feed(
        slug="supply-chain-pressure",
        unit="score",
        about="Supply chain pressure: chains, fuel, metal, timber; 0 is calm, 100 the highest "
        "since 1998.",
        sources=(CompositeSource(find_composite("supply-pressure")),),
        bands=feed_bands.SCORE,
    ),
    Feed(
        slug="us-instability-score",
        unit="score",
        about="Instability of US policy: 0 is calm, 100 the most unstable.",
        sources=(
            ProductSource("instability", "us_instability_score"),
            CompositeSource(find_composite("policy-instability")),
        ),
        bands=feed_bands.INTENSITY,
    ),
    Feed(
        slug="fiscal-dominance-risk",
        unit="score",
        about="How far debt, deficit and expected inflation constrain US policy.",
        sources=(
            ProductSource("instability", "fiscal_dominance_score"),
            CompositeSource(FISCAL_DOMINANCE),
        ),
        bands=feed_bands.INTENSITY,
    ),
    Feed(
        slug="stability-score",
        unit="score",
        about="The latest score of the stability oracle: 90 or more is stable.",
        sources=(StabilitySource(),),
        bands=feed_bands.STABILITY,
    ),
    Feed(
        slug="earth-health-index",
        unit="score",
        about="Planetary health by temperature, air, ice and sea: 100 as in the best year since "
        "1979, 0 as in the worst.",
        sources=(
            ProductSource("earth-systems", "sustainability.earth_health_index"),
            CompositeSource(find_composite("climate-stress"), mirrored=True),
        ),
        bands=feed_bands.EARTH,
    ),
    Feed(
        slug="co2-ppm",
        unit="ppm",
        about="Atmospheric carbon dioxide at Mauna Loa; the planetary boundary is 350.",
        sources=(SeriesSource("air.co2"),),
        bands=feed_bands.CARBON,
    ),
    Feed(
        slug="temperature-anomaly",
        unit="degrees C above baseline",
        about="Global land and sea temperature above the mean of 1951 to 1980 (NASA GISTEMP).",
        sources=(SeriesSource("heat.anomaly"),),
        bands=feed_bands.WARMING,
    ),
    Feed(
        slug="arctic-sea-ice",
        unit="million km2",
        about="Arctic sea ice extent; the signal is that of the twelve-month mean.",
        sources=(SeriesSource("ice.north", placed="ice.north.year", direction=-1),),
        bands=feed_bands.PLACE,
    ),
    Feed(
        slug="renewable-share",
        unit="percent",
        about="Renewable share of the world's electricity.",
        sources=(SeriesSource("energy.renewables"),),
        bands=feed_bands.RENEWABLES,
    ),
)
_NAMED = {feed.slug: feed for feed in FEEDS}


def feed_of(slug: str) -> Feed | None:
    """Return the row of a feed; None for a slug that is none."""
    return _NAMED.get(slug)
