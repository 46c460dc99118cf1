"""The end of retention: steps leave one by one, and no order is then another than recorded."""

from datetime import timedelta

import pytest

from apps.payments.chain import expected_transfers
from apps.payments.chain.integrity import verify_orders
from apps.payments.chain.models import ChainEvent, Order, Transfer
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.records import FORGOTTEN
from tests.chain.sample_orders import PAYEE
from tests.chain.test_altered_orders import expect, look, paid
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
LEDGER = "chain_events"
LATER = NOON + timedelta(days=365 * 30)


def seal() -> None:
    """Seal what was recorded."""
    sealer.seal_ledger(ledger=LEDGER, now=LATER, whole=True)


def purge(event: ChainEvent) -> None:
    """Let go of the payload of a step."""
    told = {"reason": PurgeReason.RETENTION, "by": "retention"}
    retention.purge_payload(ledger=LEDGER, record_id=event.pk, now=LATER, **told)  # type: ignore[arg-type]


def test_an_order_that_is_not_over_keeps_its_steps() -> None:
    expect()
    seal()
    assert list(retention.find_expired_records(ledger=LEDGER, now=LATER)) == []
    look(paid(250))
    seal()
    assert Order.objects.get().ended_at is not None
    assert (
        len(list(retention.find_expired_records(ledger=LEDGER, now=LATER)))
        == ChainEvent.objects.count()
    )


@pytest.mark.parametrize("backwards", [True, False])
def test_wallets_go_with_the_last_step_and_the_order_stays_proved(backwards: bool) -> None:
    asked = expect()
    look(paid(250))
    seal()
    events = list(ChainEvent.objects.order_by("-pk" if backwards else "pk"))
    assert [event.event for event in sorted(events, key=lambda e: e.number)] == [
        "OPENED", "FOUND", "DEEP", "FOR_GOOD",
    ]  # fmt: skip
    for event in events:
        purge(event)
        last_is_gone = backwards or event.number == len(events)
        assert (Order.objects.get().recipient == FORGOTTEN) is last_is_gone
        assert list(verify_orders(lambda _: None)) == []
        assert expected_transfers.load_transfer_status(asked.order_id).state == "FINAL"
    row, transfer = Order.objects.get(), Transfer.objects.get()
    assert (row.sender, transfer.payer, transfer.payee) == ("", FORGOTTEN, FORGOTTEN)
    assert not any(
        PAYEE.lower() in chain_event.payload.lower() for chain_event in ChainEvent.objects.all()
    )
