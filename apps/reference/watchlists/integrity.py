"""Verify lists against their records: what is screened must be what went live, party by party."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from django.db import transaction

from apps.platform.crypto.canonical import canonical_digest
from apps.reference.watchlists import source_policy
from apps.reference.watchlists.catalog import policy_as_created
from apps.reference.watchlists.models import (
    EntityState,
    ListRecord,
    Source,
    SourceChange,
    VersionStatus,
)
from apps.reference.watchlists.models.list_records import FACTS
from apps.reference.watchlists.version_digests import READ_BATCH, Row, RunningDigest

MOST_NAMED = 20
Digests = dict[int, dict[str, Any]]
_TOLD = {field.value: str(field.label).lower() for field in SourceChange.Field} | {
    "kind": "kind",
    "topic": "topic",
    "columns": "column mapping",
    "checked_at": "time of the last check",
    "published_at": "publication of the live version",
    "by_hand": "given by an operator",
    "partial": "incomplete",
}
Progress = Callable[[int], None]


def verify_lists(progress: Progress) -> Iterator[str]:
    """Yield where lists differ from their records.

    Every state of every party is read once with its data, as a stream.
    """
    recorded: dict[str, Digests] = {}
    for record in ListRecord.objects.order_by("pk").iterator(READ_BATCH):
        versions = recorded.setdefault(record.slug, {})
        if record.sequence is not None:
            versions[record.sequence] = record.data
    count = RowCounter(progress)
    for source in Source.objects.order_by("slug"):
        yield from _verify_source(source)
        yield from _verify_states(source, recorded.pop(source.slug, {}), count)
    for slug in recorded:
        yield f"list {slug}: it is recorded, but its source is missing"


class RowCounter:
    """Count rows over all lists and report progress."""

    def __init__(self, progress: Progress) -> None:
        self.done, self._progress = 0, progress

    def over(self, rows: Iterable[Any]) -> Iterator[Any]:
        """Yield the rows."""
        for row in rows:
            yield row
            self.done += 1
            if self.done % READ_BATCH == 0:
                self._progress(self.done)


@transaction.atomic
def _verify_source(source: Source) -> list[str]:
    """Compare a source with its newest records, locked so that no version goes live."""
    locked = Source.objects.select_for_update().get(pk=source.pk)
    records = ListRecord.objects.filter(slug=locked.slug).order_by("-pk")
    newest = records.exclude(sequence=None).first()
    live, recorded = (
        locked.live.sequence if locked.live else None,
        newest.sequence if newest else None,
    )
    faults = []
    if live != recorded:
        faults.append(f"list {locked.slug}: live is version {live}, recorded is {recorded}")
    marked = set(
        locked.versions.filter(status=VersionStatus.LIVE).values_list("sequence", flat=True)
    )
    for sequence in sorted(marked - {recorded}):
        faults.append(f"list {locked.slug}, version {sequence}: it is live without a record")
    if recorded is not None and recorded not in marked:
        faults.append(f"list {locked.slug}, version {recorded}: it is not marked as live")
    return [*faults, *_verify_policy(locked, aged=live == recorded)]


def _verify_policy(source: Source, *, aged: bool) -> Iterator[str]:
    """Compare the settings of a source with its newest record, or else with its defaults.

    `aged`: compare the age of its live version too, which differs for another version.
    """
    recorded = policy_as_created(source.slug) | ListRecord.recorded_of(source.slug)
    standing = ListRecord.standing(source)
    for field, value in recorded.items():
        stands = standing[field]
        if stands == value or (field in FACTS and not aged):
            continue
        if field == "enabled":
            yield f"list {source.slug}: it is {'on' if stands else 'off'} without a record"
        else:
            text = (
                f"is {_format_policy_value(field, stands)}, recorded is "
                f"{_format_policy_value(field, value)}"
            )
            yield f"list {source.slug}: {_TOLD[field]} {text}"


def _format_policy_value(field: str, value: Any) -> str:
    if field in FACTS and value is None:
        return "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{name} from {column}" for name, column in value.items()) or "nothing"
    return ", ".join(source_policy.format_value(value)) or "nothing"


def _verify_states(source: Source, recorded: Digests, count: RowCounter) -> Iterator[str]:
    newest = max(recorded, default=0)
    # states beyond the newest record belong to an import that has not gone live
    states = EntityState.objects.filter(source=source, first_sequence__lte=newest)
    altered: list[str] = []
    columns = ("first_sequence", "entity_id", "digest", "data")
    # version by version, and within one in the order of `version_digests`
    begun = states.order_by("first_sequence", "pk").values_list(*columns).iterator(READ_BATCH)
    yield from _verify_versions(
        source, recorded, "begun", _iter_checked_states(count.over(begun), altered)
    )
    yield from (
        f"list {source.slug}: the state of {entity_id} was altered"
        for entity_id in islice(altered, MOST_NAMED)
    )
    if len(altered) > MOST_NAMED:
        yield f"list {source.slug}: {len(altered) - MOST_NAMED} more states were altered"
    over = states.filter(last_sequence__lt=newest).order_by("last_sequence", "pk")
    ended = over.values_list("last_sequence", "entity_id", "first_sequence").iterator(READ_BATCH)
    # the version after the last one that had a state is the one that ended it
    after = ((int(last or 0) + 1, (entity, first)) for last, entity, first in ended)
    yield from _verify_versions(source, recorded, "ended", after)


def _iter_checked_states(rows: Iterable[Any], altered: list[str]) -> Iterator[tuple[int, Row]]:
    """Yield the digests of states, and collect those that do not match their data."""
    for first, entity, stated, data in rows:
        if _digest_or_empty(data) != stated:
            altered.append(entity)
        yield first, (entity, stated)


def _digest_or_empty(data: Any) -> str:
    try:
        return canonical_digest(data)
    except TypeError:  # a float, which no import writes
        return ""


def _verify_versions(
    source: Source, recorded: Digests, what: str, rows: Iterable[tuple[int, Row]]
) -> Iterator[str]:
    """Compare digests version by version; `rows` are ordered by version."""
    left = {sequence: stated[what] for sequence, stated in recorded.items()}
    for sequence, group in groupby(rows, key=lambda row: row[0]):
        running = RunningDigest()
        for _, row in group:
            running.add(row)
        stated = left.pop(sequence, None)
        if stated is None:
            yield f"list {source.slug}, version {sequence}: it never went live and has parties"
        elif stated != running.stated():
            yield _describe_difference(source, sequence, what, running.count, stated["count"])
    for sequence, stated in left.items():
        if stated["count"]:
            yield _describe_difference(source, sequence, what, 0, stated["count"])


def _describe_difference(
    source: Source, sequence: int, what: str, count: int, recorded: int
) -> str:
    where = f"list {source.slug}, version {sequence}"
    which = "parties added" if what == "begun" else "parties removed"
    return f"{where}: {which} differ from those that went live ({count}, recorded {recorded})"
