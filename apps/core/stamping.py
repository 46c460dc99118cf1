"""A migration operation that gives MACs to the records of a ledger from before there were any."""

import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.apps import apps as installed
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from apps.core import appendonly
from apps.core.batches import chunks
from apps.core.canonical import canonical
from apps.core.clock import now
from apps.core.ledger import GENESIS, content_of, envelope_of, link_of, stamp

BATCH = 1000


class StampRecords(migrations.operations.base.Operation):
    """Migration operation: `StampRecords("Screen")` after the columns came, before AppendOnly.

    A record gets its MAC only where its seal verifies; what waits for its seal is chained
    first, as the sealer would have done a minute later. What is left without one is a fault
    from then on. Run `verify_ledger` before the upgrade to know what to expect.
    """

    reduces_to_sql = False
    reversible = True

    def __init__(self, model_name: str) -> None:
        self.model_name = model_name

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing: rows are no part of the model state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, _: Any, to_state: Any
    ) -> None:
        try:
            real = installed.get_model(app_label, self.model_name)
        except LookupError:  # renamed or gone since
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        _drop_triggers(schema_editor, model)
        ledger = _Ledger(to_state.apps, model, real)
        ledger.chain_waiting()
        for batch in chunks(ledger.proven(), BATCH):
            model._default_manager.bulk_update(batch, ["mac", "mac_key"], batch_size=BATCH // 4)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, _: Any, to_state: Any
    ) -> None:
        """Leave the rows: their columns go with the fields."""

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (self.__class__.__name__, [self.model_name], {})

    def describe(self) -> str:
        return f"Give MACs to the sealed records of {self.model_name}"


def write_as(
    model: Any, *, ledger: str, payload: dict[str, Any], now: datetime, **columns: Any
) -> None:
    """Append a record from within a migration, whose models cannot write; none purgeable."""
    record = model(
        payload=canonical(payload).decode("utf-8"),
        salt=secrets.token_hex(16),
        recorded_at=now,
        **columns,
    )
    stamp(record, ledger=ledger, content=content_of(record), leave=())
    record.save(force_insert=True)


def _drop_triggers(schema_editor: BaseDatabaseSchemaEditor, model: Any) -> None:
    table, vendor = model._meta.db_table, schema_editor.connection.vendor
    on = f' ON "{table}"' if vendor == "postgresql" else ""
    for name in sorted(appendonly.names(table, vendor)):
        schema_editor.execute(f'DROP TRIGGER IF EXISTS "{name}"{on}', params=None)


class _Ledger:
    """One ledger as a migration sees it: historical models, names from the real one."""

    def __init__(self, historical: Any, model: Any, real: Any) -> None:
        self.model, self.name, self.leave = model, real.LEDGER, real.PURGEABLE
        self.seals = historical.get_model("core", "Seal")._default_manager
        self.heads = historical.get_model("core", "LedgerHead")._default_manager

    def chain_waiting(self) -> None:
        """Seal what waits, unless the head is not where the seals end."""
        sealed = self.seals.filter(ledger=self.name).values("record_id")
        waiting = self.model._default_manager.exclude(pk__in=sealed).order_by("pk")
        if not waiting.exists():
            return
        last = self.seals.filter(ledger=self.name).order_by("-position").first()
        position, previous = (last.position, last.digest) if last else (0, GENESIS)
        head, _ = self.heads.get_or_create(ledger=self.name, defaults={"digest": GENESIS})
        if (head.position, head.digest) != (position, previous):
            return
        moment = now()
        for record in waiting.iterator(BATCH):
            position += 1
            chained = {"ledger": self.name, "position": position, "previous": previous}
            chained |= {"content": content_of(record), "sealed_at": moment}
            previous = link_of(envelope=envelope_of(record, leave=self.leave), **chained)
            self.seals.create(record_id=record.pk, digest=previous, **chained)
        self.heads.filter(ledger=self.name).update(position=position, digest=previous)

    def proven(self) -> Iterator[Any]:
        """Yield the records whose seals verify, each with its MAC set."""
        before = GENESIS
        seals = self.seals.filter(ledger=self.name).order_by("position")
        for batch in chunks(seals.iterator(BATCH), BATCH):
            records = self.model._default_manager.in_bulk([one.record_id for one in batch])
            for one in batch:
                record = records.get(one.record_id)
                if record is not None and one.previous == before and self._holds(one, record):
                    stamp(record, ledger=self.name, content=one.content, leave=self.leave)
                    yield record
                before = one.digest

    def _holds(self, one: Any, record: Any) -> bool:
        purged = not record.payload and not record.salt
        if not purged and content_of(record) != one.content:
            return False
        expected = link_of(
            ledger=self.name,
            position=one.position,
            previous=one.previous,
            envelope=envelope_of(record, leave=self.leave),
            content=one.content,
            sealed_at=one.sealed_at,
        )
        return bool(expected == one.digest)
