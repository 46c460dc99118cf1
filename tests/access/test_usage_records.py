"""How far the counts of billed calls have come is recorded: none is set back unseen."""

import sqlite3
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from apps.access.keys.metering import count_billed_call
from apps.access.keys.models import Account, UsageCount, UsageRecord
from apps.access.keys.usage_integrity import record_usage, verify_usage_counts
from apps.platform.ledger.verification.verifier import verify_ledger
from config.prices import UNITS

pytestmark = pytest.mark.django_db
SCREEN = UNITS["screen"]


@pytest.fixture
def alice(noon: datetime) -> Account:
    return Account.objects.create(name="Alice Ltd", created_at=noon)


def faults() -> list[str]:
    return list(verify_usage_counts(lambda _: None))


def call(account: Account, at: datetime, times: int = 1) -> None:
    for _ in range(times):
        count_billed_call(account_id=account.pk, unit=SCREEN, now=at)


def test_counts_are_recorded_as_they_grow(alice: Account, noon: datetime) -> None:
    call(alice, noon, 3)
    record_usage("", noon)
    record_usage("", noon)  # nothing grew
    call(alice, noon)
    record_usage("", noon + timedelta(hours=1))
    assert list(UsageRecord.objects.order_by("pk").values_list("calls", flat=True)) == [3, 4]
    assert not faults()


@pytest.mark.parametrize(("calls", "found"), [(3, False), (4, False), (2, True), (0, True)])
def test_a_count_that_was_set_back_is_found(
    alice: Account, noon: datetime, calls: int, found: bool
) -> None:
    call(alice, noon, 3)
    record_usage("", noon)
    UsageCount.objects.update(calls=calls)
    told = f"calls of account {alice.pk} in 2026-11 (screen): {calls}, but 3 are recorded"
    assert faults() == ([told] if found else [])
    assert (told in verify_ledger(ledger="usage").faults) is found


def test_a_count_that_is_gone_is_found(alice: Account, noon: datetime) -> None:
    call(alice, noon)
    record_usage("", noon)
    UsageCount.objects.all().delete()
    assert faults() == [f"calls of account {alice.pk} in 2026-11 (screen): 0, but 1 are recorded"]


def test_months_and_accounts_are_counted_apart(alice: Account, noon: datetime) -> None:
    bob: Any = Account.objects.create(name="Bob SA", created_at=noon)
    call(alice, noon, 2)
    call(bob, noon)
    call(alice, noon + timedelta(days=30))
    record_usage("", noon)
    assert UsageRecord.objects.count() == 3 and not faults()
    UsageCount.objects.filter(account=bob).delete()
    assert len(faults()) == 1


def test_counts_may_be_more_than_a_statement_has_parameters(alice: Account, noon: datetime) -> None:
    for month in range(4):
        call(alice, noon + timedelta(days=31 * month))
    record_usage("", noon)
    if connection.vendor != "sqlite":
        return  # psycopg writes values into the statement
    limited = connection.connection
    before = limited.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 3)
    try:
        assert not faults()
    finally:
        limited.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, before)
