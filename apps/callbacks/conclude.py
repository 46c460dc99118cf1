"""What callers ask and do about their own callbacks; another tenant's are not there."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.callbacks import resending, settling
from apps.callbacks.addresses import BadUrl, check_url
from apps.callbacks.models import Delivery, Endpoint
from apps.core.callers import Caller
from apps.core.pagination import Paged
from apps.core.pipeline import Answer
from apps.core.problems import NO_SUCH_ID, DomainError, NotFound


class BadAddress(DomainError):
    """The address cannot be called back."""

    code, title = "bad_address", "The address cannot be called back"


def listed(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the caller's callbacks, newest first; see CallbacksOut."""
    rows = Delivery.objects.of(caller.ref).select_related("event", "endpoint")
    status = asked.get("status")
    return Paged(rows.filter(state=status) if status else rows, show=_shorts)


def one(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Mapping[str, Any]:
    """Return a callback of the caller with its attempts; see CallbackOut."""
    row = _own(asked, caller)
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
    return _short(row) | {"log": log}


def resent(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Answer:
    """Send a callback of the caller again; see CallbackShort."""
    row = _own(asked, caller)
    resending.resend(row=row, now=now)
    return Answer(_short(_own(asked, caller)), status=202)


def all_resent(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Answer:
    """Send all of the caller's callbacks again that failed since a time; see ResentOut."""
    many = resending.resend_failed(owner=caller.ref, since=asked["since"], now=now)
    return Answer({"resent": many}, status=202)


def tested(*, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime) -> Answer:
    """Send a test to an address; see CallbackShort. Raises BadAddress."""
    try:
        check_url(url=asked["url"])
    except BadUrl as error:
        fault = {"field": "url", "message": str(error)}
        raise BadAddress(str(error), errors=[fault]) from None
    told = resending.send_test(owner=caller.ref, url=asked["url"], now=now)
    return Answer(_short(_own({"event_id": told.event}, caller)), status=202)


def endpoints(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the caller's endpoints, newest first; see EndpointsOut."""
    return Paged(Endpoint.objects.filter(owner=caller.ref), show=_endpoints)


def resumed(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Call an endpoint of the caller again; see EndpointOut."""
    row = Endpoint.objects.filter(owner=caller.ref, uid=asked["endpoint_id"]).first()
    if row is None:
        raise NotFound(NO_SUCH_ID)
    settling.resume(endpoint=row, now=now)
    row.refresh_from_db()
    return _endpoint(row)


def _own(asked: Mapping[str, Any], caller: Caller) -> Delivery:
    rows = Delivery.objects.of(caller.ref).select_related("event", "endpoint")
    row = rows.filter(event__uid=asked["event_id"]).first()
    if row is None:
        raise NotFound(NO_SUCH_ID)
    return row


def _shorts(page: Sequence[Delivery]) -> list[dict[str, Any]]:
    return [_short(row) for row in page]


def _short(row: Delivery) -> dict[str, Any]:
    found: dict[str, Any] = {
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
    return found | {name: moment for name, moment in times.items() if moment}


def _endpoints(page: Sequence[Endpoint]) -> list[dict[str, Any]]:
    return [_endpoint(row) for row in page]


def _endpoint(row: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = {
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
    return found | {name: value for name, value in further.items() if value}
