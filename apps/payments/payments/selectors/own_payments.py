"""Reads of payments and of their events: an institution's own alone."""

from datetime import datetime
from typing import Any

from apps.payments.callbacks.selectors.feed import FeedItem, read_feed
from apps.payments.payments.integrity import load_payment_by_reference, load_verified_payment
from apps.payments.payments.presenters import serialize_payment_with_execution
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def read_payment(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return a payment of the caller's; NotFound for another's, as for none."""
    verified_payment = load_verified_payment(owner=caller.ref, payment_id=asked["payment_id"])
    if verified_payment is None:
        raise NotFound(NO_SUCH_ID)
    return serialize_payment_with_execution(verified_payment)


def read_payment_by_reference(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the caller's payment of a reference; NotFound for one that it did not use."""
    payment = load_payment_by_reference(owner=caller.ref, reference=asked["tms_reference"])
    if payment is None:
        raise NotFound("You have no payment with that reference.")
    return serialize_payment_with_execution(payment)


def read_payment_events(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return what happened to the caller's payments after a place; see EventsOut."""
    page = read_feed(owner=caller.ref, after=asked.get("cursor", ""), limit=asked.get("limit", 50))
    payment_events: dict[str, Any] = {"items": [_serialize_event(item) for item in page.items]}
    if page.next:
        payment_events["next"] = page.next
    return payment_events | ({"cursor": page.last} if page.last else {})


def _serialize_event(feed_item: FeedItem) -> dict[str, Any]:
    payload = {
        "number": feed_item.number,
        "event_id": str(feed_item.event),
        "event": feed_item.name,
        "svc_payment_id": str(feed_item.subject),
        "at": feed_item.at,
    }
    return payload | ({"data": feed_item.data} if feed_item.data is not None else {})
