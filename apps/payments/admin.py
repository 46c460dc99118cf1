"""Payments to read: the list, and one payment whole."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.access import tenants
from apps.desk.pages import ReadOnly
from apps.payments.models import Payment
from apps.payments.pages import listing
from apps.payments.pages import payment as page
from apps.payments.pages.records import STATES


@admin.register(Payment)
class PaymentAdmin(ReadOnly):
    """Every payment as it stands, with what happened to it."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=reference",)

    def get_urls(self) -> list[Any]:
        """Give the list and a payment's page; no others."""
        name = "payments_payment"
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the payments that the address asks for, fifty at a time."""
        self._require(request)
        asked = listing.Asked.read(request.GET)
        found = listing.page(asked)
        shown = {
            "title": "Institutions’ payments",
            "asked": asked,
            "page": found,
            "choices": [
                ("state", "Any status", STATES, asked.state),
                ("owner", "Any institution", tenants.choices(asked.owner), asked.owner),
            ],
            **asked.turns(found.following),
        }
        return self.draw(request, "payments/list.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one payment."""
        self._require(request)
        payment = Payment.objects.filter(pk=int(object_id)).first()
        if payment is None:
            raise Http404
        shown = page.context(payment=payment, user=cast(User, request.user))
        return self.draw(request, "payments/payment.html", shown)

    def _require(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied
