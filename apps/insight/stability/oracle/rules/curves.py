"""From a value to points: frozen curves of straight lines, and what points are called. Pure."""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

# Raised whenever a curve, a weight, a threshold or a rule changes; part of every run.
METHOD = "2026-11.2"
# tenths of points: 100.0, no strain at all
MOST = 1000
TENTH = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of value and stability (100 calm, 0 the worst), values rising.

    Linear between its points, and constant beyond the ends.
    """

    knots: tuple[tuple[Decimal, int], ...]

    def tenths(self, value: Decimal) -> int:
        """Return the points of a value in whole tenths, 0 to 1000."""
        # whole tenths are integers, so that contributions sum to the score without rounding
        return int(self._at(value).quantize(TENTH, ROUND_HALF_EVEN) * 10)

    def _at(self, value: Decimal) -> Decimal:
        (low, at_low), *rest = self.knots
        if value <= low:
            return Decimal(at_low)
        for high, at_high in rest:
            if value <= high:
                return at_low + (at_high - at_low) * (value - low) / (high - low)
            low, at_low = high, at_high
        return Decimal(at_low)

    def __str__(self) -> str:
        return ", ".join(f"{value}: {points}" for value, points in self.knots)


def build_curve(*knots: tuple[str, int]) -> Curve:
    """Return a curve; ValueError unless values rise and points are 0 to 100."""
    curve = tuple((Decimal(value), points) for value, points in knots)
    values = [value for value, _ in curve]
    if values != sorted(set(values)) or not all(0 <= points <= 100 for _, points in curve):
        raise ValueError("a curve's values must rise, and its points must be 0 to 100")
    return Curve(curve)


@dataclass(frozen=True, slots=True)
class Band:
    """What so many points are called: the first band whose `least`, in tenths, is reached."""

    code: str
    ref: str
    least: int
    signal: str
    means: str


# the words of document 3 section 2.5, from low risk to severe
BANDS: tuple[Band, ...] = (
    Band("STAB-BAND-1", "3 §2.5", 900, "CALM", "low risk"),
    Band("STAB-BAND-2", "3 §2.5", 750, "WATCH", "elevated"),
    Band("STAB-BAND-3", "3 §2.5", 500, "STRESSED", "active stress"),
    Band("STAB-BAND-4", "3 §2.5", 0, "CRISIS", "severe"),
)


def signal_of_points(tenths: Decimal | int) -> str:
    """Return what so many tenths of points are called."""
    return next(band.signal for band in BANDS if tenths >= band.least)
