"""Payments to read: the list, and one payment whole."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.access.keys import tenants
from apps.payments.payments.models import Payment
from apps.payments.payments.views import changelists
from apps.payments.payments.views import payment as page
from apps.payments.payments.views.case_links import STATE_LABELS
from apps.platform.desk.base_admin import ReadOnlyAdmin


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
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
        asked = changelists.PaymentListQuery.read(request.GET)
        found = changelists.build_payment_page(asked)
        shown = {
            "title": "Institutions’ payments",
            "asked": asked,
            "page": found,
            "choices": [
                ("state", "Any status", STATE_LABELS, asked.state),
                ("owner", "Any institution", tenants.list_tenant_choices(asked.owner), asked.owner),
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
        shown = page.build_payment_context(payment=payment, user=cast(User, request.user))
        return self.draw(request, "payments/payment.html", shown)

    def _require(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied
