"""Holds records as they stand against the ledger of what happened to them."""

from collections.abc import Callable, Collection, Iterator, Sequence

from django.db.models import Exists, F, OuterRef

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.travelrule import parties, sealing
from apps.travelrule.messages import sides_told
from apps.travelrule.models import (
    Party,
    PartyToken,
    RecordKey,
    Transmission,
    TravelEvent,
    TravelRecord,
)
from apps.travelrule.telling import opened

AT_ONCE = 500


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each record that is not as its last event has it, or is gone.

    Then for each that lost its key, is found by other parties or words than it names, or is to be
    sent and will not be, without a purge of ours.
    """
    yield from _gone()
    looked: set[int] = set()
    rows = TravelRecord.objects.select_related("key", "originator", "beneficiary").order_by("pk")
    for piece in chunks(rows.iterator(AT_ONCE), AT_ONCE):
        yield from faults(piece).values()
        yield from _lost(piece, looked)
        yield from _unsent(piece)
        progress(len(piece))


def faults(records: Sequence[TravelRecord]) -> dict[int, str]:
    """Return what differs between records and their last events, by number; one query.

    By the row's count of steps, and whatever stands behind it: a row that was set back has more.
    """
    last = TravelEvent.objects.filter(
        record__in=[one.pk for one in records], number__gte=F("record__steps")
    )
    held = {one.record_id: one for one in proven(last.select_related("record").order_by("number"))}
    return {one.pk: why for one in records if (why := _fault(one.pk, held.get(one.pk)))}


def _fault(number: int, event: TravelEvent | None) -> str:
    if event is None:
        return f"travel-rule record {number} has no event of ours for its last step"
    record = event.record
    if (event.number, event.status) != (record.steps, record.status):
        return f"travel-rule record {number} went on: its last event is {event.pk}"
    if not event.purged and event.data["stands"] != record.stands:
        return f"travel-rule record {number} is not as event {event.pk} has it"
    return ""


def _gone() -> Iterator[str]:
    """Yield the records of which there are events and no row."""
    held = TravelRecord.objects.filter(pk=OuterRef("record_id"))
    rows = TravelEvent.objects.filter(~Exists(held), number=1).order_by("pk")
    for number in rows.values_list("record_id", flat=True).iterator(AT_ONCE):
        yield f"travel-rule record {number} is recorded, and is gone"


def _lost(records: Sequence[TravelRecord], looked: set[int]) -> Iterator[str]:
    first = TravelEvent.objects.filter(record__in=[one.pk for one in records], number=1)
    kept = {one.record_id: one for one in proven(first) if not one.purged}
    words: dict[int, tuple[Party, Collection[str]]] = {}
    for one in records:
        event = kept.get(one.pk)
        if event is None:
            continue
        found = [side.token if side else "" for side in (one.originator, one.beneficiary)]
        if found != event.data["parties"]:
            yield f"travel-rule record {one.pk} is found by other parties than it names"
        key: RecordKey | None = getattr(one, "key", None)
        try:
            message = opened(one, event, key) or {}
        except sealing.Unreadable:
            lost = "its key does not open" if key else "it has lost its key"
            yield f"travel-rule record {one.pk}: {lost}"
            continue
        fresh = [side for side in (one.originator, one.beneficiary) if side]
        if any(side.pk not in looked for side in fresh):
            told = {parties.token_of(side): side for side in sides_told(message)}
            for party in fresh:
                if party.token in told and party.pk not in looked:
                    words[party.pk] = party, parties.tokens_of(told[party.token])
                looked.add(party.pk)
    yield from _unfound(words)


def _unfound(words: dict[int, tuple[Party, Collection[str]]]) -> Iterator[str]:
    """Yield the parties that are found by other words or accounts than they bear."""
    held: dict[int, set[str]] = {number: set() for number in words}
    rows = PartyToken.objects.filter(party__in=held)
    for number, token in rows.values_list("party", "token"):
        held[number].add(token)
    for number, (party, tokens) in words.items():
        if held[number] != tokens:
            yield f"{party} is found by other words than it bears"


def _unsent(records: Sequence[TravelRecord]) -> Iterator[str]:
    """Yield the records that are to be sent and have no transmission that will."""
    due = Transmission.objects.filter(
        record=OuterRef("pk"), number=OuterRef("steps"), due_at__isnull=False
    )
    rows = TravelRecord.objects.filter(pk__in=[one.pk for one in records], status="PENDING")
    of_whom = due.filter(lei=OuterRef("counterparty_lei"))
    for number in rows.filter(~Exists(of_whom)).values_list("pk", flat=True):
        yield f"travel-rule record {number} is to be sent, and nothing sends it"
