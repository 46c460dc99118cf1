"""Payments in the search of every page, and in legal holds."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.desk.search import SHOWN, Group, Hit
from apps.payments.models import Payment, PaymentEvent
from apps.payments.pages.listing import amount_of, is_of, name_of
from apps.payments.pages.records import STATES

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WHOLE = "payments.payment"


def payments(user: "User", text: str, now: datetime) -> Group | None:
    """Find payments by reference, id, hash, LEI, wallet, or how a party's name begins."""
    if not user.has_perm("payments.view_payment"):
        return None
    found = list(Payment.objects.filter(is_of(text)).order_by("-pk")[: SHOWN + 1])
    page = reverse("admin:payments_payment_changelist")
    more = "All of these payments" if len(found) > SHOWN else ""
    address = f"{page}?{urlencode({'text': text})}"
    hits = [_hit(one, text) for one in found[:SHOWN]]
    return Group("Institutions’ payments", WHOLE, hits, more, address)


def _hit(payment: Payment, text: str) -> Hit:
    at = f"{payment.submitted_at:%d %b %Y %H:%M} UTC"
    state = STATES.get(payment.state, payment.state)
    detail = " · ".join((payment.reference, amount_of(payment), state, at))
    exact = text.lower() == payment.subject
    address = reverse("admin:payments_payment_change", args=[payment.pk])
    return Hit(name_of(payment, "creditor"), detail, address, exact, f"{WHOLE}:{payment.pk}")


def steps_of(number: int) -> tuple[str, list[int]]:
    """Return the events of a payment: a hold on it is a hold on each."""
    events = PaymentEvent.objects.filter(payment=number).exclude(payload="").order_by("number")
    return PaymentEvent.LEDGER, list(events.values_list("pk", flat=True))


def told(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return events by the id and day of their payments, without anybody's name."""
    rows = PaymentEvent.objects.filter(pk__in=numbers).select_related("payment")
    return {
        one.pk: (
            f"Payment {one.payment.payment_id} of {one.payment.submitted_at:%d %b %Y}",
            reverse("admin:payments_payment_change", args=[one.payment_id]),
        )
        for one in rows
    }
