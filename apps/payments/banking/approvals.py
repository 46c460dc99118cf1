"""International wires that wait for another officer, in words."""

from collections.abc import Iterator

from apps.access.keys import tenants
from apps.payments.banking.case_links import STATE_LABELS
from apps.payments.banking.encryption import DecryptionFailed
from apps.payments.banking.models import Wire
from apps.payments.banking.screening import screens
from apps.payments.banking.services.wires import find_wire_payment, screen_wire_recipient
from apps.platform.common import clock
from apps.platform.common.problems import DomainError
from apps.platform.desk.proposal_admin import PendingProposals

DECISION_SENTENCES = {
    "APPROVED": "nothing stands against them",
    "FLAGGED": "an officer is to look at it before it is sent",
    "BLOCKED": "it may not be sent",
}


def _list_wire_details(wire: Wire) -> Iterator[tuple[str, str, str]]:
    recipient = wire.recipient
    details = [
        ("Institution", tenants.load_tenant_name(recipient.owner)),
        ("Recipient", f"{recipient.name}, account ending {recipient.tail}"),
        *(("Bank", one) for one in screens.describe_recipient_bank(recipient)),
        ("Country of the account", recipient.country),
        ("Amount", f"{wire.amount:,.2f} USD"),
        ("From the account", str(wire.account_id)),
        ("Purpose", wire.category),
        ("Explanation", wire.additional_info),
        ("Note", wire.memo),
    ]
    yield from ((what, "", value) for what, value in details if value)


def _describe_screening(wire: Wire) -> str:
    """Say what the screen has of recipient and bank as they stand."""
    try:
        looked = screen_wire_recipient(wire.recipient, now=clock.now())
    except (DomainError, DecryptionFailed):
        return "Recipient and bank cannot be screened at the moment."
    said = f"Recipient and bank, as screened today: {DECISION_SENTENCES[looked.decision]}."
    return " ".join((said, *looked.reasons))


def describe_wire_effects(change: Wire) -> tuple[str, ...]:
    """Return what follows from a proposal when it is approved, in sentences."""
    payment = find_wire_payment(change) if change.pk else None
    if payment is not None:
        return (f"Its payment {payment.send_id}: {STATE_LABELS[payment.state].lower()}.",)
    return (
        _describe_screening(change),
        "The bank is told to send the money, once; it cannot be taken back here.",
        "Recipient and bank are screened anew: what is blocked is stopped and stands in the SAR "
        "log, what is flagged waits for an officer.",
    )


PENDING = PendingProposals(
    Wire,
    kind="International wire",
    title=lambda wire: f"International wire to {wire.recipient.name}",
    changes=_list_wire_details,
    related=("recipient",),
)
