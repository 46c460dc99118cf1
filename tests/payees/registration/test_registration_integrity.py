"""Registrations are what their ledger says: what somebody changes in the database shows."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import Registration, RegistrationEvent
from tests.conftest import NOON
from tests.payees.registration.conftest import LAPSED, MICROSOFT

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


def faults() -> list[str]:
    return list(verify_all_registrations(lambda done: None))


def test_what_was_registered_changed_and_ended_agrees(register: Call, rita: Any) -> None:
    register(1, **(MICROSOFT | {"lei": None}))
    register(1, **MICROSOFT, status=200)
    made = register(2, **LAPSED)
    rita.delete(f"/compliance/register/{made['walletAddress']}")
    assert faults() == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"legal_name": "Somebody Else"}, "legal_name is Somebody Else"),
        ({"wallet": "0x1"}, "wallet is 0x1"),
        ({"under_review": False}, "under_review is"),
        ({"aliases": ["Evil"]}, "aliases is ['Evil']"),
        ({"active": False, "under_review": False, "ended_at": NOON}, "active is"),
    ],
)
def test_a_row_that_was_changed_by_hand_shows(
    register: Call, change: dict[str, Any], told: str
) -> None:
    register(**LAPSED)
    Registration.objects.update(**change)
    assert any(told in fault for fault in faults())


def test_a_row_without_record_and_a_record_without_row_show(register: Call) -> None:
    register()
    row = Registration.objects.get()
    Registration.objects.filter(pk=row.pk).delete()
    assert faults() == [f"registration {row.pk}: it is recorded, but its row is missing"]
    row.save(force_insert=True)
    row.pk, row.wallet = None, "0x2"
    row.save(force_insert=True)
    assert "its registration is not recorded" in faults()[0]


@pytest.mark.parametrize("verb", ["UPDATE registry_registrationevent SET caller = 'x'",
                                  "DELETE FROM registry_registrationevent"])  # fmt: skip
def test_the_database_itself_keeps_what_happened(register: Call, verb: str) -> None:
    register()
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(verb)


def test_what_an_active_registration_rests_on_is_kept_however_old(
    register: Call, rita: Any
) -> None:
    made = register()
    spared = RegistrationEvent.objects.filter(RegistrationEvent.spared(before=NOON))
    assert spared.count() == 1
    rita.delete(f"/compliance/register/{made['walletAddress']}")
    assert spared.all().count() == 0


def test_the_database_knows_one_active_registration_of_a_wallet(register: Call) -> None:
    register()
    row = Registration.objects.get()
    row.pk = None
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save(force_insert=True)
    row.end(now=row.registered_at + timedelta(days=1))
    row.save(force_insert=True)
