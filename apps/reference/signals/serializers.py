"""The valuation of an amount in US dollars, as answers state it."""

from decimal import Context
from typing import Any

from apps.platform.api.shapes import Day, Shape, Text
from apps.reference.signals.exchange_rates import UsdAmount


class ValuationOut(Shape):
    """The value of an amount in US dollars, with the rate, its day and its publisher."""

    amount_usd = Text()
    rate = Text(help_text="US dollars for one unit of the currency, to 12 significant digits.")
    rate_date = Day()
    source = Text(  # type: ignore[assignment]
        help_text="ECB, a reference rate at most ten days old; PEG, if none is published; "
        "TREASURY, the US Treasury's rate of the quarter, if there is neither; USD for "
        "dollars; SAMPLE for the bundled sample."
    )


def serialize_valuation(converted: UsdAmount) -> dict[str, Any]:
    """Return the values of ValuationOut."""
    return {
        "amount_usd": f"{converted.amount_usd:f}",
        "rate": f"{+converted.rate.normalize(Context(prec=12)):f}",
        "rate_date": converted.rate_date,
        "source": converted.source,
    }
