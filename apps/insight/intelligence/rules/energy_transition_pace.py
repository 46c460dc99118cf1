"""How fast electricity leaves fossil sources, compared with a published path. Pure."""

from decimal import ROUND_HALF_EVEN, Decimal

# per cent renewable (IEA, Net Zero Roadmap 2023)
GOAL, GOAL_YEAR = Decimal(59), 2030
# percentage points a year below -> word
TRENDS: tuple[tuple[Decimal, str], ...] = (
    (Decimal(0), "REVERSING"),
    (Decimal("0.25"), "STALLED"),
    (Decimal(1), "RISING"),
)
FASTEST_TREND = "SURGING"
FOSSIL_TRENDS: tuple[tuple[Decimal, str], ...] = (
    (Decimal("-0.2"), "DECLINING"),
    (Decimal("0.2"), "PLATEAU"),
)
FOSSIL_UP, UNKNOWN = "RISING", "UNKNOWN"
# share of the needed pace that is kept, below -> word
SIGNALS: tuple[tuple[Decimal, str], ...] = (
    (Decimal("0.5"), "OFF_TRACK"),
    (Decimal(1), "LAGGING"),
)
ON_TRACK = "ON_TRACK"
TREND_WORDS = (*(word for _, word in TRENDS), FASTEST_TREND, UNKNOWN)
FOSSIL_WORDS = (*(word for _, word in FOSSIL_TRENDS), FOSSIL_UP, UNKNOWN)
SIGNAL_WORDS = (*(word for _, word in SIGNALS), ON_TRACK, UNKNOWN)


def _word_below(value: Decimal | None, table: tuple[tuple[Decimal, str], ...], last: str) -> str:
    if value is None:
        return UNKNOWN
    return next((word for bound, word in table if value < bound), last)


def trend_of_renewables(slope: Decimal | None) -> str:
    """Return the word for a yearly change of the renewable share."""
    return _word_below(slope, TRENDS, FASTEST_TREND)


def trend_of_fossils(slope: Decimal | None) -> str:
    """Return the word for a yearly change of the fossil share."""
    return _word_below(slope, FOSSIL_TRENDS, FOSSIL_UP)


def signal_of_pace(pace: Decimal | None) -> str:
    """Return the word for the share of the needed pace that is kept."""
    return _word_below(pace, SIGNALS, ON_TRACK)


def pace_towards_goal(share: Decimal, slope: Decimal | None, year: int) -> Decimal | None:
    """Return the share of the pace needed for the goal; 1 if reached, None without a slope."""
    if slope is None:
        return None
    # from the goal's year on, one year is left, rather than none to divide by
    needed = (GOAL - share) / max(GOAL_YEAR - year, 1)
    if needed <= 0:
        return Decimal(1)
    return (max(slope, Decimal(0)) / needed).quantize(Decimal("0.0001"), ROUND_HALF_EVEN)
