"""Payments that settle on a chain: a real local one, and the whole way of a payment."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.insight.stability.models import Quote
from apps.payments.chain import notifications, tasks
from apps.payments.chain.integrity import verify_orders as compare_orders
from apps.payments.chain.models import Order
from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import HandOver, Payment, PaymentEvent
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from tests.api.endpoint_walk import key_client
from tests.chain.conftest import USDC, Local, amount
from tests.chain.sample_orders import BASE
from tests.payments.conftest import wallet, work
from tests.paywall.local_chain import running, word
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
PAYMENTS = "/integration/payments"
PAYER, PAYEE = wallet(42), wallet(41)


@pytest.fixture
def chain(settings: Any) -> Iterator[Local]:
    """A chain whose clock is the real one, and this installation settling on it."""
    with running([]) as found:
        local = Local(found)
        local.send(USDC, "0x40c10f19" + word(PAYER) + amount(10**15), by=PAYER)
        settings.EVM_RPC_URLS, settings.X402_NETWORK = [local.url], "base"
        settings.SETTLEMENT_RAIL = "evm"
        yield local


def tell() -> None:
    """Do what the jobs of the chain would: look, tell, and carry payments on."""
    with suppress(RetryLater):
        tasks.watch_chain(BASE, now())
    for key in Job.objects.filter(name="chain.tell").values_list("key", flat=True):
        notifications.notify_order_status(key, now())
    Job.objects.filter(name="chain.tell").delete()
    work()


def awaiting(send: Callable[..., Any], bank: Any, **changes: Any) -> dict[str, Any]:
    """Send an instruction and return what executes it."""
    told = send(**changes)
    work()
    body = bank.get(f"{PAYMENTS}/{told['svcPaymentId']}").json()
    assert body["status"] == "AWAITING_SETTLEMENT", body
    return dict(body)


def test_a_payment_settles_when_its_transfer_is_final(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    asked = awaiting(send, bank)
    execution = asked["execution"]
    assert (execution["chainId"], execution["network"], execution["assetAddress"]) == (
        8453,
        "base",
        USDC,
    )
    assert (execution["recipient"], execution["sender"]) == (PAYEE, PAYER)
    assert execution["transfer"] == {"state": "OPEN", "confirmations": 0, "needed": 12}
    tx = chain.pay(execution["amount"], to=execution["recipient"], by=execution["sender"])
    tell()
    path = f"{PAYMENTS}/{asked['svcPaymentId']}"
    seen = bank.get(path).json()
    assert seen["status"] == "AWAITING_SETTLEMENT"
    assert seen["execution"]["transfer"]["state"] == "CONFIRMING"
    assert seen["execution"]["transfer"]["txHash"] == tx
    chain.mine(11)
    tell()
    body = bank.get(path).json()
    assert (body["status"], body["settlement"]["txHash"]) == ("SETTLED", tx)
    assert body["settlement"]["network"] == "base" and "execution" not in body
    assert HandOver.objects.get().payment.price["settlement"]["network"] == "base"
    assert Quote.objects.get(used_at__isnull=False).used_by.endswith(asked["svcPaymentId"])
    assert not [*verify_payments(lambda _: None), *compare_orders(lambda _: None)]


def test_the_page_of_a_payment_leads_to_its_transfer_and_to_its_record(
    chain: Local, send: Callable[..., Any]
) -> None:
    send()
    work()
    payment, order = Payment.objects.get(), Order.objects.get()
    page = f"/admin/payments/payment/{payment.pk}/"
    samir = at_desk(person("samir", "Senior officer"))
    listed = f"/admin/travelrule/travelrecord/?payment={payment.payment_id}"
    html = check_page(samir.get(page))
    assert f"/admin/chain/order/{order.pk}/" in html and listed not in html
    HandOver.objects.create(payment=payment, taken_at=now())
    assert listed in check_page(samir.get(page))


def test_the_feed_says_what_is_to_be_executed(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    asked = awaiting(send, bank)
    work()
    items = bank.get(f"{PAYMENTS}/events").json()["items"]
    assert [item["event"] for item in items] == ["payment.awaiting_settlement"]
    assert items[0]["data"] == asked


def test_the_price_stays_while_the_transfer_is_awaited(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    asked = awaiting(send, bank)
    work(now() + timedelta(minutes=20))
    work(now() + timedelta(minutes=50))
    again = bank.get(f"{PAYMENTS}/{asked['svcPaymentId']}").json()
    assert again["execution"] == asked["execution"]
    assert Quote.objects.count() == 1 and Order.objects.count() == 1
    assert Payment.objects.get().tries == 0


def test_a_payment_without_a_transfer_fails_once_the_chain_is_past_its_deadline(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    asked = awaiting(send, bank)
    chain.rpc("evm_increaseTime", 3600 + 120)
    chain.mine(1)
    tell()
    failed = bank.get(f"{PAYMENTS}/{asked['svcPaymentId']}").json()
    assert failed["status"] == "FAILED" and "no transfer arrived" in failed["error"]


def test_what_the_chain_took_back_is_not_settled(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    execution = awaiting(send, bank)["execution"]
    chain.pay(execution["amount"], to=PAYEE, by=PAYER)
    chain.mine(5)
    tell()
    chain.rpc("anvil_rollback", 6)
    chain.mine(30)
    tell()
    assert Payment.objects.get().state == "AWAITING_SETTLEMENT"
    assert Order.objects.get().state == "SEEN" and not HandOver.objects.exists()


def test_a_transaction_that_is_named_is_looked_for(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    asked = awaiting(send, bank)
    path = f"{PAYMENTS}/{asked['svcPaymentId']}/transaction"
    named = {"txHash": "0x" + "5a" * 32}
    response = bank.post(path, named, format="json")
    assert response.status_code == 200
    assert response.json()["execution"]["transfer"]["state"] == "SEEN"
    assert bank.post(path, {"txHash": "0x12"}, format="json").json()["code"] == (
        "bad_transaction_hash"
    )
    other = key_client("Birch Bank", "INSTITUTION")
    assert other.post(path, named, format="json").status_code == 404


def test_two_payments_may_settle_by_one_transaction(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    """A wallet that pays several at once has one hash for all of them."""
    for place in (0, 1):
        send(tmsReference=f"INV-{place}")
    work()
    first, second = Payment.objects.order_by("pk")
    Payment.objects.filter(pk=first.pk).update(tx_hash="0xaa", tx_place=1)
    Payment.objects.filter(pk=second.pk).update(tx_hash="0xaa", tx_place=2)


def test_an_order_that_was_altered_settles_nothing(
    chain: Local, send: Callable[..., Any], bank: Any
) -> None:
    execution = awaiting(send, bank)["execution"]
    Order.objects.update(recipient=PAYER)
    chain.pay(execution["amount"], to=PAYER, by=PAYER)
    chain.mine(20)
    tell_quietly()
    work(now() + timedelta(minutes=3))
    assert Payment.objects.get().state == "AWAITING_SETTLEMENT"
    assert Payment.objects.get().tries == 0


def tell_quietly() -> None:
    """Look at the chain, and tell nothing."""
    with suppress(RetryLater):
        tasks.watch_chain(BASE, now())


def test_a_chain_that_no_node_is_named_for_is_refused(
    chain: Local, send: Callable[..., Any], bank: Any, settings: Any
) -> None:
    settings.EVM_RPC_URLS = [f"eip155:1={chain.url}"]
    send()
    work()
    failed = Payment.objects.get()
    assert failed.state == "FAILED" and "does not settle on eip155:8453" in failed.error


def test_a_worker_that_dies_as_the_order_is_made_makes_one_order(
    chain: Local, send: Callable[..., Any], bank: Any, monkeypatch: Any
) -> None:
    send()

    class Killed(BaseException):
        pass

    def dies(*_: Any, **__: Any) -> None:
        raise Killed

    with monkeypatch.context() as cut:
        cut.setattr("apps.payments.payments.notifications.publish_payment_status", dies)
        with pytest.raises(Killed):
            work()
    assert not Order.objects.exists() and not Quote.objects.exclude(used_at=None).exists()
    work()
    assert Order.objects.count() == 1 and PaymentEvent.objects.count() == 3
    assert isinstance(now(), datetime)
