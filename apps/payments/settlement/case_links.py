"""Pages linked from the case of a settlement, and labels of its states."""

from datetime import datetime
from typing import TYPE_CHECKING

from apps.backoffice.review.case_pages import CaseRecord
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.payments.settlement.models import Settlement
from apps.payments.settlement.services.settlement_case import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATE_LABELS = {
    "AWAITING_SETTLEMENT": "Awaiting settlement",
    "HELD": "Held for an officer",
    "RELEASED": "Released, to be submitted again",
    "SETTLED": "Settled",
    "BLOCKED": "Blocked",
    "EXPIRED": "Expired",
}
TONES = {"SETTLED": "ok", "HELD": "warn", "RELEASED": "warn", "BLOCKED": "bad", "EXPIRED": "bad"}


def first_screened_at(ref: str) -> datetime | None:
    """Return when the checks of a settlement were first made; None where no record tells."""
    row = _settlement_of_ref(ref)
    return row.asked_at if row else None


def _settlement_of_ref(ref: str) -> Settlement | None:
    return Settlement.objects.filter(settlement_id=ref.partition("/")[0]).first()


RECORD = CaseRecord(
    kind=KIND,
    model=Settlement,
    name="settlement",
    find=_settlement_of_ref,
    outcome=lambda row: ("Settlement", STATE_LABELS.get(row.state, row.state)),
)
case_settlement_link = RECORD.find_page
sar_entry_links = RECORD.list_pages
describe_case_outcome = RECORD.describe_outcome


def order_settlement_link(user: "User", order_id: str) -> tuple[str, str] | None:
    """Return the page of the settlement whose transfer is expected, for who may see it."""
    row = Settlement.objects.filter(order_id=order_id).first()
    return RECORD.find_page(user, row.settlement_id) if row else None


SAR_RECORDS = {
    "settlement": RecordType(
        title="Settlement",
        pages=sar_entry_links,
        outcome=describe_case_outcome,
        screened_at=first_screened_at,
        sentence=format_for_officers,
    ),
}
