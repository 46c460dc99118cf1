"""Pages linked from the case of a payment, and from an entry of the SAR log."""

from datetime import datetime

from apps.backoffice.review.case_pages import CaseRecord
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.services.payment_case import KIND
from apps.platform.common.uuids import parse_uuid

STATE_LABELS = {
    "SUBMITTED": "Submitted",
    "VERIFIED": "Verified",
    "AWAITING_SETTLEMENT": "Awaiting settlement",
    "HELD": "Held for an officer",
    "SETTLED": "Settled",
    "BLOCKED": "Blocked",
    "FAILED": "Failed",
}


def first_screened_at(ref: str) -> datetime | None:
    """Return when the checks of a payment were made; None where no record tells."""
    payment = _payment_of_ref(ref)
    if payment is None:
        return None
    checked = PaymentEvent.objects.filter(payment=payment, event="CHECKED")
    return checked.values_list("recorded_at", flat=True).first()


def _payment_of_ref(ref: str) -> Payment | None:
    number = parse_uuid(ref.partition("/")[0])
    return Payment.objects.filter(payment_id=number).first() if number else None


RECORD = CaseRecord(
    kind=KIND,
    model=Payment,
    name="payment",
    find=_payment_of_ref,
    outcome=lambda payment: ("Payment", STATE_LABELS.get(payment.state, payment.state)),
)
case_payment_link = RECORD.find_page
sar_entry_links = RECORD.list_pages
describe_case_outcome = RECORD.describe_outcome


SAR_RECORDS = {
    "payment": RecordType(
        title="Payment",
        pages=sar_entry_links,
        outcome=describe_case_outcome,
        screened_at=first_screened_at,
        sentence=format_for_officers,
    ),
}
