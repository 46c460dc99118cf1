"""Describe international wires that wait for another officer."""

from collections.abc import Iterator

from apps.access.keys import tenant_names
from apps.payments.banking.case_links import STATE_LABELS
from apps.payments.banking.models import Wire
from apps.payments.banking.screening import recipients
from apps.payments.banking.services.wire_proposals import find_wire_payment, screen_wire_recipient
from apps.platform.common import clock
from apps.platform.common.problems import DomainError
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.desk.proposal_admin import PendingProposals

DECISION_SENTENCES = {
    "APPROVED": "no check found anything against them",
    "FLAGGED": "an officer must review it before it is sent",
    "BLOCKED": "it may not be sent",
}


def _list_wire_details(wire: Wire) -> Iterator[tuple[str, str, str]]:
    recipient = wire.recipient
    details = [
        ("Institution", tenant_names.load_tenant_name(recipient.owner)),
        ("Recipient", f"{recipient.name}, account ending {recipient.tail}"),
        *(("Bank", bank) for bank in recipients.describe_recipient_bank(recipient)),
        ("Country of the account", recipient.country),
        ("Amount", f"{wire.amount:,.2f} USD"),
        ("From the account", str(wire.account_id)),
        ("Purpose", wire.category),
        ("Explanation", wire.additional_info),
        ("Note", wire.memo),
    ]
    yield from ((what, "", value) for what, value in details if value)


def _describe_screening(wire: Wire) -> str:
    """Describe the current screening of recipient and bank."""
    try:
        wire_recipient = screen_wire_recipient(wire.recipient, now=clock.now())
    # the page must open even while lists or keys are missing; approving still fails then
    except (DomainError, DecryptionFailed):
        return "Recipient and bank cannot be screened at the moment."
    text = f"Recipient and bank, as screened today: {DECISION_SENTENCES[wire_recipient.decision]}."
    return " ".join((text, *wire_recipient.reasons))


def describe_wire_effects(change: Wire) -> tuple[str, ...]:
    """Describe in sentences what approving a proposal does."""
    # a proposal that is being drafted has no number yet, so no payment can refer to it
    payment = find_wire_payment(change) if change.pk else None
    if payment is not None:
        return (f"Its payment {payment.send_id}: {STATE_LABELS[payment.state].lower()}.",)
    return (
        _describe_screening(change),
        "The bank is instructed once to send the money; this cannot be undone here.",
        "Recipient and bank are screened again: a blocked wire is stopped and entered in the SAR "
        "log, a flagged one waits for an officer.",
    )


PENDING = PendingProposals(
    Wire,
    kind="International wire",
    title=lambda wire: f"International wire to {wire.recipient.name}",
    changes=_list_wire_details,
    related=("recipient",),
)
