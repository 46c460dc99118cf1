"""Decrypt messages, to verify the search index of records and parties against them."""

from collections.abc import Callable, Collection, Iterator, Sequence

from apps.payments.travelrule import party_index
from apps.payments.travelrule.message_readers import list_named_sides
from apps.payments.travelrule.models import Party, PartyToken, RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.selectors.verified_records import decrypt_message
from apps.platform.common.batches import iter_chunks
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.db.parallel_scan import WHOLE, Span
from apps.platform.ledger.verification.verified_reads import filter_verified_records

AT_ONCE = 500


def verify_messages(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield a fault in words for each message that does not open, without a purge of ours.

    Then for each party that is found by other words or accounts than messages name it by.
    """
    above, until = span
    rows = TravelRecord.objects.select_related("key", "originator", "beneficiary").order_by("pk")
    rows = rows if above is None else rows.filter(pk__gt=above)
    rows = rows if until is None else rows.filter(pk__lte=until)
    checked: set[int] = set()
    for piece in iter_chunks(rows.iterator(AT_ONCE), AT_ONCE):
        yield from _find_unreadable_messages(piece, checked)
        progress(len(piece))


def _find_unreadable_messages(records: Sequence[TravelRecord], checked: set[int]) -> Iterator[str]:
    first = TravelEvent.objects.filter(record__in=[record.pk for record in records], number=1)
    first_events = {
        travel_event.record_id: travel_event
        for travel_event in filter_verified_records(first)
        if not travel_event.purged
    }
    words: dict[int, tuple[Party, Collection[str]]] = {}
    for record in records:
        event = first_events.get(record.pk)
        key: RecordKey | None = getattr(record, "key", None)
        # a record without its event or key is reported by verify_records
        if event is None or key is None:
            continue
        try:
            message = decrypt_message(record, event, key) or {}
        except DecryptionFailed:
            yield f"travel-rule record {record.pk}: its key cannot be decrypted"
            continue
        # many records have the same parties: each is compared once
        fresh = [side for side in (record.originator, record.beneficiary) if side]
        if any(side.pk not in checked for side in fresh):
            named_sides = {
                party_index.party_token(side): side for side in list_named_sides(message)
            }
            for party in fresh:
                if party.token in named_sides and party.pk not in checked:
                    words[party.pk] = party, party_index.search_tokens(named_sides[party.token])
                    checked.add(party.pk)
    yield from _find_token_faults(words)


def _find_token_faults(words: dict[int, tuple[Party, Collection[str]]]) -> Iterator[str]:
    """Yield the parties that are found by other words or accounts than they bear."""
    tokens_by_party: dict[int, set[str]] = {number: set() for number in words}
    rows = PartyToken.objects.filter(party__in=tokens_by_party)
    for number, token in rows.values_list("party", "token"):
        tokens_by_party[number].add(token)
    for number, (party, tokens) in words.items():
        if tokens_by_party[number] != tokens:
            yield f"{party} is indexed under other words or accounts than its own"
