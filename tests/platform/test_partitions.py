"""Ledgers in monthly partitions: what held of the whole table holds of all partitions together."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, models, transaction

from apps.compliance.screening.models import Screen
from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.platform import tasks
from apps.platform.common.problems import DomainError
from apps.platform.db import append_only
from apps.platform.ledger import sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.partitions import creation, space_reclamation, unique_keys
from apps.platform.ledger.partitions.months import IDS_A_MONTH, Month
from apps.platform.ledger.partitions.pg_catalog import (
    Partition,
    find_id_sequence,
    is_partitioned,
    list_obstacles,
    list_partitions,
    list_unique_rules,
)
from apps.platform.ledger.retention import place_hold, purge_payload
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql

POSTGRESQL = connection.vendor == "postgresql"
only_postgresql = pytest.mark.skipif(not POSTGRESQL, reason="only PostgreSQL has partitions")
TABLE = Screen._meta.db_table
MAY = datetime(2026, 5, 20, 12, tzinfo=UTC)
KEYS = f"{TABLE}_screen_id_once"
OLD, THIS = f"{TABLE}_before_2026_05", f"{TABLE}_2026_05"


def screen(now: datetime, **columns: Any) -> Screen:
    given: dict[str, Any] = {
        "screen_id": uuid.uuid4(), "owner": "account:1", "decision": "APPROVED", "risk_score": 0,
        "rules_version": "1", "lists": "1", "sample": True,
    }  # fmt: skip
    made: Screen = Screen.write(
        payload={"request": {"name": "Ada Noor"}}, now=now, **(given | columns)
    )
    return made


def nothing(done: int) -> None:
    """Take no notice of progress."""


@pytest.fixture
def parted(db: None) -> list[Screen]:
    """Three screens of before, sealed, and their table in partitions since May."""
    made = [screen(MAY - timedelta(days=40)) for _ in range(3)]
    sealer.seal_ledger(ledger="screens", now=MAY)
    creation.partition_table(Screen, now=MAY, progress=nothing)
    return made


def place(record: Screen) -> str:
    """Return the table in which a record lies."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT tableoid::regclass::text FROM {TABLE} WHERE id = %s", [record.pk])
        return str(cursor.fetchone()[0])


def faults() -> list[str]:
    while sealer.seal_ledger(ledger="screens", now=MAY):
        pass
    return verifier.verify_ledger(ledger="screens").faults


@pytest.mark.parametrize(
    ("moment", "name", "later"),
    [("2026-05-01", "2026_05", "2026_07"), ("2026-11-30", "2026_11", "2027_01")],
)
def test_a_month_has_a_stretch_of_ids(moment: str, name: str, later: str) -> None:
    month = Month.of(datetime.fromisoformat(moment))
    assert (str(month), str(month.later(2))) == (name, later)
    assert month.later(1).begins - month.begins == IDS_A_MONTH
    for number in (month.begins, month.begins + IDS_A_MONTH - 1):
        assert Month.holding(number) == month
    assert month.later(12 * 500).begins < 2**53  # a number that every reader of JSON can hold


@pytest.mark.skipif(POSTGRESQL, reason="what another database is told")
def test_another_database_has_no_partitions() -> None:
    with pytest.raises(CommandError, match="require PostgreSQL"):
        call_command("partition_ledgers")


@only_postgresql
def test_rows_stay_where_they_are_and_new_ones_lie_in_their_month(parted: list[Screen]) -> None:
    new = screen(MAY)
    assert [place(one) for one in (*parted, new)] == [OLD, OLD, OLD, THIS]
    assert Month.holding(new.pk) == Month(2026, 5)
    assert Screen.objects.get(screen_id=new.screen_id) == new
    assert [partition.table for partition in list_partitions(TABLE)] == [
        OLD, THIS, f"{TABLE}_2026_06", f"{TABLE}_2026_07",
    ]  # fmt: skip
    assert faults() == []


