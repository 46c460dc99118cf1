"""A ledger that is verified in ranges has the faults that it has as a whole, at their edges too."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db import connection

from apps.compliance.screening.models import FindKey, Screen
from apps.payments.travelrule import integrity, tallies
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.platform.common.clock import now
from apps.platform.db import parallel_scan
from apps.platform.db.parallel_scan import split_at
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification import verifier
from apps.platform.ledger.verification.verified_reads import split_records
from tests.for_each import for_each
from tests.platform.tampering import sql, without_triggers
from tests.travelrule.conftest import *  # noqa: F403

SCREENS = Screen._meta.db_table
Wrong = Callable[[int], None]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at ranges one after the other in this process, and make them small."""

    def run(tasks: Sequence[Any], **_: Any) -> Iterator[Any]:
        return (task(lambda done: None) for task in tasks)

    monkeypatch.setattr(verifier, "run_tasks", run)
    monkeypatch.setattr(parallel_scan, "SMALLEST", 1)


@pytest.fixture
def screens(noon: Any) -> list[int]:
    """Nine sealed screens."""
    found = []
    for number in range(9):
        columns: dict[str, Any] = {
            "screen_id": uuid.uuid4(), "owner": "account:1", "decision": "APPROVED",
            "risk_score": 0, "rules_version": "1", "lists": "1", "sample": True,
        }  # fmt: skip
        payload = {"request": {"name": f"Party {number}"}}
        found.append(Screen.write(payload=payload, now=noon, **columns).pk)
    sealer.seal_ledger(ledger="screens", now=noon)
    return found


def both(ledger: str) -> list[str]:
    """Return the faults of a ledger, which are the same however many look at it."""
    whole = verifier.verify_ledger(ledger=ledger)
    for processes in (2, 3):
        assert verifier.verify_ledger(ledger=ledger, processes=processes) == whole
    return whole.faults


SCREENS_WRONG: dict[str, Wrong] = {
    "a payload": lambda pk: _altered(f"UPDATE {SCREENS} SET payload = '{{}}' WHERE id = {pk}"),
    "a decision": lambda pk: _altered(f"UPDATE {SCREENS} SET decision = 'BLOCKED' WHERE id = {pk}"),
    "a screen that is gone": lambda pk: _altered(f"DELETE FROM {SCREENS} WHERE id = {pk}"),
    "a seal that is gone": lambda pk: _altered(f"DELETE FROM core_seal WHERE record_id = {pk}"),
    "a key too many": lambda pk: _kept(FindKey(screen_id=pk, key="0" * 64)),
    "a key that is gone": lambda pk: _left(FindKey.objects.filter(screen=pk)),
}


def _altered(statement: str) -> None:
    with without_triggers():
        sql(statement)


def _kept(row: Any) -> None:
    row.save(force_insert=True)


def _left(rows: Any) -> None:
    rows.delete()


@pytest.mark.django_db
def test_ranges_of_screens_find_nothing_in_a_sound_ledger(here: None, screens: list[int]) -> None:
    assert len(split_records("screens", 2)) == 8
    assert both("screens") == []


@pytest.mark.django_db
@for_each(("what", "place"), product(SCREENS_WRONG, [0, 2, 3, 8]))
def test_ranges_of_screens_find_what_one_look_finds(
    here: None, screens: list[int], what: str, place: int
) -> None:
    edges = {until for _, until in split_records("screens", 2)}
    assert {screens[2], screens[3]} <= edges  # what is altered lies on both sides of an edge
    SCREENS_WRONG[what](screens[place])
    assert both("screens") != []


@pytest.mark.django_db
def test_ranges_hold_as_many_records_each_though_ids_have_gaps(
    here: None, screens: list[int]
) -> None:
    with without_triggers():
        for number, pk in enumerate(screens[4:], 1):
            sql(f"UPDATE core_seal SET record_id = {pk + 10**12 * number} WHERE record_id = {pk}")
    found = split_records("screens", 1), split_records("screens", 2)
    assert found[0] == [(None, None)]
    assert [until for _, until in found[1][:3]] == screens[:3] and found[1][-1][1] is None


def test_stretches_at_ids_leave_nothing_out() -> None:
    assert split_at([]) == [(None, None)]
    assert split_at([3, 9]) == [(None, 3), (3, 9), (9, None)]


@pytest.mark.django_db
def test_one_damaged_table_is_told_as_often_however_many_look(
    here: None, screens: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "MOST_OF_A_KIND", 4)
    FindKey.objects.all().delete()
    assert len(both("screens")) == 5 and both("screens")[-1] == "and more of the same kind"


RECORDS_WRONG: dict[str, Wrong] = {
    "a record": lambda pk: _altered(
        f"UPDATE travelrule_travelrecord SET currency = 'XXX' WHERE id = {pk}"
    ),
    "an event": lambda pk: _altered(
        f"UPDATE travelrule_travelevent SET mac = NULL WHERE record_id = {pk}"
    ),
    "an event that is gone": lambda pk: _altered(
        f"DELETE FROM travelrule_travelevent WHERE record_id = {pk}"
    ),
    "a key that is gone": lambda pk: _left(RecordKey.objects.filter(record=pk)),
    "a record that is gone": lambda pk: _gone(pk),
    "one that nothing sends": lambda pk: _altered(
        f"UPDATE travelrule_travelrecord SET status = 'PENDING' WHERE id = {pk}"
    ),
    "a word of a party": lambda pk: _altered("DELETE FROM travelrule_partytoken"),
}


def _gone(pk: int) -> None:
    RecordKey.objects.filter(record=pk).delete()
    _altered(f"DELETE FROM travelrule_travelrecord WHERE id = {pk}")


@pytest.fixture
def records(here: None, recorded: Any) -> list[int]:
    """Three sealed records, of which nothing is wrong."""
    at = now() - timedelta(minutes=10)
    for number in range(3):
        # equal ones would be held: they look like a sum that was split
        amount = f"{4000 + 400 * number}.00"
        recorded(at + timedelta(minutes=number), tmsReference=f"R-{number}", amount=amount)
    sealer.seal_all_ledgers(now=now())
    tallies.count_sealed_events("", now())
    assert len(integrity.split_record_spans(2)) > 1 and both("travel_rule") == []
    return list(TravelRecord.objects.order_by("pk").values_list("pk", flat=True))


@pytest.mark.django_db
@for_each(("what", "place"), product(RECORDS_WRONG, [0, 1, 2]))
def test_ranges_of_travel_rule_records_find_what_one_look_finds(
    records: list[int], what: str, place: int
) -> None:
    RECORDS_WRONG[what](records[place])
    assert both("travel_rule") != []


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite here is in memory")
def test_processes_of_their_own_find_what_one_finds(
    screens: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_scan, "SMALLEST", 1)
    FindKey.objects.filter(screen=screens[3]).delete()
    assert Seal.objects.filter(ledger="screens").count() == 9 and not TravelEvent.objects.exists()
    assert len(both("screens")) == 1
