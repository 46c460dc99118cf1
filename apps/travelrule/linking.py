"""Which payment of ours a counterparty's message is about."""

import uuid
from collections.abc import Mapping
from typing import Any

from apps.travelrule import messages
from apps.travelrule.models import PartyToken, TravelRecord
from apps.travelrule.parties import Named, account_token, word_token, words
from apps.travelrule.rules.recording import OUTBOUND


def linked(named: str, message: Mapping[str, Any]) -> TravelRecord | None:
    """Return our record of the payment that a message names, if it is of the same parties.

    The header is not signed: it links only where each side shares an account with the record, or
    its whole name. None for any other id, whether there is such a payment or not.
    """
    try:
        number = uuid.UUID(named)
    except ValueError:
        return None
    record = TravelRecord.objects.filter(payment_id=number, direction=OUTBOUND).first()
    if record is None:
        return None
    sides = (("originator", record.originator_id), ("beneficiary", record.beneficiary_id))
    same = all(_same(messages.side_of(message, side), party) for side, party in sides)
    return record if same else None


def _same(side: Named, party: int | None) -> bool:
    held = set(PartyToken.objects.filter(party=party).values_list("token", flat=True))
    if any(account_token(one) in held for one in side.accounts):
        return True
    return any(
        found <= held
        for name in side.names
        if (found := {word_token(word) for word in words(name)})
    )
