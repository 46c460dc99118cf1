"""Reference rates, as payments are valued by them (document 2 section 4)."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.payments.payments.instructions import format_decimal
from apps.payments.payments.rules.assets import DECIMALS
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import Currency, Day, EpochSeconds, Flag, OneOf, Shape, Text
from apps.platform.common.problems import Unavailable
from apps.reference.signals.exchange_rates import UsdAmount, convert_to_usd, describe_missing_rate
from apps.reference.signals.points import SAMPLE

ONE = Decimal(1)
CURRENCY_FIELD = Currency()


class RateOut(Shape):
    """A dated reference rate: `rate` US dollars are one unit of `currency`.

    It is the newest one available, at most ten days old; `rateDate` is its day. If none is
    published, it is that of the currency's peg.
    """

    currency = Text()
    base = Text(help_text="USD, the currency of the rate.")
    rate = Text()
    inverse = Text(help_text="Units of `currency` for one US dollar, to eight decimals.")
    rate_date = Day()
    source = Text(  # type: ignore[assignment]
        help_text="ECB; PEG for a currency that is pegged; SAMPLE for the bundled sample."
    )
    data_quality = OneOf(choices=("LIVE", "ESTIMATED"))
    settles = Flag(help_text="Whether payments in this currency are accepted.")
    checked_at = EpochSeconds()


class RateUnavailable(Unavailable):
    """There is no rate of the currency that is at most ten days old, nor one of its anchor."""

    code, title = "rate_unavailable", "No rate available"


def load_reference_rate(*, asked: dict[str, Any], now: datetime) -> UsdAmount:
    """Look up the rate by which a payment would be valued now; RateUnavailable (503) without."""
    usd_amount = convert_to_usd(amount=ONE, currency=asked["currency"], now=now)
    if usd_amount is None:
        raise RateUnavailable(describe_missing_rate(asked["currency"], now=now))
    return usd_amount


def serialize_reference_rate(
    *, asked: dict[str, Any], gathered: UsdAmount, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the rate with its date and source; see RateOut."""
    return {
        "currency": asked["currency"],
        "base": "USD",
        "rate": format_decimal(gathered.rate),
        "inverse": format_decimal((ONE / gathered.rate).quantize(Decimal("0.00000001"))),
        "rate_date": gathered.rate_date,
        "source": gathered.source,
        "data_quality": "ESTIMATED" if gathered.source == SAMPLE else "LIVE",
        # rates are there for more currencies than payments are taken in
        "settles": asked["currency"] in DECIMALS,
        "checked_at": now,
    }
