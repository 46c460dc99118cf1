"""What an account used and what it costs."""

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import metering
from apps.access.auth import KeyView, principal
from apps.access.models import Kind
from apps.access.serializers import UsageOut, UsageQuery
from apps.core.clock import now
from config.prices import UNITS


def usage_report(*, account_id: int, account: str, month: str) -> dict[str, Any]:
    """Return calls and cost by unit and tier for one account and month."""
    calls = metering.used(account_id=account_id, month=month)
    units, total = [], Decimal(0)
    for unit, tiers in UNITS.items():
        rows = metering.lines(calls=calls[unit], tiers=tiers)
        cost = sum((row.cost for row in rows), Decimal(0))
        total += cost
        units.append(
            {
                "unit": unit,
                "calls": calls[unit],
                "cost_usd": cost,
                "tiers": [
                    {
                        "upto": row.tier.upto,
                        "price_usd": row.tier.price,
                        "calls": row.calls,
                        "cost_usd": row.cost,
                    }
                    for row in rows
                ],
            }
        )
    return {"month": month, "account": account, "units": units, "total_usd": total}


class UsageView(KeyView):
    """Tells what the calling account used in a month and what it costs (1 §8).

    Each call is billed at the price of the tier it falls into; replays under an
    Idempotency-Key and refused calls are not billed.
    """

    key_kinds = (Kind.SUBSCRIPTION,)

    @extend_schema(operation_id="usage", parameters=[UsageQuery], responses=UsageOut)
    def get(self, request: Request) -> Response:
        caller = principal(request)
        query = self.read_query(UsageQuery, request)
        month = query.get("month") or metering.month_of(now())
        report = usage_report(account_id=caller.account_id, account=caller.name, month=month)
        return Response(UsageOut(report).data)
