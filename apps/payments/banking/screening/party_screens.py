"""The parties of a bank payment, and the findings of their screens."""

from collections.abc import Iterable, Mapping

from apps.compliance.screening.combined.cases import build_case_opening
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.payments.banking.screening.recipients import ScreenedParty

# the party of a screen (`side` of the evidence), in words
SIDE_LABELS = {
    "payer": "Payer",
    "payer_bank": "Bank of the payer",
    "wallet": "Registered for the wallet",
    "recipient": "Recipient",
    "given": "Name that was given of the recipient",
    "recipient_bank": "Bank of the recipient",
}


def build_party_screens(
    screens: Iterable[ScreenedParty], *, sides: Mapping[str, str], other: str, owner: str = ""
) -> tuple[PartyScreen, ...]:
    """Return screens with their parties: `sides` by name, `other` for any other name."""
    return tuple(
        PartyScreen(
            side := sides.get(request.name, other),
            build_case_opening(
                screen_request=request,
                gathered=gathered,
                judgement=judgement,
                owner=owner,
                # only to tell screens of one payment apart: nothing stores such an opening
                ref=f"{side}/{number}",
            ),
            SIDE_LABELS[side],
        )
        for number, (request, gathered, judgement) in enumerate(screens)
    )
