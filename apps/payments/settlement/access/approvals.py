"""Changes of who may settle that wait for another officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.access.keys import tenants
from apps.payments.settlement.models import AccessChange, SettlementAccess
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LABELS = {"allowed": "May settle in production", "wallets": "Settlement wallets"}


def list_pending_access_changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("settlement.decide_accesschange"):
        return None
    return pending_approvals(AccessChange.objects.all(), user, describe_pending_change)


def describe_pending_change(change: AccessChange) -> PendingApproval:
    """Return a proposal as a line of what waits for approval."""
    page = "admin:settlement_accesschange_change"
    return PendingApproval(
        kind="Access to settlement",
        title=f"{tenants.load_tenant_name(change.owner)}: access to settlement",
        changes=tuple(_list_changed_values(change)),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=reverse(page, args=[change.pk]) if change.pk else "",
    )


def _list_changed_values(change: AccessChange) -> list[tuple[str, str, str]]:
    held = None
    if change.state == AccessChange.State.PROPOSED and change.based_on:
        held = SettlementAccess.objects.filter(owner=change.owner, version=change.based_on).first()
    before, after = (held.stated() if held else {}), change.stated()
    return [
        (label, format_access_value(name, before.get(name)), format_access_value(name, after[name]))
        for name, label in LABELS.items()
        if before.get(name) != after[name]
    ]


def format_access_value(name: str, value: Any) -> str:
    """Return a value of an access as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(value or ()) or "none"


def describe_consequences(change: AccessChange) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    if not change.allowed:
        return (
            "The institution settles nothing in production any more.",
            "What it was let go before may still be executed until its deadline.",
        )
    return (
        "The institution may settle in production, from these wallets alone.",
        "Every settlement is still checked, and held or blocked by what its checks find.",
    )
