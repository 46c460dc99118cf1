"""What the bank told of is found by the search of every page."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.payments.banking.models import BankTransaction
from tests.banking.webhook_deliveries import OTHER, WALLET, deliver, event, tagged
from tests.desk.test_search import ask, found
from tests.review.people import SENIOR, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def sofia(db: Any) -> User:
    return person("sofia", SENIOR)


def test_a_transaction_is_found_by_wallet_and_quote(sofia: User, sample: Any) -> None:
    said = tagged()
    deliver(said)
    row = BankTransaction.objects.get()
    assert row.quote_id
    for text in (WALLET, row.quote_id):
        assert found(sofia, text)["Bank transactions"] == [said["resourceId"]], text
    assert "Bank transactions" not in found(sofia, OTHER)


def test_the_banks_id_of_an_untagged_one_leads_straight_to_its_page(sofia: User) -> None:
    said = event()
    deliver(said)
    row = BankTransaction.objects.get()
    answer = ask(sofia, said["resourceId"])
    assert answer["Location"] == f"/admin/banking/banktransaction/{row.pk}/change/"


def test_who_may_not_see_the_bank_finds_nothing_of_it(sample: Any) -> None:
    said = tagged()
    deliver(said)
    rita = person("rita", "Registrar")
    assert "Bank transactions" not in found(rita, said["resourceId"])
