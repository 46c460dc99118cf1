"""Many payments at once: each is counted, each once, and nobody waits for ever."""

from typing import Any

import pytest
from django.db import IntegrityError, connection
from rest_framework.test import APIClient

from apps.compliance.aml.models import AmlScreen, WalletProfile
from tests.aml.conftest import PAYMENT
from tests.payees.registration.conftest import wallet
from tests.paywall.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


def ask(ivan: APIClient, sender: int, receiver: int, name: str) -> Any:
    body = {"wallet": wallet(sender), "counterparty": wallet(receiver), "paymentId": name} | PAYMENT
    # a client of its own for each thread
    client = APIClient()
    client.credentials(**ivan._credentials)
    answer = client.post("/compliance/aml/screen", body, format="json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_the_same_payment_at_the_same_moment_is_counted_once(ivan: APIClient) -> None:
    results = at_once(lambda n: ask(ivan, 1, 2, "P"), AT_ONCE)
    assert sorted(one["counted"] for one in results) == [False] * (AT_ONCE - 1) + [True]
    assert {wallet_profile.payments for wallet_profile in WalletProfile.objects.all()} == {1}
    assert AmlScreen.objects.filter(counted=True).count() == 1


def test_payments_between_the_same_wallets_both_ways_lose_no_count(ivan: APIClient) -> None:
    """Each holds what another wants, were the rows not locked in one order."""
    at_once(lambda n: ask(ivan, *((1, 2) if n % 2 else (2, 1)), f"P-{n}"), AT_ONCE)
    for wallet_profile in WalletProfile.objects.all():
        assert wallet_profile.payments == wallet_profile.profile.count == AT_ONCE
        assert wallet_profile.profile.volume == AT_ONCE * 1500 * 10**6


def test_one_wallet_that_pays_many_new_ones_at_once_is_counted_whole(ivan: APIClient) -> None:
    at_once(lambda n: ask(ivan, 1, n + 2, f"P-{n}"), AT_ONCE)
    hub = WalletProfile.objects.get(wallet=wallet(1))
    assert (hub.payments, hub.profile.met) == (AT_ONCE, AT_ONCE)
    maturity = AmlScreen.objects.order_by("pk").values_list("cohort", flat=True)
    assert list(maturity) == ["UNKNOWN", *["NEW"] * (AT_ONCE - 1)]


def test_the_database_itself_counts_a_payment_once(ivan: APIClient) -> None:
    ask(ivan, 1, 2, "P")
    row = AmlScreen.objects.get()
    with connection.cursor() as cursor, pytest.raises(IntegrityError):
        columns = [f.column for f in AmlScreen._meta.concrete_fields if not f.primary_key]
        listed = ", ".join(f'"{column}"' for column in columns)
        taken = listed.replace('"screen_id"', "%s")
        table = AmlScreen._meta.db_table
        cursor.execute(
            f"INSERT INTO {table} ({listed}) SELECT {taken} FROM {table} WHERE id = %s",
            ["0" * 32, row.pk],
        )
