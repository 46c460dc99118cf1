"""Which payment of ours a counterparty's message is about."""

import uuid
from collections.abc import Mapping
from typing import Any

from apps.travelrule import messages, sealing
from apps.travelrule.models import RecordKey, TravelRecord
from apps.travelrule.parties import Named, account_token, words
from apps.travelrule.rules.recording import OUTBOUND
from apps.travelrule.telling import events_of, is_proved, opened


def linked(named: str, message: Mapping[str, Any]) -> TravelRecord | None:
    """Return our record of the payment that a message names, if it is of the same parties.

    The header is not signed: it links only where each side shares an account with our message, or
    a whole name. None for any other id, whether there is such a payment or not.
    """
    try:
        number = uuid.UUID(named)
    except ValueError:
        return None
    record = TravelRecord.objects.filter(payment_id=number, direction=OUTBOUND).first()
    ours = _message(record) if record is not None else None
    if ours is None:
        return None
    sides = ("originator", "beneficiary")
    same = all(_same(messages.side_of(message, one), messages.side_of(ours, one)) for one in sides)
    return record if same else None


def _message(record: TravelRecord) -> dict[str, Any] | None:
    """Return our own message of a payment; None where nothing can be held against it any more."""
    events = events_of([record])[record.pk]
    if not is_proved(record, events):
        return None
    try:
        return opened(record, events[0], RecordKey.objects.filter(record=record).first())
    except sealing.Unreadable:
        return None


def _same(side: Named, ours: Named) -> bool:
    """Tell whether two sides share an account, or the words of a name, all of them."""
    accounts = {account_token(one) for one in ours.accounts}
    if any(account_token(one) in accounts for one in side.accounts):
        return True
    names = [sorted(words(one)) for one in ours.names]
    return any(found in names for one in side.names if (found := sorted(words(one))))
