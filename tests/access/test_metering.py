"""Metering: every billed call counts once, in its month, at the price of its tier."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.access.keys import metering
from apps.access.keys.models import Account, UsageCount
from config.prices import PEP_SCREEN, SCREEN, UNITS, Unit


def cost(calls: int) -> Decimal:
    lines = metering.split_calls_by_tier(calls=calls, tiers=SCREEN.tiers)
    return sum((line.cost for line in lines), Decimal(0))


@pytest.mark.parametrize(
    ("calls", "split", "usd"),
    [
        (0, (0, 0, 0), "0"),
        (1, (1, 0, 0), "0.01"),
        (9_999, (9_999, 0, 0), "99.99"),
        (10_000, (10_000, 0, 0), "100"),
        (10_001, (10_000, 1, 0), "100.008"),
        (99_999, (10_000, 89_999, 0), "819.992"),
        (100_000, (10_000, 90_000, 0), "820"),
        (100_001, (10_000, 90_000, 1), "820.005"),
        (1_000_000, (10_000, 90_000, 900_000), "5320"),
    ],
)
def test_each_call_is_billed_at_the_price_of_its_tier(
    calls: int, split: tuple[int, ...], usd: str
) -> None:
    lines = metering.split_calls_by_tier(calls=calls, tiers=SCREEN.tiers)
    assert tuple(line.calls for line in lines) == split
    assert cost(calls) == Decimal(usd)


@given(st.integers(0, 2_000_000))
def test_no_call_is_lost_and_one_more_never_costs_less(calls: int) -> None:
    assert (
        sum(line.calls for line in metering.split_calls_by_tier(calls=calls, tiers=SCREEN.tiers))
        == calls
    )
    more = cost(calls + 1) - cost(calls)
    assert more in {tier.price for tier in SCREEN.tiers}


@pytest.fixture
def alice(db: Any, noon: Any) -> Account:
    return Account.objects.create(name="Alice Ltd", created_at=noon)


def count(account: Account, now: Any, unit: Unit = SCREEN, times: int = 1) -> None:
    for _ in range(times):
        metering.count_billed_call(account_id=account.pk, unit=unit, now=now)


def test_shards_add_up(alice: Account, noon: Any, monkeypatch: Any) -> None:
    for pid in range(100, 120):
        monkeypatch.setattr("os.getpid", lambda pid=pid: pid)
        count(alice, noon, times=2)
    assert UsageCount.objects.count() == metering.SHARDS
    assert metering.count_calls_by_unit(account_id=alice.pk, month="2026-11")["screen"] == 40


def test_months_are_utc_and_end_with_their_last_microsecond(alice: Account) -> None:
    midnight = datetime(2026, 12, 1, tzinfo=UTC)
    count(alice, midnight - timedelta(microseconds=1))
    count(alice, midnight, times=2)
    east = timezone(timedelta(hours=14))
    count(alice, datetime(2026, 12, 1, 13, 59, tzinfo=east))  # still November in UTC
    months = {
        m: metering.count_calls_by_unit(account_id=alice.pk, month=m)["screen"]
        for m in ("2026-11", "2026-12")
    }
    assert months == {"2026-11": 2, "2026-12": 2}


def test_units_and_accounts_are_apart(alice: Account, noon: Any) -> None:
    bob = Account.objects.create(name="Bob SA", created_at=noon)
    count(alice, noon, SCREEN, 3)
    count(alice, noon, PEP_SCREEN, 2)
    count(bob, noon, SCREEN)
    assert metering.count_calls_by_unit(account_id=alice.pk, month="2026-11") == dict.fromkeys(
        UNITS, 0
    ) | {
        "screen": 3,
        "pep_screen": 2,
    }
    assert metering.count_calls_by_unit(account_id=bob.pk, month="2026-10") == dict.fromkeys(
        UNITS, 0
    )


def test_every_units_tiers_rise_and_have_no_end() -> None:
    for unit in UNITS.values():
        tiers = unit.tiers
        ends = [tier.upto for tier in tiers]
        assert ends[-1] is None and None not in ends[:-1]
        assert ends[:-1] == sorted(ends[:-1]) and all(tier.price > 0 for tier in tiers)
