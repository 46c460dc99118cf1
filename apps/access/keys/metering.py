"""Metering: billed calls per month, and their cost by tier (document 1 section 8)."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Sum

from apps.access.keys.models import UsageCount
from apps.platform.common.days import MONTH_NAMES
from config.prices import UNITS, Tier, Unit

# rows for each count: a process always adds to the same one, so that workers rarely wait for a lock
SHARDS = 16


def format_month(month: str) -> str:
    """Format a month (YYYY-MM) for people: `Oct 2026`; any other text is unchanged."""
    year, _, number = month.partition("-")
    known = number.isdecimal() and 1 <= int(number) <= len(MONTH_NAMES)
    return f"{MONTH_NAMES[int(number) - 1]} {year}" if known else month


def get_month(now: datetime) -> str:
    """Return the UTC month as YYYY-MM."""
    return now.astimezone(UTC).strftime("%Y-%m")


_TABLE = UsageCount._meta.db_table
# one statement: read and write in two would lose calls of parallel processes
_UPSERT = (
    f'INSERT INTO "{_TABLE}" (account_id, month, unit, shard, calls) '  # noqa: S608
    "VALUES (%s, %s, %s, %s, 1) ON CONFLICT (account_id, month, unit, shard) "
    f'DO UPDATE SET calls = "{_TABLE}".calls + 1'
)


def count_billed_call(*, account_id: int, unit: Unit, now: datetime) -> None:
    """Count one billed call; last in the business transaction, so that its row lock is short."""
    with connection.cursor() as cursor:
        cursor.execute(_UPSERT, [account_id, get_month(now), unit.name, os.getpid() % SHARDS])


@dataclass(frozen=True)
class TierLine:
    """The calls of one tier and their cost in USD."""

    tier: Tier
    calls: int
    cost: Decimal


def split_calls_by_tier(*, calls: int, tiers: tuple[Tier, ...]) -> list[TierLine]:
    """Split a month's calls over the tiers: each call is billed at the price of its tier."""
    tier_lines, below = [], 0
    for tier in tiers:
        top = calls if tier.upto is None else min(calls, tier.upto)
        # nothing is left for this tier where the calls end below it
        here = max(0, top - below)
        tier_lines.append(TierLine(tier, here, here * tier.price))
        below = top
    return tier_lines


def count_calls_by_unit(*, account_id: int, month: str) -> dict[str, int]:
    """Return billed calls by unit, including units without calls."""
    rows = (
        UsageCount.objects.filter(account_id=account_id, month=month)
        .values_list("unit")
        .annotate(total=Sum("calls"))
    )
    # a unit that is no longer sold keeps its calls of that month
    return dict.fromkeys(UNITS, 0) | dict(rows)


def build_usage_report(*, account_id: int, account: str, month: str) -> dict[str, Any]:
    """Return calls and cost by unit and tier for one account and month; see UsageOut."""
    calls = count_calls_by_unit(account_id=account_id, month=month)
    units, total = [], Decimal(0)
    for unit in UNITS.values():
        rows = split_calls_by_tier(calls=calls[unit.name], tiers=unit.tiers)
        cost = sum((row.cost for row in rows), Decimal(0))
        total += cost
        units.append(
            {
                "unit": unit.name,
                "calls": calls[unit.name],
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
