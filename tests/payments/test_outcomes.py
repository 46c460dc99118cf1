"""What becomes of a payment, from its instruction to its end, as its institution is told."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.sar.models import SarEntry
from apps.insight.stability.models import Quote
from apps.payments.callbacks.selectors import feed
from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import HandOver, MonthVolume, Payment, PaymentEvent
from apps.payments.payments.rules import messages
from tests.payments.conftest import wallet, work

pytestmark = pytest.mark.django_db
LISTED = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"


@pytest.fixture
def ends(send: Callable[..., Any], bank: Any) -> Callable[..., dict[str, Any]]:
    """Send an instruction, let the workers work, and return what GET answers."""

    def call(**changes: Any) -> dict[str, Any]:
        told = send(**changes)
        work()
        return dict(bank.get(f"/integration/payments/{told['svcPaymentId']}").json())

    return call


def test_a_plain_payment_settles(ends: Callable[..., Any]) -> None:
    told = ends()
    assert told["status"] == "SETTLED", Payment.objects.get().trouble
    assert told["settledAt"] >= told["submittedAt"] and "error" not in told
    money = told["settlement"]
    assert Decimal(money["amount"]) + Decimal(money["fee"]) == 250
    assert (money["currency"], money["asset"], money["exchangeRate"]) == ("USD", "USDC", "1")
    assert money["txHash"].startswith("SANDBOX-") and money["network"] == "sandbox"
    assert told["vop"]["result"] == "NOT_REGISTERED"
    compliance = told["compliance"]
    assert (
        compliance["micaCompliant"],
        compliance["fatfR16Compliant"],
        compliance["geniusCompliant"],
    ) == (
        True,
        False,
        False,
    )
    assert "every check that ran lets" in compliance["regulatoryNote"]
    assert "Not geniusCompliant" in compliance["regulatoryNote"]
    events = PaymentEvent.objects.order_by("number").values_list("event", "state")
    assert list(events) == [
        ("ACCEPTED", "SUBMITTED"),
        ("CHECKED", "VERIFIED"),
        ("PRICED", "AWAITING_SETTLEMENT"),
        ("SETTLED", "SETTLED"),
    ]
    assert list(verify_payments(lambda _: None)) == []


def test_what_settles_takes_its_quote_once_and_is_handed_over(ends: Callable[..., Any]) -> None:
    ends()
    payment, hand = Payment.objects.get(), HandOver.objects.get()
    assert Quote.objects.get().used_by == f"payment:{payment.payment_id}"
    assert (hand.payment, hand.taken_at, payment.price["rate"]) == (payment, None, "1")
    assert MonthVolume.objects.get().settled_usd == 250


def test_a_payment_in_euro_settles_in_eurc_at_the_dated_rate(ends: Callable[..., Any]) -> None:
    told = ends(currency="EUR", settlementAsset="EURC", amount="180.00")
    money = told["settlement"]
    assert (told["status"], money["asset"], money["currency"]) == ("SETTLED", "EURC", "EUR")
    assert Decimal("0.5") < Decimal(money["exchangeRate"]) < 2
    assert Decimal(money["amount"]) + Decimal(money["fee"]) == 180


def test_crossing_currencies_costs_the_exchange_fee(ends: Callable[..., Any]) -> None:
    direct = ends(tmsReference="a", currency="EUR", settlementAsset="EURC")
    crossed = ends(tmsReference="b", currency="EUR", settlementAsset="USDC")
    fees = [Decimal(one["settlement"]["fee"]) for one in (direct, crossed)]
    assert fees[0] < fees[1]
    price = Payment.objects.get(reference="b").price
    assert Decimal(price["assetAmount"]) > Decimal(price["net"])


def test_a_payee_whose_name_agrees_satisfies_r16_and_so_the_genius_act(
    ends: Callable[..., Any], register: Callable[..., Any]
) -> None:
    register(43, legalName="Mud Puppy Kayak Club")
    creditor = {"name": "Mud Puppy Kayak Club", "walletAddress": wallet(43)}
    compliance = ends(creditor=creditor)["compliance"]
    assert (
        compliance["fatfR16Compliant"]
        is compliance["micaCompliant"]
        is compliance["geniusCompliant"]
        is True
    )
    assert "geniusCompliant: FATF R.16 is satisfied" in compliance["regulatoryNote"]
    assert "Not geniusCompliant" not in compliance["regulatoryNote"]


def test_a_payee_of_another_name_is_blocked(
    ends: Callable[..., Any], register: Callable[..., Any]
) -> None:
    register(43)
    creditor = {"name": "Mud Puppy Kayak Club", "walletAddress": wallet(43)}
    told = ends(creditor=creditor)
    assert told["status"] == "BLOCKED" and told["error"] == messages.BLOCKED
    assert (told["vop"]["result"], told["vop"]["proceedSafe"]) == ("BLOCKED", False)
    assert told["compliance"]["fatfR16Compliant"] is False
    assert "settlement" not in told and "settledAt" not in told
    assert not HandOver.objects.exists()


def test_a_payment_to_a_listed_wallet_is_blocked_and_logged(ends: Callable[..., Any]) -> None:
    creditor = {"name": "Blue Heron Stationery Limited", "walletAddress": LISTED}
    assert ends(creditor=creditor)["status"] == "BLOCKED"
    assert SarEntry.objects.exists()


def test_a_payment_of_a_listed_debtor_is_blocked(ends: Callable[..., Any]) -> None:
    assert ends(debtor={"name": "Lazarus Group"})["status"] == "BLOCKED"


def test_every_end_is_in_the_feed_of_its_institution(ends: Callable[..., Any], bank: Any) -> None:
    told = ends()
    items = feed.read_feed(owner=bank.account.ref).items
    assert [(item.name, item.data) for item in items] == [("payment.settled", told)]
