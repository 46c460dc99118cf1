"""GLEIF files: what is read, and what is refused. See golden_copy_files.py."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.reference.lei.parsers import golden_copy
from apps.reference.lei.values import Entity, Exemption, Malformed, OtherName, Ownership
from tests.lei import golden_copy_files

A, B, C = golden_copy_files.lei(1), golden_copy_files.lei(2), golden_copy_files.lei(3)


def read(path):
    with golden_copy.open_golden_copy(path) as copy:
        rows = list(copy.rows)
    return copy, rows


def write(folder, text, name="file.xml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_record_is_read_with_all_that_is_needed(tmp_path):
    row = golden_copy_files.record(A, "Ärger & Söhne, GmbH", EntityCategory="GENERAL")
    row["Entity.OtherEntityNames.OtherEntityName.1"] = "Old name"
    row["Entity.OtherEntityNames.OtherEntityName.1.type"] = "PREVIOUS_LEGAL_NAME"
    row["Entity.RegistrationAuthority.RegistrationAuthorityEntityID"] = "HRB 1"
    row["Entity.SuccessorEntity.1.SuccessorLEI"] = B
    copy, rows = read(
        golden_copy_files.write(tmp_path, [row], "20261119-0800-gleif-goldencopy-lei2.csv")
    )
    assert (copy.kind, copy.delta) == ("RECORDS", False)
    assert copy.published == datetime(2026, 11, 19, 8, tzinfo=UTC)
    assert rows == [
        Entity(
            lei=A,
            legal_name="Ärger & Söhne, GmbH",
            registration_status="ISSUED",
            entity_status="ACTIVE",
            jurisdiction="DE",
            country="DE",
            category="GENERAL",
            registered_as="HRB 1",
            managing_lou="5493001KJTIIGC8Y1R12",
            successor=B,
            next_renewal=date(2027, 1, 31),
            other_names=(OtherName("Old name", "PREVIOUS_LEGAL_NAME"),),
        )
    ]


def test_an_xml_record_reads_as_its_csv_row(tmp_path):
    text = golden_copy_files.records_xml(
        [golden_copy_files.record_xml(A, "Acme AG"), golden_copy_files.record_xml(B, "B &amp; C")]
    )
    copy, rows = read(write(tmp_path, text))
    assert (copy.kind, copy.delta) == ("RECORDS", False)
    assert copy.published == datetime(2026, 11, 19, 8, tzinfo=UTC)
    assert rows[0] == Entity(
        lei=A,
        legal_name="Acme AG",
        registration_status="ISSUED",
        entity_status="ACTIVE",
        jurisdiction="DE",
        country="DE",
        category="GENERAL",
        legal_form="6QQB",
        registered_as="HRB 1",
        managing_lou="5493001KJTIIGC8Y1R12",
        next_renewal=date(2027, 1, 31),
        other_names=(OtherName("Old", "PREVIOUS_LEGAL_NAME"),),
        headquarters="FR",
    )
    assert rows[1].legal_name == "B & C"


@pytest.mark.parametrize("form", ["csv", "xml", "csv.zip"])
def test_relationships_keep_ownership_and_leave_out_funds(tmp_path, form):
    kinds = (
        golden_copy_files.DIRECT,
        golden_copy_files.ULTIMATE,
        "IS_INTERNATIONAL_BRANCH_OF",
        "IS_FUND-MANAGED_BY",
    )
    if form == "xml":
        text = golden_copy_files.relations_xml(
            [golden_copy_files.relation_xml(A, B, kind) for kind in kinds]
        )
        path, since = write(tmp_path, text), date(2007, 6, 5)
    else:
        path = golden_copy_files.write(
            tmp_path, [golden_copy_files.relation(A, B, kind) for kind in kinds], "rr.csv"
        )
        path, since = (
            (golden_copy_files.zipped(path) if form == "csv.zip" else path),
            date(2020, 1, 1),
        )
    copy, rows = read(path)
    assert (copy.kind, copy.skipped) == ("RELATIONSHIPS", 1)
    assert [row.kind for row in rows] == ["DIRECT", "ULTIMATE", "DIRECT"]
    assert rows[0] == Ownership(A, B, "DIRECT", "ACTIVE", since)


@pytest.mark.parametrize("form", ["csv", "xml"])
def test_of_several_relationship_periods_the_first_counts(tmp_path, form):
    if form == "xml":
        later = (
            "<rr:RelationshipPeriod><rr:StartDate>2019-01-01T00:00:00Z</rr:StartDate>"
            "<rr:PeriodType>RELATIONSHIP_PERIOD</rr:PeriodType></rr:RelationshipPeriod>"
        )
        end = "</rr:RelationshipPeriods>"
        body = golden_copy_files.relation_xml(A, B).replace(end, later + end)
        path, since = write(tmp_path, golden_copy_files.relations_xml([body])), date(2007, 6, 5)
    else:
        second = {
            "Relationship.Period.2.startDate": "2024-01-01T00:00:00Z",
            "Relationship.Period.2.endDate": "",
            "Relationship.Period.2.periodType": "RELATIONSHIP_PERIOD",
        }
        row = golden_copy_files.relation(A, B) | second
        path = golden_copy_files.write(tmp_path, [row], "rr.csv", tuple(second))
        since = date(2020, 1, 1)
    (ownership,) = read(path)[1]
    assert ownership.since == since


@pytest.mark.parametrize("form", ["csv", "xml"])
@pytest.mark.parametrize(
    ("written", "share"),
    [
        ("", None),
        ("60.00", Decimal(60)),
        ("0.60", Decimal(60)),
        ("1.00", Decimal(100)),
        ("1.01", Decimal("1.01")),
        ("100", Decimal(100)),
        ("100.01", None),
        ("0", None),
        ("-5", None),
        ("most", None),
        ("NaN", None),
    ],
)
def test_the_share_of_a_relationship_is_read_where_it_is_said(tmp_path, form, written, share):
    if form == "xml":
        text = golden_copy_files.relations_xml(
            [golden_copy_files.relation_xml(A, B, share=written)]
        )
        (row,) = read(write(tmp_path, text))[1]
    else:
        path = golden_copy_files.write(
            tmp_path, [golden_copy_files.relation(A, B, share=written)], "rr.csv"
        )
        (row,) = read(path)[1]
    assert row.share == share


def test_the_country_of_the_headquarters_is_read(tmp_path):
    row = golden_copy_files.record(A) | {"Entity.HeadquartersAddress.Country": "RU"}
    (entity,) = read(golden_copy_files.write(tmp_path, [row], "lei2.csv"))[1]
    assert (entity.country, entity.headquarters) == ("DE", "RU")


@pytest.mark.parametrize("form", ["csv", "xml"])
def test_reporting_exceptions_are_read(tmp_path, form):
    if form == "csv":
        row = golden_copy_files.exception(A, golden_copy_files.NO_ULTIMATE, "NATURAL_PERSONS")
        path = golden_copy_files.write(tmp_path, [row], "repex.csv")
    else:
        text = golden_copy_files.exceptions_xml(
            [(A, golden_copy_files.NO_ULTIMATE, "NATURAL_PERSONS")]
        )
        path = write(tmp_path, text)
    copy, rows = read(path)
    assert copy.kind == "EXCEPTIONS"
    assert rows == [Exemption(A, "ULTIMATE", "NATURAL_PERSONS")]


def test_rows_with_a_wrong_lei_or_no_name_are_refused_and_counted(tmp_path):
    bad = [
        golden_copy_files.record(A[:-1] + str((int(A[-1]) + 1) % 10)),
        golden_copy_files.record(B, ""),
    ]
    copy, rows = read(
        golden_copy_files.write(tmp_path, [golden_copy_files.record(C), *bad], "lei2.csv")
    )
    assert [row.lei for row in rows] == [C]
    assert copy.refused == 2


@pytest.mark.parametrize(
    ("name", "delta"),
    [
        ("20261119-0800-gleif-goldencopy-lei2-golden-copy.csv", False),
        ("20261119-0800-gleif-goldencopy-lei2-intra-day.csv", True),
        ("20261119-0800-gleif-goldencopy-lei2-last-week.csv", True),
    ],
)
def test_the_file_name_tells_a_delta(tmp_path, name, delta):
    copy, _ = read(golden_copy_files.write(tmp_path, [golden_copy_files.record(A)], name))
    assert copy.delta is delta


def test_an_xml_header_tells_a_delta_and_a_deletion_is_marked(tmp_path):
    gone = "<lei:Extension><gleif:Deletion><gleif:DeletedAt>2026-11-19T07:00:00Z</gleif:DeletedAt>"
    gone += "</gleif:Deletion></lei:Extension>"
    start = "<lei:DeltaStart>2026-11-18T08:00:00Z</lei:DeltaStart>"
    bodies = [
        golden_copy_files.record_xml(A, "Acme", gone),
        golden_copy_files.record_xml(B, "Beta"),
    ]
    copy, rows = read(write(tmp_path, golden_copy_files.records_xml(bodies, header=start)))
    assert copy.delta
    assert [row.deleted for row in rows] == [True, False]


REFUSED = {
    "empty": "",
    "another csv": "a,b\n1,2\n",
    "another xml": "<html><body/></html>",
    "cut xml": golden_copy_files.records_xml([golden_copy_files.record_xml(A, "Acme")])[:-40],
    "too few records": golden_copy_files.records_xml(
        [golden_copy_files.record_xml(A, "Acme")], count=2
    ),
    "entities": '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><lei:LEIData '
    'xmlns:lei="x"><lei:LEIHeader/><lei:LEIRecords>&b;</lei:LEIRecords></lei:LEIData>',
    "missing column": 'LEI,"Entity.LegalName"\n' + f"{A},Acme\n",
    "short row": golden_copy_files.csv_text(golden_copy_files.EXCEPTION_COLUMNS, []) + f"{A},X\n",
    "open quote": golden_copy_files.csv_text(golden_copy_files.EXCEPTION_COLUMNS, [])
    + f'"{A}","X","Y","',
    "no date": golden_copy_files.csv_text(
        golden_copy_files.RECORD_COLUMNS, [golden_copy_files.record(A, NextRenewalDate="soon")]
    ),
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_broken_file_is_refused_as_a_whole(tmp_path, text):
    with pytest.raises(Malformed):
        read(write(tmp_path, text, "file"))


@pytest.mark.parametrize("place", [200, 2000, -3000])
def test_a_damaged_zip_is_refused(tmp_path, place):
    rows = [golden_copy_files.record(golden_copy_files.lei(number)) for number in range(2000)]
    path = golden_copy_files.zipped(golden_copy_files.write(tmp_path, rows, "lei2.csv"))
    body = bytearray(path.read_bytes())
    body[place : place + 100] = bytes(100)
    path.write_bytes(bytes(body))
    with pytest.raises(Malformed):
        read(path)


@pytest.mark.slow
def test_memory_stays_small_however_many_records(tmp_path):
    import tracemalloc

    text = golden_copy_files.records_xml(
        [golden_copy_files.record_xml(golden_copy_files.lei(n), "Acme") for n in range(4000)]
    )
    path = write(tmp_path, text)
    tracemalloc.start()
    with golden_copy.open_golden_copy(path) as copy:
        count = sum(1 for _ in copy.rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 4000
    assert peak < 2_000_000


names = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=40)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(names, min_size=1, max_size=5))
def test_any_name_survives_csv(tmp_path, listed):
    rows = [
        golden_copy_files.record(golden_copy_files.lei(n), name) for n, name in enumerate(listed)
    ]
    _, found = read(golden_copy_files.write(tmp_path, rows, "lei2.csv"))
    assert [row.legal_name for row in found] == listed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400))
def test_garbage_is_malformed_and_nothing_else(tmp_path, raw):
    header = golden_copy_files.csv_text(golden_copy_files.EXCEPTION_COLUMNS, []).encode()
    for body in (raw, header + raw, b"<lei:LEIData" + raw):
        path = tmp_path / "file"
        path.write_bytes(body)
        try:
            read(path)
        except Malformed:
            continue
