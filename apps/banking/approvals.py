"""International wires that wait for another officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.access import tenants
from apps.banking.models import Wire
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def wires(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("banking.decide_wire"):
        return None
    return pending(Wire.objects.select_related("recipient"), user, waiting)


def waiting(wire: Wire) -> Waiting:
    """Return a proposal as a line of what waits for approval."""
    recipient = wire.recipient
    turns = [
        ("Institution", "", tenants.name(recipient.owner)),
        ("Recipient", "", f"{recipient.name}, account ending {recipient.tail}"),
        ("Amount", "", f"{wire.amount:,.2f} USD"),
        ("From the account", "", str(wire.account_id)),
        ("Purpose", "", wire.category),
        ("Explanation", "", wire.additional_info),
        ("Note", "", wire.memo),
    ]
    return Waiting(
        kind="International wire",
        title=f"International wire to {recipient.name}",
        changes=tuple(one for one in turns if one[2]),
        by=wire.proposed_by.get_username(),
        at=wire.proposed_at,
        why=wire.reason,
        address=reverse("admin:banking_wire_change", args=[wire.pk]) if wire.pk else "",
    )


def means(wire: Wire) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    return (
        "The bank is told to send the money, once; it cannot be taken back here.",
        "The recipient's name is held against the lists once more before it goes.",
    )
