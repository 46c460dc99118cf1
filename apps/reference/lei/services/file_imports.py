"""Load golden-copy files: stage them next to the live copy, check them, then switch at once.

DESIGN.md section 5: all or nothing without one long transaction, and the last good copy
stays when a file is cut off, of another kind, or suspiciously small.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from apps.platform.common.batches import iter_chunks
from apps.platform.common.file_checksums import compute_checksum
from apps.platform.common.problems import DomainError
from apps.reference.lei.models import GleifFile
from apps.reference.lei.parsers import golden_copy
from apps.reference.lei.services import bulk_insert
from apps.reference.lei.values import Malformed, Source

BATCH = 20_000  # rows of one transaction
DEAD_AFTER = timedelta(minutes=10)  # a batch takes seconds
LARGEST_REFUSED_SHARE = 0.01  # of the rows of a file
SMALLEST_REMAINDER = 0.9  # of the rows of the live copy
# rows that GLEIF's whole files have at the very least: about half of what they had in 2025
FEWEST_ROWS = {"RECORDS": 1_500_000, "RELATIONSHIPS": 200_000, "EXCEPTIONS": 1_500_000}

Progress = Callable[[int], None]
Clock = Callable[[], datetime]


class FileRefused(DomainError):
    """The file is not loaded; what was live stays live."""

    status, code, title = 409, "gleif_file_refused", "The GLEIF file was refused"


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """What to load and how: `as_of` is needed when neither file name nor header has a date.

    `partial` says that the file is known to be a part of the register.
    """

    path: Path
    source: Source = "GLEIF_FILE"
    as_of: datetime | None = None
    accept_shrink: bool = False
    partial: bool = False


def _ignore_progress(rows: int) -> None:
    """Show nothing."""


def import_golden_copy(
    *, order: ImportOrder, clock: Clock, progress: Progress = _ignore_progress
) -> GleifFile:
    """Load one file and make it live; the GleifFile says how many rows it has.

    Raises FileRefused (nothing changed) for a file that is broken, older than what is live, a
    delta that does not join the live copy, much smaller than the live one, or loaded already;
    in production also for one that is no whole copy and is not said to be a part of it.
    """
    checksum = compute_checksum(order.path)
    try:
        # stage the rows under a file that no lookup sees
        with golden_copy.open_golden_copy(order.path) as copy:
            file = _begin_import(order, copy, checksum, clock())
            try:
                _insert_rows(file, copy, clock, progress)
                _check_import(file, copy, order)
                # before the switch, so that the first look-up is fast
                _analyze_tables(file)
            # also an interrupt: a file that stays in STAGING would hold up the next import
            except BaseException as error:
                file.state = GleifFile.State.FAILED
                file.note = f"{type(error).__name__}: {error}"[:300]
                file.save(update_fields=["state", "note"])
                purge_replaced_files()
                raise
    except Malformed as error:
        raise FileRefused(f"{order.path.name}: {error}") from error
    # switch in one short transaction, then remove what was replaced
    _make_live(file, clock())
    purge_replaced_files()
    return file


def _find_live_file(kind: str, source: str) -> GleifFile | None:
    return GleifFile.objects.filter(kind=kind, source=source, state=GleifFile.State.LIVE).first()


def _begin_import(
    order: ImportOrder, copy: golden_copy.GoldenCopy, checksum: str, now: datetime
) -> GleifFile:
    as_of = order.as_of or copy.published
    if as_of is None:
        raise FileRefused(f"{order.path.name} has no date in its header or name; give one.")
    live = _find_live_file(copy.kind, order.source)
    if live and live.sha256 == checksum:
        raise FileRefused(f"{order.path.name} is already live.")
    if live and as_of < live.as_of:
        raise FileRefused(f"{order.path.name} is of {as_of:%F %R}, older than the live copy.")
    if copy.delta:
        # a delta must reach back to what is live: changes between would be lost
        name = order.path.name
        if live is None:
            raise FileRefused(f"{name} contains changes only; load a full copy first.")
        if copy.since is None:
            raise FileRefused(f"{name} does not state the start of its changes; load a full copy.")
        if copy.since > live.as_of:
            raise FileRefused(
                f"{name} holds changes since {copy.since:%F %R}, the live copy is of "
                f"{live.as_of:%F %R}; load a longer delta or a full copy."
            )
    # an import that still beats is running; a silent one died
    staging = GleifFile.objects.filter(kind=copy.kind, state=GleifFile.State.STAGING)
    if staging.filter(beat_at__gt=now - DEAD_AFTER).exists():
        raise FileRefused("Another import of this kind is running.")
    staging.update(state=GleifFile.State.FAILED, note="The import was interrupted.")
    purge_replaced_files()
    return GleifFile.objects.create(
        kind=copy.kind,
        source=order.source,
        delta=copy.delta,
        name=order.path.name[:200],
        sha256=checksum,
        as_of=as_of,
        started_at=now,
        beat_at=now,
    )


def _insert_rows(
    file: GleifFile, copy: golden_copy.GoldenCopy, clock: Clock, progress: Progress
) -> None:
    loaded_rows = (row for row in copy.rows if bulk_insert.is_row_loaded(row, delta=file.delta))
    for rows in iter_chunks(loaded_rows, BATCH):
        now = clock()
        with transaction.atomic():
            bulk_insert.insert_file_rows(file=file, rows=rows, now=now)
        file.rows += len(rows)
        file.refused = copy.refused
        file.beat_at = now
        file.save(update_fields=["rows", "refused", "beat_at"])
        progress(file.rows)


def _check_import(file: GleifFile, copy: golden_copy.GoldenCopy, order: ImportOrder) -> None:
    if copy.refused > LARGEST_REFUSED_SHARE * (file.rows + copy.refused):
        raise FileRefused(f"{copy.refused} rows of {file.name} have no valid LEI or no content.")
    if file.delta:
        return
    if not file.rows:
        raise FileRefused(f"{file.name} is empty.")
    live = _find_live_file(file.kind, file.source)
    if live and file.rows < SMALLEST_REMAINDER * live.rows and not order.accept_shrink:
        raise FileRefused(
            f"{file.name} has {file.rows} rows, the live copy {live.rows}; "
            "if that is right, use --accept-shrink."
        )
    if order.source == "GLEIF_FILE":
        # production accepts part of the register only with --partial
        least = FEWEST_ROWS[file.kind]
        if file.rows < least and settings.PRODUCTION and not order.partial:
            raise FileRefused(
                f"{file.name} has {file.rows} rows; a whole copy has {least} at least. "
                "If a part of the register is what you have, say --partial: "
                "what it lacks could then not be checked."
            )
        file.partial = order.partial or file.rows < least
        file.save(update_fields=["partial"])


def _analyze_tables(file: GleifFile) -> None:
    """Update the planner's statistics: without it PostgreSQL reads whole tables for one LEI."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for model in (bulk_insert.MODELS[file.kind], GleifFile):
                cursor.execute(f'ANALYZE "{model._meta.db_table}"')


