"""The caller's own callbacks and endpoints."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.payments.callbacks.models import Delivery, Endpoint
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def list_callbacks(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[Delivery]:
    """Return the caller's callbacks, newest first."""
    return Delivery.objects.of(caller.ref).select_related("event", "endpoint")


def read_callback(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Mapping[str, Any]:
    """Return a callback of the caller with its attempts; see CallbackOut."""
    row = load_own_delivery(asked, caller)
    log = [
        {
            "number": attempt.number,
            "at": attempt.at,
            "status": attempt.status,
            "latency_ms": attempt.latency_ms,
            "error": attempt.error,
            "answered": attempt.excerpt,
        }
        for attempt in row.log.order_by("number")
    ]
    return serialize_callback(row) | {"log": log}


def list_endpoints(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[Endpoint]:
    """Return the caller's endpoints, newest first."""
    return Endpoint.objects.filter(owner=caller.ref)


def serialize_callbacks(page: Sequence[Delivery]) -> list[dict[str, Any]]:
    """Return a page of callbacks; see CallbacksOut."""
    return [serialize_callback(row) for row in page]


def serialize_endpoints(page: Sequence[Endpoint]) -> list[dict[str, Any]]:
    return [serialize_endpoint(row) for row in page]


def load_own_delivery(asked: Mapping[str, Any], caller: Caller) -> Delivery:
    # another tenant's event id answers 404, as an unknown one does
    rows = Delivery.objects.of(caller.ref).select_related("event", "endpoint")
    row = rows.filter(event__uid=asked["event_id"]).first()
    if row is None:
        raise NotFound(NO_SUCH_ID)
    return row


def serialize_callback(row: Delivery) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "event_id": str(row.event.uid),
        "event": row.event.name,
        "subject": str(row.event.subject),
        "endpoint_id": str(row.endpoint.uid),
        "url": row.url,
        "webhook_status": row.state,
        "attempts": row.attempts,
        "resends": row.resends,
        "error": row.last_error,
        "created_at": row.created_at,
    }
    times = {"next_attempt_at": row.due_at, "ended_at": row.ended_at}
    return payload | {name: moment for name, moment in times.items() if moment}


def serialize_endpoint(row: Endpoint) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "endpoint_id": str(row.uid),
        "address": row.address,
        "paused": row.paused_at is not None,
        "failures": row.failures,
        "error": row.last_error,
    }
    further = {
        "reason": row.paused_why,
        "paused_at": row.paused_at,
        "failing_since": row.failing_since,
        "last_ok_at": row.last_ok_at,
    }
    return payload | {name: value for name, value in further.items() if value}
