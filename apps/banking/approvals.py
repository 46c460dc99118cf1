"""International wires that wait for another officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.access import tenants
from apps.banking import screens
from apps.banking.models import Wire
from apps.banking.pages_of_cases import STATES
from apps.banking.sealing import Unreadable
from apps.banking.wires import payment_of, screened
from apps.core import clock
from apps.core.problems import DomainError
from apps.desk.approvals import Approvals, Waiting
from apps.desk.proposals import pending

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SAID = {
    "APPROVED": "nothing stands against them",
    "FLAGGED": "an officer is to look at it before it is sent",
    "BLOCKED": "it may not be sent",
}


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
        *(("Bank", "", one) for one in screens.bank_of(recipient)),
        ("Country of the account", "", recipient.country),
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


def _said(wire: Wire) -> str:
    """Say what the screen has of recipient and bank as they stand."""
    try:
        looked = screened(wire.recipient, now=clock.now())
    except (DomainError, Unreadable):
        return "Recipient and bank cannot be screened now."
    said = f"Recipient and bank, as screened now: {SAID[looked.decision]}."
    return " ".join((said, *looked.reasons))


def means(wire: Wire) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    payment = payment_of(wire) if wire.pk else None
    if payment is not None:
        return (f"Its payment {payment.send_id}: {STATES[payment.state].lower()}.",)
    return (
        _said(wire),
        "The bank is told to send the money, once; it cannot be taken back here.",
        "Recipient and bank are screened anew: what is blocked is stopped and stands in the SAR "
        "log, what is flagged waits for an officer.",
    )
