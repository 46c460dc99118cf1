"""Reads of payments: an institution's own alone."""

from datetime import datetime
from typing import Any

from apps.payments.callbacks.selectors.feed import LARGEST_PAGE, FeedItem, read_feed
from apps.payments.chain.orders import InvalidHash
from apps.payments.payments.instructions import LONGEST_REFERENCE
from apps.payments.payments.integrity import load_payment_by_reference, load_verified_payment
from apps.payments.payments.payloads import serialize_payment_with_execution
from apps.payments.payments.rails import evm
from apps.platform.api.callers import Caller
from apps.platform.api.shapes import EpochSeconds, FreeObject, Shape, Text, Whole
from apps.platform.common.problems import NO_SUCH_ID, DomainError, NotFound


def read_payment(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a payment of the caller's; NotFound for another's, as for none."""
    verified_payment = load_verified_payment(owner=caller.ref, payment_id=asked["payment_id"])
    if verified_payment is None:
        raise NotFound(NO_SUCH_ID)
    return serialize_payment_with_execution(verified_payment)


class ReferenceQuery(Shape):
    """The payment, by your reference."""

    tms_reference = Text(max_length=LONGEST_REFERENCE, help_text="As you sent it.")


def read_payment_by_reference(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the caller's payment of a reference; NotFound for one that it did not use."""
    payment = load_payment_by_reference(owner=caller.ref, reference=asked["tms_reference"])
    if payment is None:
        raise NotFound("You have no payment with that reference.")
    return serialize_payment_with_execution(payment)


class TransactionIn(Shape):
    """The transaction that carries the payment."""

    tx_hash = Text(max_length=66, help_text="0x and 64 hexadecimal digits.")


class InvalidTransactionHash(DomainError):
    """The text is not a transaction hash."""

    code, title = "bad_transaction_hash", "This is not a transaction hash"


def note_payment_transaction(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Note which transaction carries a payment of the caller's, and return the payment.

    NotFound for another's payment, InvalidTransactionHash (400) for a text that is none. A hash
    proves nothing: nothing changes where no transfer is awaited.
    """
    payment = load_verified_payment(owner=caller.ref, payment_id=asked["payment_id"])
    if payment is None:
        raise NotFound(NO_SUCH_ID)
    try:
        evm.report_payment_transaction(payment, asked["tx_hash"], now=now)
    except InvalidHash as error:
        raise InvalidTransactionHash(
            str(error), errors=[{"field": "txHash", "message": str(error)}]
        ) from None
    return serialize_payment_with_execution(payment)


class EventsQuery(Shape):
    """From where, and how many."""

    cursor = Text(required=False, max_length=20, help_text="`cursor` of an earlier answer.")
    limit = Whole(required=False, min_value=1, max_value=LARGEST_PAGE, help_text="50 by default.")


class EventOut(Shape):
    """One thing that happened to a payment or a settlement; `data` is the body of the callback."""

    number = Whole(help_text="Increases by one for your institution.")
    event_id = Text()
    event = Text(
        help_text="payment.settled, payment.blocked, payment.failed, payment.held, or "
        "payment.awaiting_settlement: its transfer is for you to execute. For a "
        "settlement `settlement.` and its status; bank.routed for a bank payment with "
        "`svcRoute`."
    )
    svc_payment_id = Text(help_text="The settlementId for a settlement.")
    at = EpochSeconds()
    data = FreeObject(  # type: ignore[assignment]
        required=False,
        help_text="The object as it was then, in the form that GET returns; omitted once it was "
        "purged.",
    )


class EventsOut(Shape):
    """Events in their order. `next` leads to more; call again later with `cursor`."""

    items = EventOut(many=True)
    next = Text(required=False)
    cursor = Text(required=False)


def read_payment_events(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return what happened to the caller's payments after a place; see EventsOut."""
    page = read_feed(owner=caller.ref, after=asked.get("cursor", ""), limit=asked.get("limit", 50))
    found: dict[str, Any] = {"items": [_serialize_event(item) for item in page.items]}
    if page.next:
        found["next"] = page.next
    return found | ({"cursor": page.last} if page.last else {})


def _serialize_event(feed_item: FeedItem) -> dict[str, Any]:
    said = {
        "number": feed_item.number,
        "event_id": str(feed_item.event),
        "event": feed_item.name,
        "svc_payment_id": str(feed_item.subject),
        "at": feed_item.at,
    }
    return said | ({"data": feed_item.data} if feed_item.data is not None else {})
