"""Create quotes for anybody, and consume each once for a settlement (document 3 section 2.2)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from apps.insight.stability.fees.rules.fees import VERSION, Fees, PricedPayment
from apps.insight.stability.models import Quote
from apps.platform.common.clock import SKEW
from apps.platform.common.money import from_micro, to_micro
from apps.platform.common.problems import Conflict, NotFound
from apps.platform.db.compiled_queries import update_where
from apps.platform.db.compiled_statements import insert_row

# document 3 section 8, quote validity
QUOTE_LIFETIME = timedelta(seconds=300)
# kept for a day after expiry, so that a late caller learns that it expired
KEPT_UNUSED = timedelta(days=1)
# as long as the payments that it priced are retained
KEPT_USED = timedelta(days=5 * 365)
# rows that are deleted in one transaction
BATCH = 1000


class QuoteUnknown(NotFound):
    """There is no such quote, or it expired more than a day ago."""

    code, title = "quote_unknown", "No such quote"


class QuoteExpired(Conflict):
    """The quote was binding for 300 seconds, which are over: request another."""

    code, title = "quote_expired", "The quote has expired"


class QuoteUsed(Conflict):
    """A settlement already used this quote: each can be used once."""

    code, title = "quote_used", "Quote already used"


class QuoteOfAnother(Conflict):
    """The quote was given for another payment: its parameters differ."""

    code, title = "quote_of_another", "The quote is for another payment"


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """The parameters that a quote is requested for and bound to."""

    payment: PricedPayment
    sandbox: bool = False


def parse_quote_request(**given: Any) -> QuoteRequest:
    """Return what a request asks for; values of QuoteIn."""
    payment = PricedPayment(
        amount=to_micro(given["amount_usd"]),
        fx=given["has_fx"],
        score=to_micro(given["esg_score"]),
        monthly_volume=to_micro(given["monthly_volume_usd"]),
    )
    return QuoteRequest(payment, given["sandbox"])


def create_quote(*, asked: QuoteRequest, priced: Fees, now: datetime) -> Quote:
    """Store a quote that binds for 300 seconds, and return it."""
    taken = {fee.name: from_micro(fee.units) for fee in priced.listed}
    quote = Quote(
        quote_id=uuid.uuid4(),
        **_bound_columns(asked),
        core=taken["core"],
        fx_fee=taken["fx"],
        esg=taken["esg"],
        license=taken["license"],
        schedule=VERSION,
        quoted_at=now,
        expires_at=now + QUOTE_LIFETIME,
    )
    insert_row(quote)
    return quote


def is_quote_binding(*, ends: datetime, now: datetime) -> bool:
    """Tell whether a quote with this expiry is binding now."""
    # an expiry beyond the lifetime was given by a clock that ran ahead and was set back since: such
    # a quote would bind for that much longer
    return now < ends <= now + QUOTE_LIFETIME + SKEW


def consume_quote(*, quote_id: uuid.UUID, asked: QuoteRequest, by: str, now: datetime) -> None:
    """Use a quote for the settlement `by`, in the transaction of that settlement.

    Raises QuoteUnknown, QuoteOfAnother, QuoteUsed or QuoteExpired; a quote binds to the last moment
    before its end.
    """
    same = {"quote_id": quote_id, **_bound_columns(asked)}
    usable = {
        "used_at": None,
        "expires_at__gt": now,
        "expires_at__lte": now + QUOTE_LIFETIME + SKEW,
    }
    # compare-and-set: of two settlements with one quote, one changes the row; a rollback frees it
    if update_where(Quote, where=same | usable, change={"used_at": now, "used_by": by}) == 1:
        return
    # nothing was changed: find out why, to give the right refusal
    quote = Quote.objects.filter(quote_id=quote_id).first()
    if quote is None:
        raise QuoteUnknown("There is no quote with this id.")
    if not Quote.objects.filter(**same).exists():
        raise QuoteOfAnother("The quote was issued for another payment.")
    if quote.used_at is not None:
        raise QuoteUsed("A settlement already used this quote. Request another.")
    raise QuoteExpired("The quote has expired. Request another.")


def _bound_columns(quote_request: QuoteRequest) -> Mapping[str, Any]:
    payment = quote_request.payment
    return {
        "amount": from_micro(payment.amount),
        "fx": payment.fx,
        "score": payment.score,
        "monthly_volume": from_micro(payment.monthly_volume),
        "sandbox": quote_request.sandbox,
    }


def delete_old_quotes(key: str, now: datetime) -> None:
    """Remove quotes that are no longer used; the job `stability.tidy`."""
    _delete_in_batches(Quote.objects.filter(used_at=None, expires_at__lt=now - KEPT_UNUSED))
    _delete_in_batches(Quote.objects.filter(used_at__lt=now - KEPT_USED))


def _delete_in_batches(quotes: QuerySet[Quote]) -> None:
    """Delete quotes in batches."""
    # one long transaction would make every other writer wait on SQLite
    while keys := list(quotes.values_list("pk", flat=True)[:BATCH]):
        Quote.objects.filter(pk__in=keys).delete()
