"""Payments: the list, one payment, and what a month took, by resource and day."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.core.clock import now
from apps.desk import charts
from apps.desk.pages import ReadOnly
from apps.paywall import takings
from apps.paywall.models import PaymentClaim


@admin.register(PaymentClaim)
class PaymentClaimAdmin(ReadOnly):
    """Every signed payment that was taken up; neither signature nor answer is shown."""

    change_list_template = "paywall/payments.html"
    list_display = (
        "claimed_at", "resource", "amount", "state", "payer", "facilitator", "transaction",
    )  # fmt: skip
    list_filter = ("state", "resource", "facilitator", "claimed_at")
    search_fields = ("=payer", "=transaction", "=nonce")
    search_help_text = "A whole wallet, transaction or nonce, in small letters"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-claimed_at", "-id")
    fields = readonly_fields = (
        "claimed_at", "state", "resource", "amount", "payer", "pay_to", "chain_id", "asset",
        "nonce", "version", "network", "facilitator", "transaction", "reason", "valid_before",
        "settled_at", "answered_at", "status",
    )  # fmt: skip

    def get_urls(self) -> list[Any]:
        takings_page = path("takings/", self.page_view(self.takings), name="paywall_takings")
        return [takings_page, *super().get_urls()]

    def takings(self, request: HttpRequest) -> HttpResponse:
        """Show what a month took: totals by resource, and a column for each day."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        month = request.GET.get("month") or takings.month_of(now())
        if not takings.is_month(month):
            raise Http404
        found = takings.of(month)
        shown = {
            "title": "Takings",
            "month": month,
            "months": takings.months(),
            "takings": found,
            "may_export": request.user.has_perm("oversight.export_records"),
            "bars": charts.bars(found.bars()),
            "days": charts.days(labels=found.labels, series=[found.columns()]),
            "width": charts.WIDTH,
            "height": charts.HEIGHT,
            "base": charts.BASE,
        }
        return self.draw(request, "paywall/takings.html", shown)
