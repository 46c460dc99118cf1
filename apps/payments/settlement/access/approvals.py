"""Changes of who may settle that wait for another officer, in words."""

from typing import Any

from apps.access.keys import tenants
from apps.payments.settlement.models import AccessChange, SettlementAccess
from apps.platform.desk.proposal_admin import PendingProposals

LABELS = {"allowed": "May settle in production", "wallets": "Settlement wallets"}


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


PENDING = PendingProposals(
    AccessChange,
    kind="Access to settlement",
    title=lambda change: f"{tenants.load_tenant_name(change.owner)}: access to settlement",
    changes=_list_changed_values,
)
