"""Mandates, credentials and the ledger of agents, as they were written."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from apps.access.paywall.labels import render_amount
from apps.compliance.agents.labels import label_payload_lines
from apps.compliance.agents.models import Agent, AgentEvent, Credential, Level, Mandate
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.platform.desk.time_formats import format_days_in_text


class LevelledAdmin(NewestFirstAdmin):
    """Records that say a level as people do."""

    @admin.display(description="Level", ordering="level")
    def tier(self, record: Any) -> str:
        """Say the level of that moment."""
        return str(Level(record.level).label)


def _format_limit(amount: Decimal | None) -> str:
    return "no limit" if amount is None else render_amount(amount)


@admin.register(Mandate)
class MandateAdmin(LevelledAdmin):
    """Every version of every mandate; the last one of an agent holds."""

    list_display = (
        "made_at", "mandate_id", "version", "agent", "payment", "day", "esg_floor", "tier",
        "made_by",
    )  # fmt: skip
    list_filter = ("level", "ap2_compatible", "made_at")
    list_select_related = ("agent",)
    search_fields = ("=mandate_id", "=agent__agent_id")
    search_help_text = "Full mandate or agent id"
    fields = readonly_fields = (
        "mandate_id", "version", "agent", "payment", "day", "pairs", "counterparties", "esg_floor",
        "ap2_compatible", "tier", "made_at", "made_by",
    )  # fmt: skip

    @admin.display(description="Per payment, USD", ordering="max_notional")
    def payment(self, mandate: Mandate) -> str:
        """Show the most that one payment may be."""
        return _format_limit(mandate.max_notional)

    @admin.display(description="Per day, USD", ordering="daily_cap")
    def day(self, mandate: Mandate) -> str:
        """Show the most that a UTC day may bring."""
        return _format_limit(mandate.daily_cap)

    @admin.display(description="Currency pairs")
    def pairs(self, mandate: Mandate) -> str:
        """List the pairs that may be paid in."""
        return ", ".join(mandate.currency_pairs) or "any"

    @admin.display(description="Counterparties")
    def counterparties(self, mandate: Mandate) -> str:
        """List the LEIs that may be paid."""
        return ", ".join(mandate.whitelist) or "any"


@admin.register(Credential)
class CredentialAdmin(LevelledAdmin):
    """Every credential that was issued; what it says is in the ledger, its signature nowhere."""

    list_display = ("issued_at", "jti", "agent", "tier", "audience", "expires_at")
    list_filter = ("level", "issued_at")
    list_select_related = ("agent",)
    search_fields = ("=jti", "=agent__agent_id")
    search_help_text = "Full credential or agent id"
    fields = readonly_fields = (
        "jti", "agent", "mandate", "tier", "audience", "issued_at", "expires_at",
    )  # fmt: skip


@admin.register(AgentEvent)
class AgentEventAdmin(LevelledAdmin):
    """Every step of every agent."""

    list_display = ("recorded_at", "agent", "step", "tier", "subject", "by")
    list_filter = ("step", "level", "recorded_at")
    search_fields = ("=agent", "=about")
    search_help_text = "Full agent, mandate or credential id"
    fields = readonly_fields = ("recorded_at", "whose", "step", "tier", "subject", "by", "record")

    @admin.display(description="Agent")
    def whose(self, event: AgentEvent) -> str:
        """Lead to the agent."""
        # the ledger names agents by their id, without a foreign key: it outlives them
        pk = Agent.objects.filter(agent_id=event.agent).values_list("pk", flat=True).first()
        if pk is None:
            return event.agent
        place = reverse("admin:agents_agent_change", args=[pk])
        return format_html('<a href="{}">{}</a>', place, event.agent)

    @admin.display(description="about", ordering="about")
    def subject(self, event: AgentEvent) -> str:
        return format_days_in_text(event.about)

    @admin.display(description="record")
    def record(self, event: AgentEvent) -> str:
        """Show the record line by line, or that it was purged."""
        if event.purged:
            return "The payload was purged at the end of its retention."
        return (
            format_html_join("", "<div>{}: {}</div>", label_payload_lines(event.data))
            or "No further details."
        )
