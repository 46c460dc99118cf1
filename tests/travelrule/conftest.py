"""Settled payments, and the ledger that records them."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from apps.payments.payments.instructions import Address, Instruction, Party
from apps.payments.payments.services.accept_payment import accept_payment
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.payees.registration.conftest import rita, sample, wallet  # noqa: F401
from tests.payments.conftest import bank, send, work  # noqa: F401
from tests.travelrule.examiner import Desk
from tests.travelrule.peers import Peer, peer

# what the rule wants of a message that is sent: the payer's address, an LEI of each side
CREDITOR = Party(name="Microsoft Corporation", lei="INR2EJN1ERAN0W5ZP974", wallet=wallet(41))
ADDRESS = Address(
    street_name="Gannet Lane", building_number="7", post_code="98052", town_name="Redmond",
    country="US",
)  # fmt: skip
DEBTOR = Party(
    name="Microsoft Corporation", lei="INR2EJN1ERAN0W5ZP974", wallet=wallet(42), address=ADDRESS
)


@pytest.fixture
def settled(send: Callable[..., Any]) -> Callable[..., str]:  # noqa: F811
    """Pay and settle: `settled(amount="3000.00")`; the payment's id."""

    def call(**changes: Any) -> str:
        sent = send(**changes)
        work()
        return str(sent["svcPaymentId"])

    return call


@pytest.fixture
def recorded(settled: Callable[..., str]) -> Callable[..., str]:
    """Pay, settle and record; the payment's id."""

    def call(at: datetime | None = None, **changes: Any) -> str:
        payment = settled(**changes)
        record_settled_payments("", at or now())
        return payment

    return call


@pytest.fixture
def other() -> Iterator[Peer]:
    """A counterparty on the loopback."""
    with peer() as made:
        yield made


@pytest.fixture
def paid(bank: Any, settings: Any) -> Callable[..., str]:  # noqa: F811
    """Pay and settle what says all that the rule wants: `paid(amount=…)`; the payment's id."""
    settings.OPERATOR_LEI = "5493001KJTIIGC8Y1R12"

    def call(**changes: Any) -> str:
        given = {
            "reference": "INV-1", "amount": Decimal(4000), "currency": "USD", "asset": "USDC",
            "creditor": CREDITOR, "debtor": DEBTOR,
        } | changes  # fmt: skip
        whose = Caller(f"account:{bank.account.pk}", "INSTITUTION")
        payment = accept_payment(instruction=Instruction(**given), caller=whose, now=now()).payment
        work()
        return str(payment.payment_id)

    return call


@pytest.fixture
def pay(paid: Callable[..., str]) -> Callable[..., TravelRecord]:
    """Pay, settle and record, at a moment if one is given; the record."""

    def call(at: datetime | None = None, **changes: Any) -> TravelRecord:
        payment = paid(**changes)
        record_settled_payments("", at or now())
        return TravelRecord.objects.get(payment_id=payment)

    return call


@pytest.fixture
def read(bank: Any) -> Callable[..., Any]:  # noqa: F811
    """Read the record of a payment: `read(payment)`; the answer's document."""

    def call(payment: str, *, status: int = 200, client: Any = None) -> dict[str, Any]:
        answer = (client or bank).get(f"/integration/travel-rule/{payment}")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call


@pytest.fixture
def examiner(db: None) -> Any:
    """A client with the key that may export."""
    return key_client("Examiner", "MASTER")


@pytest.fixture
def three(recorded: Any) -> list[str]:
    """Three records, a minute apart."""
    at = now() - timedelta(minutes=10)
    return [
        recorded(at + timedelta(minutes=n), tmsReference=f"INV-{n}", amount=amount)
        for n, amount in enumerate(("100.00", "5000.00", "200.00"))
    ]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def proof(bank: Any) -> Callable[..., Any]:  # noqa: F811
    """Ask for the proof of a payment's record: `proof(payment, since=…)`; the document."""

    def call(payment: str, *, client: Any = None, answers: int = 200, **query: Any) -> Any:
        answer = (client or bank).get(f"/integration/travel-rule/{payment}/proof", query)
        assert answer.status_code == answers, answer.content
        return answer.json()

    return call
