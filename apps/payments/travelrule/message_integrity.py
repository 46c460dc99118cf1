"""Opens messages, to hold against the ledger by what records and parties are found."""

from collections.abc import Callable, Collection, Iterator, Sequence

from apps.payments.travelrule import encryption, party_index
from apps.payments.travelrule.integrity import split_record_spans
from apps.payments.travelrule.messages import list_named_sides
from apps.payments.travelrule.models import Party, PartyToken, RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.selectors.verified_records import decrypt_message
from apps.platform.common.batches import iter_chunks
from apps.platform.db.parallel_scan import WHOLE, Span
from apps.platform.ledger.verification.hash_chain import filter_verified_records

__all__ = ["split_record_spans", "verify_messages"]
AT_ONCE = 500


def verify_messages(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield a fault in words for each message that does not open, without a purge of ours.

    Then for each party that is found by other words or accounts than messages name it by.
    """
    above, until = span
    rows = TravelRecord.objects.select_related("key", "originator", "beneficiary").order_by("pk")
    rows = rows if above is None else rows.filter(pk__gt=above)
    rows = rows if until is None else rows.filter(pk__lte=until)
    looked: set[int] = set()
    for piece in iter_chunks(rows.iterator(AT_ONCE), AT_ONCE):
        yield from _find_unreadable_messages(piece, looked)
        progress(len(piece))


def _find_unreadable_messages(records: Sequence[TravelRecord], looked: set[int]) -> Iterator[str]:
    first = TravelEvent.objects.filter(record__in=[record.pk for record in records], number=1)
    kept = {one.record_id: one for one in filter_verified_records(first) if not one.purged}
    words: dict[int, tuple[Party, Collection[str]]] = {}
    for record in records:
        event = kept.get(record.pk)
        key: RecordKey | None = getattr(record, "key", None)
        if event is None or key is None:  # of one that is gone the projection tells
            continue
        try:
            message = decrypt_message(record, event, key) or {}
        except encryption.DecryptionFailed:
            yield f"travel-rule record {record.pk}: its key does not open"
            continue
        fresh = [side for side in (record.originator, record.beneficiary) if side]
        if any(side.pk not in looked for side in fresh):
            told = {party_index.party_token(side): side for side in list_named_sides(message)}
            for party in fresh:
                if party.token in told and party.pk not in looked:
                    words[party.pk] = party, party_index.search_tokens(told[party.token])
                    looked.add(party.pk)
    yield from _find_token_faults(words)


def _find_token_faults(words: dict[int, tuple[Party, Collection[str]]]) -> Iterator[str]:
    """Yield the parties that are found by other words or accounts than they bear."""
    held: dict[int, set[str]] = {number: set() for number in words}
    rows = PartyToken.objects.filter(party__in=held)
    for number, token in rows.values_list("party", "token"):
        held[number].add(token)
    for number, (party, tokens) in words.items():
        if held[number] != tokens:
            yield f"{party} is found by other words than it bears"
