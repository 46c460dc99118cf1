"""What an account may ask about itself."""

from datetime import datetime
from typing import Any

from apps.access import metering
from apps.access.models import Kind
from apps.access.serializers import UsageOut, UsageQuery
from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint
from apps.core.problems import NotFound


def usage(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> dict[str, Any]:
    """Return what the calling account used in a month; see UsageOut."""
    account = account_of(caller)
    month = asked.get("month") or metering.month_of(now)
    return metering.usage_report(account_id=account, account=caller.name, month=month)


def account_of(caller: Caller) -> int:
    """Return the account that a caller is; NotFound for callers without one."""
    kind, _, number = caller.ref.partition(":")
    if kind != "account":
        raise NotFound("Only accounts have usage.")
    return int(number)


ENDPOINTS = (
    Endpoint(
        name="usage",
        method="GET",
        path="compliance/usage",
        service="compliance",
        spec="1 §8",
        about="Tells what the calling account used in a month and what it costs.\n\n"
        "Each call is billed at the price of the tier it falls into; replays under an "
        "Idempotency-Key and refused calls are not billed.",
        access=Access(keys=(Kind.SUBSCRIPTION,)),
        asks=UsageQuery,
        answers=UsageOut,
        example={"month": "2026-11"},
        conclude=usage,
    ),
)