@only_postgresql
@pytest.mark.parametrize("table", [TABLE, OLD, THIS])
@pytest.mark.parametrize(
    "attack", ["UPDATE {} SET owner = 'account:2'", "DELETE FROM {}", "TRUNCATE {}"]
)
def test_nothing_is_altered_by_way_of_a_partition(
    parted: list[Screen], table: str, attack: str
) -> None:
    screen(MAY)
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        sql(attack.format(table))
    assert Screen.objects.filter(owner="account:1").count() == 4


@only_postgresql
def test_a_key_of_one_partition_is_refused_in_another(parted: list[Screen]) -> None:
    new = screen(MAY)
    for known in (parted[0], new):
        with pytest.raises(IntegrityError), transaction.atomic():
            screen(MAY, screen_id=known.screen_id)
    creation.create_upcoming_partitions(Screen, now=MAY + timedelta(days=30))
    with pytest.raises(IntegrityError), transaction.atomic():
        screen(MAY, screen_id=new.screen_id)
    assert Screen.objects.count() == 4


@only_postgresql
def test_an_id_is_one_row_in_all_partitions(parted: list[Screen]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        sql(
            f"INSERT INTO {TABLE} SELECT (jsonb_populate_record(one, jsonb_build_object("
            f"'screen_id', gen_random_uuid()))).* FROM {TABLE} one WHERE id = %s",
            parted[0].pk,
        )


@only_postgresql
@pytest.mark.parametrize("table", [OLD, THIS])
@pytest.mark.parametrize("kind", ["no_update", "no_delete", "no_truncate"])
def test_a_trigger_that_one_partition_lacks_is_named(
    parted: list[Screen], table: str, kind: str
) -> None:
    assert append_only.find_missing_triggers(models=[Screen]) == []
    sql(f"ALTER TABLE {table} DISABLE TRIGGER {TABLE}_{kind}")
    assert append_only.find_missing_triggers(models=[Screen]) == [f"{table}: {TABLE}_{kind}"]
    assert f"trigger missing: {table}: {TABLE}_{kind}" in faults()


@only_postgresql
@pytest.mark.parametrize(
    ("attack", "told"),
    [
        (f"DELETE FROM {KEYS}", f"{KEYS}: 0 keys are stored for 4 records, and 0 match"),
        (
            f"UPDATE {KEYS} SET screen_id = gen_random_uuid() WHERE screen_id ="
            f" (SELECT min(screen_id::text)::uuid FROM {KEYS})",
            f"{KEYS}: 4 keys are stored for 4 records, and 3 match",
        ),
        (f"ALTER TABLE {THIS} DISABLE TRIGGER {KEYS}", f"trigger missing: {THIS}: {KEYS}"),
        (f"DROP TRIGGER {KEYS} ON {TABLE}", f"trigger missing: {OLD}: {KEYS}"),
        (f"DROP TABLE {KEYS}", f"the keys are missing: {KEYS}"),
    ],
)
def test_keys_that_are_not_those_of_the_rows_are_named(
    parted: list[Screen], attack: str, told: str
) -> None:
    screen(MAY)
    assert faults() == []
    sql(attack)
    assert told in faults()


@only_postgresql
@pytest.mark.parametrize(
    "attack",
    [
        f"CREATE OR REPLACE FUNCTION {TABLE}_append_only() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN RETURN OLD; END $$",
        f"DROP TRIGGER {TABLE}_no_delete ON {TABLE}; CREATE TRIGGER {TABLE}_no_delete BEFORE DELETE"
        f" ON {TABLE} FOR EACH ROW WHEN (false) EXECUTE FUNCTION {TABLE}_append_only()",
        f"DROP TRIGGER {TABLE}_no_delete ON {TABLE}; CREATE SCHEMA aside;"
        f" CREATE TABLE aside.{TABLE} (LIKE {TABLE}); CREATE TRIGGER {TABLE}_no_delete BEFORE"
        f" DELETE ON aside.{TABLE} FOR EACH ROW EXECUTE FUNCTION {TABLE}_append_only()",
    ],
)
def test_a_trigger_that_refuses_nothing_is_missing(parted: list[Screen], attack: str) -> None:
    sql(attack)
    assert f"{TABLE}: {TABLE}_no_delete" in append_only.find_missing_triggers(models=[Screen])


@only_postgresql
def test_a_writers_own_table_does_not_stand_in_for_the_keys(parted: list[Screen]) -> None:
    sql(f"CREATE TEMP TABLE {KEYS} (screen_id uuid)")
    with pytest.raises(IntegrityError), transaction.atomic():
        screen(MAY, screen_id=parted[0].screen_id)
    sql(f"DROP TABLE pg_temp.{KEYS}")


@only_postgresql
def test_a_sequence_that_was_set_back_goes_on_above_all_rows(parted: list[Screen]) -> None:
    known = [screen(MAY) for _ in range(3)]
    sealer.seal_ledger(ledger="screens", now=MAY)
    for minutes in (11, 22):  # until the sealer looks no longer below them
        sealer.seal_ledger(ledger="screens", now=MAY + timedelta(minutes=minutes))
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(%s, 1000, false)", [find_id_sequence(TABLE)])
    hidden = screen(MAY)
    later = MAY + timedelta(minutes=33)
    assert place(hidden) == OLD and sealer.seal_ledger(ledger="screens", now=later) == 0
    told = f"record {hidden.pk}: not sealed, and its id is below the sealer's starting point"
    assert verifier.verify_ledger(ledger="screens").faults == [told]
    assert sealer.seal_ledger(ledger="screens", now=later, whole=True) == 1
    assert verifier.verify_ledger(ledger="screens").faults == []
    creation.create_upcoming_partitions(Screen, now=MAY)
    assert screen(MAY).pk == known[-1].pk + 1


@only_postgresql
def test_to_partition_again_changes_nothing(parted: list[Screen]) -> None:
    before = list_partitions(TABLE)
    creation.partition_table(Screen, now=MAY, progress=nothing)
    assert (
        creation.create_upcoming_partitions(Screen, now=MAY) == []
        and list_partitions(TABLE) == before
    )


@only_postgresql
def test_what_was_cut_off_is_taken_up(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [screen(MAY) for _ in range(3)]
    monkeypatch.setattr(unique_keys, "AT_ONCE", 1)

    def killed(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        creation.partition_table(Screen, now=MAY, progress=killed)
    assert not is_partitioned(TABLE)
    known.append(screen(MAY))  # rows that come meanwhile are known as well
    creation.partition_table(Screen, now=MAY, progress=nothing)
    for one in known:
        with pytest.raises(IntegrityError), transaction.atomic():
            screen(MAY, screen_id=one.screen_id)
    assert faults() == []


@only_postgresql
def test_months_are_made_ahead_and_the_ids_go_on_in_each(parted: list[Screen]) -> None:
    june = MAY + timedelta(days=30)
    assert creation.create_upcoming_partitions(Screen, now=june) == [f"{TABLE}_2026_08"]
    assert place(screen(june)) == f"{TABLE}_2026_06"
    creation.create_upcoming_partitions(Screen, now=MAY)  # a clock that is behind takes no id twice
    assert place(screen(june)) == f"{TABLE}_2026_06"


@only_postgresql
def test_the_daily_job_makes_them(parted: list[Screen]) -> None:
    tasks.create_month_partitions("", MAY + timedelta(days=30))
    assert list_partitions(TABLE)[-1].table == f"{TABLE}_2026_08"
    assert not is_partitioned(TravelEvent._meta.db_table)  # what nobody partitioned stays whole


@only_postgresql
def test_a_month_that_nobody_prepared_goes_on_in_the_one_before(parted: list[Screen]) -> None:
    later = MAY + timedelta(days=400)
    assert place(screen(later)) == THIS
    upcoming_partitions = creation.create_upcoming_partitions(Screen, now=later)
    assert (
        upcoming_partitions[0] == f"{TABLE}_2027_06"
        and place(screen(later)) == upcoming_partitions[0]
    )
    assert list_partitions(TABLE)[0] == Partition(OLD, 0, Month(2026, 5).begins)
    assert faults() == []


@only_postgresql
def test_a_month_that_somebody_took_away_is_made_anew(parted: list[Screen]) -> None:
    gone = f"{TABLE}_2026_06"
    sql(f"DROP TABLE {gone}")
    june = MAY + timedelta(days=30)
    assert gone in creation.create_upcoming_partitions(Screen, now=june)
    assert place(screen(june)) == gone


@only_postgresql
def test_ids_do_not_go_on_into_a_month_that_cannot_be_made(parted: list[Screen]) -> None:
    sql(f"ALTER TABLE {TABLE} DETACH PARTITION {TABLE}_2026_06")
    june = MAY + timedelta(days=30)
    with pytest.raises(DatabaseError, match="already exists"), transaction.atomic():
        creation.create_upcoming_partitions(Screen, now=june)
    assert place(screen(june)) == THIS


@only_postgresql
def test_a_hold_stops_the_purge_and_a_purged_month_gives_its_disk_back(
    parted: list[Screen],
) -> None:
    held, *rest = parted
    place_hold(ledger="screens", record_id=held.pk, reason="A court", by="rita", now=MAY)
    why: dict[str, Any] = {
        "reason": PurgeReason.ERASURE, "by": "rita", "why": "An order", "now": MAY,
    }  # fmt: skip
    with pytest.raises(DomainError):
        purge_payload(ledger="screens", record_id=held.pk, **why)
    assert space_reclamation.find_reclaimable_partitions(Screen, now=MAY) == []
    for one in rest:
        purge_payload(ledger="screens", record_id=one.pk, **why)
    assert space_reclamation.find_reclaimable_partitions(Screen, now=MAY) == [
        space_reclamation.PastPartition(OLD, 3, 2)
    ]
    assert faults() == []
    assert Screen.objects.get(pk=held.pk).data["request"] == {"name": "Ada Noor"}


@only_postgresql
def test_a_migration_reaches_every_partition(parted: list[Screen]) -> None:
    added = models.CharField(max_length=5, null=True)
    added.set_attributes_from_name("added")
    with connection.schema_editor() as editor:
        editor.add_field(Screen, added)
        append_only.install_triggers(editor, Screen, Screen.PURGEABLE)
    assert append_only.find_missing_triggers(models=[Screen]) == []
    assert sql(f"SELECT added FROM {THIS}") == 0
    creation.create_upcoming_partitions(Screen, now=MAY + timedelta(days=30))
    assert sql(f"SELECT added FROM {TABLE}_2026_08") == 0


@only_postgresql
def test_travel_rule_events_are_partitioned_with_their_rule(db: None) -> None:
    creation.partition_table(TravelEvent, now=MAY, progress=nothing)
    table = TravelEvent._meta.db_table
    assert list_unique_rules(TravelEvent) == [("record_id", "number")]
    columns = {"record_id": 7, "number": 1, "event": "E", "status": "SENT", "turn": "TR-1"}
    TravelEvent.write(payload={"stands": ""}, now=MAY, **columns)
    with pytest.raises(IntegrityError), transaction.atomic():
        TravelEvent.write(payload={"stands": ""}, now=MAY, **columns)
    assert is_partitioned(table) and find_id_sequence(table) == f"public.{table}_id_seq"


@only_postgresql
def test_a_table_that_others_refer_to_is_left_alone(db: None) -> None:
    against = list_obstacles(TravelRecord)  # type: ignore[arg-type]
    assert any("travelrule_recordkey" in one for one in against)
    assert any("tr_one_outbound" in one for one in against)


@only_postgresql
def test_the_command_tells_what_it_would_do_and_does_it(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("partition_ledgers", "screens", "--dry-run")
    assert capsys.readouterr().out == "screens: would be partitioned\n"
    assert not is_partitioned(TABLE)
    call_command("partition_ledgers", "screens")
    assert capsys.readouterr().out.startswith(f"screens: partitioned: {TABLE}_before_")
    call_command("partition_ledgers", "screens")
    assert capsys.readouterr().out == "screens: new partitions: none\n"
    call_command("partition_ledgers", "screens", "--reclaim", "--dry-run")
    assert capsys.readouterr().out == ""
    with pytest.raises(CommandError, match="cannot partition sar"):
        call_command("partition_ledgers", "sar")
