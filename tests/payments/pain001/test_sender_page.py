"""The page of a file says how its sender writes, and the page of its payment leads to it."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.models import FileTransaction, SenderProfile
from tests.payments.pain001.conftest import JSON, several, work_off
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            {},
            "sends for any party; in .03 and .08 an account’s name is never a wallet; "
            "no callback URL",
        ),
        (
            {"callback_url": "https://treasury.example/called"},
            "callback URL https://treasury.example/called",
        ),
        (
            {"initiators": ["INR2EJN1ERAN0W5ZP974", "CMI"], "wallet_in_name": True},
            "sends for CMI, INR2EJN1ERAN0W5ZP974 alone; in .03 and .08 an account’s name may be a "
            "wallet",
        ),
    ],
)
def test_a_file_says_how_its_sender_writes_and_its_payments_lead_to_it(
    post: Callable[..., Any], bank: Any, today: datetime, said: dict[str, Any], words: str
) -> None:
    assert post(several(), **JSON).status_code == 202
    work_off(today)
    if said:
        SenderProfile.objects.create(account=bank.account, **said)
    line = FileTransaction.objects.get(number=2)
    otto = at_desk(person("otto", "Operator"))
    payment = Payment.objects.get(payment_id=line.payment_id)
    html = check_page(otto.get(f"/admin/payments/payment/{payment.pk}/"))
    page = f"/admin/pain001/paymentfile/{line.file_id}/"
    assert "Transaction 2 of the file" in html and page in html
    assert words in check_page(otto.get(page))
