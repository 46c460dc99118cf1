"""The SAR log: ledgers of its own, one entry for each outcome, decisions and their clocks."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, transaction

from apps.backoffice.sar import rules
from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarMatter, SarRead
from apps.backoffice.sar.services import entries, filing_steps
from apps.backoffice.sar.services.filing_steps import (
    FilingNotAllowed,
    InvalidFiling,
    MatterChanged,
    StepInput,
)
from apps.compliance.screening.models import Screen
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.verification import verifier
from tests.review.people import NOON, OFFICER, SENIOR, person

pytestmark = pytest.mark.django_db
WHY = StepInput(rationale="A common name; the birth date differs.")


def filed(reference: str, on: str = "2026-11-20", **given: str) -> StepInput:
    return StepInput(
        reference=reference, on=on, **({"suspect": "YES", "amount": "9800 USD"} | given)
    )


@pytest.fixture
def samir() -> User:
    return person("samir", SENIOR)


def entry(ref: str = "abc", sanctions: bool = True, now: datetime = NOON) -> SarEntry:
    blocked = entries.BlockedOutcome(
        kind="screen", ref=ref, owner="account:1", party="Boris", sanctions=sanctions, risk_score=96
    )
    return entries.open_entry(blocked=blocked, now=now)


def step(
    of: SarEntry, action: str, by: User, said: StepInput = WHY, seen: int = 0, **more: Any
) -> Any:
    values = {"now": NOON} | more
    return filing_steps.record_filing_step(
        entry_id=of.pk, action=action, seen=seen, said=said, by=by, **values
    )


def test_its_ledgers_are_its_own() -> None:
    kept = {
        name: model for name, model in ledger_models().items() if model._meta.app_label == "sar"
    }
    assert kept == {"sar": SarEntry, "sar_filings": FilingEvent, "sar_reads": SarRead}
    # logs, health and operators' pages name none of them
    assert all(model.CONFIDENTIAL for model in kept.values())
    assert str(entry()) == "screen abc"


def test_an_outcome_is_entered_once() -> None:
    entry()
    SarEntry.write(payload={}, now=NOON, kind="payment", ref="abc")
    with pytest.raises(IntegrityError), transaction.atomic():
        entry()
    assert SarMatter.objects.count() == SarEntry.objects.count() == 2


def test_who_is_in_the_log_is_in_the_payload_alone() -> None:
    assert set(entry().envelope()) == {"id", "recorded_at", "kind", "ref"}


def test_a_party_is_found_by_a_key_that_no_database_holds(settings: Any) -> None:
    settings.LEDGER_KEYS = f"one:{'a1' * 32}"
    one, twin = entry(), entry("twin")
    key = one.matter.party_key
    assert key == twin.matter.party_key and list(verify_matters(lambda done: None)) == []
    known = [one.data["owner"], "name", "boris"]
    assert key not in (canonical_digest(known), canonical_digest([*known, "screen abc"]))
    settings.LEDGER_KEYS = f"two:{'b2' * 32}"
    assert one.party_key() != key


def test_a_purge_takes_the_party_along_and_leaves_the_others_together() -> None:
    one, twin, third = entry(), entry("twin"), entry("third")
    sealer.seal_all_ledgers(now=NOON)
    given: dict[str, Any] = {"reason": PurgeReason.ERASURE, "by": "dpo", "now": NOON, "why": "7/26"}
    assert retention.purge_payload(ledger="sar", record_id=one.pk, **given)
    gone, *others = (SarMatter.objects.get(entry=found) for found in (one, twin, third))
    assert others[0].party_key == others[1].party_key == third.party_key() != gone.party_key
    # what is left is of the record, whoever the party was
    assert gone.party_key == SarEntry(kind="screen", ref="abc").party_key()
    assert list(verify_matters(lambda done: None)) == []


def test_it_can_be_looked_at_and_filed_and_nothing_else() -> None:
    known = set(
        Permission.objects.filter(content_type__app_label="sar").values_list("codename", flat=True)
    )
    assert known == {"view_sarentry", "file_sarentry", "view_filingevent", "view_sarread"}


def test_an_entry_and_its_clocks_begin_together() -> None:
    matter = entry().matter
    assert (matter.next_by, matter.next_clock) == (date(2026, 12, 7), "OFAC-1")
    plain = entry("country", sanctions=False).matter
    assert (plain.next_by, plain.next_clock) == (date(2026, 12, 20), "SAR-1")
    assert list(SarMatter.objects.pending()) == [matter, plain]


def test_decisions_are_ledger_events_and_move_the_clocks(samir: User) -> None:
    sar_entry = entry()
    made = step(sar_entry, "FILED", samir, filed(" BSA-2026-17 "))
    assert made.data == {"reference": "BSA-2026-17", "rationale": "", "suspect": "YES"}
    assert (made.by, made.recorded_at, made.number, made.on) == (samir, NOON, 1, NOON.date())
    step(sar_entry, "OFAC_NONE", samir, seen=1)
    sar_entry.matter.refresh_from_db()
    assert (sar_entry.matter.next_by, sar_entry.matter.next_clock) == (date(2027, 3, 20), "SAR-2")
    why = StepInput(rationale=WHY.rationale, on="2027-02-18")
    step(sar_entry, "ENDED", samir, why, seen=2, now=NOON + timedelta(days=90))
    sar_entry.matter.refresh_from_db()
    assert (sar_entry.matter.steps, sar_entry.matter.next_by) == (3, None)
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="sar_filings").sealed == 3
    assert not LogEntry.objects.exists()


def test_two_officers_cannot_record_from_the_same_page(samir: User) -> None:
    one, sofia = entry(), person("sofia", SENIOR)
    step(one, "NOT_FILED", samir)
    with pytest.raises(MatterChanged):
        step(one, "FILED", sofia, filed("31000000000001"))
    assert FilingEvent.objects.count() == 1


def test_what_cannot_be_recorded_now_is_refused(samir: User) -> None:
    sar_entry = entry(sanctions=False)
    for action in ("ENDED", "OFAC_NONE", "ANNUAL", "RELEASED"):
        with pytest.raises(MatterChanged):
            step(sar_entry, action, samir, StepInput("ref", "a rationale that is long"))
    with pytest.raises(InvalidFiling):
        step(sar_entry, "SHREDDED", samir)
    with pytest.raises(InvalidFiling, match="10 characters"):
        step(sar_entry, "NOT_FILED", samir, StepInput(rationale="too short"))
    assert not FilingEvent.objects.exists()


def test_only_who_may_file_files() -> None:
    sar_entry = entry()
    gone = person("gone", SENIOR)
    gone.is_active = False
    for who in (person("olivia", OFFICER), gone):
        with pytest.raises(FilingNotAllowed):
            step(sar_entry, "NOT_FILED", who)


def test_an_entry_from_before_midnight_counts_from_its_own_day() -> None:
    late = entry(sanctions=False, now=datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)).matter
    early = entry("b", sanctions=False, now=datetime(2026, 11, 21, tzinfo=UTC)).matter
    assert (late.next_by, early.next_by) == (date(2026, 12, 20), date(2026, 12, 21))


EVENING = datetime(2026, 11, 19, 2, tzinfo=UTC)  # 18 November, 21:00 in New York


def test_clocks_count_from_the_day_where_the_desk_is(samir: User, settings: Any) -> None:
    settings.DESK_TIME_ZONE = "America/New_York"
    sar_entry = entry(now=EVENING)
    clocks = rules.list_running_clocks(sar_entry.matter.opened())
    assert {clock.ref: clock.by for clock in clocks} == {
        "SAR-1": date(2026, 12, 18),
        "OFAC-1": date(2026, 12, 3),
    }
    assert (sar_entry.matter.next_by, sar_entry.data["zone"]) == (
        date(2026, 12, 3),
        "America/New_York",
    )
    step(sar_entry, "OFAC_NONE", samir, now=EVENING)
    step(sar_entry, "FILED", samir, filed("31000000000001", on="2026-11-18"), seen=1, now=EVENING)
    sar_entry.matter.refresh_from_db()
    assert sar_entry.matter.next_by == date(2027, 3, 18)  # 120 days after the 18th
    assert list(verify_matters(lambda done: None)) == []


def test_a_desk_that_moves_leaves_the_clocks_that_run(samir: User, settings: Any) -> None:
    settings.DESK_TIME_ZONE = "America/New_York"
    entry(now=EVENING)
    settings.DESK_TIME_ZONE = "Asia/Tokyo"
    assert list(verify_matters(lambda done: None)) == []
    SarMatter.objects.update(zone="Asia/Tokyo")
    assert any("zone is Asia/Tokyo" in fault for fault in verify_matters(lambda done: None))


def test_a_rejected_payment_is_recorded_where_a_country_alone_blocked(samir: User) -> None:
    sar_entry = entry(sanctions=False)
    step(sar_entry, "OFAC_REJECTED", samir, filed("OFAC-REJ-1"))
    sar_entry.matter.refresh_from_db()
    assert sar_entry.matter.next_clock == "SAR-1"
    assert list(verify_matters(lambda done: None)) == []


def test_a_matter_is_late_the_day_after_its_last_day() -> None:
    matter = entry(sanctions=False).matter
    assert not SarMatter.objects.late(date(2026, 12, 20)).exists()
    assert list(SarMatter.objects.late(date(2026, 12, 21))) == [matter]


def test_where_it_stands_can_be_made_anew_from_the_ledger(samir: User) -> None:
    sar_entry = entry()
    step(sar_entry, "OFAC_BLOCKED", samir, filed("OFAC-9"))
    stands = sar_entry.matter.after(list(sar_entry.filings.order_by("number")))
    assert stands.ofac == "BLOCKED" and stands.sanctions
    fresh = SarMatter.objects.get(pk=sar_entry.pk)
    assert fresh.next_by == date(2026, 12, 20)


def gone(ledger: str, now: datetime) -> bool:
    return bool(list(retention.find_expired_records(ledger=ledger, now=now)))


def test_what_is_known_of_blocked_property_stays_until_ten_years_after_its_release(
    samir: User,
) -> None:
    ref = uuid.uuid4()
    Screen.write(payload={"a": 1}, now=NOON, screen_id=ref, owner="account:1", decision="BLOCKED",
                 risk_score=96, rules_version="1", lists="x", sample=False)  # fmt: skip
    one, later = entry(str(ref)), NOON.replace(year=2037)
    sealer.seal_all_ledgers(now=NOON)
    assert gone("sar", later) and gone("screens", later)
    step(one, "OFAC_BLOCKED", samir, filed("OFAC-9"))
    sealer.seal_all_ledgers(now=NOON)
    assert not any(gone(ledger, later) for ledger in ("sar", "sar_filings", "screens"))
    released = filed("L-1", on="2030-11-20")
    step(one, "RELEASED", samir, released, seen=1, now=NOON.replace(year=2030))
    assert not any(gone(ledger, NOON.replace(year=2040)) for ledger in ("sar", "screens"))
    after = NOON.replace(year=2040) + timedelta(seconds=1)
    assert all(gone(ledger, after) for ledger in ("sar", "sar_filings", "screens"))


def test_an_erasure_of_what_is_known_of_blocked_property_asks_for_its_order(samir: User) -> None:
    ref = uuid.uuid4()
    screen = Screen.write(
        payload={"a": 1}, now=NOON, screen_id=ref, owner="account:1", decision="BLOCKED",
        risk_score=96, rules_version="1", lists="x", sample=False,
    )  # fmt: skip
    one, later = entry(str(ref)), NOON.replace(year=2037)
    step(one, "OFAC_BLOCKED", samir, filed("OFAC-9"))
    sealer.seal_all_ledgers(now=NOON)
    given: dict[str, Any] = {"reason": PurgeReason.ERASURE, "by": "dpo", "now": later}
    for ledger, record in (("sar", one.pk), ("screens", screen.pk)):
        with pytest.raises(retention.KeptByLaw):
            retention.purge_payload(ledger=ledger, record_id=record, **given)
        assert retention.purge_payload(
            ledger=ledger, record_id=record, why="Court order 7", **given
        )
