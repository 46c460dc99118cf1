"""Pages of receipts, and of stream sessions with their ticks."""

from django.contrib import admin
from django.utils.html import format_html_join

from apps.access.paywall import labels
from apps.access.paywall.admin.payments import BoughtFilter
from apps.access.paywall.models import Receipt, StreamSession
from apps.platform.desk.base_admin import NewestFirstAdmin

# newest ones that the page shows: a session of small units may have millions
TICKS = 50


class PaymentLinkMixin:
    """Link a row to its payment."""

    @admin.display(description="Payment", ordering="claim_id")
    def payment(self, row: Receipt | StreamSession) -> str:
        """Link to the payment."""
        return labels.render_page_link("paymentclaim", row.claim_id, f"Payment {row.claim_id}")


@admin.register(Receipt)
class ReceiptAdmin(PaymentLinkMixin, NewestFirstAdmin):
    """Every receipt: of settled payments, and of session credit that is to be refunded."""

    list_display = ("recorded_at", "kind", "bought", "sum", "facilitator", "transaction")
    list_filter = ("kind", ("resource", BoughtFilter), "facilitator", "recorded_at")
    search_fields = ("=transaction",)
    search_help_text = "Full transaction"
    ordering = ("-recorded_at", "-id")
    fields = readonly_fields = (
        "recorded_at", "kind", "payment", "bought", "sum", "on", "facilitator",
        "transaction", "record",
    )  # fmt: skip

    @admin.display(description="record")
    def record(self, receipt: Receipt) -> str:
        """Show the record line by line; a purged one says so."""
        if receipt.purged:
            return "The payload was purged at the end of its retention."
        lines = labels.list_receipt_fields(receipt.data)
        return format_html_join("", "<div>{}: {}</div>", lines) or "No further details."

    @admin.display(description="Bought", ordering="resource")
    def bought(self, receipt: Receipt) -> str:
        """Say what the money was for."""
        return labels.get_resource_label(receipt.resource)

    @admin.display(description="USDC", ordering="amount")
    def sum(self, receipt: Receipt) -> str:
        """Show the amount with two decimals or more, right-aligned in lists."""
        return labels.render_amount(receipt.amount)

    @admin.display(description="Network")
    def on(self, receipt: Receipt) -> str:
        """Return the name of the chain of the payment."""
        return labels.get_network_label(receipt.network)


@admin.register(StreamSession)
class StreamSessionAdmin(PaymentLinkMixin, NewestFirstAdmin):
    """Every session, with its last ticks; its secret is stored nowhere."""

    list_display = (
        "opened_at", "session_id", "payer", "unit_type", "paid", "left", "state", "owed",
        "expires_at",
    )  # fmt: skip
    list_filter = ("state", "unit_type", "opened_at")
    search_fields = ("=session_id", "=payer")
    search_help_text = "Full session id or wallet, in lower case"
    ordering = ("-opened_at", "-id")
    fields = readonly_fields = (
        "session_id", "state", "payer", "unit_type", "price", "paid", "left",
        "owed", "reference", "opened_at", "expires_at", "closed_at", "payment", "last_ticks",
    )  # fmt: skip

    @admin.display(description="Unit price, USDC")
    def price(self, session: StreamSession) -> str:
        """Show what one unit costs."""
        return labels.render_amount(session.unit_price)

    @admin.display(description="Paid, USDC", ordering="credit")
    def paid(self, session: StreamSession) -> str:
        """Show what was paid for the session."""
        return labels.render_amount(session.credit)

    @admin.display(description="Remaining, USDC", ordering="balance")
    def left(self, session: StreamSession) -> str:
        """Show the remaining credit."""
        return labels.render_amount(session.balance)

    @admin.display(description="Refund due, USDC", ordering="refundable")
    def owed(self, session: StreamSession) -> str:
        """Show the credit to be refunded; nothing while the session runs."""
        return labels.render_amount(session.refundable) if session.refundable is not None else "-"

    @admin.display(description="last ticks")
    def last_ticks(self, session: StreamSession) -> str:
        """Show the newest ticks, and the call that each paid for."""
        rows = session.ticks.order_by("-pk")[:TICKS]
        lines = [
            (f"{row.at:%d %b %Y %H:%M:%S}", f"{row.count:,}", row.unit,
             labels.format_usdc(row.amount), labels.get_resource_label(row.resource))
            for row in rows
        ]  # fmt: skip
        return format_html_join("", "<div>{}: {} {}, {} USDC {}</div>", lines) or "None."
