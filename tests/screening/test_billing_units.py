"""Each call is billed in its own unit, whatever the row of the endpoint says."""

from decimal import Decimal
from typing import Any

import pytest

from apps.access.keys import metering
from apps.platform.common.clock import now
from config.prices import INTELLIGENCE, UNITS

CALLS = {
    "screen": ("screen", {"name": "Blue Heron Stationery Limited"}),
    "ubo_chain": ("ubo-chain", {"lei": "5493001KJTIIGC8Y1R12"}),
    "pep_screen": ("pep-screen", {"name": "Keir Starmer"}),
}
FIRST = {"screen": Decimal("0.01"), "ubo_chain": Decimal("0.05"), "pep_screen": Decimal("0.02")}


@pytest.mark.parametrize("unit", CALLS)
def test_a_call_is_counted_in_the_unit_of_its_service_and_at_its_price(
    alice: Any, unit: str
) -> None:
    path, body = CALLS[unit]
    answer = alice.post(f"/compliance/compliance/{path}", body, format="json")
    assert answer.status_code == 200
    month = metering.get_month(now())
    assert metering.count_calls_by_unit(account_id=alice.account.pk, month=month) == {
        name: int(name == unit) for name in UNITS
    }
    report = metering.build_usage_report(account_id=alice.account.pk, account="A", month=month)
    assert report["total_usd"] == FIRST[unit]


def test_screens_cost_what_the_specification_says_at_each_tier() -> None:
    """Document 1 section 8: to 10,000 a month, to 100,000, and beyond."""
    tiers = [(tier.upto, tier.price) for tier in UNITS["screen"].tiers]
    assert tiers == [
        (10_000, Decimal("0.01")),
        (100_000, Decimal("0.008")),
        (None, Decimal("0.005")),
    ]
    rest = {unit.name for unit in INTELLIGENCE}  # how those are billed, their own tests tell
    assert set(UNITS) - rest == set(CALLS)
