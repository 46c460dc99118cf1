"""The usage report that an account reads about itself."""

from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys import metering
from apps.access.keys.models import KeyKind
from apps.access.keys.serializers import UsageOut, UsageQuery
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, operation
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound


def report_usage(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> dict[str, Any]:
    """Return what the calling account used in a month; see UsageOut."""
    account = get_account_id(caller)
    month = asked.get("month") or metering.get_month(now)
    return metering.build_usage_report(account_id=account, account=caller.name, month=month)


def get_account_id(caller: Caller) -> int:
    """Return the account that a caller is; NotFound for callers without one."""
    # payers, sessions and agents are billed elsewhere: only keys count units
    kind, _, number = caller.ref.partition(":")
    if kind != "account":
        raise NotFound("Only accounts have usage.")
    return int(number)


class UsageViewSet(OperationViewSet):
    """Usage and charges of accounts (document 1 section 8)."""

    @operation(
        "usage",
        spec="1 §8",
        access=Access(keys=(KeyKind.SUBSCRIPTION,)),
        request=UsageQuery,
        response=UsageOut,
        example={"month": "2026-11"},
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns what the calling account used in a month and what it costs.

        Each call is billed at the price of the tier it falls into; replays under an Idempotency-Key
        and refused calls are not billed.
        """
        return self.run(None, report_usage)
