"""Fills a PostgreSQL database with a sealed travel-rule ledger, by COPY from several processes.

Workers make records and events and write them; here their seals are chained in order. What lies
beside the ledger (tree, root, counts) the product makes itself afterwards.
"""

import hashlib
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.core.management import call_command
from django.db import connection

from apps.payments.travelrule import party_index, tallies
from apps.payments.travelrule.models import Party, RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.proofs import roots
from apps.platform.common.clock import now
from apps.platform.ledger.envelope_encoding import encode_link_input
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS
from apps.platform.ledger.sealer import seal_ledger
from benchmarks.growth_records import KEY_COLUMNS, FastMaker, Linked, columns
from benchmarks.travelrule_data import LAST, event_before, sides

AT_ONCE = 2000
LEDGER = TravelEvent.LEDGER
TABLES = (TravelRecord, RecordKey, TravelEvent, Seal)
SEAL = columns(Seal)[1:]
_maker: FastMaker | None = None


def standing() -> int:
    """Return how many records the database holds."""
    try:
        return TravelRecord.objects.count()
    except Exception:  # no tables yet
        connection.close()
        return 0


def fill(count: int, *, processes: int) -> None:
    """Fill an empty database with so many records and everything that belongs to them."""
    began = time.monotonic()
    owners = max(500, min(20_000, count // 100))
    for place, some in enumerate(sides(owners)):
        party_index.get_or_create_parties(some)
        say(f"parties {min((place + 1) * len(some), owners):,}")
    _numbered(owners)
    with without_indexes():
        _copied(count, owners, processes)
        say("indexes")
    with connection.cursor() as cursor:
        for model in TABLES:
            table = model._meta.db_table
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
            )
        cursor.execute("ANALYZE")
    say(f"{count / (time.monotonic() - began):,.0f} records/s with their seals and indexes")
    _beside()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    say(f"built in {time.monotonic() - began:,.0f} s")


def _numbered(owners: int) -> None:
    """Give parties the numbers that the records name; they are made in the order of their keys."""
    pk_by_token = {party.token: party.pk for party in Party.objects.all()}
    if len(pk_by_token) != owners:
        raise SystemExit(f"{len(pk_by_token)} parties, not {owners}: two were made up alike")
    found = [pk_by_token[party_index.party_token(side)] for some in sides(owners) for side in some]
    _NUMBERS[:] = found


_NUMBERS: list[int] = []


def _copied(count: int, owners: int, processes: int) -> None:
    began = time.monotonic()
    connection.close()  # forked processes share no connection
    head, position, sealed = GENESIS, 0, LAST + timedelta(minutes=5)
    ranges = [(index, min(count, index + AT_ONCE)) for index in range(0, count, AT_ONCE)]
    context = multiprocessing.get_context("fork")
    with context.Pool(processes, _begin, (count, owners, list(_NUMBERS))) as pool:
        for (_, ends), linked in zip(ranges, pool.imap(_written, ranges), strict=True):
            rows, head, position = chained(LEDGER, linked, head, position, sealed)
            copied(Seal, SEAL, rows)
            if ends % 20_000 < AT_ONCE:
                rate = ends / (time.monotonic() - began)
                say(f"{ends:,} of {count:,} records, {rate:,.0f}/s", end="\r")
    say("")
    ledger_heads = LedgerHead.objects.filter(ledger=LEDGER)
    values = {"position": position, "digest": head, "watermark": position, "candidate": position}
    if not ledger_heads.update(candidate_at=now(), **values):
        LedgerHead.objects.create(ledger=LEDGER, candidate_at=now(), **values)


def _begin(count: int, owners: int, numbers: list[int]) -> None:
    global _maker
    connection.close()
    _maker = FastMaker(count=count, parties=owners, numbers=numbers)


def _written(span: tuple[int, int]) -> list[Linked]:
    """Make and copy the records of a range; return what their seals are made of."""
    assert _maker is not None
    records, keys, events, linked = _maker.lines(span)
    assert linked[0][0] == event_before(span[0]) + 1
    copied(TravelRecord, columns(TravelRecord), records)
    copied(RecordKey, KEY_COLUMNS, keys)
    copied(TravelEvent, columns(TravelEvent), events)
    return linked


def chained(
    ledger: str, linked: Sequence[Linked], head: str, position: int, at: datetime
) -> tuple[bytes, str, int]:
    """Return the seals behind a head as lines, the new head and its position."""
    rows, moment = [], at.isoformat()
    for number, content, record in linked:
        position += 1
        link_input = encode_link_input(
            ledger=ledger,
            position=position,
            previous=head,
            record=record,
            content=content,
            sealed_at=at,
        )
        digest = hashlib.sha256(link_input.encode()).hexdigest()
        rows.append(f"{ledger}\t{position}\t{number}\t{head}\t{content}\t{digest}\t{moment}\n")
        head = digest
    return "".join(rows).encode(), head, position


def copied(model: Any, names: Sequence[str], lines: bytes) -> None:
    """Copy lines into a model's table; `names` are the attributes in their order."""
    told = ", ".join(f'"{model._meta.get_field(name).column}"' for name in names)
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = off")
        with cursor.cursor.copy(f'COPY "{model._meta.db_table}" ({told}) FROM STDIN') as copy:
            copy.write(lines)


@contextmanager
def without_indexes(models: Sequence[Any] = TABLES) -> Iterator[None]:
    """Take indexes and constraints from the tables that are filled, and put them back."""
    tables = [model._meta.db_table for model in models]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = ANY(%s::regclass[]) AND contype IN ('u', 'f')",
            [tables],
        )
        held = cursor.fetchall()
        for table, name, _ in held:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes i WHERE tablename = ANY(%s) AND NOT EXISTS"
            " (SELECT FROM pg_constraint WHERE conname = i.indexname AND contype = 'p')",
            [tables],
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f'DROP INDEX "{name}"')
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '512MB'")
        for name, told in indexes:
            cursor.execute(told)
            say(f"index {name}")
        for table, name, told in sorted(held, key=lambda one: one[2].startswith("FOREIGN")):
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {told}')
            say(f"constraint {name}")


def _beside() -> None:
    """Have the product make what lies beside the ledger."""
    began = time.monotonic()
    roots.ensure_signed_root(now=now())
    seal_ledger(ledger="travel_roots", now=now())
    say(f"tree and root in {time.monotonic() - began:,.1f} s")
    began = time.monotonic()
    tallies.count_sealed_events("", now())
    say(f"counted in {time.monotonic() - began:,.1f} s")


def prepared() -> None:
    """Make the tables and the sandbox's people."""
    call_command("migrate", verbosity=0)
    call_command("setup_sandbox", quiet=True)


def say(text: str, end: str = "\n") -> None:
    """Tell how far it is."""
    print(f"  {text}", end=end, file=sys.stderr, flush=True)
