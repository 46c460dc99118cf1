"""The pages that stand behind the case of a payment, and behind an entry of the SAR log."""

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.verdicts import Verdict, load_verdicts
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.services.payment_case import KIND

if TYPE_CHECKING:
    from django.contrib.auth.models import User

STATE_LABELS = {
    "SUBMITTED": "Submitted",
    "VERIFIED": "Verified",
    "AWAITING_SETTLEMENT": "Awaiting settlement",
    "HELD": "Held for an officer",
    "SETTLED": "Settled",
    "BLOCKED": "Blocked",
    "FAILED": "Failed",
}


def case_payment_link(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the payment that a case is about, for who may see payments."""
    payment = _payment_of_ref(ref) if user.has_perm("payments.view_payment") else None
    if payment is None:
        return None
    return "Its payment", reverse("admin:payments_payment_change", args=[payment.pk])


def sar_entry_links(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return title and address of the pages behind an entry that somebody may open."""
    found = []
    if (page := case_payment_link(user, ref)) is not None:
        found.append(("The payment", page[1]))
    if user.has_perm("review.view_case") and (case := _case_id_of_ref(ref)):
        found.append((f"Case {case}", reverse("admin:review_case_change", args=[case])))
    return found


def describe_case_outcome(ref: str, user: "User") -> list[tuple[str, str]]:
    """Return in words how a payment stands and what became of its case."""
    found = []
    payment = _payment_of_ref(ref) if user.has_perm("payments.view_payment") else None
    if payment is not None:
        found.append(("Payment", STATE_LABELS.get(payment.state, payment.state)))
    if user.has_perm("review.view_case") and (case := _case_id_of_ref(ref)):
        verdict = load_verdicts([case]).get(case, Verdict())
        found.append((f"Case {case}", verdict.done or "Not decided yet"))
    return found


def first_screened_at(ref: str) -> datetime | None:
    """Return when the checks of a payment were made; None where no record tells."""
    payment = _payment_of_ref(ref)
    if payment is None:
        return None
    checked = PaymentEvent.objects.filter(payment=payment, event="CHECKED")
    return checked.values_list("recorded_at", flat=True).first()


def _payment_of_ref(ref: str) -> Payment | None:
    try:
        return Payment.objects.filter(payment_id=uuid.UUID(ref.partition("/")[0])).first()
    except ValueError:
        return None


def _case_id_of_ref(ref: str) -> int | None:
    return Case.objects.filter(kind=KIND, ref=ref).values_list("pk", flat=True).first()
