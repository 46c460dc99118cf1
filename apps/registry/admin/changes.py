"""Pages of changes of entity, which take two people."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.core.clock import now
from apps.desk.approvals import Waiting
from apps.desk.proposals import ProposalAdmin
from apps.registry import approvals, changing
from apps.registry.forms import ChangeForm
from apps.registry.models import EntityChange


@admin.register(EntityChange)
class EntityChangeAdmin(ProposalAdmin):
    """Other entities for wallets: one registrar proposes, another decides."""

    form = ChangeForm
    list_display = ("registration", "legal_name", "lei", "state", "proposed_by", "decided_by")
    list_select_related = ("registration", "proposed_by", "decided_by")
    decider = "registrar"
    asking = "Propose another entity for a wallet"

    def told(self, change: EntityChange) -> Waiting:
        return approvals.waiting(change)

    def means(self, change: EntityChange) -> tuple[str, ...]:
        return approvals.means(change)

    def save_model(self, request: HttpRequest, obj: EntityChange, form: Any, change: bool) -> None:
        by = cast(User, request.user)
        obj.pk = changing.propose(by=by, now=now(), **form.cleaned_data).pk

    def approve(self, change: EntityChange, by: User, note: str) -> str:
        changing.approve(change=change, by=by, now=now(), note=note)
        return f"approved; it counts from {change.counts_from:%d %b %Y %H:%M} UTC on."

    def reject(self, change: EntityChange, by: User, note: str) -> None:
        changing.reject(change=change, by=by, now=now(), note=note)
