"""What reads many records at once: proved in bulk, and one by one where anything is odd."""

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.payments.travelrule import integrity, tallies
from apps.payments.travelrule.export import streams
from apps.payments.travelrule.models import (
    Party,
    RecordKey,
    RecordRow,
    SameDay,
    Tally,
    TallyHead,
    TravelEvent,
    TravelRecord,
)
from apps.payments.travelrule.models.records import list_state_columns
from apps.payments.travelrule.selectors import serialized_records, verified_records
from apps.payments.travelrule.selectors.event_rows import EventRow, load_event_rows
from apps.payments.travelrule.views import record_list
from apps.platform.common.clock import now
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.ledger import sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.retention import purge_payload
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql, without_triggers
from tests.travelrule.test_export import export

pytestmark = pytest.mark.django_db
EVENTS, RECORDS = TravelEvent._meta.db_table, TravelRecord._meta.db_table
ALTERED: dict[str, str] = {
    "a payload": f"UPDATE {EVENTS} SET payload = replace(payload, 'stands', 'stood')",
    "a status": f"UPDATE {EVENTS} SET status = 'SENT'",
    "a moment": f"UPDATE {EVENTS} SET recorded_at = '2020-01-01 00:00:00+00'",
    "a MAC": f"UPDATE {EVENTS} SET mac = '{'0' * 64}'",
    "no MAC": f"UPDATE {EVENTS} SET mac = NULL",
    "a key": f"UPDATE {EVENTS} SET mac_key = 'other'",
    "a payload that is gone": f"UPDATE {EVENTS} SET payload = '', salt = ''",
    "an event that is gone": f"DELETE FROM {EVENTS}",
}


def second(three: list[str]) -> TravelRecord:
    return TravelRecord.objects.get(payment_id=three[1])


def table() -> list[str]:
    made = streams.start_export(asked={"format": "csv"}, caller="account:1", name="E", now=now())
    return b"".join(made.stream()).decode().splitlines()[1:]


@pytest.mark.parametrize("what", ALTERED)
def test_one_altered_event_is_withheld_and_the_others_are_told(
    three: list[str], examiner: Any, what: str
) -> None:
    record = second(three)
    assert load_event_rows([record.pk]) is not None
    with without_triggers():
        sql(f"{ALTERED[what]} WHERE record_id = %s", record.pk)
    page = export(examiner)
    assert [one["paymentId"] for one in page["records"]] == [three[0], three[2]]
    assert page["withheld"] == 1
    rows = table()
    assert [str(record.record_id) in row and "WITHHELD" in row for row in rows] == [
        False, True, False,
    ]  # fmt: skip
    shown = record_list.build_record_page(
        record_list.RecordQuery(), TravelRecord.objects.all()
    ).rows
    assert [one.ours for one in shown] == [True, False, True]
    assert any(str(record.pk) in one for one in integrity.verify_records(lambda done: None))


