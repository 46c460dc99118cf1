"""What is deleted of settlements: rehearsals after thirty days, and parties with the last step."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.payments.settlement import retention
from apps.payments.settlement.integrity import verify_settlements
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.record_transition import record_transition
from apps.platform.common.clock import now
from apps.platform.ledger import sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.records import FORGOTTEN
from apps.platform.ledger.retention import purge_payload
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
MONTH = timedelta(days=30)


def settlement(name: str, **changes: Any) -> Settlement:
    """Write the row of a settlement of 100 USD, without what it rests on."""
    values: dict[str, Any] = {
        "settlement_id": name,
        "order_id": uuid.uuid4(),
        "owner": "account:1",
        "fingerprint": "0" * 64,
        "sandbox": True,
        "state": "BLOCKED",
        "amount": Decimal(100),
        "source": "USD",
        "destination": "USD",
        "asset": "USDC",
        "recipient": "0x" + "1" * 40,
        "asked_at": NOON,
    }
    return Settlement.objects.create(**values | changes)


def test_rehearsals_leave_after_thirty_days_and_what_is_in_production_stays() -> None:
    second = timedelta(seconds=1)
    settlement("rehearsal-old", asked_at=NOON - MONTH - second)
    settlement("rehearsal", asked_at=NOON - MONTH)
    settlement("production-old", sandbox=False, asked_at=NOON - MONTH - second)
    settlement("production-oldest", sandbox=False, asked_at=NOON - 100 * MONTH)
    retention.delete_old_rehearsals("", NOON)
    left = set(Settlement.objects.values_list("settlement_id", flat=True))
    assert left == {"rehearsal", "production-old", "production-oldest"}


def test_all_old_rehearsals_leave_however_many_are_removed_at_once(monkeypatch: Any) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for number in range(5):
        settlement(f"rehearsal-{number}", asked_at=NOON - 2 * MONTH)
    retention.delete_old_rehearsals("", NOON)
    assert not Settlement.objects.exists()


@pytest.mark.parametrize("backwards", [True, False])
def test_the_recipient_goes_with_the_last_step_and_the_settlement_stays_proved(
    known: str, bank: APIClient, settle: Callable[..., Any], backwards: bool
) -> None:
    settle(sandbox=False, client=bank, referenceId="R-1")
    record_transition(Settlement.objects.get(), "RAN_OUT", now=now())
    later = now() + timedelta(days=365 * 11)
    sealer.seal_ledger(ledger="settlement_events", now=later, whole=True)
    events = list(SettlementEvent.objects.order_by("-pk" if backwards else "pk"))
    assert len(events) == 2
    for event in events:
        purge_payload(
            ledger="settlement_events", record_id=event.pk, reason=PurgeReason.RETENTION,
            by="retention", now=later,
        )  # fmt: skip
        last_is_gone = backwards or event.number == len(events)
        assert (Settlement.objects.get().recipient == FORGOTTEN) is last_is_gone
        assert list(verify_settlements(lambda _: None)) == []
