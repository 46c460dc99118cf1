"""Changes of who may settle that wait for another officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from apps.access import tenants
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending
from apps.settlement.models import AccessChange, SettlementAccess

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LABELS = {"allowed": "May settle in production", "wallets": "Settlement wallets"}


def changes(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("settlement.decide_accesschange"):
        return None
    return pending(AccessChange.objects.all(), user, waiting)


def waiting(change: AccessChange) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    page = "admin:settlement_accesschange_change"
    return Waiting(
        kind="Access to settlement",
        title=f"{tenants.name(change.owner)}: access to settlement",
        changes=tuple(_turns(change)),
        by=change.proposed_by.get_username(),
        at=change.proposed_at,
        why=change.reason,
        address=reverse(page, args=[change.pk]) if change.pk else "",
    )


def _turns(change: AccessChange) -> list[tuple[str, str, str]]:
    held = None
    if change.state == AccessChange.State.PROPOSED and change.based_on:
        held = SettlementAccess.objects.filter(owner=change.owner, version=change.based_on).first()
    before, after = (held.stated() if held else {}), change.stated()
    return [
        (label, words(name, before.get(name)), words(name, after[name]))
        for name, label in LABELS.items()
        if before.get(name) != after[name]
    ]


def words(name: str, value: Any) -> str:
    """Return a value of an access as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(value or ()) or "none"


def means(change: AccessChange) -> tuple[str, ...]:
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
