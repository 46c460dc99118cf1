"""Whoever writes the database makes no entity of another: an altered row could not be checked."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.platform.common.clock import now
from apps.platform.ledger.verification.verifier import verify_ledger
from apps.reference.lei.integrity import verify_lei_rows
from apps.reference.lei.models import GleifFile, LeiRecord, Relationship, ReportingException
from apps.reference.lei.row_macs import COVERED
from apps.reference.lei.services import lookups
from tests.lei.changed_entities import restate
from tests.platform.tampering import sql
from tests.screening.conftest import sample  # noqa: F401

pytestmark = pytest.mark.django_db
LEI = "INR2EJN1ERAN0W5ZP974"
OTHER = "5493001KJTIIGC8Y1R12"

# another value for each column that a proof covers
ALTERED: dict[str, Any] = {
    "lei": OTHER,
    "legal_name": "Lazarus Trading Ltd",
    "other_names": '[["Lazarus", "TRADING_OR_OPERATING_NAME"]]',
    "jurisdiction": "KP",
    "country": "KP",
    "headquarters": "KP",
    "category": "FUND",
    "legal_form": "9999",
    "registered_as": "1",
    "managing_lou": "X",
    "successor": OTHER,
    "entity_status": "INACTIVE",
    "registration_status": "RETIRED",
    "next_renewal": "2099-01-01",
    "fetched_at": now() + timedelta(days=1),
    "as_of": now() + timedelta(days=1),
}


@pytest.fixture
def register(db: None) -> GleifFile:
    """A live copy of the register with one entity, its parent and one reason."""
    moment = now()
    files = {
        kind: GleifFile.objects.create(
            kind=kind,
            source="GLEIF_FILE",
            state="LIVE",
            name="copy",
            as_of=moment,
            started_at=moment,
            beat_at=moment,
            live_at=moment,
        )
        for kind in GleifFile.Kind.values
    }
    for lei, name in ((LEI, "Microsoft Corporation"), (OTHER, "Parent SE")):
        LeiRecord.objects.create(
            file=files["RECORDS"],
            lei=lei,
            legal_name=name,
            name_key=name.lower(),
            country="US",
            entity_status="ACTIVE",
            registration_status="ISSUED",
            next_renewal=moment.date() + timedelta(days=90),
            fetched_at=moment,
        )
    Relationship.objects.create(
        file=files["RELATIONSHIPS"], child=LEI, parent=OTHER, kind="ULTIMATE", share=5100
    )
    ReportingException.objects.create(
        file=files["EXCEPTIONS"], lei=OTHER, kind="ULTIMATE", reason="NO_KNOWN_PERSON"
    )
    return files["RECORDS"]


def faults() -> list[str]:
    return list(verify_lei_rows(lambda _: None))


def test_what_was_imported_is_known(register: GleifFile) -> None:
    assert not faults()
    lei = lookups.look_up_lei(lei=LEI, now=now(), ask=False)
    assert lei.status == "KNOWN" and lei.record is not None
    chain = lookups.load_owner_chain(lei=LEI, now=now(), ask=False)
    assert [one.name for one in chain.everybody] == ["Microsoft Corporation", "Parent SE"]


@pytest.mark.parametrize("column", COVERED["LeiRecord"])
def test_an_altered_record_could_not_be_checked(register: GleifFile, column: str) -> None:
    sql(f"UPDATE lei_leirecord SET {column} = %s WHERE lei = %s AND legal_name <> 'Parent SE'",
        ALTERED[column], LEI) if column != "lei" else (
        sql("DELETE FROM lei_leirecord WHERE lei = %s", OTHER),
        sql("UPDATE lei_leirecord SET lei = %s WHERE lei = %s", OTHER, LEI),
    )  # fmt: skip
    about = OTHER if column == "lei" else LEI
    lei = lookups.look_up_lei(lei=about, now=now(), ask=False)
    assert (lei.status, lei.record) == ("NOT_CHECKED", None)
    assert (
        len(faults()) == 1
        and "it differs from its import" in verify_ledger(ledger="screens").faults[0]
    )


def test_a_record_without_a_proof_or_under_a_lost_key_is_none(
    register: GleifFile, settings: Any
) -> None:
    sql("UPDATE lei_leirecord SET proof = '' WHERE lei = %s", LEI)
    assert lookups.look_up_lei(lei=LEI, now=now(), ask=False).status == "NOT_CHECKED"
    restate(LeiRecord.objects.filter(lei=LEI))
    assert lookups.look_up_lei(lei=LEI, now=now(), ask=False).status == "KNOWN"
    settings.LEDGER_KEYS = f"new:{'12' * 32}"
    assert lookups.look_up_lei(lei=LEI, now=now(), ask=False).status == "NOT_CHECKED"


def test_a_record_of_the_sample_is_none_of_the_register(register: GleifFile) -> None:
    """The proof covers the source: a row that is moved to another kind of file is altered."""
    sql("UPDATE lei_gleiffile SET source = 'GLEIF_API' WHERE kind = 'RECORDS'")
    assert lookups.look_up_lei(lei=LEI, now=now(), ask=False).status == "NOT_CHECKED"


@pytest.mark.parametrize(
    "change",
    [
        f"parent = '{LEI[:-2]}11'",
        "status = 'OTHER'",
        "share = 1",
        "since = '2020-01-01'",
        "until = '2030-01-01'",
    ],
)
def test_an_altered_owner_could_not_be_checked(register: GleifFile, change: str) -> None:
    sql(f"UPDATE lei_relationship SET {change}")
    chain = lookups.load_owner_chain(lei=LEI, now=now(), ask=False)
    assert [one.lei for one in chain.everybody] == [LEI]
    assert ("ULTIMATE_PARENT", "NOT_CHECKED") in [(gap.role, gap.reason) for gap in chain.gaps]
    assert len(faults()) == 1


def test_an_altered_reason_hides_an_owner(register: GleifFile) -> None:
    sql("DELETE FROM lei_relationship")
    sql("UPDATE lei_reportingexception SET lei = %s", LEI)
    chain = lookups.load_owner_chain(lei=LEI, now=now(), ask=False)
    assert ("ULTIMATE_PARENT", "NOT_CHECKED") in [(gap.role, gap.reason) for gap in chain.gaps]


def test_a_parent_that_was_altered_is_known_by_its_number_alone(register: GleifFile) -> None:
    sql("UPDATE lei_leirecord SET legal_name = 'Clean SE' WHERE lei = %s", OTHER)
    chain = lookups.load_owner_chain(lei=LEI, now=now(), ask=False)
    assert [one.known for one in chain.everybody] == [True, False]


def test_a_renamed_entity_verifies_nobody(
    sample: Any,  # noqa: F811
    caller: Callable[..., Any],
) -> None:
    """The screen of 500,000 USD is flagged, and its LEI counts as none."""
    sql("UPDATE lei_leirecord SET legal_name = 'Kestrel Harbour Trading Ltd' WHERE lei = %s", LEI)
    answer = caller("Alice Ltd").post(
        "/compliance/compliance/screen",
        {"name": "Kestrel Harbour Trading Ltd", "lei": LEI, "country": "US", "amount": 500000},
        format="json",
    )
    body = answer.json()
    assert body["decision"] == "FLAGGED", body
    assert "LEI_VERIFIED" not in answer.content.decode()


def test_the_proof_of_an_import_is_that_of_the_model(register: GleifFile) -> None:
    """Two ways write rows: the fast one of imports, and the model's."""
    from apps.reference.lei.services import bulk_insert
    from apps.reference.lei.values import Entity, Exemption, OtherName, Ownership

    moment = now()
    rows: dict[str, Any] = {
        "RECORDS": Entity(
            lei="529900T8BM49AURSDO55",
            legal_name='Grün & Söhne "Handels" GmbH',
            registration_status="ISSUED",
            next_renewal=moment.date(),
            other_names=(OtherName("Grün", "TRADING_OR_OPERATING_NAME"),),
        ),
        "RELATIONSHIPS": Ownership("529900T8BM49AURSDO55", OTHER, "DIRECT", since=moment.date()),
        "EXCEPTIONS": Exemption("529900T8BM49AURSDO55", "ULTIMATE", "NATURAL_PERSONS"),
    }
    for kind, row in rows.items():
        file = GleifFile.objects.get(kind=kind)
        bulk_insert.insert_file_rows(file=file, rows=[row], now=moment)
    assert not faults() and connection.vendor in ("sqlite", "postgresql")
    found = LeiRecord.objects.held(["529900T8BM49AURSDO55"])
    assert not found.altered and len(found) == 1
