"""Sends callbacks again: one, or all that failed since a time; and test callbacks."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F

from apps.callbacks.models import Delivery, Endpoint, State
from apps.callbacks.publishing import SEND, Published, publish
from apps.callbacks.settling import wake
from apps.core.jobs import enqueue
from apps.core.problems import Conflict

ENDED = (State.DELIVERED, State.FAILED)
TEST = "callback.test"


class EndpointPaused(Conflict):
    """Its endpoint is paused: what is due there is sent when it is resumed."""

    code, title = "endpoint_paused", "The endpoint is paused"


class BodyGone(Conflict):
    """Its body left at the end of its retention: there is nothing to send."""

    code, title = "body_gone", "The body is not kept any more"


@transaction.atomic
def resend(*, row: Delivery, now: datetime) -> bool:
    """Begin a new series of four attempts, the first now; False when one is under way.

    The same bytes are sent under the same event id. Raises EndpointPaused, or BodyGone after its
    retention.
    """
    row.refresh_from_db()
    if row.endpoint.paused_at is not None:
        raise EndpointPaused("Resume the endpoint: that sends what is paused there.")
    if not row.event.body:
        raise BodyGone("The body of this callback is not kept any more.")
    rows = Delivery.objects.filter(pk=row.pk, state__in=ENDED)
    if not rows.update(**_anew(now)):
        return False
    enqueue(job=SEND, key=f"{row.event.uid}/{row.attempts + 1}", now=now)
    return True


@transaction.atomic
def resend_failed(
    *, since: datetime, now: datetime, owner: str = "", endpoint: Endpoint | None = None
) -> int:
    """Begin a new series for each callback that failed at `since` or later; returns how many.

    Of an owner, or to one endpoint of it. Those to a paused endpoint stay as they are.
    """
    rows = Delivery.objects.filter(
        state=State.FAILED, ended_at__gte=since, endpoint__paused_at=None
    ).exclude(event__body="")
    rows = rows.filter(owner=owner) if endpoint is None else rows.filter(endpoint=endpoint)
    many = Delivery.objects.filter(pk__in=rows.values("pk")).update(**_anew(now))
    if many:
        wake(key=f"resend {owner or (endpoint and endpoint.owner)}", now=now)
    return many


def _anew(now: datetime) -> dict[str, Any]:
    return {
        "state": State.PENDING,
        "due_at": now,
        "tries": 0,
        "ended_at": None,
        "last_error": "",
        "resends": F("resends") + 1,
    }


def send_test(*, owner: str, url: str, now: datetime) -> Published:
    """Send a callback that says only that it is a test; its subject is an id of its own."""
    subject = uuid4()
    body = {"event": TEST, "subject": subject, "sentAt": int(now.timestamp())}
    return publish(owner=owner, event=TEST, subject=subject, body=body, url=url, now=now)
