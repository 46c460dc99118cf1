"""Pages linked from the case of an expected transfer, and labels of its states."""

from datetime import datetime
from typing import TYPE_CHECKING

from apps.backoffice.review.case_pages import CaseRecord
from apps.backoffice.sar.record_types import RecordType
from apps.payments.chain.cases import KIND
from apps.payments.chain.models import Order
from apps.payments.chain.purposes import PURPOSES
from apps.platform.common.uuids import parse_uuid

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATE_LABELS = {
    "OPEN": "No transfer seen",
    "SEEN": "Searched for",
    "CONFIRMING": "Confirming",
    "FINAL": "Final",
    "EXPIRED": "No longer expected",
    "CONFLICT": "Unclear",
}
TONES = {"FINAL": "ok", "CONFIRMING": "info", "CONFLICT": "bad", "EXPIRED": "warn"}


def order_purpose_link(order: Order, user: "User") -> tuple[str, str] | None:
    """Return the page of what an order settles, for who may see it."""
    purpose = PURPOSES.get(order.about)
    return purpose.page(user, str(order.order_id)) if purpose and purpose.page else None


def first_screened_at(ref: str) -> datetime | None:
    """Return when the transfer was first expected; None where no record tells."""
    row = _order_of_ref(ref)
    return row.opened_at if row else None


def _order_of_ref(ref: str) -> Order | None:
    number = parse_uuid(ref.partition("/")[0])
    return Order.objects.filter(order_id=number).first() if number else None


RECORD = CaseRecord(
    kind=KIND,
    model=Order,
    name="expected transfer",
    find=_order_of_ref,
    outcome=lambda order: ("Expected transfer", STATE_LABELS.get(order.state, order.state)),
)
case_order_link = RECORD.find_page
sar_entry_links = RECORD.list_pages
describe_case_outcome = RECORD.describe_outcome


SAR_RECORDS = {
    "chain_transfer": RecordType(
        title="Transfer on a chain",
        pages=sar_entry_links,
        outcome=describe_case_outcome,
        screened_at=first_screened_at,
    ),
}
