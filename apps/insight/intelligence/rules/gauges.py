"""Gauges: a value on a scale between a published calm and worst mark. Pure.

The percentile of a series that trends for decades says nothing: the newest value is always the
extreme. Such a series is compared with referenced marks instead.
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from apps.reference.signals.composites.definitions import Bands

FINE = Decimal("0.0001")
# strain of a gauge below -> its word
SIGNALS: Bands = ((25, "NORMAL"), (50, "ELEVATED"), (75, "HIGH"), (100, "EXTREME"))
REGIMES: Bands = ((25, "CALM"), (50, "MODERATE"), (75, "STRESSED"), (100, "CRISIS"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """One series on a scale: 0 at `calm` or better, 100 at `worst` or beyond; `why` these marks.

    `worst` may be below `calm`. Weights of a table sum to 1.
    """

    series: str
    weight: Decimal
    calm: Decimal
    worst: Decimal
    why: str
    required: bool = False

    def strain(self, value: Decimal) -> Decimal:
        """Return the strain of a value, 0 to 100."""
        share = (value - self.calm) / (self.worst - self.calm)
        return (100 * min(max(share, Decimal(0)), Decimal(1))).quantize(FINE, ROUND_HALF_EVEN)


def build_gauge(series: str, weight: str, calm: str, worst: str, why: str) -> Gauge:
    """Return a gauge of figures as a table writes them."""
    return Gauge(
        series=series, weight=Decimal(weight), calm=Decimal(calm), worst=Decimal(worst), why=why
    )
