"""A payment that awaits its transfer, as it is read."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.chain.models import ChainEvent, Order
from apps.payments.chain.rules.transitions import MOST_STEPS
from apps.payments.payments.models import Payment
from apps.platform.common.clock import now
from tests.chain.conftest import Local
from tests.payments.conftest import bank, sample, send, work  # noqa: F401
from tests.payments.test_evm_rail import PAYEE, PAYER, PAYMENTS, awaiting, chain, tell  # noqa: F401
from tests.process_caches import oracles_forgotten  # noqa: F401

pytestmark = pytest.mark.django_db
TABLES = ("payments_payment", "payments_paymentevent", "chain_order", "chain_chainevent")


@pytest.fixture
def waits(chain: Local, send: Callable[..., Any], bank: Any) -> str:  # noqa: F811
    """A payment that awaits its transfer; return its address."""
    return f"{PAYMENTS}/{awaiting(send, bank)['svcPaymentId']}"


def test_it_is_read_in_four_queries_of_its_own_however_much_happened(
    chain: Local,  # noqa: F811
    waits: str,
    bank: Any,  # noqa: F811
) -> None:
    """The payment, its last step, the order, and the order's last step with its transfer."""
    for transfer in (False, True):
        if transfer:
            chain.pay("3", to=PAYEE, by=PAYER)
            chain.pay(bank.get(waits).json()["execution"]["amount"], to=PAYEE, by=PAYER)
            tell()
        with CaptureQueriesContext(connection) as queries:
            body = bank.get(waits).json()
        assert body["status"] == "AWAITING_SETTLEMENT"
        assert body["execution"]["transfer"]["state"] == ("CONFIRMING" if transfer else "OPEN")
        first = [query["sql"].partition(" FROM ")[2].partition(" ")[0] for query in queries]
        assert [one.strip('"') for one in first if one.strip('"') in TABLES] == [
            "payments_payment", "payments_paymentevent", "chain_order", "chain_chainevent",
        ]  # fmt: skip


def test_one_whose_order_was_removed_is_told_as_such_and_expects_no_second_transfer(
    chain: Local,  # noqa: F811
    waits: str,
    bank: Any,  # noqa: F811
) -> None:
    Order.objects.all().delete()
    answer = bank.get(waits)
    assert (answer.status_code, answer.json()["code"]) == (503, "order_unproved")
    work(now() + timedelta(minutes=3))
    assert not Order.objects.exists() and ChainEvent.objects.count() == 1
    assert Payment.objects.get().state == "AWAITING_SETTLEMENT"


def test_hashes_without_end_are_refused(chain: Local, waits: str, bank: Any) -> None:  # noqa: F811
    def name(number: int) -> Any:
        said = {"txHash": f"0x{number:064x}"}
        return bank.post(f"{waits}/transaction", said, content_type="application/json")

    assert name(1).status_code == 200
    for number in range(2, MOST_STEPS):
        assert name(number).status_code == 200
    answer = name(MOST_STEPS)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_hashes")
    assert name(MOST_STEPS - 1).status_code == 200
