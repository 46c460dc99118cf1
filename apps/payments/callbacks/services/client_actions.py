"""Resend and test the caller's own callbacks; another tenant's are not visible."""

from datetime import datetime
from typing import Any

from apps.payments.callbacks.callback_urls import InvalidCallbackUrl, check_callback_url
from apps.payments.callbacks.models import Endpoint
from apps.payments.callbacks.selectors.client_callbacks import (
    load_own_delivery,
    serialize_callback,
    serialize_endpoint,
)
from apps.payments.callbacks.services import endpoint_pauses, resend
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, DomainError, NotFound


class UncallableAddress(DomainError):
    """The URL cannot be used for callbacks."""

    code, title = "bad_address", "URL not usable for callbacks"


def resend_own_callback(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Answer:
    """Send a callback of the caller again; see CallbackShort."""
    row = load_own_delivery(asked, caller)
    resend.resend_callback(row=row, now=now)
    return Answer(serialize_callback(load_own_delivery(asked, caller)), status=202)


def resend_own_failed(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Answer:
    """Send all of the caller's callbacks again that failed since a time; see ResentOut."""
    many = resend.resend_failed_callbacks(owner=caller.ref, since=asked["since"], now=now)
    return Answer({"resent": many}, status=202)


def send_own_test(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> Answer:
    """Send a test to an address; see CallbackShort. Raises UncallableAddress."""
    try:
        check_callback_url(url=asked["url"])
    except InvalidCallbackUrl as error:
        fault = {"field": "url", "message": str(error)}
        raise UncallableAddress(str(error), errors=[fault]) from None
    # signed and retried like any other, so that a receiver can be tested with it
    published_event = resend.send_test_callback(owner=caller.ref, url=asked["url"], now=now)
    return Answer(
        serialize_callback(load_own_delivery({"event_id": published_event.event}, caller)),
        status=202,
    )


def resume_own_endpoint(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Call an endpoint of the caller again; see EndpointOut."""
    row = Endpoint.objects.filter(owner=caller.ref, uid=asked["endpoint_id"]).first()
    if row is None:
        raise NotFound(NO_SUCH_ID)
    endpoint_pauses.resume_endpoint(endpoint=row, now=now)
    row.refresh_from_db()
    return serialize_endpoint(row)
