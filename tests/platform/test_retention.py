"""Retention: payloads leave on time, with a reason, never under a hold; the chain holds."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from apps.backoffice.sar.models import SarEntry
from apps.platform.common.problems import Conflict, NotFound
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import LegalHold, PurgeEvent, PurgeReason
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=365.25)


@pytest.fixture
def entries(noon: Any) -> list[SarEntry]:
    """Three sealed entries: 11 years old, 9 years old, new."""
    made = [
        SarEntry.write(payload={"who": "Boris"}, now=noon - years * YEAR, kind="k", ref=str(years))
        for years in (11, 9, 0)
    ]
    sealer.seal_ledger(ledger="sar", now=noon)
    return made


def purge(entry: SarEntry, now: Any, **options: Any) -> PurgeEvent | None:
    given = {"reason": PurgeReason.ERASURE, "by": "ann", "why": "Court order 7"} | options
    return retention.purge_payload(ledger="sar", record_id=entry.pk, now=now, **given)


def test_a_purge_leaves_a_tombstone_and_a_sealed_event(entries: list[SarEntry], noon: Any) -> None:
    event = purge(entries[0], noon)
    entries[0].refresh_from_db()
    assert entries[0].purged and entries[0].data == {} and entries[0].ref == "11"
    assert event is not None
    stated = (event.of_ledger, event.record_id, event.reason, event.by, event.recorded_at)
    assert stated == ("sar", entries[0].pk, "ERASURE", "ann", noon)
    assert event.data["position"] == 1 and "Boris" not in event.payload
    sealer.seal_all_ledgers(now=noon)
    for ledger, purged in (("sar", 1), ("purges", 0)):
        report = verifier.verify_ledger(ledger=ledger)
        assert (report.faults, report.purged, report.unsealed) == ([], purged, 0)


def test_a_second_purge_does_nothing(entries: list[SarEntry], noon: Any) -> None:
    purge(entries[0], noon)
    assert purge(entries[0], noon, by="bob") is None
    assert PurgeEvent.objects.get().by == "ann"


def test_a_hold_stops_the_purge_until_all_are_lifted(entries: list[SarEntry], noon: Any) -> None:
    one, two = (
        retention.place_hold(
            ledger="sar", record_id=entries[0].pk, reason=reason, by="ann", now=noon
        )
        for reason in ("court order 1", "court order 2")
    )
    for hold in (one, two):
        with pytest.raises(retention.RecordOnHold):
            purge(entries[0], noon)
        assert retention.lift_hold(hold_id=hold.pk, reason="over", by="bob", now=noon)
        assert not retention.lift_hold(hold_id=hold.pk, reason="over", by="eve", now=noon)
    assert purge(entries[0], noon)
    assert LegalHold.objects.filter(lifted_by="bob", lifted_at=noon).count() == 2


@pytest.mark.parametrize(("years", "kept"), [(9, True), (11, False)])
def test_an_erasure_of_what_the_law_wants_kept_needs_its_order(
    entries: list[SarEntry], noon: Any, years: int, kept: bool
) -> None:
    assert SarEntry.YEARS == 10
    entry = next(one for one in entries if one.ref == str(years))
    if kept:
        with pytest.raises(retention.KeptByLaw, match="for 10 years: cite the order"):
            purge(entry, noon, why="")
        assert not PurgeEvent.objects.exists()
    event = purge(entry, noon, why="Court order 7" if kept else "")
    assert event is not None and event.data.get("why") == ("Court order 7" if kept else None)


def test_what_the_law_wants_kept_is_kept_to_the_day(noon: Any) -> None:
    def made(at: Any) -> SarEntry:
        return SarEntry.write(payload={"who": "Boris"}, now=at, kind="k", ref=at.isoformat())

    edge = noon.replace(year=noon.year - SarEntry.YEARS)
    inside, outside = made(edge), made(edge - timedelta(microseconds=1))
    sealer.seal_ledger(ledger="sar", now=noon)
    with pytest.raises(retention.KeptByLaw):
        purge(inside, noon, why="")
    assert purge(outside, noon, why="")


def test_a_hold_needs_a_record_with_a_payload(entries: list[SarEntry], noon: Any) -> None:
    with pytest.raises(NotFound):
        retention.place_hold(ledger="sar", record_id=10**9, reason="r", by="ann", now=noon)
    with pytest.raises(NotFound):
        retention.place_hold(ledger="none", record_id=1, reason="r", by="ann", now=noon)
    purge(entries[0], noon)
    with pytest.raises(Conflict, match="purged"):
        retention.place_hold(ledger="sar", record_id=entries[0].pk, reason="r", by="ann", now=noon)


def test_a_lifted_hold_says_who_lifted_it(noon: Any) -> None:
    given = {"ledger": "sar", "record_id": 1, "reason": "r", "placed_by": "a", "placed_at": noon}
    for bad in ({"lifted_at": noon}, {"lifted_by": "bob"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            LegalHold.objects.create(**given, **bad)


def test_what_is_not_sealed_or_not_there_is_not_purged(noon: Any) -> None:
    fresh = SarEntry.write(payload={"a": 1}, now=noon, kind="k", ref="r")
    with pytest.raises(retention.NotSealed):
        purge(fresh, noon)
    with pytest.raises(NotFound):
        retention.purge_payload(
            ledger="sar", record_id=10**9, reason=PurgeReason.ERASURE, by="ann", now=noon
        )
    fresh.refresh_from_db()
    assert fresh.data == {"a": 1} and not PurgeEvent.objects.exists()


def test_purge_events_are_never_purged(entries: list[SarEntry], noon: Any) -> None:
    event = purge(entries[0], noon)
    sealer.seal_all_ledgers(now=noon)
    assert event is not None and "purges" not in retention.purgeable_ledgers()
    with pytest.raises(retention.NotPurgeable):
        retention.purge_payload(
            ledger="purges", record_id=event.pk, reason=PurgeReason.ERASURE, by="x", now=noon
        )


def test_a_tombstone_without_its_event_is_a_fault(entries: list[SarEntry], noon: Any) -> None:
    purge(entries[0], noon)
    sql(f"UPDATE {SarEntry._meta.db_table} SET payload = '', salt = '' WHERE ref = '9'")
    faults = verifier.verify_ledger(ledger="sar").faults
    assert faults == [f"record {entries[1].pk}: the payload is missing and no purge is recorded"]
    with pytest.raises(CommandError, match="1 fault"):
        call_command("verify_ledger", "sar")


@pytest.mark.parametrize(
    ("ledger", "now", "before"),
    [
        ("screens", datetime(2026, 11, 20, 12, tzinfo=UTC), datetime(2016, 11, 20, 12, tzinfo=UTC)),
        ("decisions", datetime(2028, 2, 29, tzinfo=UTC), datetime(2018, 2, 28, tzinfo=UTC)),
        ("reads", datetime(2028, 2, 29, tzinfo=UTC), datetime(2023, 2, 28, tzinfo=UTC)),
        ("sar", datetime(2026, 11, 20, 12, tzinfo=UTC), datetime(2016, 11, 20, 12, tzinfo=UTC)),
        ("sar", datetime(2034, 2, 28, tzinfo=UTC), datetime(2024, 2, 28, tzinfo=UTC)),
    ],
)
def test_payloads_are_kept_for_whole_years(ledger: str, now: datetime, before: datetime) -> None:
    assert retention.retention_cutoff(ledger=ledger, now=now) == before


def test_the_setting_changes_the_years(settings: Any, noon: Any) -> None:
    settings.RETENTION_YEARS = {"sar": "8"}
    retention.check_retention_settings()
    assert (retention.retention_years("sar"), retention.retention_years("screens")) == (8, 10)
    for bad in ({"sar": "x"}, {"sar": "0"}, {"sar": "-1"}, {"nothing": "5"}, {"purges": "5"}):
        settings.RETENTION_YEARS = bad
        with pytest.raises(ImproperlyConfigured, match=r"RETENTION_YEARS .* write years"):
            retention.check_retention_settings()


@pytest.mark.parametrize(("years", "production", "refused"), [
    ("9", True, True), ("10", True, False), ("11", True, False), ("9", False, False),
])  # fmt: skip
def test_production_keeps_payloads_as_long_as_the_ledger_says(
    settings: Any, years: str, production: bool, refused: bool
) -> None:
    settings.PRODUCTION, settings.RETENTION_YEARS = production, {"sar": years}
    if not refused:
        retention.check_retention_settings()
        return
    with pytest.raises(ImproperlyConfigured, match="sar must be retained for at least 10 years"):
        retention.check_retention_settings()


def test_the_boundary_of_expiry_is_exact(noon: Any) -> None:
    before = retention.retention_cutoff(ledger="sar", now=noon)
    for ref, at in (("expired", before - timedelta(microseconds=1)), ("kept", before)):
        SarEntry.write(payload={}, now=at, kind="k", ref=ref)
    sealer.seal_ledger(ledger="sar", now=noon)
    expired_records = retention.find_expired_records(ledger="sar", now=noon)
    assert [SarEntry.objects.get(pk=pk).ref for pk in expired_records] == ["expired"]


def test_what_is_not_sealed_yet_has_not_expired(noon: Any) -> None:
    """Purged now, it could never be verified: the next run finds it sealed."""
    before = retention.retention_cutoff(ledger="sar", now=noon) - timedelta(days=1)
    late = SarEntry.write(payload={}, now=before, kind="k", ref="late")
    assert list(retention.find_expired_records(ledger="sar", now=noon)) == []
    with pytest.raises(retention.NotSealed):
        purge(late, noon)
    sealer.seal_ledger(ledger="sar", now=noon)
    assert list(retention.find_expired_records(ledger="sar", now=noon)) == [late.pk]


def test_the_command_purges_what_expired_and_nothing_else(
    entries: list[SarEntry], capsys: Any, settings: Any
) -> None:
    call_command("purge_expired", "--dry-run")
    assert "sar: 1 would be purged" in capsys.readouterr().out
    assert not PurgeEvent.objects.exists()
    call_command("purge_expired", "--by", "ann")
    assert "sar: 1 purged" in capsys.readouterr().out
    event = PurgeEvent.objects.get()
    assert (event.record_id, event.reason, event.by) == (entries[0].pk, "RETENTION", "ann")
    settings.RETENTION_YEARS = {"sar": 8}
    call_command("purge_expired", "sar")
    assert "sar: 1 purged" in capsys.readouterr().out
    assert [e.data for e in SarEntry.objects.order_by("pk")] == [{}, {}, {"who": "Boris"}]
    assert verifier.verify_ledger(ledger="sar").faults == []


def test_the_command_leaves_what_is_held(entries: list[SarEntry], capsys: Any, noon: Any) -> None:
    retention.place_hold(ledger="sar", record_id=entries[0].pk, reason="r", by="ann", now=noon)
    call_command("purge_expired", "sar")
    assert "sar: 0 purged" in (printed := capsys.readouterr().out) and "1 held" in printed
    with pytest.raises(CommandError, match="cannot purge purges"):
        call_command("purge_expired", "purges")


def test_a_hold_that_comes_during_the_run_still_stops_its_record(
    entries: list[SarEntry], capsys: Any, monkeypatch: Any, noon: Any
) -> None:
    real = retention.purge_payload

    def late(**options: Any) -> Any:
        retention.place_hold(
            ledger="sar", record_id=options["record_id"], reason="r", by="ann", now=noon
        )
        return real(**options)

    monkeypatch.setattr(retention, "purge_payload", late)
    call_command("purge_expired", "sar")
    captured = capsys.readouterr()
    assert "sar: 0 purged" in captured.out and "A legal hold applies" in captured.err


@pytest.mark.parametrize(
    ("ledger", "years"),
    [
        ("screens", 10),
        ("decisions", 10),
        ("sar", 10),
        ("sar_filings", 10),
        ("sar_reads", 10),
        ("reads", 5),
        ("exports", 10),
        ("second_looks", 10),
        ("people", 5),
        ("reports", 10),
        ("receipts", 10),
        ("payments", 10),
        ("payment_events", 5),
        ("registrations", 10),
        ("payee_checks", 5),
        ("agents", 5),
        ("aml_screens", 10),
        ("aml_weights", 10),
        ("esg_runs", 5),
        ("esg_scores", 5),
        ("call_outcomes", 10),
        ("graph_editions", 10),
        ("forecast_outcomes", 10),
        ("forecast_outlooks", 10),
        ("forecast_runs", 5),
        ("intelligence_answers", 5),
        ("regime_outcomes", 10),
        ("regime_predictions", 10),
        ("regime_recalibrations", 10),
        ("paid_reports", 10),
        ("sfdr_reports", 5),
        ("stability_outcomes", 10),
        ("stability_runs", 5),
        ("stability_weights", 10),
        ("settlement_events", 5),
        ("bank_events", 5),
        ("bank_statements", 5),
        ("chain_events", 5),
        ("travel_rule", 5),
    ],
)
def test_every_ledger_is_kept_for_the_years_that_it_says(ledger: str, years: int) -> None:
    assert retention.retention_years(ledger) == years


def test_every_ledger_that_may_be_purged_has_its_years_tested() -> None:
    kept = {"screens", "decisions", "sar", "sar_filings", "sar_reads", "reads", "exports"}
    assert set(retention.purgeable_ledgers()) == kept | {
        "agents", "aml_screens", "aml_weights", "bank_events", "bank_statements", "call_outcomes",
        "chain_events", "esg_runs", "esg_scores", "forecast_outcomes", "forecast_outlooks",
        "forecast_runs", "graph_editions", "intelligence_answers", "known_false_positives",
        "paid_reports", "payee_checks", "payment_events", "payments", "people", "receipts",
        "regime_outcomes", "regime_predictions", "regime_recalibrations", "registrations",
        "reports", "second_looks",
        "settlement_events", "sfdr_reports", "stability_outcomes", "stability_runs",
        "stability_weights", "travel_rule",
    }  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_a_hold_that_is_placed_while_a_purge_runs_waits_and_finds_nothing_to_hold(
    noon: Any, monkeypatch: Any
) -> None:
    entry = SarEntry.write(payload={"who": "Boris"}, now=noon, kind="k", ref="1")
    sealer.seal_ledger(ledger="sar", now=noon)
    said: list[str] = []

    def hold() -> None:
        try:
            retention.place_hold(ledger="sar", record_id=entry.pk, reason="r", by="ann", now=noon)
            said.append("held")
        except Conflict as error:
            said.append(error.detail)
        finally:
            connection.close()

    other = threading.Thread(target=hold)
    real = PurgeEvent.write

    def write(**given: Any) -> Any:
        other.start()  # the purge holds its lock: whoever comes now must wait for its end
        other.join(1)
        assert said == []
        return real(**given)

    monkeypatch.setattr(PurgeEvent, "write", write)
    assert purge(entry, noon) is not None
    other.join(30)
    assert said == ["The payload has been purged; there is nothing left to hold."]
    assert not LegalHold.objects.exists()
