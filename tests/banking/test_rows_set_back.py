"""Rows that somebody set back to an earlier step: they are found, and nothing is done with them."""

from datetime import timedelta
from typing import Any

import pytest

from apps.insight.stability.models import Quote
from apps.payments.banking.integrity import find_row_faults, verify_bank_rows
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.services import route_deposit
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from tests.banking.banks import SEND, Payer, work
from tests.banking.webhook_deliveries import deliver, tagged

pytestmark = pytest.mark.django_db
LATER = timedelta(minutes=1)


def test_a_payment_that_was_set_back_is_not_sent_again(alice: Payer, bank: BankServer) -> None:
    sent = alice.send(alice.save()["recipientId"])
    earlier = Send.objects.values().get()
    work()
    assert (Send.objects.get().state, bank.bank.calls) == ("SENT", 1)
    Send.objects.update(**earlier)
    work()
    assert bank.bank.calls == 1
    assert alice.get(f"{SEND}/{sent['id']}", answers=503)["code"] == "bank_row_unproved"
    (fault,) = verify_bank_rows(lambda _: None)
    assert fault.startswith("send:") and "set back" in fault


def test_a_deposit_that_was_set_back_is_not_routed_again(sample: Any, settings: Any) -> None:
    settings.SETTLEMENT_RAIL = ""
    said = tagged(status="pending")
    assert deliver(said)["action"] == "waiting"
    earlier = BankTransaction.objects.values().get()
    settings.SETTLEMENT_RAIL = "sandbox"
    route_deposit.route_waiting_deposit(str(earlier["id"]), now() + LATER)
    assert BankTransaction.objects.get().state == "ROUTED"
    BankTransaction.objects.update(**earlier)
    route_deposit.route_waiting_deposit(str(earlier["id"]), now() + LATER)
    assert BankTransaction.objects.get().state == "WAITING" and Quote.objects.count() == 1
    (fault,) = verify_bank_rows(lambda _: None)
    assert fault.startswith("transaction:") and "set back" in fault


def test_a_row_that_moved_after_it_was_read_is_no_fault(alice: Payer, bank: BankServer) -> None:
    alice.send(alice.save()["recipientId"])
    as_read = Send.objects.get()
    work()
    assert Send.objects.get().steps > as_read.steps and find_row_faults([as_read]) == {}
