"""From which amount the US travel rule applies: a dated table (document 2 section 2.3). Pure.

Amounts are in USD, foreign ones at the rate of the payment. FinCEN FIN-2010-G004: "equal to or
greater than $3,000 (or its foreign equivalent)".
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_DOWN, Decimal

REGULATION = "US travel rule, 31 CFR 103.33(g) (now 31 CFR 1010.410(f))"
RETENTION = "Kept for five years, 31 CFR 103.38 (now 31 CFR 1010.430(d))"
# 5 x 365.25 x 24 x 60 x 60 seconds (document 2 section 2.3)
RETENTION_PERIOD = timedelta(seconds=157_788_000)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The least amount to which the rule applies, from a day on."""

    since: date
    usd: Decimal
    basis: str


THRESHOLDS = (
    Threshold(date(1996, 5, 28), Decimal(3000), "31 CFR 103.33(g), now 31 CFR 1010.410(f)"),
)


def threshold_on(on: date) -> Threshold:
    """Return the threshold of a day; ValueError for a day before there was a rule."""
    thresholds = [threshold for threshold in THRESHOLDS if threshold.since <= on]
    if not thresholds:
        raise ValueError(f"no travel rule was in force on {on}")
    return max(thresholds, key=lambda threshold: threshold.since)


def format_usd(amount: Decimal) -> str:
    """Return an amount in USD for people, never rounded up."""
    # 2,999.996 must not show as 3,000.00 beside "below the threshold"
    cents = amount.quantize(Decimal("0.01"), rounding=ROUND_DOWN)
    return f"{cents:,.2f}" if cents == amount else f"{amount.normalize():,f}"


def meets_threshold(amount_usd: Decimal, on: date) -> bool:
    """Tell whether the rule applies to an amount: it is the threshold's, or more."""
    return amount_usd >= threshold_on(on).usd
