"""Keys altered in the database let nobody in, whatever they would open."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from apps.access.keys import integrity
from apps.access.keys.integrity import KeyRecord
from apps.access.keys.models import (
    Account,
    ApiKey,
    IssuedKey,
    KeyKind,
    issue_api_key,
    issue_successor,
)
from apps.platform.crypto.random_secrets import hash_secret
from apps.platform.ledger.verification import verifier
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from tests.review.people import at_desk, check_page, person

pytestmark = [pytest.mark.urls("tests.access.endpoints"), pytest.mark.django_db]
PATH = "/compliance/test/subscription"


@pytest.fixture
def alice(db: Any, noon: Any) -> Account:
    return Account.objects.create(name="Alice Ltd", created_at=noon)


@pytest.fixture
def bob(db: Any, noon: Any) -> Account:
    return Account.objects.create(name="Bob Ltd", created_at=noon)


@pytest.fixture
def made(alice: Account, noon: Any) -> IssuedKey:
    return issue_api_key(account=alice, kind=KeyKind.SUBSCRIPTION, now=noon, rate_per_minute=600)


def ask(secret: str) -> Any:
    return APIClient().get(PATH, headers={"X-API-Key": secret})


def refused(secret: str) -> None:
    answer = ask(secret)
    assert (answer.status_code, answer.json()["code"]) == (503, "key_unproved"), answer.content


def faults() -> list[str]:
    return verifier.verify_ledger(ledger="keys").faults


def test_a_key_that_was_issued_is_let_in_and_verifies(made: IssuedKey) -> None:
    assert ask(made.secret).status_code == 200
    assert faults() == []


def test_another_secret_put_into_a_row_opens_nothing(made: IssuedKey) -> None:
    forged = made.secret[:18] + "A" * 43
    ApiKey.objects.update(digest=hash_secret(forged))
    refused(forged)
    assert ask(made.secret).status_code == 401
    assert faults() == [f"key {made.key.pk}: its digest differs from the record"]


def test_a_row_that_nobody_issued_opens_nothing(made: IssuedKey, noon: Any) -> None:
    secret = "svc_sub_" + "Z" * 53
    row = ApiKey.objects.get()
    row.pk, row.lookup, row.digest = None, "Z" * 10, hash_secret(secret)
    row.save(force_insert=True)
    refused(secret)
    assert faults() == [f"key {row.pk}: its issue is not recorded"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("rate_per_minute", 999_999),
        ("rate_per_minute", None),
        ("label", "another"),
        ("created_at", timezone.now),
        ("expires_at", lambda: timezone.now() + timedelta(days=9)),
        ("revoked_at", lambda: timezone.now() + timedelta(days=9)),
    ],
)
def test_no_column_of_a_key_is_altered_unnoticed(made: IssuedKey, column: str, value: Any) -> None:
    ApiKey.objects.update(**{column: value() if callable(value) else value})
    refused(made.secret)
    assert f"its {column} " in faults()[0]


def test_a_key_is_given_to_no_other_account(made: IssuedKey, bob: Account) -> None:
    ApiKey.objects.update(account=bob)
    refused(made.secret)


def test_when_it_was_last_used_is_no_part_of_the_proof(made: IssuedKey, noon: Any) -> None:
    ApiKey.objects.update(last_used_at=noon)
    assert ask(made.secret).status_code == 200


def test_a_revoked_key_does_not_come_back(made: IssuedKey, noon: Any) -> None:
    made.key.revoke(now=noon)
    assert ask(made.secret).status_code == 401
    ApiKey.objects.update(revoked_at=None)
    refused(made.secret)
    assert "its revoked_at is nothing, recorded is" in faults()[0]


def test_a_copy_of_an_old_record_bears_no_revoked_key_out(made: IssuedKey, noon: Any) -> None:
    made.key.revoke(now=noon)
    ApiKey.objects.update(revoked_at=None)
    old = KeyRecord.objects.get(number=1)
    for number in (3, 99):
        old.pk, old.number = None, number
        old.save(force_insert=True)
        refused(made.secret)
    assert any("MAC" in fault for fault in faults())


def test_the_database_takes_no_true_copy_of_a_record(made: IssuedKey, noon: Any) -> None:
    """Its MAC would hold."""
    made.key.revoke(now=noon)
    old = KeyRecord.objects.get(number=1)
    old.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        old.save(force_insert=True)


def test_an_expired_key_does_not_come_back(alice: Account, noon: Any) -> None:
    issued_key = issue_api_key(account=alice, kind=KeyKind.SUBSCRIPTION, now=noon, expires_at=noon)
    assert ask(issued_key.secret).status_code == 401
    ApiKey.objects.update(expires_at=None)
    refused(issued_key.secret)


def test_the_end_that_rotating_sets_is_proved(made: IssuedKey) -> None:
    now = timezone.now()
    successor = issue_successor(key=made.key, overlap=timedelta(0), now=now)
    assert ask(successor.secret).status_code == 200 and ask(made.secret).status_code == 401
    assert faults() == []
    ApiKey.objects.filter(pk=made.key.pk).update(expires_at=None)
    refused(made.secret)


def test_records_are_not_made_without_our_key(made: IssuedKey, settings: Any) -> None:
    row = KeyRecord.objects.get()
    row.pk, row.number = None, 2
    row.payload = row.payload.replace("600", "601")
    row.save(force_insert=True)
    ApiKey.objects.update(rate_per_minute=601)
    refused(made.secret)


def test_an_altered_key_is_not_rotated_and_is_revoked(
    made: IssuedKey, noon: Any, make_refusal: Callable[..., str]
) -> None:
    ApiKey.objects.update(rate_per_minute=7)
    assert "rate_per_minute is 7, recorded is 600" in make_refusal(made.key)
    assert ApiKey.objects.count() == 1
    made.key.revoke(now=noon)
    assert ask(made.secret).status_code == 401


@pytest.fixture
def make_refusal(noon: Any) -> Callable[..., str]:
    """Try to rotate a key, and return why that was refused."""
    from apps.access.keys import services

    def make(key: ApiKey) -> str:
        with pytest.raises(services.KeyRefused) as error:
            services.rotate_key(key=key, overlap=timedelta(0), by="otto", now=noon)
        return str(error.value.detail)

    return make


def test_a_key_that_was_revoked_meanwhile_has_no_successor(
    made: IssuedKey, noon: Any, make_refusal: Callable[..., str]
) -> None:
    """The page has looked before: the key ends between its look and the lock."""
    ApiKey.objects.get(pk=made.key.pk).revoke(now=noon)
    assert "expired" in make_refusal(made.key)
    assert ApiKey.objects.count() == 1


@pytest.mark.urls("config.urls")
def test_the_page_of_an_altered_key_says_so(made: IssuedKey) -> None:
    otto = at_desk(person("otto", "Operator"))
    page = f"/admin/access/apikey/{made.key.pk}/change/"
    assert "differs from the record" not in check_page(otto.get(page))
    ApiKey.objects.update(rate_per_minute=7)
    assert "its rate_per_minute is 7, recorded is 600" in check_page(otto.get(page))


def test_the_proof_costs_no_statement_of_its_own(
    made: IssuedKey, django_assert_num_queries: Any
) -> None:
    ask(made.secret)
    with django_assert_num_queries(1):
        assert ask(made.secret).status_code == 200


def test_records_of_keys_cannot_be_changed(made: IssuedKey) -> None:
    for sql in ("UPDATE access_keyrecord SET number = 9", "DELETE FROM access_keyrecord"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    assert integrity.find_first_key_fault(made.key) == ""


def test_of_a_record_and_its_copy_the_oldest_is_ours(made: IssuedKey) -> None:
    """The MAC is not over the id, which the database gives: a copy's holds."""
    original, copied = KeyRecord.objects.get(), KeyRecord.objects.get()
    copied.pk = original.pk + 1
    assert copied.mac_fault() == ""
    for given in ([original, copied], [copied, original]):
        assert [verified_record.pk for verified_record in filter_verified_records(given)] == [
            original.pk
        ]