def test_what_is_proved_in_bulk_is_told_as_one_by_one(
    three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = list(TravelRecord.objects.order_by("pk"))
    told, rows = serialized_records.serialize_records(records), table()
    assert all(
        isinstance(list_event[0], EventRow)
        for list_event in verified_records.load_list_events(records).values()
    )
    monkeypatch.setattr(verified_records, "load_event_rows", lambda ids: None)
    assert all(
        isinstance(list_event[0], TravelEvent)
        for list_event in verified_records.load_list_events(records).values()
    )
    assert (serialized_records.serialize_records(records), table()) == (told, rows)


def test_a_purged_record_is_told_without_its_message(three: list[str], examiner: Any) -> None:
    sealer.seal_all_ledgers(now=now())
    first = TravelEvent.objects.get(record=second(three), number=1)
    purge_payload(
        ledger="travel_rule", record_id=first.pk, reason=PurgeReason.ERASURE, by="rita",
        why="An order", now=now(),
    )  # fmt: skip
    assert load_event_rows([first.record_id]) is None
    page = export(examiner)
    assert [record.get("ivms101") is None for record in page["records"]] == [False, True, False]
    assert list(integrity.verify_records(lambda done: None)) == []
    assert verifier.verify_ledger(ledger="travel_rule").faults == []


def test_lists_and_comparisons_cost_the_same_for_more_records(
    three: list[str], django_assert_num_queries: Any
) -> None:
    records = list(TravelRecord.objects.all())
    for some in (records[:1], records):
        with django_assert_num_queries(2):
            assert len(serialized_records.serialize_records(some)) == len(some)
    with django_assert_num_queries(3):  # records, their events, and that no more records follow
        assert list(integrity.verify_records(lambda done: None)) == []


def test_a_table_begins_with_its_heading_before_a_record_is_read(
    three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = streams.start_export(asked={"format": "csv"}, caller="account:1", name="E", now=now())
    read: list[int] = []
    real = streams.read_table_lines
    monkeypatch.setattr(streams, "read_table_lines", lambda rows: (read.append(1), real(rows))[1])
    pieces = made.stream()
    first = next(pieces)
    assert first.startswith(b'\xef\xbb\xbf"id",') and first.count(b"\r\n") == 1 and not read
    assert b"".join(pieces).count(b"\r\n") == 3


@pytest.mark.parametrize("span", [(None, None), (None, 1), (1, None)])
def test_records_are_compared_in_stretches(three: list[str], span: Any) -> None:
    first, middle, last = TravelRecord.objects.order_by("pk")
    TravelRecord.objects.update(currency="XXX")
    above, until = (middle.pk if one else None for one in span)
    found = " ".join(integrity.verify_records(lambda done: None, span=(above, until)))
    named = [f"record {one.pk} differs" in found for one in (first, middle, last)]
    assert named == [above is None, above is None, until is None]


def test_a_lost_key_and_another_party_are_named(three: list[str]) -> None:
    first, middle, _ = TravelRecord.objects.order_by("pk")
    RecordKey.objects.filter(record=first).delete()
    TravelRecord.objects.filter(pk=middle.pk).update(
        originator=Party.objects.create(token="f" * 64)
    )
    assert list(integrity.verify_records(lambda done: None)) == [
        f"travel-rule record {first.pk} has no key",
        f"travel-rule record {middle.pk} is indexed under other parties than it names",
    ]


def test_how_a_record_stands_is_the_digest_of_its_columns(three: list[str]) -> None:
    for travel_record in TravelRecord.objects.all():
        assert travel_record.stands == canonical_digest(travel_record.standing)


@pytest.mark.parametrize("offset", [0, 1, 2, 3])
def test_an_offset_passes_over_what_a_cursor_does(
    three: list[str], examiner: Any, offset: int
) -> None:
    page = export(examiner, offset=offset, limit=1)
    assert [record["paymentId"] for record in page["records"]] == three[offset : offset + 1]
    assert ("nextCursor" in page) is (offset < 2)
    filtered = export(examiner, offset=offset, status="EXEMPT")
    assert [record["paymentId"] for record in filtered["records"]] == [three[0], three[2]][offset:]


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_counts_are_the_same_however_many_seals_at_once(
    recorded: Callable[..., str], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = now().replace(hour=12)
    for number, amount in enumerate(("1500.00", "1500.00", "2999.99", "5000.00")):
        recorded(day + timedelta(minutes=number), tmsReference=f"D-{number}", amount=amount)
    sealer.seal_all_ledgers(now=now())
    monkeypatch.setattr(tallies, "AT_ONCE", at_once)
    tallies.count_sealed_events("", now())
    counts = {tally.status: tally.count for tally in Tally.objects.all()}
    assert counts == {"EXEMPT": 3, "STORED": 1}
    together = SameDay.objects.get()
    assert (together.count, f"{together.total_usd:.2f}") == (3, "5999.99")
    assert tallies.load_counted_position()[0] == 4 and TallyHead.objects.count() == 1


def test_what_is_withheld_is_logged(three: list[str], caplog: pytest.LogCaptureFixture) -> None:
    with without_triggers():
        sql(f"UPDATE {EVENTS} SET mac = NULL WHERE record_id = %s", second(three).pk)
    with caplog.at_level(logging.ERROR, logger="apps.platform.ledger.verification.verified_reads"):
        assert len(serialized_records.serialize_records(list(TravelRecord.objects.all()))) == 2
    assert "is withheld" in caplog.text


def test_a_row_of_a_record_has_every_column_that_says_how_it_stands() -> None:
    assert RecordRow._fields == (*list_state_columns(), "pk")
