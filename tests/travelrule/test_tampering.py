"""What somebody does who has the database and drops its triggers: who finds it, and where."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.payments.travelrule import tallies
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.record_transition import record_transition
from apps.payments.travelrule.sending.services import begin_transmissions
from apps.platform.common.clock import now
from tests.attacks import tables
from tests.travelrule.erasure import erased
from tests.travelrule.examiner import BAD, Desk
from tests.travelrule.test_record_proof import _faults, _sql, sealed
from tests.travelrule.test_whole_export import whole

pytestmark = pytest.mark.django_db
EXPORT = "/integration/travel-rule/export"
RECORDS, EVENTS = "travelrule_travelrecord", "travelrule_travelevent"


@pytest.fixture
def ledger(recorded: Any, desk: Desk, examiner: Any) -> TravelRecord:
    """Three records that are sealed, exported and counted; the second has two steps."""
    payments = [recorded(tmsReference=f"T-{n}", amount="4000.00") for n in range(3)]
    record = TravelRecord.objects.get(payment_id=payments[1])
    named = {"counterparty": "Heron Custody", "counterparty_lei": "5493001KJTIIGC8Y1R12"}
    record_transition(record, "SEND_LATER", now=now(), columns=named)
    begin_transmissions([record], now=now())
    sealed()
    tallies.count_sealed_events("", now())
    desk.put("first.ndjson", whole(examiner, "ndjson"))
    assert _faults("travel_rule") == ""
    return record


def _steps_back(one: TravelRecord) -> tuple[str, str]:
    row = "status = 'STORED', steps = 1, counterparty = '', counterparty_lei = ''"
    return RECORDS, f"UPDATE {RECORDS} SET {row} WHERE id = {one.pk}"


def _set_back(one: TravelRecord) -> tuple[str, str]:
    return EVENTS, f"DELETE FROM {EVENTS} WHERE record_id = {one.pk} AND number = 2;" + (
        _steps_back(one)[1]
    )


def _gone(one: TravelRecord) -> tuple[str, str]:
    lost = ("travelrule_transmission", "travelrule_recordkey")
    rest = "".join(f"DELETE FROM {table} WHERE record_id = {one.pk};" for table in lost)
    return RECORDS, f"{rest}DELETE FROM {RECORDS} WHERE id = {one.pk}"


def _empty(one: TravelRecord) -> tuple[str, str]:
    row = f"UPDATE {RECORDS} SET steps = 0 WHERE id = {one.pk}"
    return EVENTS, f"DELETE FROM {EVENTS} WHERE record_id = {one.pk};{row}"


def _keys_swapped(one: TravelRecord) -> tuple[str, str]:
    other = RecordKey.objects.exclude(record=one).order_by("pk")[0]
    mine = RecordKey.objects.get(record=one)
    of = "UPDATE travelrule_recordkey SET wrapped ="
    swap = f"{of} '{other.wrapped}' WHERE record_id = {one.pk};"
    return RECORDS, f"{swap}{of} '{mine.wrapped}' WHERE record_id = {other.record_id}"


def _key_gone(one: TravelRecord) -> tuple[str, str]:
    return RECORDS, f"DELETE FROM travelrule_recordkey WHERE record_id = {one.pk}"


def _events_swapped(one: TravelRecord) -> tuple[str, str]:
    other = TravelRecord.objects.exclude(pk=one.pk).order_by("pk")[0].pk
    to = f"UPDATE {EVENTS} SET record_id ="
    swap = f"{to} 0 WHERE record_id = {one.pk} AND number = 1;"
    swap += f"{to} {one.pk} WHERE record_id = {other} AND number = 1;"
    return EVENTS, f"{swap}{to} {other} WHERE record_id = 0"


TOLD: dict[str, tuple[Callable[[TravelRecord], tuple[str, str]], str, int]] = {
    "the row set back": (_steps_back, "has a newer event", 503),
    "row and events set back": (_set_back, "missing", 200),
    "the record deleted": (_gone, "its row is missing", 404),
    "no steps at all": (_empty, "no authentic event", 503),
    "keys swapped": (_keys_swapped, "its key cannot be decrypted", 503),
    "the key deleted": (_key_gone, "has no key", 503),
    "messages swapped": (_events_swapped, "altered", 503),
}


@pytest.mark.parametrize("what", TOLD)
def test_what_is_done_to_a_record_is_found_and_told_nowhere_as_true(
    ledger: TravelRecord, desk: Desk, examiner: Any, bank: Any, what: str
) -> None:
    change, named, answers = TOLD[what]
    _sql(*change(ledger))
    found = _faults("travel_rule")
    assert named in found, found
    answer = bank.get(f"/integration/travel-rule/{ledger.payment_id}")
    assert answer.status_code == answers, answer.content
    page = examiner.get(EXPORT)
    assert page.status_code == 200 and "erased" not in page.content.decode()
    code, told = desk.verify(whole(examiner, "ndjson"))
    assert code == BAD, told
    assert whole(examiner, "csv")


BESIDE = {
    "a word deleted": (
        "travelrule_partytoken",
        "DELETE FROM {} WHERE id = (SELECT MIN(id) FROM {})",
    ),
    "a word added": (
        "travelrule_partytoken",
        "INSERT INTO {} (party_id, token) SELECT MIN(party_id), 'x' FROM {}",
    ),
    "a party exchanged": (RECORDS, "UPDATE {} SET originator_id = beneficiary_id"),
    "a transmission deleted": ("travelrule_transmission", "DELETE FROM {}"),
    "a transmission ended": ("travelrule_transmission", "UPDATE {} SET due_at = NULL"),
    "a transmission to another": ("travelrule_transmission", "UPDATE {} SET lei = 'X'"),
    "a count raised": ("travelrule_tally", "UPDATE {} SET count = count + 5"),
    "a count deleted": ("travelrule_tally", "DELETE FROM {}"),
    "a count invented": (
        "travelrule_tally",
        "INSERT INTO {} (month, owner, direction, status, count) "
        "VALUES ('2024-01-01', 'account:1', 'OUTBOUND', 'SENT', 7)",
    ),
    "counted beyond the chain": ("travelrule_tallyhead", "UPDATE {} SET position = 99"),
}  # fmt: skip


@pytest.mark.parametrize("what", BESIDE)
def test_what_is_done_to_what_stands_beside_the_ledger_is_found(
    ledger: TravelRecord, what: str
) -> None:
    table, statement = BESIDE[what]
    _sql(table, statement.replace("{}", table))
    assert _faults("travel_rule")


def test_a_flag_that_was_taken_away_is_missed(recorded: Any) -> None:
    for number in range(2):
        recorded(tmsReference=f"T-{number}", amount="2000.00")
    sealed()
    tallies.count_sealed_events("", now())
    assert _faults("travel_rule") == ""
    _sql("travelrule_sameday", "UPDATE travelrule_sameday SET total_usd = 3000")
    assert "a flagged day" in _faults("travel_rule")
    _sql("travelrule_sameday", "DELETE FROM travelrule_sameday")
    assert "a flagged day" in _faults("travel_rule")


def test_a_record_that_was_erased_is_no_fault_and_keeps_its_status(
    ledger: TravelRecord, bank: Any
) -> None:
    erased(ledger)
    assert _faults("travel_rule") == ""
    body = bank.get(f"/integration/travel-rule/{ledger.payment_id}").json()
    assert "erased" in body["notes"] and "ivms101" not in body
    _sql(RECORDS, f"UPDATE {RECORDS} SET status = 'SENT' WHERE id = {ledger.pk}")
    assert bank.get(f"/integration/travel-rule/{ledger.payment_id}").status_code == 503


def test_an_event_whose_record_was_removed_can_be_erased(recorded: Any) -> None:
    recorded()
    record = TravelRecord.objects.get()
    RecordKey.objects.filter(record=record).delete()
    TravelRecord.objects.filter(pk=record.pk).delete()
    erased(record)
    assert TravelEvent.objects.get(record=record, number=1).purged


def test_no_column_beside_the_ledger_can_be_changed_unseen(ledger: TravelRecord) -> None:
    names = ("Tally", "TallyHead", "Transmission")
    assert tables.undetected(*(f"travelrule.{name}" for name in names)) == []
