"""Imports of lists: staged, guarded, live at once."""

import hashlib
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from apps.platform.common.batches import iter_chunks
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.jobs import job_queue
from apps.reference.watchlists import import_guard, locks
from apps.reference.watchlists.choices import RESCREEN
from apps.reference.watchlists.completeness import classify_file_ending, count_entity_facts
from apps.reference.watchlists.import_guard import DEFAULT_TERMS, ImportRefused, ImportTerms
from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.models import (
    ListRecord,
    ListVersion,
    Source,
    SourceKind,
    SourceTopic,
    VersionStatus,
)
from apps.reference.watchlists.seen_ids import SeenIds
from apps.reference.watchlists.sources import FORMATS, FormatError, ParseOptions
from apps.reference.watchlists.sources.opensanctions_delta import parse_delta
from apps.reference.watchlists.staged_version import (
    BATCH,
    ImportLost,
    StagedVersion,
    undo_staged_version,
)

__all__ = ["ImportRefused", "ImportTerms", "add_in_house_source", "import_delta", "import_files"]
logger = logging.getLogger(__name__)

READING = 3  # part of every checksum: raise it when a parser reads the same file differently
Progress = Callable[[int], None]
Parse = Callable[[Sequence[BinaryIO], ParseOptions], Iterator[object]]


def import_files(
    *,
    source: Source,
    paths: Sequence[Path],
    now: datetime,
    progress: Progress = lambda count: None,
    accept_shrink: bool = False,
    terms: ImportTerms = DEFAULT_TERMS,
) -> ListVersion:
    """Stage the files as a new version of the source and make it live; return the live version.

    Files whose checksum is the live version's only say that it still is what is published. A
    file of another format, an empty list and one that is not whole (watchlists/import_guard.py)
    are refused (ImportRefused) and leave nothing behind; a concurrent import of the source is
    locks.AlreadyRunning.
    """
    with locks.hold_database_lock(f"import-{source.slug}"):
        version = _begin_version(source, paths, now, terms, FORMATS[source.format].parse)
        if version is None:
            return source.live  # type: ignore[return-value]
        stage = StagedVersion(version)
        with ExitStack() as opened, _undo_on_failure(version):
            files = [opened.enter_context(path.open("rb")) for path in paths]
            options = _build_parse_options(source)
            entities = FORMATS[source.format].parse(files, options)
            with SeenIds() as seen:
                for batch in iter_chunks(entities, BATCH):
                    stage.total += len(batch)
                    stage.counts += count_entity_facts(batch)
                    stage.put([_with_distinct_id(entity, seen) for entity in batch])
                    progress(stage.total)
                # last: only a list that was read to its end says who is no longer on it
                stage.gone = [
                    entity_id
                    for batch in iter_chunks(stage.standing(), BATCH)
                    for entity_id in seen.missing(batch)
                ]
            stage.notes = options.notes
            import_guard.require_whole_list(
                source=source, stage=stage, read=options.reading, terms=terms, now=now
            )
            if not accept_shrink:
                import_guard.require_not_shrunk(source=source, stage=stage)
            _go_live(source, stage, now)
    return version


def import_delta(
    *,
    source: Source,
    paths: Sequence[Path],
    now: datetime,
    progress: Progress = lambda count: None,
    accept_shrink: bool = False,
    terms: ImportTerms = DEFAULT_TERMS,
) -> ListVersion:
    """Stage OpenSanctions deltas, oldest first, on top of the live version and make it live.

    Refuses as `import_files` does, and where there is no live version yet.
    """
    with locks.hold_database_lock(f"import-{source.slug}"):
        version = _begin_version(source, paths, now, terms, parse_delta)
        if version is None:
            return source.live  # type: ignore[return-value]
        if source.live is None:
            undo_staged_version(
                version, status=VersionStatus.FAILED, report={"error": "no full list yet"}
            )
            raise ImportRefused(f"{source.slug} has no full list yet that a delta could change.")
        stage = StagedVersion(version)
        stage.total = source.live.total
        with ExitStack() as opened, _undo_on_failure(version):
            files = [opened.enter_context(path.open("rb")) for path in paths]
            options = _build_parse_options(source)
            for changes in iter_chunks(parse_delta(files, options), BATCH):
                # of several changes of one party in a batch the last one is what holds
                last = {change.entity_id: change for change in changes}
                entities = [change.entity for change in last.values() if change.entity]
                stage.put(stage.with_known_offices(entities))
                stage.drop(change.entity_id for change in last.values() if change.entity is None)
                progress(len(changes))
            stage.total += stage.added - stage.removed
            stage.counts = Counter(source.live.counts)  # of a change, only parties are counted
            import_guard.require_whole_list(
                source=source, stage=stage, read=options.reading, terms=terms, now=now
            )
            if not accept_shrink:
                import_guard.require_not_shrunk(source=source, stage=stage)
            # a delta changes parties of the list: what was missing from it is missing still
            version.partial = source.live.partial
            _go_live(source, stage, now)
    return version


