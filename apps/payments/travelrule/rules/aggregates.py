"""When payments below the threshold reach it together: one originator, one day. Pure.

Splitting one transfer into several that each stay below a threshold is structuring (31 CFR
1010.314); FFIEC BSA/AML Manual, "Funds Transfers": examiners look for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.payments.travelrule.rules.us_threshold import meets_threshold, threshold_on

REF = "TR-G1"
TITLE = "Payments below the threshold reach it together on one day"


@dataclass(frozen=True, slots=True)
class DayTotal:
    """Payments of one originator on one UTC day: how many, and what they come to in USD."""

    count: int
    total_usd: Decimal
    threshold_usd: Decimal
    flagged: bool
    rule: str = REF


def sum_below_threshold(*, amounts_usd: Sequence[Decimal], day: date) -> DayTotal:
    """Return what amounts, each below the day's threshold, come to; those that meet it are left.

    Flagged where there are two or more and their sum is the threshold's or more.
    """
    below = [amount for amount in amounts_usd if not meets_threshold(amount, day)]
    return build_day_total(count=len(below), total_usd=sum(below, Decimal(0)), day=day)


def build_day_total(*, count: int, total_usd: Decimal, day: date) -> DayTotal:
    """Return what so many amounts below the day's threshold come to, by their sum."""
    flagged = count > 1 and meets_threshold(total_usd, day)
    return DayTotal(count, total_usd, threshold_on(day).usd, flagged)
