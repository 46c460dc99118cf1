"""Pages of payments: the list, one payment, and a month's revenue by resource and day."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.html import format_html_join

from apps.access.keys.metering import get_month
from apps.access.paywall import labels, revenue
from apps.access.paywall.models import PaymentClaim, Receipt, StreamSession
from apps.platform.common.clock import now
from apps.platform.desk import charts
from apps.platform.desk.base_admin import NewestFirstAdmin


class BoughtFilter(admin.AllValuesFieldListFilter):
    """Filter payments by what was bought."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield the resources to choose from, with readable names."""
        for choice in super().choices(changelist):
            yield choice | {"display": labels.get_resource_label(str(choice["display"]))}


@admin.register(PaymentClaim)
class PaymentClaimAdmin(NewestFirstAdmin):
    """Every signed payment that was claimed; neither signature nor answer is shown."""

    change_list_template = "paywall/payments.html"
    list_display = (
        "claimed_at", "bought", "sum", "state", "payer", "facilitator", "transaction",
    )  # fmt: skip
    list_filter = ("state", ("resource", BoughtFilter), "facilitator", "claimed_at")
    search_fields = ("=payer", "=transaction", "=nonce")
    search_help_text = "Full wallet, transaction or nonce, in lower case"
    ordering = ("-claimed_at", "-id")
    fields = readonly_fields = (
        "standing", "claimed_at", "state", "bought", "sum", "payer", "pay_to", "on", "asset",
        "nonce", "version", "facilitator", "transaction", "reason", "valid_before",
        "settled_at", "answered_at", "status", "followed",
    )  # fmt: skip

    @admin.display(description="Meaning")
    def standing(self, claim: PaymentClaim) -> str:
        """Say what the state of a payment means, and whether action is needed."""
        return labels.describe_payment_state(
            state=claim.state, answered=claim.answered_at is not None
        )

    @admin.display(description="Bought", ordering="resource")
    def bought(self, claim: PaymentClaim) -> str:
        """Say what the payment was for."""
        return labels.get_resource_label(claim.resource)

    @admin.display(description="USDC", ordering="amount")
    def sum(self, claim: PaymentClaim) -> str:
        """Show the amount with two decimals or more, right-aligned in lists."""
        return labels.render_amount(claim.amount)

    @admin.display(description="Network")
    def on(self, claim: PaymentClaim) -> str:
        """Return the name of the chain of the payment."""
        return labels.get_network_label(f"eip155:{claim.chain_id}")

    @admin.display(description="Follow-up")
    def followed(self, claim: PaymentClaim) -> str:
        """Link to the receipts of a payment, and to the session that it opened."""
        # a receipt has the payment's number and no foreign key: a ledger outlives the rows that it
        # is about
        receipts = Receipt.objects.filter(claim_id=claim.pk).order_by("pk")
        links = [("receipt", receipt.pk, str(receipt)) for receipt in receipts]
        sessions = StreamSession.objects.filter(claim=claim)
        links += [("streamsession", session.pk, str(session)) for session in sessions]
        lines = ((labels.render_page_link(*link),) for link in links)
        return format_html_join("", "<div>{}</div>", lines) or "Nothing."

    def render_change_form(
        self, request: HttpRequest, context: Any, *rest: Any, **more: Any
    ) -> HttpResponse:
        """Use what was bought as the page's title."""
        page = super().render_change_form(request, context, *rest, **more)
        if (claim := context.get("original")) is not None:
            text = (
                f"{labels.format_usdc(claim.amount)} USDC: "
                f"{labels.get_resource_label(claim.resource)}"
            )
            page.context_data["title"] = text  # type: ignore[attr-defined]
        return page

    def get_urls(self) -> list[Any]:
        takings_page = path("takings/", self.page_view(self.takings), name="paywall_takings")
        return [takings_page, *super().get_urls()]

    def takings(self, request: HttpRequest) -> HttpResponse:
        """Show the revenue of a month: totals by resource, and a column for each day."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        month = request.GET.get("month") or get_month(now())
        if not revenue.is_month(month):
            raise Http404
        monthly_revenue = revenue.load_monthly_revenue(month)
        shown = {
            "title": "Takings",
            "month": month,
            "months": revenue.list_revenue_months(),
            "takings": monthly_revenue,
            "may_export": request.user.has_perm("oversight.export_records"),
            "bars": charts.build_bars(monthly_revenue.bars()),
            "days": charts.build_day_chart(
                labels=monthly_revenue.labels, series=[monthly_revenue.columns()]
            ),
            "width": charts.WIDTH,
            "height": charts.HEIGHT,
            "base": charts.BASE,
        }
        return self.draw(request, "paywall/takings.html", shown)
