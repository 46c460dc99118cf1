"""Recompute matters from their entries and filing events: no clock may leave the list."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date
from apps.backoffice.sar.models import (
    FilingEvent,
    SarEntry,
    SarMatter,
    SarParty,
    compute_clock_columns,
)
from apps.platform.common.batches import iter_chunks

BATCH = 500


def verify_matters(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where a matter is not what was recorded."""
    done = 0
    entries = SarEntry.objects.order_by("pk").iterator(BATCH)
    for batch in iter_chunks(entries, BATCH):
        ids = [entry.pk for entry in batch]
        matters = SarMatter.objects.in_bulk(ids)
        filings: dict[int, list[FilingEvent]] = defaultdict(list)
        for filing in FilingEvent.objects.filter(entry__in=ids).order_by("number"):
            filings[filing.entry_id].append(filing)
        for entry in batch:
            if _find_matter_faults(entry, matters.get(entry.pk), filings[entry.pk]):
                yield from _recheck_entry(entry)
        done += len(batch)
        progress(done)
    there = SarEntry.objects.filter(pk=OuterRef("pk"))
    for pk in SarMatter.objects.filter(~Exists(there)).values_list("pk", flat=True):
        yield f"matter {pk}: the entry does not exist"
    yield from _verify_parties()


def _verify_parties() -> Iterator[str]:
    """Yield where the list would not show a party as its matters are."""
    for batch in iter_chunks(SarParty.objects.order_by("pk").iterator(BATCH), BATCH):
        computed = SarParty.of([party.pk for party in batch])
        for party in batch:
            if _get_party_columns(party) != computed.get(party.pk):
                yield from _recheck_party(party.pk)
    listed = SarParty.objects.filter(pk=OuterRef("party_key"))
    alone = SarMatter.objects.filter(~Exists(listed)).order_by("party_key")
    for key in alone.values_list("party_key", flat=True).distinct():
        yield from _recheck_party(key)


@transaction.atomic
def _recheck_party(key: str) -> list[str]:
    """Check again under a lock: a matter of the party may have changed between the two reads."""
    party = SarParty.objects.select_for_update().filter(pk=key).first()
    computed = SarParty.of([key]).get(key)
    if computed is None:
        return [f"{party}: it has no matter"] if party else []
    if party is None:
        return [f"party of matter {computed['newest']}: it is missing from the list"]
    return [
        f"{party}: {name} is {shown}, its matters say {computed[name]}"
        for name, shown in _get_party_columns(party).items()
        if shown != computed[name]
    ]


def _get_party_columns(party: SarParty) -> dict[str, Any]:
    return {name: getattr(party, name) for name in ("next_by", "newest", "settled")}


@transaction.atomic
def _recheck_entry(entry: SarEntry) -> list[str]:
    """Check again under a lock that prevents new steps: one may have been recorded in between."""
    matter = SarMatter.objects.select_for_update().filter(pk=entry.pk).first()
    entry.refresh_from_db(fields=["payload", "salt"])
    filings = list(entry.filings.order_by("number"))
    return [f"entry {entry.pk}: {fault}" for fault in _find_matter_faults(entry, matter, filings)]


def _find_matter_faults(
    entry: SarEntry, matter: SarMatter | None, filings: Sequence[FilingEvent]
) -> list[str]:
    if matter is None:
        return ["its matter, with the clocks, is missing"]
    # numbers have no gaps: a missing one is a step that was deleted
    if [filing.number for filing in filings] != list(range(1, len(filings) + 1)):
        return ["its filing decisions are incomplete"]
    # the payload of a purged entry no longer says it: the row is taken as it is
    sanctions = bool(entry.data.get("sanctions", matter.sanctions))
    zone = entry.data.get("zone", matter.zone)
    opened = rules.build_new_matter(
        detected=local_date(entry.recorded_at, zone=zone), sanctions=sanctions
    )
    try:
        stands = rules.replay_records(opened, [filing.told(zone=zone) for filing in filings])
    except rules.ForeignCorrection as fault:
        return [str(fault)]
    recorded = compute_clock_columns(stands) | {
        "sanctions": sanctions,
        "zone": zone,
        "steps": len(filings),
        "last_action": filings[-1].action if filings else "",
    }
    matter_faults = [
        f"{name} is {shown or 'nothing'}, recorded is {value or 'nothing'}"
        for name, value in recorded.items()
        if (shown := getattr(matter, name)) != value
    ]
    if matter.party_key != entry.party_key():
        matter_faults.append("party_key is not its party's under the oldest of LEDGER_KEYS")
    return matter_faults
