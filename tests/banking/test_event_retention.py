"""The end of retention: steps leave one by one, and no row is then another than recorded."""

from datetime import datetime, timedelta

import pytest

from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import BankEvent, Recipient, Send
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from tests.banking.banks import Payer, work

pytestmark = pytest.mark.django_db
LEDGER = "bank_events"
NOTE = "invoice 42"


@pytest.fixture
def later(alice: Payer, bank: BankServer) -> datetime:
    """A moment long after a payment that was sent, whose events are sealed."""
    alice.send(alice.save()["recipientId"], note=NOTE)
    work()
    moment = now() + timedelta(days=365 * 6)
    sealer.seal_ledger(ledger=LEDGER, now=moment, whole=True)
    return moment


def expired(moment: datetime) -> set[str]:
    """The rows whose events leave at a moment."""
    numbers = list(retention.find_expired_records(ledger=LEDGER, now=moment))
    subjects = BankEvent.objects.filter(pk__in=numbers).values_list("subject", flat=True)
    return {subject.partition(":")[0] for subject in subjects}


@pytest.mark.parametrize("backwards", [True, False])
def test_texts_and_names_go_with_the_last_step_and_rows_stay_proved(
    later: datetime, backwards: bool
) -> None:
    events = list(BankEvent.objects.order_by("-pk" if backwards else "pk"))
    assert {event.event for event in events} == {"NEW", "SAVED", "TAKEN", "SENT", "SEEN"}
    for event in events:
        retention.purge_payload(
            ledger=LEDGER, record_id=event.pk, reason=PurgeReason.RETENTION, by="retention",
            now=later,
        )  # fmt: skip
        assert list(verify_bank_rows(lambda _: None)) == []
        if event.event == "TAKEN":
            assert (Send.objects.get().note == "") is backwards
        if event.event == "NEW":
            assert (Recipient.objects.get().details == "") is backwards
    assert Send.objects.get().note == Recipient.objects.get().details == ""


def test_a_recipient_that_is_still_paid_keeps_its_details(later: datetime) -> None:
    assert expired(later) == {"recipient", "send", "transaction"}
    Send.objects.update(asked_at=later - timedelta(days=1))
    assert expired(later) == {"send", "transaction"}


@pytest.mark.parametrize("state", ["TAKEN", "HELD", "UNCLEAR"])
def test_a_payment_that_has_not_ended_keeps_its_steps(later: datetime, state: str) -> None:
    Send.objects.update(state=state)
    assert expired(later) == {"recipient", "transaction"}
