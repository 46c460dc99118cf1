"""The parties of a payment by the bank, and what the screens of each of them find."""

from collections.abc import Iterable, Mapping

from apps.compliance.screening.combined.cases import build_case_opening
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.payments.banking.screening.screens import ScreenedParty

# whose screen it is (`side` of the evidence), in words
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
    """Return screens with whose they are: `sides` by name, `other` for any other name."""
    return tuple(
        PartyScreen(
            side := sides.get(asked.name, other),
            build_case_opening(
                asked=asked,
                gathered=gathered,
                judgement=judgement,
                owner=owner,
                ref=f"{side}/{number}",
            ),
            SIDE_LABELS[side],
        )
        for number, (asked, gathered, judgement) in enumerate(screens)
    )
