"""Matters computed anew from their entries and filing events: no clock may leave the list."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.core.batches import chunks
from apps.sar import rules
from apps.sar.days import day_of
from apps.sar.models import FilingEvent, SarEntry, SarMatter, standing

BATCH = 500


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where a matter is not what was recorded; named in config/ledgers.py."""
    done = 0
    entries = SarEntry.objects.order_by("pk").iterator(BATCH)
    for batch in chunks(entries, BATCH):
        ids = [entry.pk for entry in batch]
        matters = SarMatter.objects.in_bulk(ids)
        filings: dict[int, list[FilingEvent]] = defaultdict(list)
        for filing in FilingEvent.objects.filter(entry__in=ids).order_by("number"):
            filings[filing.entry_id].append(filing)
        for entry in batch:
            if _faults(entry, matters.get(entry.pk), filings[entry.pk]):
                yield from _again(entry)
        done += len(batch)
        progress(done)
    there = SarEntry.objects.filter(pk=OuterRef("pk"))
    for pk in SarMatter.objects.filter(~Exists(there)).values_list("pk", flat=True):
        yield f"matter {pk}: there is no such entry"


@transaction.atomic
def _again(entry: SarEntry) -> list[str]:
    """Look once more while nobody can record a step: one may have come in between."""
    matter = SarMatter.objects.select_for_update().filter(pk=entry.pk).first()
    filings = list(entry.filings.order_by("number"))
    return [f"entry {entry.pk}: {fault}" for fault in _faults(entry, matter, filings)]


def _faults(entry: SarEntry, matter: SarMatter | None, filings: Sequence[FilingEvent]) -> list[str]:
    if matter is None:
        return ["its matter, with the clocks, is gone"]
    if [filing.number for filing in filings] != list(range(1, len(filings) + 1)):
        return ["its filing decisions are not whole"]
    # of entries that are purged, or older than the statement, nothing but the row says so
    sanctions = bool(entry.data.get("sanctions", matter.sanctions))
    zone = entry.data.get("zone", matter.zone)
    opened = rules.Matter(detected=day_of(entry.recorded_at, zone=zone), sanctions=sanctions)
    steps = [(filing.action, day_of(filing.recorded_at, zone=zone)) for filing in filings]
    recorded = standing(rules.after(opened, steps)) | {
        "sanctions": sanctions,
        "zone": zone,
        "steps": len(filings),
        "last_action": filings[-1].action if filings else "",
    }
    return [
        f"{name} is {shown or 'nothing'}, recorded is {value or 'nothing'}"
        for name, value in recorded.items()
        if (shown := getattr(matter, name)) != value
    ]
