"""Append-only tables, attacked with raw SQL on the database at hand."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import IntegrityError, connection, transaction
from django.db.migrations.state import ProjectState

from apps.backoffice.sar.models import SarEntry
from apps.platform import apps as core_apps
from apps.platform.db import append_only
from apps.platform.ledger.models import PurgeEvent, Seal
from tests.platform.tampering import run, sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE = SarEntry._meta.db_table
SQLITE, POSTGRESQL = (connection.vendor == v for v in ("sqlite", "postgresql"))
only_sqlite = pytest.mark.skipif(not SQLITE, reason="SQLite's own syntax")
only_postgresql = pytest.mark.skipif(not POSTGRESQL, reason="PostgreSQL's own syntax")


@pytest.fixture
def entry(noon: Any) -> SarEntry:
    made: SarEntry = SarEntry.write(payload={"name": "Boris"}, now=noon, kind="screen", ref="r1")
    return made


def refused(attack: Callable[[], Any]) -> None:
    """Check that an attack raises, and that nothing of it stays."""
    before = list(SarEntry.objects.values())
    with pytest.raises(IntegrityError, match="append-only table"), transaction.atomic():
        attack()
    assert list(SarEntry.objects.values()) == before != []


@pytest.mark.parametrize(
    "assignments",
    [
        "ref = 'r2'",
        "ref = ref",
        "id = id + 100",
        "payload = '{}'",
        "salt = 'x'",
        "payload = ''",
        "salt = ''",
        "payload = '', salt = ' '",
        "payload = ' ', salt = ''",
        "payload = '', salt = '', ref = 'r2'",
        "payload = '', salt = '', id = 999",
        "payload = '', salt = '', recorded_at = '2020-01-01 00:00:00'",
    ],
)
def test_updates_are_refused_by_the_database(entry: SarEntry, assignments: str) -> None:
    refused(lambda: sql(f"UPDATE {TABLE} SET {assignments}"))


def test_payload_and_salt_may_be_blanked_together_and_only_so(entry: SarEntry) -> None:
    assert sql(f"UPDATE {TABLE} SET payload = '', salt = '' WHERE id = %s", entry.pk) == 1
    entry.refresh_from_db()
    assert entry.purged and entry.ref == "r1" and entry.data == {}
    refused(lambda: sql(f"UPDATE {TABLE} SET payload = 'back', salt = 'x'"))


@pytest.mark.parametrize("where", ["", " WHERE ref = 'r1'"])
def test_deletes_are_refused_by_the_database(entry: SarEntry, where: str) -> None:
    refused(lambda: sql(f"DELETE FROM {TABLE}{where}"))


def test_querysets_and_models_are_refused_too(entry: SarEntry) -> None:
    refused(lambda: SarEntry.objects.update(ref="r2"))
    refused(lambda: SarEntry.objects.all().delete())
    refused(lambda: SarEntry.objects.filter(pk=entry.pk)._raw_delete("default"))
    refused(lambda: entry.delete())
    entry.ref = "r2"
    refused(lambda: entry.save())
    entry.payload = ""
    refused(lambda: SarEntry.objects.bulk_update([entry], ["payload"]))


@pytest.mark.parametrize(
    "verb", ["INSERT OR REPLACE", "REPLACE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"]
)
@only_sqlite
def test_replacing_rows_is_refused(entry: SarEntry, verb: str) -> None:
    if verb.startswith("UPDATE"):
        refused(lambda: sql(f"{verb} {TABLE} SET ref = 'r2'"))
        return
    columns = "(id, kind, ref, payload, salt, recorded_at)"
    for key, ref in ((entry.pk, "r9"), (entry.pk + 50, "r1")):  # the same id; the same outcome
        refused(
            lambda key=key, ref=ref: sql(
                f"{verb} INTO {TABLE} {columns} VALUES (%s, 'screen', %s, '{{}}', 's', 'now')",
                key,
                ref,
            )
        )


def test_an_upsert_cannot_change_a_row(entry: SarEntry) -> None:
    refused(
        lambda: sql(
            f"INSERT INTO {TABLE} (kind, ref, payload, salt, recorded_at) "
            "VALUES ('screen', 'r1', 'x', 'y', '2026-01-01') "
            "ON CONFLICT (kind, ref) DO UPDATE SET payload = 'x'"
        )
    )


@pytest.mark.parametrize("statement", ["TRUNCATE {}", "TRUNCATE {} CASCADE"])
@only_postgresql
def test_truncate_is_refused(entry: SarEntry, statement: str) -> None:
    refused(lambda: sql(statement.format(TABLE)))


@only_postgresql
def test_nulls_do_not_slip_past_the_comparison(entry: SarEntry) -> None:
    for blank in ("payload = NULL, salt = NULL", "payload = '', salt = NULL"):
        with pytest.raises(IntegrityError), transaction.atomic():
            sql(f"UPDATE {TABLE} SET {blank}")


def test_tables_without_a_payload_take_no_update_at_all(noon: Any) -> None:
    Seal.objects.create(
        ledger="x", position=1, record_id=1, previous="p", content="c", digest="d", sealed_at=noon
    )
    PurgeEvent.write(payload={}, now=noon, of_ledger="x", record_id=1, reason="ERASURE", by="ann")
    for table, change in (
        (Seal._meta.db_table, "ledger = ledger"),
        (PurgeEvent._meta.db_table, "payload = '', salt = ''"),
    ):
        for attack in (f"UPDATE {table} SET {change}", f"DELETE FROM {table}"):
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                sql(attack)


def test_every_append_only_model_has_its_triggers() -> None:
    assert append_only.find_missing_triggers() == []
    tables = {model._meta.db_table for model in append_only.protected_models()}
    assert {TABLE, Seal._meta.db_table, PurgeEvent._meta.db_table} <= tables
    call_command("check", databases=["default"])


@pytest.mark.parametrize("kind", ["update", "delete"])
def test_a_missing_trigger_is_an_error_of_check_and_of_migrate(kind: str) -> None:
    on = f' ON "{TABLE}"' if POSTGRESQL else ""
    run(f'DROP TRIGGER "{TABLE}_no_{kind}"{on}')
    assert append_only.find_missing_triggers() == [f"{TABLE}: {TABLE}_no_{kind}"]
    with pytest.raises(SystemCheckError, match=r"core\.E001"):
        call_command("check", databases=["default"])
    with pytest.raises(RuntimeError, match="AppendOnly"):
        core_apps._check_triggers_and_plan_schedules()


@only_postgresql
def test_a_disabled_trigger_counts_as_missing() -> None:
    for how in ("DISABLE TRIGGER", "ENABLE REPLICA TRIGGER"):
        run(f'ALTER TABLE {TABLE} {how} "{TABLE}_no_delete"')
        assert append_only.find_missing_triggers() == [f"{TABLE}: {TABLE}_no_delete"]


def test_a_column_added_later_must_be_in_the_trigger(monkeypatch: Any) -> None:
    real = append_only._model_columns
    monkeypatch.setattr(append_only, "_model_columns", lambda model: [*real(model), "added_later"])
    assert append_only.find_missing_triggers() == []  # the migration that brings it has not run yet
    for model in append_only.protected_models():
        run(f'ALTER TABLE "{model._meta.db_table}" ADD COLUMN added_later varchar(5)')
    assert f"{TABLE}: {TABLE}_no_update added_later" in append_only.find_missing_triggers()


def test_the_operation_can_be_undone_and_done_again(entry: SarEntry) -> None:
    operation = append_only.AppendOnly("SarEntry")
    state, editor = ProjectState.from_apps(apps), connection.schema_editor()
    operation.database_backwards("sar", editor, state, state)
    assert len(append_only.find_missing_triggers()) == (3 if POSTGRESQL else 2)
    operation.database_forwards("sar", editor, state, state)
    assert append_only.find_missing_triggers() == []
    refused(lambda: sql(f"DELETE FROM {TABLE}"))
    assert operation.describe() == "Make SarEntry append-only"


def test_taking_the_triggers_away_is_all_that_tests_can_do(entry: SarEntry) -> None:
    with without_triggers():
        assert sql(f"UPDATE {TABLE} SET ref = 'r2'") == 1
    assert append_only.find_missing_triggers() == []
    refused(lambda: sql(f"UPDATE {TABLE} SET ref = 'r3'"))