def _begin_version(
    source: Source, paths: Sequence[Path], now: datetime, terms: ImportTerms, parse: Parse
) -> ListVersion | None:
    """Return a version to stage, None when the files are what is live already.

    What an import that was killed left half-staged is taken back first.
    """
    source.refresh_from_db()
    for left in source.versions.filter(status=VersionStatus.STAGING):
        logger.warning("undoing %s, which was left half-staged", left)
        undo_staged_version(
            left, status=VersionStatus.FAILED, report={"error": "cut off before it was complete"}
        )
    files = [_describe_file(path) for path in paths]
    reading = [READING, source.format, source.topic, source.columns]
    # with the mapping and READING: the same bytes read otherwise are another version
    checksum = canonical_digest([[row["sha256"] for row in files], *reading])
    if source.live and source.live.checksum == checksum:
        publication_time = _read_publication_time(source, paths, now, terms, parse)
        source.still_published(now=now, by_hand=terms.by_hand, published=publication_time)
        return None
    newest = source.versions.aggregate(newest=Max("sequence"))["newest"] or 0
    return ListVersion.objects.create(
        source=source,
        sequence=newest + 1,
        checksum=checksum,
        files=files,
        fetched_at=now,
        by_hand=terms.by_hand,
    )


def _read_publication_time(
    source: Source, paths: Sequence[Path], now: datetime, terms: ImportTerms, parse: Parse
) -> datetime | None:
    """Return when the live files were published: by their content, else as stated now.

    Files are read again only if a time is stated. A time in the future is ImportRefused.
    """
    if not terms.by_hand or terms.published is None:
        return None
    options = _build_parse_options(source)
    with ExitStack() as opened:
        for _ in parse([opened.enter_context(path.open("rb")) for path in paths], options):
            pass  # the publication date may be anywhere in the files
    return import_guard.determine_publication_time(
        source=source, read=options.reading, terms=terms, now=now
    )


def _describe_file(path: Path) -> dict[str, str | int]:
    try:
        with path.open("rb") as stream:
            checksum = hashlib.file_digest(stream, "sha256").hexdigest()
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - 1))
            ends = classify_file_ending(stream.read())
    except OSError as error:
        raise ImportRefused(f"{path.name} cannot be read: {error.strerror}.") from error
    return {"name": path.name, "size": size, "sha256": checksum, "ends": ends}


def _build_parse_options(source: Source) -> ParseOptions:
    topic = {SourceTopic.SANCTION: "sanction", SourceTopic.PEP: "pep"}.get(
        SourceTopic(source.topic), "other"
    )
    return ParseOptions(topic=topic, columns=source.columns)  # type: ignore[arg-type]


def _with_distinct_id(entity: ListedEntity, seen: SeenIds) -> ListedEntity:
    """Keep a second party under a number that the file prints twice: losing one would be worse."""
    times = seen.times(entity.entity_id)
    if times == 1:
        return entity
    return _with_distinct_id(replace(entity, entity_id=f"{entity.entity_id}#{times}"), seen)


def _go_live(source: Source, stage: StagedVersion, now: datetime) -> None:
    stage.drop(stage.gone)
    version = stage.version
    with transaction.atomic():
        # a compare-and-set: if another import went live meanwhile, this one was staged on top of a
        # version that is no longer live
        moved = Source.objects.filter(pk=source.pk, live_id=source.live_id).update(
            live=version, live_since=now, last_checked_at=now, last_error=""
        )
        if not moved:
            raise ImportLost(f"{source.slug} changed to another version in the meantime.")
        source.versions.filter(status=VersionStatus.LIVE).update(status=VersionStatus.SUPERSEDED)
        version.status, version.live_at = VersionStatus.LIVE, now
        version.total, version.added = stage.total, stage.added
        version.changed, version.removed = stage.changed, stage.removed
        version.report = stage.examples | ({"notes": stage.notes} if stage.notes else {})
        version.counts = dict(stage.counts)
        version.save()
        ListRecord.of(source, now=now, version=version)
        job_queue.enqueue_job(job=RESCREEN, key=source.slug, now=now)
    source.refresh_from_db()


@contextmanager
def _undo_on_failure(version: ListVersion) -> Iterator[None]:
    try:
        yield
    # the import that took over undoes this version, and has perhaps done so
    except ImportLost:
        raise
    # a signal or a full disk too: rows of a version that never goes live must not stay
    except BaseException as error:
        refused = isinstance(error, ImportRefused)
        text = str(error)[:500] or type(error).__name__
        status = VersionStatus.REJECTED if refused else VersionStatus.FAILED
        undo_staged_version(version, status=status, report={"error": text})
        Source.objects.filter(pk=version.source_id).update(last_error=text)
        if isinstance(error, FormatError):
            raise ImportRefused(f"{version.source.slug}: {text}") from error
        raise


def add_in_house_source(*, slug: str, title: str, topic: str, columns: Mapping[str, str]) -> Source:
    """Create a source for an in-house list, read as CSV through a column mapping."""
    source = Source(
        slug=slug,
        title=title,
        topic=topic,
        kind=SourceKind.IN_HOUSE,
        format="csv",
        columns=dict(columns),
    )
    try:
        source.full_clean()
    except ValidationError as error:
        raise ImportRefused("; ".join(error.messages)) from error
    source.save()
    return source
