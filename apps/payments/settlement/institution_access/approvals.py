"""Describe changes of settlement access that wait for another officer."""

from typing import Any

from apps.access.keys import tenant_names
from apps.payments.settlement.models import AccessChange, SettlementAccess
from apps.platform.desk.proposal_admin import PendingProposals

LABELS = {"allowed": "May settle in production", "wallets": "Settlement wallets"}


def _list_changed_values(change: AccessChange) -> list[tuple[str, str, str]]:
    settlement_access = None
    # a decided change is shown as it was proposed; a pending one beside the version it is based on
    if change.state == AccessChange.State.PROPOSED and change.based_on:
        settlement_access = SettlementAccess.objects.filter(
            owner=change.owner, version=change.based_on
        ).first()
    before, after = (settlement_access.stated() if settlement_access else {}), change.stated()
    return [
        (label, format_access_value(name, before.get(name)), format_access_value(name, after[name]))
        for name, label in LABELS.items()
        if before.get(name) != after[name]
    ]


def format_access_value(name: str, value: Any) -> str:
    """Format a value of an access for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "\n".join(value or ()) or "none"


def describe_consequences(change: AccessChange) -> tuple[str, ...]:
    """Describe in sentences what approving a proposal does."""
    if not change.allowed:
        return (
            "The institution can no longer settle in production.",
            "Settlements that were already let through may still be executed until their deadline.",
        )
    return (
        "The institution may settle in production, but only from these wallets.",
        "Every settlement is still checked, and held or blocked by what its checks find.",
    )


PENDING = PendingProposals(
    AccessChange,
    kind="Access to settlement",
    title=lambda change: f"{tenant_names.load_tenant_name(change.owner)}: access to settlement",
    changes=_list_changed_values,
)