@transaction.atomic
def _make_live(file: GleifFile, now: datetime) -> None:
    live = _find_live_file(file.kind, file.source)
    if file.delta and live is not None:
        _merge_delta(file, live)
        file.state = GleifFile.State.RETIRED
        file.save(update_fields=["state"])
        return
    replaced = GleifFile.objects.filter(kind=file.kind, state=GleifFile.State.LIVE)
    # the whole truth outranks the bundled sample as well as the previous copy
    sources = {file.source} | ({"SAMPLE"} if file.source == "GLEIF_FILE" else set())
    replaced.filter(source__in=sources).update(state=GleifFile.State.RETIRED)
    file.state, file.live_at = GleifFile.State.LIVE, now
    file.save(update_fields=["state", "live_at"])
    if file.source == "GLEIF_FILE" and not file.partial:
        # answers older than the copy would keep alive what the copy no longer says
        bulk_insert.MODELS[file.kind].objects.filter(
            file__source="GLEIF_API", as_of__lt=file.as_of
        ).delete()


def _merge_delta(delta: GleifFile, full: GleifFile) -> None:
    """Put a delta's rows in the place of the full copy's."""
    model = bulk_insert.MODELS[delta.kind]
    changed = model.objects.filter(
        file=delta, **{key: OuterRef(key) for key in bulk_insert.replacement_keys(delta.kind)}
    )
    old = model.objects.filter(file=full).filter(Exists(changed))
    replaced, _ = old.delete()
    model.objects.filter(file=delta, deleted=True).delete()
    full.rows += model.objects.filter(file=delta).update(file=full) - replaced
    full.as_of = delta.as_of
    full.save(update_fields=["rows", "as_of"])


def purge_replaced_files() -> None:
    """Remove the rows of replaced and failed files, a batch at a time."""
    over = (GleifFile.State.RETIRED, GleifFile.State.FAILED)
    for file in GleifFile.objects.filter(state__in=over, purged=False):
        _remove_rows(file)
        file.purged = True
        file.save(update_fields=["purged"])


def _remove_rows(file: GleifFile) -> None:
    model = bulk_insert.MODELS[file.kind]
    table = model._meta.db_table
    sql = (
        f'DELETE FROM "{table}" WHERE id IN '  # noqa: S608 - our own names
        f'(SELECT id FROM "{table}" WHERE file_id = %s ORDER BY id LIMIT {BATCH})'
    )
    with connection.cursor() as cursor:
        while True:
            cursor.execute(sql, [file.pk])
            if cursor.rowcount < BATCH:
                return
