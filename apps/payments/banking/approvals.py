"""International wires that wait for another officer, in words."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.access.keys import tenants
from apps.payments.banking.case_links import STATE_LABELS
from apps.payments.banking.encryption import DecryptionFailed
from apps.payments.banking.models import Wire
from apps.payments.banking.screening import screens
from apps.payments.banking.services.wires import find_wire_payment, screen_wire_recipient
from apps.platform.core import clock
from apps.platform.core.problems import DomainError
from apps.platform.desk.approvals import Approvals, PendingApproval
from apps.platform.desk.proposal_admin import pending_approvals

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DECISION_SENTENCES = {
    "APPROVED": "nothing stands against them",
    "FLAGGED": "an officer is to look at it before it is sent",
    "BLOCKED": "it may not be sent",
}


def find_wire_approvals(user: "User", now: datetime) -> Approvals | None:
    """Return proposals that wait for this user."""
    if not user.has_perm("banking.decide_wire"):
        return None
    return pending_approvals(Wire.objects.select_related("recipient"), user, build_wire_approval)


def build_wire_approval(wire: Wire) -> PendingApproval:
    """Return a proposal as a line of what waits for approval."""
    recipient = wire.recipient
    turns = [
        ("Institution", "", tenants.load_tenant_name(recipient.owner)),
        ("Recipient", "", f"{recipient.name}, account ending {recipient.tail}"),
        *(("Bank", "", one) for one in screens.describe_recipient_bank(recipient)),
        ("Country of the account", "", recipient.country),
        ("Amount", "", f"{wire.amount:,.2f} USD"),
        ("From the account", "", str(wire.account_id)),
        ("Purpose", "", wire.category),
        ("Explanation", "", wire.additional_info),
        ("Note", "", wire.memo),
    ]
    return PendingApproval(
        kind="International wire",
        title=f"International wire to {recipient.name}",
        changes=tuple(one for one in turns if one[2]),
        by=wire.proposed_by.get_username(),
        at=wire.proposed_at,
        why=wire.reason,
        address=reverse("admin:banking_wire_change", args=[wire.pk]) if wire.pk else "",
    )


def _describe_screening(wire: Wire) -> str:
    """Say what the screen has of recipient and bank as they stand."""
    try:
        looked = screen_wire_recipient(wire.recipient, now=clock.now())
    except (DomainError, DecryptionFailed):
        return "Recipient and bank cannot be screened at the moment."
    said = f"Recipient and bank, as screened today: {DECISION_SENTENCES[looked.decision]}."
    return " ".join((said, *looked.reasons))


def describe_wire_effects(wire: Wire) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    payment = find_wire_payment(wire) if wire.pk else None
    if payment is not None:
        return (f"Its payment {payment.send_id}: {STATE_LABELS[payment.state].lower()}.",)
    return (
        _describe_screening(wire),
        "The bank is told to send the money, once; it cannot be taken back here.",
        "Recipient and bank are screened anew: what is blocked is stopped and stands in the SAR "
        "log, what is flagged waits for an officer.",
    )
