"""Links from cases and SAR entries of the banking connector to the records behind them."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.case_pages import list_case_pages
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.record_types import RecordType
from apps.payments.banking.models import BankTransaction, Send, Wire
from apps.payments.banking.models.wires import WIRE_KEY_PREFIX
from apps.payments.banking.rules.reconciliation import DIFFERENCE_KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BANK_CASE_KINDS = ("bank_payment", "bank_send")
DIFFERENCES = frozenset(kind.code for kind in DIFFERENCE_KINDS)
STATE_LABELS = {
    "TAKEN": "To be sent",
    "HELD": "Waits for an officer",
    "STOPPED": "Not sent",
    "SENT": "Sent",
    "REFUSED": "The bank did not take it",
    "SEEN": "Reported by the bank",
    "WAITING": "To be quoted",
    "ROUTED": "Routed",
    "HALTED": "Halted by checks",
    "SETTLED": "Settled",
    "EXPIRED": "Not executed in time",
    "CALLED_OFF": "Called off: it did not come about",
    "RETURNED": "Came back",
    "FAILED": "Failed at the bank",
    "UNCLEAR": "Not known whether it was sent",
}


def find_record_page(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the payment or transaction of a case, for users who may see it."""
    row: Send | BankTransaction | Wire | None = _find_row(ref)
    if row is None or not user.has_perm(f"banking.view_{row._meta.model_name}"):
        return None
    # officers decided the proposal, so that page says more than the payment's own
    if isinstance(row, Send) and (wire := _find_wire(row, user)) is not None:
        row = wire
    page = reverse(f"admin:banking_{row._meta.model_name}_change", args=[row.pk])
    return f"{str(row._meta.verbose_name).capitalize()} {row}", page


def _find_wire(row: Send, user: "User") -> Wire | None:
    """Return the wire of a payment that two officers agreed on, for users who may see it."""
    # only the payment of a wire has a key of this form; a caller's own key may look like it
    number = row.key.removeprefix(WIRE_KEY_PREFIX)
    if row.way != "wire" or not number.isdigit() or not user.has_perm("banking.view_wire"):
        return None
    return Wire.objects.select_related("recipient").filter(pk=int(number)).first()


def list_related_pages(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that the user may open."""
    return list_case_pages(Case.objects.filter(kind__in=BANK_CASE_KINDS, ref=ref), user)


def describe_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Describe the current state of what an entry is about."""
    if not user.has_perm("review.view_case"):
        return []
    row = _find_row(ref)
    state = row.state if row else ""
    return [("At the bank", STATE_LABELS.get(state, state))] if state else []


def _find_row(ref: str) -> Send | BankTransaction | None:
    """Return the row of a reference: a payment, a transaction, or the subject of a difference."""
    # references are "<row>.<steps>", "<send id>[.<steps>]" or "<difference code>.<digest>"
    number = ref.partition(".")[0]
    if number.isdigit():
        return BankTransaction.objects.filter(pk=int(number)).first()
    if number in DIFFERENCES:
        of = Case.objects.filter(kind="bank_payment", ref=ref).values_list("reference", flat=True)
        bank_id = of.first() or ""
        if not bank_id:
            return None
        # the case of a difference names the transaction by the bank's id: ours if we sent it
        paid = Send.objects.filter(bank_id=bank_id).first()
        return paid or BankTransaction.objects.filter(resource_id=bank_id).first()
    return Send.objects.filter(send_id=number).first()


def find_screened_at(ref: str) -> datetime | None:
    """Return when the outcome was screened: when it was entered."""
    sar_entry = SarEntry.objects.filter(kind__in=BANK_CASE_KINDS, ref=ref).order_by("pk").first()
    return sar_entry.recorded_at if sar_entry else None


SAR_RECORDS = {
    "bank_payment": RecordType(
        title="Bank payment",
        pages=list_related_pages,
        outcome=describe_outcome,
        screened_at=find_screened_at,
    ),
    "bank_send": RecordType(
        title="Payment by the bank",
        pages=list_related_pages,
        outcome=describe_outcome,
        screened_at=find_screened_at,
    ),
}
