"""The bundled sample of series for tests: read once by a process, and put in by one statement."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial
from typing import Any

from django.db import connection

from apps.platform.crypto import macs
from apps.reference.signals import sample_data
from apps.reference.signals.models import Observation
from tests.conftest import NOON

# what the oracles of stability and ESG rest on
ORACLES = ("commodities", "currencies", "earth", "made", "money", "policy", "stress")
# the database itself says of which file a value is that stood in none
COLUMNS = tuple(
    field
    for field in Observation._meta.concrete_fields
    if not field.primary_key and field.name != "digest"
)
SERIES = [field.name for field in COLUMNS].index("series")


def load(
    *, now: datetime = NOON, files: Sequence[str] = sample_data.FILES, without: Sequence[str] = ()
) -> None:
    """Keep files of the sample, all unless named, as `samples.load` would of an empty table.

    Series of `without` are left out.
    """
    names = ", ".join(f'"{field.column}"' for field in COLUMNS)
    marks = ", ".join(["%s"] * len(COLUMNS))
    statement = f'INSERT INTO "{Observation._meta.db_table}" ({names}) VALUES ({marks})'
    with connection.cursor() as cursor:
        values = _values(now, tuple(files), connection.vendor)
        cursor.executemany(statement, [row for row in values if row[SERIES] not in without])


@cache
def _values(now: datetime, files: tuple[str, ...], vendor: str) -> list[list[Any]]:
    # days, moments and sources repeat: each is put as the database has it once
    written = [
        (field, cache(partial(field.get_db_prep_save, connection=connection))) for field in COLUMNS
    ]
    return [
        [prepare(field.pre_save(row, True)) for field, prepare in written]
        for row in sample_data.iter_sample_rows(now=now, files=files)
        if row.vintage <= now
    ]


def in_production(settings: Any) -> None:
    """Set a test in production, with the keys by which what it kept before is proven."""
    keys = ",".join(f"{name}:{key.hex()}" for name, key in macs.ledger_keys().items())
    settings.LEDGER_KEYS, settings.PRODUCTION = keys, True
