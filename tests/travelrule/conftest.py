"""Settled payments, and the ledger that records them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.core.clock import now
from apps.travelrule.recording import record
from tests.api.walking import key_client
from tests.payments.conftest import bank, send, work  # noqa: F401
from tests.registry.conftest import rita, sample  # noqa: F401
from tests.travelrule.offline import Desk


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
        record("", at or now())
        return payment

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
