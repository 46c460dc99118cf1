"""Verify quotes: what each costs is what its own figures make it by the printed schedule."""

from collections.abc import Callable, Iterator

from apps.insight.stability.fees.rules.fees import VERSION, PricedPayment, compute_fees
from apps.insight.stability.models import Quote
from apps.platform.common.money import from_micro, to_micro

AT_ONCE = 500
COLUMNS = {"core": "core", "fx": "fx_fee", "esg": "esg", "license": "license"}


def verify_quote_fees(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield quotes whose fees are not those of what they are bound to.

    What is charged is worked out anew from what a settlement is: a quote whose bound figures were
    altered is another's, and is refused (services/quotes.py).
    """
    done = 0
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
