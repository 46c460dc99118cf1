"""Pages of changes of entity, which take two people."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from apps.compliance.payees import approvals
from apps.compliance.payees.forms import ChangeForm
from apps.compliance.payees.models import EntityChange, Registration
from apps.compliance.payees.services import entity_changes
from apps.platform.common.clock import now
from apps.platform.desk.proposal_admin import ProposalAdmin

CHOOSE = "Choose the wallet first, then use “Propose entity change” on its page."


@admin.register(EntityChange)
class EntityChangeAdmin(ProposalAdmin):
    """Other entities for wallets: one registrar proposes, another decides."""

    form = ChangeForm
    list_display = ("registration", "legal_name", "lei", "state", "proposed_by", "decided_by")
    list_select_related = ("registration", "proposed_by", "decided_by")
    change_form_template = "payees/entity_change.html"
    pending = approvals.PENDING
    turn_down = staticmethod(entity_changes.reject_entity_change)
    means = staticmethod(approvals.describe_consequences)
    decider = "registrar or a senior officer"
    asking = "Propose an entity change for a wallet"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """List the proposals; one is made on the page of its wallet, so there is no button."""
        shown = {**(extra_context or {}), "has_add_permission": False}
        return super().changelist_view(request, shown)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for another entity; without a wallet, lead to where one is chosen."""
        parameters = request.POST if request.method == "POST" else request.GET
        pk = parameters.get("registration", "")
        # addresses may hold anything, and a number of more digits than an id has fails in the
        # database
        known = pk.isascii() and pk.isdigit() and len(pk) <= 18
        if known and Registration.objects.active().filter(pk=int(pk)).exists():
            return super().add_view(request, form_url, extra_context)
        if not self.has_add_permission(request):
            raise PermissionDenied
        messages.info(request, CHOOSE)
        page = reverse("admin:registry_registration_changelist")
        return HttpResponseRedirect(f"{page}?state=active")

    def record_context(self, request: HttpRequest, record: EntityChange) -> dict[str, Any]:
        """Show the wallet's open cases next to the proposal."""
        return {
            "open_cases": list(approvals.list_open_cases(record)[: approvals.MOST]),
            "may_see_cases": request.user.has_perm("review.view_case"),
        }

    def response_add(
        self, request: HttpRequest, obj: EntityChange, post_url_continue: Any = None
    ) -> HttpResponse:
        """Say what was done, and lead to the proposal."""
        messages.success(request, f"Proposed. Another {self.decider} must decide.")
        page = reverse("admin:registry_entitychange_change", args=[obj.pk])
        return HttpResponseRedirect(page)

    def propose(self, form: Any, by: User) -> EntityChange:
        return entity_changes.propose_entity_change(by=by, now=now(), **form.cleaned_data)

    def approve(self, change: EntityChange, by: User, note: str) -> str:
        entity_changes.approve_entity_change(change=change, by=by, now=now(), note=note)
        return f"approved. It takes effect on {change.counts_from:%d %b %Y %H:%M} UTC."
