"""Which payment of ours a counterparty's message is about."""

from collections.abc import Mapping
from typing import Any

from apps.payments.travelrule import message_readers
from apps.payments.travelrule.models import RecordKey, TravelRecord
from apps.payments.travelrule.party_index import NamedSide, account_token, split_words
from apps.payments.travelrule.rules.record_status import OUTBOUND
from apps.payments.travelrule.selectors.verified_records import (
    decrypt_message,
    is_record_verified,
    load_verified_events,
)
from apps.platform.common.uuids import parse_uuid
from apps.platform.crypto.encryption import DecryptionFailed


def find_linked_record(named: str, message: Mapping[str, Any]) -> TravelRecord | None:
    """Return our record of the payment that a message names, if it is between the same parties.

    None for any other id, whether there is such a payment or not.
    """
    if (number := parse_uuid(named)) is None:
        return None
    record = TravelRecord.objects.filter(payment_id=number, direction=OUTBOUND).first()
    ours = _load_own_message(record) if record is not None else None
    if ours is None:
        return None
    # The header is not signed, and a sender could try ids: each side must share an account with our
    # own message, or a whole name.
    sides = ("originator", "beneficiary")
    same = all(
        _is_same_side(
            message_readers.parse_named_side(message, side),
            message_readers.parse_named_side(ours, side),
        )
        for side in sides
    )
    return record if same else None


def _load_own_message(record: TravelRecord) -> dict[str, Any] | None:
    """Return our own message of a payment; None if it can no longer be compared with."""
    events = load_verified_events([record])[record.pk]
    if not is_record_verified(record, events):
        return None
    try:
        return decrypt_message(record, events[0], RecordKey.objects.filter(record=record).first())
    except DecryptionFailed:
        return None


def _is_same_side(side: NamedSide, ours: NamedSide) -> bool:
    """Tell whether two sides share an account, or the words of a name, all of them."""
    accounts = {account_token(account) for account in ours.accounts}
    if any(account_token(account) in accounts for account in side.accounts):
        return True
    names = [sorted(split_words(name)) for name in ours.names]
    return any(words in names for name in side.names if (words := sorted(split_words(name))))
