"""Loading golden copies: all or nothing, resumable, and deltas on top."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.reference.lei.models import GleifFile, LeiRecord, Relationship, ReportingException
from apps.reference.lei.services import file_imports, lookups
from tests.lei import golden_copy_files

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
A, B, C, D = (golden_copy_files.lei(number) for number in range(1, 5))
DAY = "2026111{}-0800-gleif-goldencopy-{}-golden-copy.csv"


def load(path, **order):
    return file_imports.import_golden_copy(
        order=file_imports.ImportOrder(path, **order), clock=lambda: NOON
    )


def full(folder, rows, day=8, kind="lei2"):
    return load(golden_copy_files.write(folder, rows, DAY.format(day, kind)))


def names():
    held = LeiRecord.objects.held([A, B, C, D])
    return {lei: one.entity.legal_name for lei, one in held.items()}


def test_a_full_copy_goes_live_with_all_its_rows(tmp_path):
    file = full(tmp_path, [golden_copy_files.record(A, "Ärger GmbH"), golden_copy_files.record(B)])
    assert (file.kind, file.source, file.rows, file.refused) == ("RECORDS", "GLEIF_FILE", 2, 0)
    held = LeiRecord.objects.held([A])[A]
    assert held.entity.legal_name == "Ärger GmbH"
    assert held.as_of == datetime(2026, 11, 18, 8, tzinfo=UTC)
    assert held.fetched_at == NOON
    assert LeiRecord.objects.get(lei=A).name_key == "ärger gmbh"


def test_no_leis_have_no_records_and_take_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert LeiRecord.objects.held([]) == {}


def test_the_next_copy_replaces_the_last_and_its_rows_leave(tmp_path):
    full(tmp_path, [golden_copy_files.record(A), golden_copy_files.record(B)])
    full(tmp_path, [golden_copy_files.record(A, "New name"), golden_copy_files.record(C)], day=9)
    assert names() == {A: "New name", C: "Acme Limited"}
    assert LeiRecord.objects.count() == 2
    assert GleifFile.objects.filter(state="RETIRED", purged=True).count() == 1


def test_a_file_that_breaks_in_the_middle_leaves_what_was_live(tmp_path, monkeypatch):
    monkeypatch.setattr(file_imports, "BATCH", 2)
    full(tmp_path, [golden_copy_files.record(A)])
    path = golden_copy_files.write(
        tmp_path,
        [golden_copy_files.record(lei, "Broken") for lei in (A, B, C)],
        DAY.format(9, "lei2"),
    )
    path.write_text(path.read_text() + '"cut')
    seen = []
    with pytest.raises(file_imports.FileRefused, match="broken after row"):
        file_imports.import_golden_copy(
            order=file_imports.ImportOrder(path),
            clock=lambda: NOON,
            progress=lambda _: seen.append(names()),
        )
    assert seen == [{A: "Acme Limited"}]
    assert names() == {A: "Acme Limited"}
    assert LeiRecord.objects.count() == 1
    assert "Malformed" in GleifFile.objects.get(state="FAILED").note


def test_a_died_import_is_undone_by_the_next_and_a_living_one_is_left_alone(tmp_path):
    staged = GleifFile.objects.create(
        kind="RECORDS",
        source="GLEIF_FILE",
        name="x",
        as_of=NOON,
        started_at=NOON,
        beat_at=NOON - file_imports.DEAD_AFTER + timedelta(seconds=1),
    )
    LeiRecord.objects.create(
        file=staged, lei=B, legal_name="Half", registration_status="ISSUED", fetched_at=NOON
    )
    with pytest.raises(file_imports.FileRefused, match="Another import"):
        full(tmp_path, [golden_copy_files.record(A)])
    GleifFile.objects.update(beat_at=NOON - file_imports.DEAD_AFTER)
    full(tmp_path, [golden_copy_files.record(A)])
    assert names() == {A: "Acme Limited"}
    assert LeiRecord.objects.count() == 1


@pytest.mark.parametrize(("kept", "refused"), [(90, False), (89, True)])
def test_a_copy_that_shrank_by_more_than_a_tenth_is_refused(tmp_path, kept, refused):
    full(tmp_path, [golden_copy_files.record(golden_copy_files.lei(n)) for n in range(100)])
    path = golden_copy_files.write(
        tmp_path,
        [golden_copy_files.record(golden_copy_files.lei(n)) for n in range(kept)],
        DAY.format(9, "lei2"),
    )
    if refused:
        with pytest.raises(file_imports.FileRefused, match="89 rows, the live copy 100"):
            load(path)
        assert LeiRecord.objects.count() == 100
    assert load(path, accept_shrink=True).rows == kept


@pytest.mark.parametrize(("bad", "refused"), [(1, False), (2, True)])
def test_more_than_one_bad_row_in_a_hundred_refuses_the_file(tmp_path, bad, refused):
    rows = [golden_copy_files.record(golden_copy_files.lei(n)) for n in range(100 - bad)]
    rows += [golden_copy_files.record("X" * 20)] * bad
    path = golden_copy_files.write(tmp_path, rows, DAY.format(8, "lei2"))
    if refused:
        with pytest.raises(file_imports.FileRefused, match="2 rows"):
            load(path)
    else:
        assert load(path).rows == 99


def test_older_same_undated_and_empty_files_are_refused(tmp_path):
    with pytest.raises(file_imports.FileRefused, match="no date"):
        load(golden_copy_files.write(tmp_path, [golden_copy_files.record(A)], "lei2.csv"))
    with pytest.raises(file_imports.FileRefused, match="empty"):
        full(tmp_path, [], day=7)
    full(tmp_path, [golden_copy_files.record(A)], day=8)
    with pytest.raises(file_imports.FileRefused, match="already live"):
        full(tmp_path, [golden_copy_files.record(A)], day=8)
    with pytest.raises(file_imports.FileRefused, match="older than the live"):
        full(tmp_path, [golden_copy_files.record(B)], day=7)


def test_a_delta_changes_adds_and_removes_records(tmp_path):
    full(
        tmp_path,
        [golden_copy_files.record(A), golden_copy_files.record(B), golden_copy_files.record(C)],
    )
    gone = "Extension.DeletedAt"
    rows = [
        golden_copy_files.record(A, "Renamed"),
        golden_copy_files.record(D),
        golden_copy_files.record(B),
    ]
    rows[2][gone] = "2026-11-19T07:00:00Z"
    path = golden_copy_files.write(tmp_path, rows, "20261119-0800-lei2-last-day.csv", (gone,))
    load(path)
    assert names() == {A: "Renamed", C: "Acme Limited", D: "Acme Limited"}
    live = GleifFile.objects.get(state="LIVE")
    assert (live.rows, live.as_of) == (3, datetime(2026, 11, 19, 8, tzinfo=UTC))
    assert LeiRecord.objects.count() == 3


def test_a_delta_ends_an_ownership_and_begins_another(tmp_path):
    full(tmp_path, [golden_copy_files.relation(A, B), golden_copy_files.relation(C, B)], kind="rr")
    rows = [golden_copy_files.relation(A, B, status="INACTIVE"), golden_copy_files.relation(A, D)]
    load(golden_copy_files.write(tmp_path, rows, "20261119-0800-rr-last-day.csv"))
    relationships = Relationship.objects.values_list("child", "parent").order_by("child")
    assert list(relationships) == [(A, D), (C, B)]


def test_a_delta_replaces_an_exception(tmp_path):
    full(
        tmp_path,
        [golden_copy_files.exception(A, golden_copy_files.NO_DIRECT, "NON_PUBLIC")],
        kind="repex",
    )
    rows = [golden_copy_files.exception(A, golden_copy_files.NO_DIRECT, "NATURAL_PERSONS")]
    load(golden_copy_files.write(tmp_path, rows, "20261119-0800-repex-last-day.csv"))
    assert [row.reason for row in ReportingException.objects.all()] == ["NATURAL_PERSONS"]


def test_a_delta_without_a_full_copy_is_refused(tmp_path):
    with pytest.raises(file_imports.FileRefused, match="changes only"):
        load(
            golden_copy_files.write(
                tmp_path, [golden_copy_files.record(A)], "20261119-0800-lei2-last-day.csv"
            )
        )


@pytest.mark.parametrize(
    ("name", "joins"),
    [
        ("20261119-0800-lei2-last-day.csv", True),
        ("20261119-0801-lei2-last-day.csv", False),
        ("20261125-0800-lei2-last-week.csv", True),
        ("20261125-0801-lei2-last-week.csv", False),
        ("20261118-1600-lei2-intra-day.csv", True),
        ("20261118-1601-lei2-intra-day.csv", False),
    ],
)
def test_a_delta_must_reach_back_to_the_live_copy(tmp_path, name, joins):
    full(tmp_path, [golden_copy_files.record(A)])
    path = golden_copy_files.write(tmp_path, [golden_copy_files.record(B)], name)
    if joins:
        load(path)
        assert set(names()) == {A, B}
    else:
        with pytest.raises(file_imports.FileRefused, match="the live copy is of 2026-11-18 08:00"):
            load(path)
        assert set(names()) == {A}


def test_an_xml_delta_says_itself_since_when(tmp_path):
    full(tmp_path, [golden_copy_files.record(A)])
    start = "<lei:DeltaStart>2026-11-18T0{}:00:00Z</lei:DeltaStart>"
    path = tmp_path / "delta.xml"
    path.write_text(
        golden_copy_files.records_xml([golden_copy_files.record_xml(B, "Beta")], start.format(9))
    )
    with pytest.raises(file_imports.FileRefused, match="changes since 2026-11-18 09:00"):
        load(path)
    path.write_text(
        golden_copy_files.records_xml([golden_copy_files.record_xml(B, "Beta")], start.format(8))
    )
    load(path)
    assert names() == {A: "Acme Limited", B: "Beta"}


def test_ended_ownership_in_a_full_copy_is_not_kept(tmp_path):
    rows = [golden_copy_files.relation(A, B), golden_copy_files.relation(A, C, status="INACTIVE")]
    assert full(tmp_path, rows, kind="rr").rows == 1


def test_a_full_copy_retires_the_sample(tmp_path):
    load(
        golden_copy_files.write(tmp_path, [golden_copy_files.record(A, "Sample")], "s.csv"),
        source="SAMPLE",
        as_of=NOON,
    )
    assert names() == {A: "Sample"}
    full(tmp_path, [golden_copy_files.record(B)])
    assert names() == {B: "Acme Limited"}
    assert LeiRecord.objects.count() == 1


def test_the_bundled_sample_holds_what_it_should_and_loads_once(capsys):
    call_command("load_sample_lei")
    call_command("load_sample_lei")
    assert LeiRecord.objects.count() == 21
    assert "already live" in capsys.readouterr().out
    expected = {
        "INR2EJN1ERAN0W5ZP974": ("Microsoft Corporation", True),
        "HWUPKR0MPOU8FGXBT394": ("Apple Inc.", True),
        "549300LBI3LRIZ2V8V66": ("UK EQUITY FUND (OFFSHORE)", False),
        "549300WE6TAF5EEWQS81": ("Sberbank of Russia", False),
    }
    for lei, (name, good) in expected.items():
        found = lookups.look_up_lei(lei=lei, now=NOON)
        assert (found.status, found.record.source) == ("KNOWN", "SAMPLE")
        assert lookups.judge_lei_for_name(lei_lookup=found, name=name, now=NOON)[0] is good


def test_every_parent_in_the_sample_is_in_the_sample():
    call_command("load_sample_lei")
    held = set(LeiRecord.objects.values_list("lei", flat=True))
    assert set(Relationship.objects.values_list("parent", flat=True)) <= held
    assert set(Relationship.objects.values_list("child", flat=True)) <= held
    assert set(ReportingException.objects.values_list("lei", flat=True)) <= held


def test_production_wants_to_be_told_that_a_copy_is_a_part(tmp_path, settings, monkeypatch, capsys):
    monkeypatch.setitem(file_imports.FEWEST_ROWS, "RECORDS", 2)
    settings.PRODUCTION = True
    path = golden_copy_files.write(tmp_path, [golden_copy_files.record(A)], DAY.format(8, "lei2"))
    with pytest.raises(CommandError, match="a whole copy has 2 at least"):
        call_command("import_gleif", str(path))
    assert names() == {}
    call_command("import_gleif", str(path), "--partial")
    assert "It is part of the register" in capsys.readouterr().err
    assert GleifFile.objects.get(state="LIVE").partial
    whole = golden_copy_files.write(
        tmp_path, [golden_copy_files.record(A), golden_copy_files.record(B)], DAY.format(9, "lei2")
    )
    call_command("import_gleif", str(whole))
    assert not GleifFile.objects.get(state="LIVE").partial


def test_the_command_says_what_it_loaded_and_how_fast(tmp_path, capsys):
    path = golden_copy_files.write(tmp_path, [golden_copy_files.record(A)], DAY.format(8, "lei2"))
    call_command("import_gleif", str(path))
    out = capsys.readouterr()
    assert "1 rows live, 0 refused" in out.out
    assert "1 rows," in out.err
    with pytest.raises(CommandError, match="already live"):
        call_command("import_gleif", str(path))
    with pytest.raises(CommandError, match="No file "):
        call_command("import_gleif", str(tmp_path / "none.csv"))


def test_going_live_is_one_short_transaction(tmp_path, django_assert_num_queries):
    """Rows are not touched when a copy goes live: its cost does not grow with its size."""
    file = full(tmp_path, [golden_copy_files.record(A)])
    staged = GleifFile.objects.create(
        kind="RECORDS", source="GLEIF_FILE", name="x", as_of=NOON, started_at=NOON, beat_at=NOON
    )
    with django_assert_num_queries(6):
        file_imports._make_live(staged, NOON)
    file.refresh_from_db()
    assert file.state == "RETIRED"
    assert connection.in_atomic_block
