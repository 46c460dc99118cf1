"""A payment and a settlement whose transfer the chain takes back: neither stays settled."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.payments.callbacks.models import Delivery
from apps.payments.chain.expected_transfers import TransferStatus
from apps.payments.payments.integrity import PaymentIntegrityError, verify_payments
from apps.payments.payments.models import HandOver, MonthVolume, Payment, PaymentEvent
from apps.payments.payments.services import apply_chain_transfer_status
from apps.platform.common.clock import now
from tests.chain.conftest import Local
from tests.chain.test_transfer_cases import decide
from tests.payments.conftest import bank, sample, send, work  # noqa: F401
from tests.payments.test_evm_rail import PAYEE, PAYER, PAYMENTS, awaiting, chain, tell  # noqa: F401
from tests.process_caches import oracles_forgotten  # noqa: F401

pytestmark = pytest.mark.django_db
CALLBACK = "https://bank.example/hook"


@pytest.fixture
def settled(chain: Local, send: Callable[..., Any], bank: Any) -> dict[str, Any]:  # noqa: F811
    """A payment that was settled."""
    asked = awaiting(send, bank)
    chain.pay(asked["execution"]["amount"], to=PAYEE, by=PAYER)
    chain.mine(12)
    tell()
    body = bank.get(f"{PAYMENTS}/{asked['svcPaymentId']}").json()
    assert body["status"] == "SETTLED"
    return dict(body)


def take_back(chain: Local) -> None:  # noqa: F811
    """Have the chain become another, without the transfer."""
    chain.rpc("anvil_reorg", 13, [])
    # the local chain goes on from the time of the block that both have; a real one does not
    chain.rpc("anvil_setTime", int(now().timestamp()))
    tell()


def test_what_is_taken_back_is_awaited_again_and_says_so(
    chain: Local,  # noqa: F811
    settled: dict[str, Any],
    bank: Any,  # noqa: F811
) -> None:
    take_back(chain)
    body = bank.get(f"{PAYMENTS}/{settled['svcPaymentId']}").json()
    assert body["status"] == "AWAITING_SETTLEMENT" and "settlement" not in body
    assert "settledAt" not in body
    transfer = body["execution"]["transfer"]
    assert transfer["state"] == "CONFLICT" and "reverted" in transfer["why"]
    assert transfer["txHash"] == settled["settlement"]["txHash"]
    event = PaymentEvent.objects.latest("pk")
    assert (event.event, event.turn, event.state) == ("UNDONE", "PAY-22", "AWAITING_SETTLEMENT")
    assert event.data["settlement"]["tx_hash"] == settled["settlement"]["txHash"]
    feed = bank.get(f"{PAYMENTS}/events").json()["items"]
    assert [one["event"] for one in feed[-2:]] == ["payment.settled", "payment.awaiting_settlement"]
    assert feed[-1]["data"] == body
    assert not HandOver.objects.exists() and MonthVolume.objects.get().settled_usd == 0
    assert Case.objects.get().risk == "HIGH" and list(verify_payments(lambda _: None)) == []


def test_it_settles_once_more_by_what_comes_anew(
    chain: Local,  # noqa: F811
    settled: dict[str, Any],
    bank: Any,  # noqa: F811
) -> None:
    volume = MonthVolume.objects.get().settled_usd
    take_back(chain)
    execution = bank.get(f"{PAYMENTS}/{settled['svcPaymentId']}").json()["execution"]
    tx = chain.pay(execution["amount"], to=PAYEE, by=PAYER)
    chain.mine(12)
    tell()
    tell()
    body = bank.get(f"{PAYMENTS}/{settled['svcPaymentId']}").json()
    assert (body["status"], body["settlement"]["txHash"]) == ("SETTLED", tx)
    assert HandOver.objects.get().payment.tx_hash == tx
    assert (
        MonthVolume.objects.get().settled_usd == volume
        and list(verify_payments(lambda _: None)) == []
    )


def test_what_the_travel_rule_recorded_is_recorded_once(
    chain: Local,  # noqa: F811
    settled: dict[str, Any],
    bank: Any,  # noqa: F811
) -> None:
    HandOver.objects.update(taken_at=now())
    take_back(chain)
    chain.pay(HandOver.objects.get().payment.price["assetAmount"],
              to=PAYEE, by=PAYER)  # fmt: skip
    chain.mine(12)
    tell()
    tell()
    assert Payment.objects.get().state == "SETTLED" and HandOver.objects.count() == 1


def test_what_an_officer_ends_has_failed(
    chain: Local,  # noqa: F811
    settled: dict[str, Any],
    bank: Any,  # noqa: F811
) -> None:
    take_back(chain)
    decide(Case.objects.get(), "REJECT", "LOSS")
    assert services.load_resolution(kind="chain_transfer", ref=Case.objects.get().ref)
    tell()
    body = bank.get(f"{PAYMENTS}/{settled['svcPaymentId']}").json()
    assert body["status"] == "FAILED" and "no longer expected" in body["error"]


def test_whoever_was_called_back_that_it_settled_is_called_that_it_did_not(
    chain: Local,  # noqa: F811
    send: Callable[..., Any],  # noqa: F811
    bank: Any,  # noqa: F811
) -> None:
    asked = awaiting(send, bank, callbackUrl=CALLBACK)
    chain.pay(asked["execution"]["amount"], to=PAYEE, by=PAYER)
    chain.mine(12)
    tell()
    take_back(chain)
    said = Delivery.objects.order_by("pk").values_list("event__name", flat=True)
    assert list(said)[-2:] == ["payment.settled", "payment.awaiting_settlement"]


def test_a_payment_that_was_altered_is_not_taken_back(
    chain: Local,  # noqa: F811
    settled: dict[str, Any],
) -> None:
    Payment.objects.update(amount=Decimal(1))
    standing = TransferStatus(state="CONFLICT", tx_hash=settled["settlement"]["txHash"])
    with pytest.raises(PaymentIntegrityError):
        apply_chain_transfer_status.apply_chain_transfer_status(
            Payment.objects.get().payment_id, standing, now()
        )
    assert Payment.objects.get().state == "SETTLED"


@pytest.mark.parametrize("state", ["SEEN", "CONFIRMING", "CONFLICT", "EXPIRED", "FINAL"])
def test_it_is_taken_back_however_far_the_chain_went_meanwhile(
    chain: Local,  # noqa: F811
    settled: dict[str, Any],
    state: Any,
) -> None:
    """What is told is how it stands by now: another transfer may be final already."""
    number = Payment.objects.get().payment_id
    same = TransferStatus(state="FINAL", tx_hash=settled["settlement"]["txHash"])
    apply_chain_transfer_status.apply_chain_transfer_status(number, same, now())
    assert Payment.objects.get().state == "SETTLED"
    other = TransferStatus(state=state, tx_hash="0x" + "7e" * 32)
    for _ in range(2):
        apply_chain_transfer_status.apply_chain_transfer_status(number, other, now())
    assert Payment.objects.get().state == "AWAITING_SETTLEMENT"
    assert PaymentEvent.objects.filter(event="UNDONE").count() == 1
