"""When payments below the threshold reach it together: one originator, one day. Pure.

Splitting one transfer into several that each stay below a threshold is structuring (31 CFR
1010.314); FFIEC BSA/AML Manual, "Funds Transfers": examiners look for it.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.payments.travelrule.rules.us_threshold import meets_threshold, threshold_on

REF = "TR-G1"
TITLE = "Payments below the threshold reach it together on one day"


@dataclass(frozen=True, slots=True)
class DayTotal:
    """Payments of one originator on one UTC day: how many, and their sum in USD."""

    count: int
    total_usd: Decimal
    threshold_usd: Decimal
    flagged: bool
    rule: str = REF


def build_day_total(*, count: int, total_usd: Decimal, day: date) -> DayTotal:
    """Return the total of `count` amounts, each below the day's threshold, by their sum.

    It is flagged if there are two or more and the sum meets the threshold.
    """
    flagged = count > 1 and meets_threshold(total_usd, day)
    return DayTotal(count, total_usd, threshold_on(day).usd, flagged)
