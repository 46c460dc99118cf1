"""Send callbacks again: one, or all that failed since a time; and send test callbacks."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models import F

from apps.payments.callbacks.models import Delivery, Endpoint, State
from apps.payments.callbacks.services.publish_event import (
    SEND,
    PublishedEvent,
    enqueue_send,
    publish_event,
)
from apps.platform.common.problems import Conflict
from apps.platform.jobs.job_queue import enqueue_job

ENDED = (State.DELIVERED, State.FAILED)
TEST = "callback.test"


class EndpointPaused(Conflict):
    """The endpoint is paused: callbacks that are due are sent when it is resumed."""

    code, title = "endpoint_paused", "The endpoint is paused"


class BodyExpired(Conflict):
    """The body was deleted at the end of its retention: there is nothing to send."""

    code, title = "body_gone", "The body is no longer stored"


@transaction.atomic
def resend_callback(*, row: Delivery, now: datetime) -> bool:
    """Start a new series of four attempts, the first now; False if one is under way.

    The same bytes are sent under the same event id. Raises EndpointPaused, or BodyExpired after its
    retention.
    """
    # its page or answer may be minutes old
    row.refresh_from_db()
    if row.endpoint.paused_at is not None:
        raise EndpointPaused("Resume the endpoint: that sends the callbacks that are paused.")
    if not row.event.body:
        raise BodyExpired("The body of this callback is no longer stored.")
    # compare-and-set: of two clicks one starts a series
    rows = Delivery.objects.filter(pk=row.pk, state__in=ENDED)
    if not rows.update(**_new_series_columns(now)):
        return False
    enqueue_job(job=SEND, key=f"{row.event.uid}/{row.attempts + 1}", now=now)
    return True


@transaction.atomic
def resend_failed_callbacks(
    *, since: datetime, now: datetime, owner: str = "", endpoint: Endpoint | None = None
) -> int:
    """Start a new series for each callback that failed at `since` or later; returns how many.

    It covers those of an owner, or to one endpoint of it. Those to a paused endpoint are unchanged.
    """
    rows = Delivery.objects.filter(
        state=State.FAILED,
        ended_at__gte=since,
        endpoint__paused_at=None,
        # there is nothing to send after retention
    ).exclude(event__body="")
    rows = rows.filter(owner=owner) if endpoint is None else rows.filter(endpoint=endpoint)
    many = Delivery.objects.filter(pk__in=rows.values("pk")).update(**_new_series_columns(now))
    if many:
        enqueue_send(key=f"resend {owner or (endpoint and endpoint.owner)}", now=now)
    return many


def _new_series_columns(now: datetime) -> dict[str, Any]:
    return {
        "state": State.PENDING,
        "due_at": now,
        "tries": 0,
        "ended_at": None,
        "last_error": "",
        "resends": F("resends") + 1,
    }


def send_test_callback(*, owner: str, url: str, now: datetime) -> PublishedEvent:
    """Send a callback that says only that it is a test; its subject is an id of its own."""
    subject = uuid4()
    body = {"event": TEST, "subject": subject, "sentAt": int(now.timestamp())}
    return publish_event(owner=owner, event=TEST, subject=subject, body=body, url=url, now=now)
