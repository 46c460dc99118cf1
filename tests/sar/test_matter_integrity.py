"""Matters are held against their entries: no clock leaves the list unrecorded."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarMatter, SarParty
from apps.backoffice.sar.services.filing_steps import StepInput, record_filing_step
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.verification import verifier
from tests.conftest import NOON
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
TABLE = SarMatter._meta.db_table


def faults() -> list[str]:
    return list(verify_matters(lambda done: None))


@pytest.fixture
def entries(db: Any) -> list[SarEntry]:
    """Three entries: a sanctioned party with two filing decisions, and two new ones."""
    by = User.objects.create(username="root", is_superuser=True)
    plain = {"party": "Boris Hadad", "owner": "account:1"}
    sanctioned = plain | {"sanctions": True}
    made = [
        SarEntry.write(payload=payload, now=NOON, kind="screen", ref=str(number))
        for number, payload in enumerate([sanctioned, plain, sanctioned])
    ]
    for seen, action in enumerate(["FILED", "OFAC_BLOCKED"]):
        step_input = StepInput(
            reference="31000000000001", on="2026-11-20", suspect="YES", amount="9800 USD"
        )
        record_filing_step(
            entry_id=made[0].pk, action=action, seen=seen, said=step_input, by=by, now=NOON
        )
    return made


def test_matters_are_what_was_recorded_of_them(entries: list[SarEntry]) -> None:
    assert faults() == []
    sealer.seal_all_ledgers(now=NOON)
    given: dict[str, Any] = {"reason": PurgeReason.ERASURE, "by": "dpo", "now": NOON, "why": "7/26"}
    for ledger, model in (("sar", SarEntry), ("sar_filings", FilingEvent)):
        for pk in model.objects.values_list("pk", flat=True):
            assert retention.purge_payload(ledger=ledger, record_id=pk, **given)
    assert faults() == []


def test_a_purge_that_comes_while_matters_are_read_is_no_fault(
    entries: list[SarEntry], monkeypatch: Any
) -> None:
    sealer.seal_all_ledgers(now=NOON)
    real = SarMatter.objects.in_bulk

    def late(*args: Any) -> Any:
        given: dict[str, Any] = {"reason": PurgeReason.ERASURE, "by": "dpo", "why": "7/26"}
        assert retention.purge_payload(ledger="sar", record_id=entries[0].pk, now=NOON, **given)
        return real(*args)

    monkeypatch.setattr(SarMatter.objects, "in_bulk", late)
    assert faults() == []


def test_a_payload_that_is_blanked_by_hand_shows_by_its_party(entries: list[SarEntry]) -> None:
    sql(f"UPDATE {SarEntry._meta.db_table} SET payload = '', salt = ''")
    assert len(faults()) == 3 and all("party_key is not" in fault for fault in faults())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("next_by = NULL, next_clock = ''", "next_by is nothing, recorded is 20"),
        ("next_by = '2030-01-01'", "next_by is 2030-01-01, recorded is 20"),
        ("next_clock = 'SAR-9'", "next_clock is SAR-9"),
        ("steps = 5", "steps is 5, recorded is 2"),
        ("last_action = 'ENDED'", "last_action is ENDED, recorded is OFAC_BLOCKED"),
        ("sanctions = %s", "sanctions is nothing, recorded is True"),
    ],
)
def test_a_matter_that_was_changed_by_hand_is_found(
    entries: list[SarEntry], change: str, said: str
) -> None:
    given = [False] if "%s" in change else []
    sql(f"UPDATE {TABLE} SET {change} WHERE entry_id = {entries[0].pk}", *given)
    found = [fault for fault in faults() if not fault.startswith("party of")]
    assert found and all(fault.startswith(f"entry {entries[0].pk}: ") for fault in found)
    assert any(said in fault for fault in found)


def test_a_matter_that_was_deleted_is_found_by_the_verification(entries: list[SarEntry]) -> None:
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="sar").faults == []
    sql(f"DELETE FROM {TABLE} WHERE entry_id = %s", entries[1].pk)
    expected = [f"entry {entries[1].pk}: its matter, with the clocks, is missing"]
    assert verifier.verify_ledger(ledger="sar").faults == expected


def test_a_matter_without_an_entry_is_found(entries: list[SarEntry]) -> None:
    SarMatter(entry_id=10**6, sanctions=False).save(force_insert=True)
    assert faults()[0] == f"matter {10**6}: the entry does not exist"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("next_by = NULL", "next_by is None, its matters say 2026-12-07"),
        ("newest = 1", "newest is 1, its matters say 3"),
        ("settled = NOT settled", "settled is True, its matters say False"),
    ],
)
def test_a_party_that_was_changed_by_hand_is_found(
    entries: list[SarEntry], change: str, said: str
) -> None:
    last = entries[-1].pk
    sql(f"UPDATE {SarParty._meta.db_table} SET {change}")
    (found,) = faults()
    assert found.endswith(said.replace("say 3", f"say {last}"))


def test_a_party_that_is_not_in_the_list_or_has_no_matter_is_found(entries: list[SarEntry]) -> None:
    SarParty.objects.all().delete()
    SarParty.objects.create(key="f" * 64, newest=7)
    gone = f"party of matter {entries[-1].pk}: it is missing from the list"
    assert faults() == ["party of matter 7: it has no matter", gone]


def test_a_filing_decision_that_is_gone_is_found(entries: list[SarEntry]) -> None:
    with without_triggers():
        sql(f"DELETE FROM {FilingEvent._meta.db_table} WHERE number = 1")
        assert faults() == [f"entry {entries[0].pk}: its filing decisions are incomplete"]


def test_a_step_that_comes_while_matters_are_read_is_no_fault(
    entries: list[SarEntry], monkeypatch: Any
) -> None:
    real, by = FilingEvent.objects.filter, User.objects.get()

    def late(*args: Any, **given: Any) -> Any:
        monkeypatch.setattr(FilingEvent.objects, "filter", real)
        step_input = StepInput(rationale="Nothing suspicious was found.")
        record_filing_step(
            entry_id=entries[1].pk, action="NOT_FILED", seen=0, said=step_input, by=by, now=NOON
        )
        return real(*args, **given)

    monkeypatch.setattr(FilingEvent.objects, "filter", late)
    assert faults() == []
