"""GET /health, component `bank`: what waits, and what was not compared."""

from datetime import timedelta
from typing import Any

import pytest

from apps.payments.banking.health import WORDS, check_health
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.services import reconciliation
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.upstreams.http import UpstreamError
from tests.banking.banks import Payer, work
from tests.banking.webhook_deliveries import deliver, tagged

pytestmark = pytest.mark.django_db
HALF_AN_HOUR, HOUR, DAYS = timedelta(minutes=30), timedelta(hours=1), timedelta(days=2)


def test_without_payments_nothing_is_late(bank: BankServer) -> None:
    health = check_health(now() + DAYS)
    assert health == {"status": "ok", "comparedSecondsAgo": 0, "waiting": 0, "unquoted": 0}
    assert WORDS.speak(health) == ["Statements are compared, and nothing is waiting for the bank."]


def test_a_payment_that_waits_for_half_an_hour_degrades_it(alice: Payer, bank: BankServer) -> None:
    alice.send(alice.save()["recipientId"])
    assert check_health(now() + HALF_AN_HOUR / 2)["status"] == "ok"
    health = check_health(now() + HOUR)
    assert (health["status"], health["waiting"]) == ("degraded", 1)
    assert "1 payments have been waiting for the bank" in " ".join(WORDS.speak(health))
    work()
    assert check_health(now() + HOUR)["status"] == "ok"


def test_a_tagged_payment_that_is_not_quoted_degrades_it(sample: Any, bank: BankServer) -> None:
    said = tagged()
    del said["mergePatch"]["amount"]
    deliver(said)
    deliver(tagged())
    BankTransaction.objects.filter(state="ROUTED").update(state="WAITING", due_at=now())
    health = check_health(now() + HOUR)
    assert (health["status"], health["unquoted"]) == ("degraded", 1)


def test_what_was_not_compared_for_two_days_degrades_it(alice: Payer, bank: BankServer) -> None:
    alice.send(alice.save()["recipientId"])
    work()
    assert Send.objects.get().state == "SENT"
    assert check_health(now() + DAYS - HOUR)["status"] == "ok"
    assert check_health(now() + DAYS + HOUR)["status"] == "degraded"
    reconciliation.reconcile_statements("", now())
    assert check_health(now() + DAYS - HOUR)["status"] == "ok"


def test_one_account_that_cannot_be_read_is_not_hidden_by_the_others(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    alice.send(alice.save()["recipientId"])
    work()
    paying = str(Send.objects.get().account_id)
    real = reconciliation.bank_api.iterate_transactions

    def transactions(account: str, **days: Any) -> Any:
        if account == paying:
            raise UpstreamError("bank: the deadline passed")
        return real(account, **days)

    monkeypatch.setattr(reconciliation.bank_api, "iterate_transactions", transactions)
    with pytest.raises(UpstreamError):
        reconciliation.reconcile_statements("", now() + DAYS)
    health = check_health(now() + DAYS + HOUR)
    assert health["status"] == "degraded" and health["comparedSecondsAgo"] >= DAYS.total_seconds()
