"""Rows of golden-copy files into the tables: COPY on PostgreSQL, one prepared INSERT on SQLite."""

import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.db import connection

from apps.lei.goldencopy import Row
from apps.lei.models import GleifFile, LeiRecord, Relationship, ReportingException, hundredths
from apps.lei.names import fold
from apps.lei.values import Entity, Ownership

MODELS: dict[str, type[LeiRecord] | type[Relationship] | type[ReportingException]] = {
    "RECORDS": LeiRecord,
    "RELATIONSHIPS": Relationship,
    "EXCEPTIONS": ReportingException,
}
_COLUMNS = {
    "RECORDS": (
        "file_id deleted lei legal_name name_key other_names jurisdiction country headquarters "
        "category legal_form registered_as managing_lou successor entity_status "
        "registration_status next_renewal fetched_at"
    ),
    "RELATIONSHIPS": "file_id deleted child parent kind status since until share",
    "EXCEPTIONS": "file_id deleted lei kind reason",
}
Cell = str | int | bool | date | datetime | None


def insert(*, file: GleifFile, rows: Sequence[Row], now: datetime) -> None:
    """Insert rows into the table of their kind, belonging to `file`."""
    if not rows:
        return
    table = MODELS[file.kind]._meta.db_table
    columns = _COLUMNS[file.kind].split()
    listed = ", ".join(f'"{column}"' for column in columns)
    cells = [_cells(row, file.pk, now) for row in rows]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f'COPY "{table}" ({listed}) FROM STDIN') as copy:
                for line in cells:
                    copy.write_row(line)
        else:
            marks = ", ".join(["%s"] * len(columns))
            sql = f'INSERT INTO "{table}" ({listed}) VALUES ({marks})'  # noqa: S608 - our own names
            cursor.executemany(sql, [_sqlite(line) for line in cells])


def _sqlite(line: tuple[Cell, ...]) -> list[Any]:
    # as Django's own adapter stores times: UTC without offset
    return [str(cell.replace(tzinfo=None)) if isinstance(cell, datetime) else cell for cell in line]


def _cells(row: Row, file_id: int, now: datetime) -> tuple[Cell, ...]:
    if isinstance(row, Entity):
        return _record(row, file_id, now)
    if isinstance(row, Ownership):
        # what ended is as good as gone: only active ownership is kept
        over = row.deleted or row.status != "ACTIVE"
        return (
            *(file_id, over, row.child, row.parent),
            *(row.kind, row.status, row.since, row.until, hundredths(row.share)),
        )
    return (file_id, row.deleted, row.lei, row.kind, row.reason)


def _record(row: Entity, file_id: int, now: datetime) -> tuple[Cell, ...]:
    others = json.dumps([[name.name, name.type] for name in row.other_names], ensure_ascii=False)
    return (
        *(file_id, row.deleted, row.lei, row.legal_name, fold(row.legal_name)),
        *(others, row.jurisdiction, row.country, row.headquarters, row.category, row.legal_form),
        *(row.registered_as, row.managing_lou, row.successor, row.entity_status),
        *(row.registration_status, row.next_renewal, now),
    )


def keep(row: Row, *, delta: bool) -> bool:
    """Tell whether a row is loaded: a full copy says nothing by what ended, a delta does."""
    if delta:
        return True
    return not row.deleted and not (isinstance(row, Ownership) and row.status != "ACTIVE")


def keys(kind: str) -> tuple[str, ...]:
    """Return the columns by which a delta's row replaces one of the full copy."""
    return {
        "RECORDS": ("lei",),
        "RELATIONSHIPS": ("child", "kind", "parent"),
        "EXCEPTIONS": ("lei", "kind"),
    }[kind]
