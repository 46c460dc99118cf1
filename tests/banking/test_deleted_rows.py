"""Rows that somebody deleted: the verification tells of them, and nothing is done a second time."""

from typing import Any

import pytest
from django.db import connection

from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.simulator.server import BankServer
from tests.banking.banks import Payer, ach_recipient, work
from tests.banking.test_sends import paid
from tests.banking.webhook_deliveries import deliver, tagged

pytestmark = pytest.mark.django_db


def delete(*tables: str) -> None:
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"DELETE FROM banking_{table}")


def gone() -> list[str]:
    return [fault.partition(" is gone")[0] for fault in verify_bank_rows(lambda _: None)]


def test_a_payment_that_somebody_deleted_is_not_sent_again(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    alice.send(recipient, idempotencyKey="k")
    work()
    delete("send")
    assert alice.send(recipient, idempotencyKey="k", answers=503)["code"] == "bank_row_unproved"
    work()
    assert len(paid(bank)) == 1 and len(gone()) == 1 and gone()[0].startswith("send:")


def test_what_was_routed_and_deleted_is_not_routed_again(sample: Any) -> None:
    said = tagged()
    assert deliver(said)["action"] == "routed"
    delete("banktransaction", "delivery")
    assert deliver(said, answers=503)["code"] == "bank_row_unproved"
    assert sorted(one.partition(":")[0] for one in gone()) == ["delivery", "transaction"]


def test_a_delivery_that_was_deleted_is_not_taken_again(sample: Any) -> None:
    said = tagged()
    deliver(said)
    delete("delivery")
    assert deliver(said, answers=503)["code"] == "bank_row_unproved"
    assert [one.partition(":")[0] for one in gone()] == ["delivery"]


def test_a_recipient_that_was_deleted_is_not_saved_again(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    delete("recipient")
    alice.save(ach_recipient(recipientId=recipient), answers=503)
    assert [one.partition(":")[0] for one in gone()] == ["recipient"]
