"""Receipts as they were written, and stream sessions with what was taken from them."""

from django.contrib import admin
from django.utils.html import format_html_join

from apps.access.paywall import labels
from apps.access.paywall.admin.payments import BoughtFilter
from apps.access.paywall.models import Receipt, StreamSession
from apps.platform.desk.base_admin import NewestFirstAdmin

TICKS = 50


@admin.register(Receipt)
class ReceiptAdmin(NewestFirstAdmin):
    """Every receipt: payments that were settled, rests of sessions that are owed back."""

    list_display = ("recorded_at", "kind", "bought", "sum", "facilitator", "transaction")
    list_filter = ("kind", ("resource", BoughtFilter), "facilitator", "recorded_at")
    search_fields = ("=transaction",)
    search_help_text = "Full transaction"
    ordering = ("-recorded_at", "-id")
    fields = readonly_fields = (
        "recorded_at", "kind", "payment", "bought", "sum", "on", "facilitator",
        "transaction", "record",
    )  # fmt: skip

    @admin.display(description="Payment", ordering="claim_id")
    def payment(self, receipt: Receipt) -> str:
        """Lead to the payment."""
        return labels.render_page_link(
            "paymentclaim", receipt.claim_id, f"Payment {receipt.claim_id}"
        )

    @admin.display(description="record")
    def record(self, receipt: Receipt) -> str:
        """Show what is recorded, line by line; a purged one says so."""
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
        """Name the chain that the money came on."""
        return labels.get_network_label(receipt.network)


@admin.register(StreamSession)
class StreamSessionAdmin(NewestFirstAdmin):
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

    @admin.display(description="Payment")
    def payment(self, session: StreamSession) -> str:
        """Lead to the payment that opened it."""
        return labels.render_page_link(
            "paymentclaim", session.claim_id, f"Payment {session.claim_id}"
        )

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
        """Show what is left of it."""
        return labels.render_amount(session.balance)

    @admin.display(description="Refund due, USDC", ordering="refundable")
    def owed(self, session: StreamSession) -> str:
        """Show the rest that is owed back; nothing while the session runs."""
        return labels.render_amount(session.refundable) if session.refundable is not None else "-"

    @admin.display(description="last ticks")
    def last_ticks(self, session: StreamSession) -> str:
        """Show the newest ticks, and which call each paid for."""
        rows = session.ticks.order_by("-pk")[:TICKS]
        lines = [
            (f"{row.at:%d %b %Y %H:%M:%S}", f"{row.count:,}", row.unit,
             labels.format_usdc(row.amount), labels.get_resource_label(row.resource))
            for row in rows
        ]  # fmt: skip
        return format_html_join("", "<div>{}: {} {}, {} USDC {}</div>", lines) or "None."
