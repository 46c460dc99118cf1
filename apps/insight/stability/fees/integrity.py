"""Verify quotes: the fees of each must follow from its own figures by the fee schedule."""

from collections.abc import Callable, Iterator

from apps.insight.stability.fees.rules.fees import VERSION, PricedPayment, compute_fees
from apps.insight.stability.models import Quote
from apps.platform.common.money import from_micro, to_micro

AT_ONCE = 500
COLUMNS = {"core": "core", "fx": "fx_fee", "esg": "esg", "license": "license"}


def verify_quote_fees(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield quotes whose fees do not follow from the figures that they are bound to."""
    # the bound figures themselves need no proof: consume_quote() compares them with the settlement,
    # and refuses a quote with others
    done = 0
    # the table of an earlier version is no longer in the code
    for quote in Quote.objects.filter(schedule=VERSION).order_by("pk").iterator(AT_ONCE):
        bound = PricedPayment(
            amount=to_micro(quote.amount),
            fx=quote.fx,
            score=quote.score,
            monthly_volume=to_micro(quote.monthly_volume),
        )
        due = {COLUMNS[fee.name]: from_micro(fee.units) for fee in compute_fees(bound).listed}
        if any(getattr(quote, column) != amount for column, amount in due.items()):
            yield f"quote {quote.quote_id}: its fees do not match its amount"
        done += 1
    progress(done)
