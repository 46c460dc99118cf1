"""Labels of a feed's value: four groups, from low risk to severe (3 §2.5). Pure."""

from decimal import Decimal

LOW = ("EXPANSION", "HEALTHY", "CALM")
RAISED = ("WATCH", "CAUTION", "MODERATE")
ACTIVE = ("STRESSED", "HIGH", "ELEVATED")
SEVERE = ("CRISIS", "CRITICAL", "EXTREME")
WORDS = (*LOW, *RAISED, *ACTIVE, *SEVERE)
Bands = tuple[tuple[Decimal, str], ...]
TOP = Decimal("Infinity")


def build_feed_bands(*pairs: tuple[str, str], last: str) -> Bands:
    """Return bands of (upper bound, word), ascending; `last` is for all above."""
    return (*((Decimal(bound), word) for bound, word in pairs), (TOP, last))


def feed_word_of(value: Decimal, table: Bands) -> str:
    """Return the word of a value: one below a bound has that bound's."""
    return next(word for bound, word in table if value < bound)


SCORE = build_feed_bands(("25", "CALM"), ("50", "MODERATE"), ("75", "STRESSED"), last="CRISIS")
MARKETS = build_feed_bands(
    ("25", "EXPANSION"), ("60", "CAUTION"), ("85", "STRESSED"), last="CRISIS"
)
# the bounds of document 3 section 2.7: MODERATE from 20, ELEVATED from 45, ACUTE from 70
INTENSITY = build_feed_bands(("20", "CALM"), ("45", "MODERATE"), ("70", "ELEVATED"), last="EXTREME")
# document 3 section 2.3: 90 is stable, below 75 large settlements wait
STABILITY = build_feed_bands(
    ("50", "CRITICAL"), ("75", "STRESSED"), ("90", "CAUTION"), last="HEALTHY"
)
EARTH = build_feed_bands(("25", "CRITICAL"), ("50", "ELEVATED"), ("75", "WATCH"), last="HEALTHY")
# Richardson et al. 2023: the boundary is 350 ppm, the zone of high risk begins at 450
CARBON = build_feed_bands(("350", "HEALTHY"), ("450", "HIGH"), last="CRITICAL")
# 1.5 and 2 degrees above 1850-1900, which was 0.26 below the mean of 1951 to 1980
WARMING = build_feed_bands(
    ("0.24", "HEALTHY"), ("1.24", "WATCH"), ("1.74", "HIGH"), last="CRITICAL"
)
# IEA, Net Zero Roadmap 2023: near 60 per cent by 2030; 30 was passed in 2023
RENEWABLES = build_feed_bands(("30", "STRESSED"), ("60", "MODERATE"), last="HEALTHY")
# the place of a year's mean in its own history, in hundredths
PLACE = build_feed_bands(("60", "CALM"), ("80", "WATCH"), ("95", "HIGH"), last="EXTREME")
