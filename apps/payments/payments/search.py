"""Payments in the search of every page, and in legal holds."""

from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.payments.payments.case_links import STATE_LABELS
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.views.payment_list import (
    format_payment_amount,
    party_name_of,
    payment_search_filter,
)
from apps.platform.desk.search import SearchGroup, SearchHit, build_search_group

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PAYMENT_MODEL = "payments.payment"


def search_payments(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find payments by reference, id, hash, LEI, wallet, or how a party's name begins."""
    if not user.has_perm("payments.view_payment"):
        return None
    return build_search_group(
        "Institutions’ payments",
        PAYMENT_MODEL,
        Payment.objects.filter(payment_search_filter(text)).order_by("-pk"),
        partial(_build_hit, text=text),
        more="All of these payments",
        text=text,
    )


def _build_hit(payment: Payment, text: str) -> SearchHit:
    at = f"{payment.submitted_at:%d %b %Y %H:%M} UTC"
    state = STATE_LABELS.get(payment.state, payment.state)
    detail = " · ".join((payment.reference, format_payment_amount(payment), state, at))
    exact = text.lower() == payment.subject
    address = reverse("admin:payments_payment_change", args=[payment.pk])
    return SearchHit(
        party_name_of(payment, "creditor"), detail, address, exact, f"{PAYMENT_MODEL}:{payment.pk}"
    )


def payment_event_ids(number: int) -> tuple[str, list[int]]:
    """Return the events of a payment: a hold on it is a hold on each."""
    # a purged event has nothing left to hold
    events = PaymentEvent.objects.filter(payment=number).exclude(payload="").order_by("number")
    return PaymentEvent.LEDGER, list(events.values_list("pk", flat=True))


def payment_event_links(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return events by the id and day of their payments, without anybody's name."""
    rows = PaymentEvent.objects.filter(pk__in=numbers).select_related("payment")
    return {
        row.pk: (
            f"Payment {row.payment.payment_id} of {row.payment.submitted_at:%d %b %Y}",
            reverse("admin:payments_payment_change", args=[row.payment_id]),
        )
        for row in rows
    }
