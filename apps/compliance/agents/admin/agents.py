"""Pages of agents: the list, one agent with its limits and actions, and its revocation."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.compliance.agents import mandate_limits
from apps.compliance.agents.case_links import find_owner_case
from apps.compliance.agents.models import Agent, AgentEvent, Step
from apps.compliance.agents.rules.levels import TIERS
from apps.compliance.agents.services import agent_spends, revocation
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault

LAST = 20  # of what has no end


@admin.register(Agent)
class AgentAdmin(NewestFirstAdmin):
    """Every agent that was registered; its secret is stored nowhere."""

    change_form_template = "agents/agent.html"
    list_display = (
        "agent_id", "name", "level", "status", "owner_entity", "owner_lei", "registered_at",
    )  # fmt: skip
    list_filter = ("level", "status", "registered_at")
    search_fields = ("=agent_id", "name", "owner_entity", "=owner_lei")
    search_help_text = "Part of a name, or a full agent id or LEI"
    fields = readonly_fields = (
        "agent_id", "name", "framework", "speaks", "level", "note", "owner_entity", "has_email",
        "owner_lei", "lei_status", "lei_entity", "looked_at", "owner_proved_at", "owner_wallet",
        "key_thumbprint", "status", "registered_at", "revoked_at",
    )  # fmt: skip

    @admin.display(description="Protocols")
    def speaks(self, agent: Agent) -> str:
        """List the protocols that were stated."""
        return ", ".join(agent.protocols) or "-"

    def get_urls(self) -> list[Any]:
        revoke = require_http_methods(("GET", "HEAD", "POST"))(self.revoke)
        page = self.admin_site.admin_view(revoke)
        return [path("<id:pk>/revoke/", page, name="agents_agent_revoke"), *super().get_urls()]

    def record_context(self, request: HttpRequest, record: Agent) -> dict[str, Any]:
        """Add what the agent may spend and did, and every step that is on record."""
        may = request.user.has_perm("agents.revoke_agent")
        versions = list(record.mandates.order_by("-version")[:LAST])
        mandate = versions[0] if versions else None
        steps = list(AgentEvent.objects.filter(agent=record.agent_id).order_by("-pk")[:LAST])
        related_rows = {
            "tier": TIERS[record.level],
            "mandate": mandate,
            "limits": mandate_limits.effective_limits(record, mandate),
            "active": mandate_limits.is_mandate_active(record, mandate),
            "versions": versions,
            "spent": agent_spends.sum_spent_on(agent=record, day=now().date()),
            "spends": list(record.spends.order_by("-pk")[:LAST]),
            "credentials": list(record.credentials.order_by("-pk")[:LAST]),
            "revocation": getattr(record, "revocation", None) if record.revoked else None,
            "steps": steps,
            "email": _describe_email(record),
        }
        return related_rows | {
            "may_revoke": may and not record.revoked,
            "case": find_owner_case(record.agent_id, cast(User, request.user)),
        }

    def revoke(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Say what ends with an agent, and ask why; then end it at once."""
        if not request.user.has_perm("agents.revoke_agent"):
            raise PermissionDenied
        agent = get_object_or_404(Agent, pk=pk)
        page = reverse("admin:agents_agent_change", args=[pk])
        if agent.revoked:
            messages.error(request, "This agent has already been revoked.")
            return HttpResponseRedirect(page)
        why = request.POST.get("note", "").strip()
        # a GET has no reason yet, which is no fault to show
        fault = find_note_fault(why, most=LONGEST_REASON)
        if request.method != "POST" or fault:
            return self._ask(request, agent, why, fault if request.method == "POST" else "")
        with transaction.atomic():
            by = cast(User, request.user).get_username()
            revocation.revoke_agent(agent=agent, by=by, reason=why, now=now())
            self.log_change(request, agent, "Revoked.")
        messages.success(
            request, f"{agent} has been revoked.", extra_tags=f"stored-revoke-agent-{pk}"
        )
        return HttpResponseRedirect(page)

    def _ask(self, request: HttpRequest, agent: Agent, typed: str, fault: str) -> HttpResponse:
        moment = now()
        shown = {
            "title": f"Revoke {agent}",
            "agent": agent,
            "valid": agent.credentials.filter(expires_at__gt=moment).count(),
            "spent": agent_spends.sum_spent_on(agent=agent, day=moment.date()),
            "typed": typed,
            "refused": fault,
        }
        return self.draw(request, "agents/revoke.html", shown, 400 if fault else 200)


def _describe_email(agent: Agent) -> str:
    """Return the e-mail that was stated, from the ledger; its retention may have ended."""
    if not agent.has_email:
        return "not stated"
    stated = AgentEvent.objects.filter(agent=agent.agent_id, step=Step.REGISTERED).first()
    if stated is None or stated.purged:
        return "purged at the end of its retention"
    # an address that somebody put into the ledger is not shown as the owner's
    fault = stated.mac_fault()
    return f"not shown: {fault}" if fault else str(stated.data["ownerEmail"])
