"""Reads of payments: an institution's own alone."""

from datetime import datetime
from typing import Any

from apps.callbacks.reading import LARGEST_PAGE, FeedItem, feed
from apps.chain.orders import BadHash
from apps.core.callers import Caller
from apps.core.problems import NO_SUCH_ID, DomainError, NotFound
from apps.core.shapes import EpochSeconds, Free, Shape, Text, Whole
from apps.payments.instructions import LONGEST_REFERENCE
from apps.payments.models import Payment
from apps.payments.projection import proved
from apps.payments.rails import evm
from apps.payments.result import executed


def by_id(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a payment of the caller's; NotFound for another's, as for none."""
    found = Payment.objects.filter(payment_id=asked["payment_id"], owner=caller.ref).first()
    if found is None:
        raise NotFound(NO_SUCH_ID)
    return executed(proved(found))


class ReferenceQuery(Shape):
    """Which payment: your reference of it."""

    tms_reference = Text(max_length=LONGEST_REFERENCE, help_text="As you sent it.")


def by_reference(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the caller's payment of a reference; NotFound for one that it did not use."""
    found = Payment.objects.filter(owner=caller.ref, reference=asked["tms_reference"]).first()
    if found is None:
        raise NotFound("You have no payment of that reference.")
    return executed(proved(found))


class TransactionIn(Shape):
    """Which transaction carries the payment."""

    tx_hash = Text(max_length=66, help_text="0x and 64 hexadecimal digits.")


class NoHash(DomainError):
    """The text is no hash of a transaction."""

    code, title = "bad_transaction_hash", "That is no transaction's hash"


def transaction(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Note which transaction carries a payment of the caller's, and return the payment.

    NotFound for another's payment, NoHash (400) for a text that is none. A hash proves nothing:
    nothing changes where no transfer is awaited.
    """
    found = Payment.objects.filter(payment_id=asked["payment_id"], owner=caller.ref).first()
    if found is None:
        raise NotFound(NO_SUCH_ID)
    payment = proved(found)
    try:
        evm.named(payment, asked["tx_hash"], now=now)
    except BadHash as error:
        raise NoHash(str(error), errors=[{"field": "txHash", "message": str(error)}]) from None
    return executed(payment)


class EventsQuery(Shape):
    """From where, and how many."""

    cursor = Text(required=False, max_length=20, help_text="`cursor` of an earlier answer.")
    limit = Whole(required=False, min_value=1, max_value=LARGEST_PAGE, help_text="50 by default.")


class EventOut(Shape):
    """One thing that happened to a payment or a settlement; `data` is what is called back."""

    number = Whole(help_text="Counts up by one for your institution.")
    event_id = Text()
    event = Text(
        help_text="payment.settled, payment.blocked, payment.failed, payment.held, or "
        "payment.awaiting_settlement: its transfer is yours to execute. Of a settlement "
        "`settlement.` and its status."
    )
    svc_payment_id = Text(help_text="Of a settlement its settlementId.")
    at = EpochSeconds()
    data = Free(  # type: ignore[assignment]
        required=False,
        help_text="It as it stood then, as GET answers it; left out once it was purged.",
    )


class EventsOut(Shape):
    """Events in their order. `next` leads to more; `cursor` is where to ask from later."""

    items = EventOut(many=True)
    next = Text(required=False)
    cursor = Text(required=False)


def events(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return what happened to the caller's payments after a place; see EventsOut."""
    page = feed(owner=caller.ref, after=asked.get("cursor", ""), limit=asked.get("limit", 50))
    found: dict[str, Any] = {"items": [_event(one) for one in page.items]}
    if page.next:
        found["next"] = page.next
    return found | ({"cursor": page.last} if page.last else {})


def _event(one: FeedItem) -> dict[str, Any]:
    said = {
        "number": one.number,
        "event_id": str(one.event),
        "event": one.name,
        "svc_payment_id": str(one.subject),
        "at": one.at,
    }
    return said | ({"data": one.data} if one.data is not None else {})
