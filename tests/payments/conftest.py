"""An institution, its instructions, and a worker that does what is due."""

import contextlib
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from apps.payments.payments.models import Payment
from apps.payments.payments.rules.transitions import MOVING
from apps.payments.payments.services.advance_payment import advance_payment
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater
from tests.api.endpoint_walk import key_client
from tests.payees.registration.conftest import register, rita, sample, wallet  # noqa: F401
from tests.process_caches import oracles_forgotten  # noqa: F401

INITIATE = "/integration/payments/initiate"


def instruction(**changes: Any) -> dict[str, Any]:
    """An instruction whose creditor is a wallet that nobody registered."""
    return {
        "tmsReference": "INV-1",
        "amount": "250.00",
        "currency": "USD",
        "settlementAsset": "USDC",
        "creditor": {"name": "Blue Heron Stationery Limited", "walletAddress": wallet(41)},
        "debtor": {
            "name": "Microsoft Corporation",
            "lei": "INR2EJN1ERAN0W5ZP974",
            "walletAddress": wallet(42),
        },
    } | changes


def work(at: datetime | None = None) -> None:
    """Carry on every payment that is due, as the workers do; at another moment, if one is given."""
    for number in (
        Payment.objects.filter(state__in=MOVING).order_by("pk").values_list("pk", flat=True)
    ):
        with contextlib.suppress(RetryLater):
            advance_payment(str(number), at or now())


@pytest.fixture
def bank(sample: Any) -> Any:  # noqa: F811
    """A client with an institution's key, on the bundled sample."""
    return key_client("Alder Bank", "INSTITUTION")


@pytest.fixture
def send(bank: Any) -> Callable[..., Any]:
    """Send an instruction: `send(amount="1.00", status=202)`; the answer's document."""

    def call(*, status: int = 202, client: Any = None, **changes: Any) -> dict[str, Any]:
        answer = (client or bank).post(INITIATE, instruction(**changes), format="json")
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call
