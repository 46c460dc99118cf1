"""Reference rates, as payments are valued by them (document 2 section 4)."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.core.callers import Caller
from apps.core.problems import Unavailable
from apps.core.shapes import Currency, Day, EpochSeconds, Flag, OneOf, Shape, Text
from apps.payments.instructions import plain
from apps.payments.rules.assets import DECIMALS
from apps.signals.rates import SAMPLE, Converted, to_usd

ONE = Decimal(1)
CODE = Currency()


class RateOut(Shape):
    """A dated reference rate: `rate` US dollars are one unit of `currency`.

    It is the newest that is held, at most ten days old; `rateDate` says of which day it is.
    """

    currency = Text()
    base = Text(help_text="USD, in which the rate is told.")
    rate = Text()
    inverse = Text(help_text="Units of `currency` for one US dollar, to eight decimals.")
    rate_date = Day()
    source = Text(  # type: ignore[assignment]
        help_text="ECB, or SAMPLE for the bundled sample."
    )
    data_quality = OneOf(choices=("LIVE", "ESTIMATED"))
    settles = Flag(help_text="Whether payments are taken in this currency.")
    checked_at = EpochSeconds()


class RateUnavailable(Unavailable):
    """No rate of the currency is held that is at most ten days old."""

    code, title = "rate_unavailable", "No rate is held"


def gather(*, asked: dict[str, Any], now: datetime) -> Converted:
    """Look up the rate by which a payment would be valued now; RateUnavailable (503) without."""
    found = to_usd(amount=ONE, currency=asked["currency"], now=now)
    if found is None:
        raise RateUnavailable(f"No rate of {asked['currency']} of the last ten days is held.")
    return found


def conclude(
    *, asked: dict[str, Any], gathered: Converted, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the rate with its date and source; see RateOut."""
    return {
        "currency": asked["currency"],
        "base": "USD",
        "rate": plain(gathered.rate),
        "inverse": plain((ONE / gathered.rate).quantize(Decimal("0.00000001"))),
        "rate_date": gathered.rate_date,
        "source": gathered.source,
        "data_quality": "ESTIMATED" if gathered.source == SAMPLE else "LIVE",
        "settles": asked["currency"] in DECIMALS,
        "checked_at": now,
    }
