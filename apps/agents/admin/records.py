"""Mandates, credentials and the ledger of agents, as they were written."""

import json

from django.contrib import admin
from django.utils.html import format_html

from apps.agents.models import AgentEvent, Credential, Mandate
from apps.desk.pages import ReadOnly
from apps.desk.times import dated


@admin.register(Mandate)
class MandateAdmin(ReadOnly):
    """Every version of every mandate; the last one of an agent holds."""

    list_display = (
        "made_at", "mandate_id", "version", "agent", "max_notional", "daily_cap", "esg_floor",
        "level", "made_by",
    )  # fmt: skip
    list_filter = ("level", "ap2_compatible", "made_at")
    list_select_related = ("agent",)
    search_fields = ("=mandate_id", "=agent__agent_id")
    search_help_text = "A whole mandate or agent id"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields = readonly_fields = (
        "mandate_id", "version", "agent", "max_notional", "daily_cap", "currency_pairs",
        "whitelist", "esg_floor", "ap2_compatible", "level", "made_at", "made_by",
    )  # fmt: skip


@admin.register(Credential)
class CredentialAdmin(ReadOnly):
    """Every credential that was issued; what it says is in the ledger, its signature nowhere."""

    list_display = ("issued_at", "jti", "agent", "level", "audience", "expires_at")
    list_filter = ("level", "issued_at")
    list_select_related = ("agent",)
    search_fields = ("=jti", "=agent__agent_id")
    search_help_text = "A whole credential or agent id"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields = readonly_fields = (
        "jti", "agent", "mandate", "level", "audience", "issued_at", "expires_at",
    )  # fmt: skip


@admin.register(AgentEvent)
class AgentEventAdmin(ReadOnly):
    """Every step of every agent."""

    list_display = ("recorded_at", "agent", "step", "level", "told", "by")
    list_filter = ("step", "level", "recorded_at")
    search_fields = ("=agent", "=about")
    search_help_text = "A whole agent, mandate or credential id"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields = readonly_fields = ("recorded_at", "agent", "step", "level", "told", "by", "record")

    @admin.display(description="about", ordering="about")
    def told(self, event: AgentEvent) -> str:
        return dated(event.about)

    @admin.display(description="record")
    def record(self, event: AgentEvent) -> str:
        """Show what is recorded; a purged one says so."""
        if event.purged:
            return "The payload was purged at the end of its retention."
        return format_html("<pre>{}</pre>", json.dumps(event.data, indent=2, ensure_ascii=False))
