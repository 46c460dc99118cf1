"""Receipts as they were written, and stream sessions with what was taken from them."""

import json

from django.contrib import admin
from django.utils.html import format_html, format_html_join

from apps.desk.pages import ReadOnly
from apps.paywall.models import Receipt, StreamSession

TICKS = 50


@admin.register(Receipt)
class ReceiptAdmin(ReadOnly):
    """Every receipt: payments that were settled, rests of sessions that are owed back."""

    list_display = ("recorded_at", "kind", "resource", "amount", "facilitator", "transaction")
    list_filter = ("kind", "resource", "facilitator", "recorded_at")
    search_fields = ("=transaction",)
    search_help_text = "A whole transaction"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-recorded_at", "-id")
    fields = readonly_fields = (
        "recorded_at", "kind", "claim_id", "resource", "amount", "network", "facilitator",
        "transaction", "record",
    )  # fmt: skip

    @admin.display(description="record")
    def record(self, receipt: Receipt) -> str:
        """Show what is recorded; a purged one says so."""
        if receipt.purged:
            return "The payload was purged at the end of its retention."
        return format_html("<pre>{}</pre>", json.dumps(receipt.data, indent=2))


@admin.register(StreamSession)
class StreamSessionAdmin(ReadOnly):
    """Every session, with its last ticks; its secret is stored nowhere."""

    list_display = (
        "opened_at", "session_id", "payer", "unit_type", "credit", "balance", "state", "refundable",
        "expires_at",
    )  # fmt: skip
    list_filter = ("state", "unit_type", "opened_at")
    search_fields = ("=session_id", "=payer")
    search_help_text = "A whole session id or wallet, in small letters"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-opened_at", "-id")
    fields = readonly_fields = (
        "session_id", "state", "payer", "unit_type", "unit_price", "credit", "balance",
        "refundable", "reference", "opened_at", "expires_at", "closed_at", "last_ticks",
    )  # fmt: skip

    @admin.display(description="last ticks")
    def last_ticks(self, session: StreamSession) -> str:
        """Show the newest ticks, and which call each paid for."""
        rows = session.ticks.order_by("-pk").values_list(
            "at", "count", "unit", "amount", "resource"
        )[:TICKS]
        lines = [
            (f"{at:%d %b %Y %H:%M:%S}", count, unit, amount, resource)
            for at, count, unit, amount, resource in rows
        ]
        return format_html_join("", "<div>{}: {} {}, {} USDC {}</div>", lines) or "None."
