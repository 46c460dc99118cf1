"""Steps that correct earlier ones: nothing is rewritten, and all follows what is right."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.sar import rules
from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarParty
from apps.backoffice.sar.rules import (
    CORRECTED,
    DETECTION,
    ForeignCorrection,
    MatterRecord,
    build_new_matter,
    list_running_clocks,
    replay_records,
)
from apps.backoffice.sar.services.corrections import RecordOfOtherMatter, correct_filing_step
from apps.backoffice.sar.services.filing_steps import (
    FilingNotAllowed,
    InvalidFiling,
    MatterChanged,
    StepInput,
    record_filing_step,
)
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.verification import verifier
from tests.review.people import NOON, OFFICER, SENIOR, person
from tests.sar.matters import matter
from tests.sar.test_races import at_once

DAY = date(2026, 10, 1)
WHY = "The acknowledgement names another day."
PLAIN = build_new_matter(detected=DAY, sanctions=False)


def days(number: int) -> date:
    return DAY + timedelta(days=number)


def step(number: int, action: str, day: int) -> MatterRecord:
    return MatterRecord(number, action, days(day))


def right(number: int, of: int, day: int | None = None) -> MatterRecord:
    """A correction of `of`, recorded on the ninetieth day: of a day, or of something else."""
    return MatterRecord(number, CORRECTED, days(90), None if day is None else days(day), of)


def due(matter: rules.Matter) -> dict[str, date]:
    return {clock.ref: clock.by for clock in list_running_clocks(matter)}


# --- what stands ----------------------------------------------------------------------


def test_clocks_follow_the_corrected_day_of_a_filing() -> None:
    filed = step(1, "FILED", 20)
    assert due(replay_records(PLAIN, [filed])) == {"SAR-2": days(140)}
    assert due(replay_records(PLAIN, [filed, right(2, 1, 25)])) == {"SAR-2": days(145)}
    # of its reference
    assert due(replay_records(PLAIN, [filed, right(2, 1)])) == {"SAR-2": days(140)}


def test_clocks_follow_the_corrected_day_of_detection() -> None:
    found = replay_records(
        build_new_matter(detected=DAY, sanctions=True), [right(1, DETECTION, -2)]
    )
    assert found.detected == days(-2)
    # ten business days from 29 September; Columbus Day lies between
    assert due(found) == {"SAR-1": days(28), "OFAC-1": date(2026, 10, 14)}


@pytest.mark.parametrize(
    ("action", "clock", "before", "after"),
    [
        ("REFERRED", "SAR-1", date(2026, 12, 31), date(2026, 12, 17)),
        ("MATCHED", "OFAC-1", date(2026, 12, 15), date(2026, 12, 2)),  # Thanksgiving lies between
    ],
)
def test_clocks_follow_the_corrected_day_of_what_began_them(
    action: str, clock: str, before: date, after: date
) -> None:
    steps = [step(1, "NOT_FILED", 5), step(2, action, 61)]
    assert due(replay_records(PLAIN, steps))[clock] == before
    assert due(replay_records(PLAIN, [*steps, right(3, 2, 47)]))[clock] == after


def test_a_correction_of_a_correction_stands_instead() -> None:
    records = [step(1, "FILED", 20), right(2, 1, 25), right(3, 2, 22), right(4, 3)]
    assert replay_records(PLAIN, records).filed == days(22)
    assert rules.find_latest_records(records) == {DETECTION: DETECTION, 1: 4}
    assert replay_records(PLAIN, [right(1, DETECTION, -5), right(2, 1, -3)]).detected == days(-3)


def test_each_step_is_corrected_for_itself() -> None:
    records = [step(1, "FILED", 20), step(2, "FILED", 40), right(3, 1, 25), right(4, 2, 50)]
    assert replay_records(PLAIN, records).filed == days(50)
    assert replay_records(PLAIN, records, until=2).filed == days(25)
    assert replay_records(PLAIN, records, until=DETECTION) == PLAIN


@pytest.mark.parametrize("wrong", [right(2, 7, 1), right(2, 2, 1), right(2, 3, 1)])
def test_a_correction_is_of_an_earlier_record_of_its_matter(wrong: MatterRecord) -> None:
    with pytest.raises(ForeignCorrection):
        replay_records(PLAIN, [step(1, "FILED", 20), wrong, step(3, "FILED", 30)])


ACTIONS = st.sampled_from(sorted(rules.BY_ACTION))


@given(st.lists(st.tuples(ACTIONS, st.integers(0, 400)), min_size=1, max_size=6), st.data())
def test_a_matter_stands_as_if_the_right_day_had_been_recorded(
    recorded: list[tuple[str, int]], data: Any
) -> None:
    records = [step(number, *told) for number, told in enumerate(recorded, 1)]
    which, day = data.draw(st.integers(0, len(records))), data.draw(st.integers(-50, 400))
    corrected = replay_records(PLAIN, [*records, right(99, which, day)])
    if which == DETECTION:
        as_if = replay_records(replace(PLAIN, detected=days(day)), records)
    else:
        records[which - 1] = replace(records[which - 1], day=days(day))
        as_if = replay_records(PLAIN, records)
    assert corrected == as_if


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (right(9, DETECTION, 21), "“SAR filed” of 21 Oct 2026 would then lie before 22 Oct 2026"),
        (right(9, DETECTION, 20), ""),
        (right(9, 1, 61), "“SAR filed” of 30 Nov 2026 would then lie before 01 Dec 2026"),
        (right(9, 1, 60), ""),
        # a review before the law's first day is one all the same; before its filing it is none
        (right(9, 2, 149), ""),
        (right(9, 2, 151), "“Reviewed: the activity does not go on” of 28 Feb 2027"),
    ],
)
def test_a_step_cannot_come_to_lie_before_what_it_rests_on(made: MatterRecord, told: str) -> None:
    records = [step(1, "FILED", 20), step(2, "FILED", 60), step(3, "ENDED", 150)]
    misplaced_step = rules.find_misplaced_step(PLAIN, [*records, made])
    assert misplaced_step.startswith(told) if told else misplaced_step == ""


# --- what is recorded -----------------------------------------------------------------


@pytest.fixture
def samir(db: Any) -> User:
    return person("samir", SENIOR)


FILED = StepInput(on="2026-11-13", reference="31000123456731", suspect="YES")


def record(of: SarEntry, action: str, by: User, said: StepInput, **more: Any) -> FilingEvent:
    seen = of.filings.count()
    values = {"action": action, "seen": seen, "said": said, "by": by, "now": NOON} | more
    return record_filing_step(entry_id=of.pk, **values)


def correct(of: SarEntry, what: FilingEvent | None, by: User, said: StepInput, **more: Any) -> Any:
    seen, corrects = of.filings.count(), what.pk if what else DETECTION
    values = {"corrects": corrects, "seen": seen, "why": WHY, "now": NOON} | more
    return correct_filing_step(entry_id=of.pk, said=said, by=by, **values)


def sound() -> bool:
    return list(verify_matters(lambda done: None)) == []


def test_a_filing_of_a_wrong_day_is_corrected_and_its_record_stays_as_it_was(samir: User) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    filed = record(sar_entry, "FILED", samir, FILED)
    filing_event = FilingEvent.objects.filter(pk=filed.pk).values().get()
    made = correct(sar_entry, filed, samir, replace(FILED, on="2026-11-17"))
    assert (made.number, made.action, made.corrects_id, made.by) == (2, CORRECTED, filed.pk, samir)
    assert (made.on, made.data) == (date(2026, 11, 17), {"rationale": WHY, "values": {}})
    assert FilingEvent.objects.filter(pk=filed.pk).values().get() == filing_event
    sar_entry.matter.refresh_from_db()
    assert (sar_entry.matter.next_by, sar_entry.matter.steps) == (date(2027, 3, 17), 2) and sound()
    assert SarParty.objects.get().next_by == date(2027, 3, 17)
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="sar_filings").sealed == 2


def test_the_day_of_detection_is_corrected_without_any_step(samir: User) -> None:
    sar_entry = matter(ago=5)
    made = correct(sar_entry, None, samir, StepInput(on="2026-11-10"))
    sar_entry.matter.refresh_from_db()
    assert made.corrects_id is None and sar_entry.matter.next_by == date(2026, 11, 25)
    again = correct(sar_entry, made, samir, StepInput(on="2026-11-12"))
    sar_entry.matter.refresh_from_db()
    assert again.corrects == made and sar_entry.matter.next_by == date(2026, 11, 27) and sound()


def test_what_is_not_corrected_is_not_said_again(samir: User) -> None:
    sar_entry = matter(sanctions=False)
    step_input = StepInput(on="2026-11-20", reference="R-1", amount="9800 USD")
    report = record(sar_entry, "OFAC_BLOCKED", samir, step_input)
    made = correct(sar_entry, report, samir, replace(step_input, amount="9,900.00 usdc"))
    assert (made.on, made.data["values"]) == (None, {"amount": "9900.00 USDC"})
    again = correct(
        sar_entry, made, samir, StepInput(on="2026-11-20", reference="R-2", amount="9900 USDC")
    )
    assert again.data["values"] == {"reference": "R-2"} and sound()


@pytest.mark.parametrize(
    ("said", "why", "fields"),
    [
        ({}, WHY, []),
        ({"reference": " 31000123456731 "}, WHY, []),
        ({"on": "2026-11-21"}, WHY, ["on"]),
        ({"on": ""}, WHY, ["on"]),
        ({"on": "2026-10-10"}, WHY, ["on"]),
        ({"reference": "none"}, WHY, ["reference"]),
        ({"on": "2026-11-21", "suspect": "PERHAPS"}, "Too short", ["on", "suspect", "why"]),
        ({"on": "2026-11-14"}, "", ["why"]),
    ],
)
def test_a_correction_that_changes_nothing_or_to_what_is_wrong_is_refused(
    samir: User, said: dict[str, str], why: str, fields: list[str]
) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    filed = record(sar_entry, "FILED", samir, FILED)
    with pytest.raises(InvalidFiling) as refused:
        correct(sar_entry, filed, samir, replace(FILED, **said), why=why)
    assert [error["field"] for error in refused.value.errors] == fields
    assert fields or "This changes nothing" in refused.value.detail
    assert FilingEvent.objects.count() == 1 and sound()


def test_what_was_right_when_it_came_is_not_judged_again(samir: User) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    filed = record(sar_entry, "FILED", samir, FILED)
    with_other = StepInput(
        on="2026-11-14", reference="31000123456731", suspect="YES", rationale="short"
    )
    with pytest.raises(InvalidFiling):
        correct(sar_entry, filed, samir, with_other)
    assert correct(sar_entry, filed, samir, replace(with_other, rationale="")).data["values"] == {}


def test_a_record_of_another_matter_is_corrected_there(samir: User) -> None:
    one, other = matter("1", ago=40, sanctions=False), matter("2", ago=40, sanctions=False)
    filed = record(other, "FILED", samir, FILED)
    record(one, "FILED", samir, FILED)
    for corrects in (filed.pk, 10**6, -1):
        with pytest.raises(RecordOfOtherMatter, match="belongs to another matter"):
            correct(one, None, samir, replace(FILED, on="2026-11-14"), corrects=corrects)
    assert FilingEvent.objects.count() == 2 and sound()


def test_what_was_corrected_already_is_corrected_by_its_correction_alone(samir: User) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    filed = record(sar_entry, "FILED", samir, FILED)
    made = correct(sar_entry, filed, samir, replace(FILED, on="2026-11-14"))
    with pytest.raises(MatterChanged):
        correct(sar_entry, filed, samir, replace(FILED, on="2026-11-15"))
    with pytest.raises(MatterChanged):
        correct(sar_entry, made, samir, replace(FILED, on="2026-11-15"), seen=1)
    # back to what was recorded first is a change too
    assert correct(sar_entry, made, samir, FILED).on == date(2026, 11, 13) and sound()
    assert sar_entry.matter.after(list(sar_entry.filings.order_by("number"))).filed == date(
        2026, 11, 13
    )


def test_a_correction_that_would_put_a_step_before_what_it_rests_on_says_which(samir: User) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    record(sar_entry, "FILED", samir, FILED)
    with pytest.raises(
        InvalidFiling, match="“SAR filed” of 13 Nov 2026 would then lie before"
    ) as told:
        correct(sar_entry, None, samir, StepInput(on="2026-11-14"))
    assert [error["field"] for error in told.value.errors] == ["on"]


def test_only_who_may_file_corrects(samir: User) -> None:
    sar_entry = matter(ago=5)
    gone = person("gone", SENIOR)
    gone.is_active = False
    for who in (person("olivia", OFFICER), gone):
        with pytest.raises(FilingNotAllowed):
            correct(sar_entry, None, who, StepInput(on="2026-11-10"))


def test_the_database_itself_keeps_corrections_in_one_line(samir: User) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    filed = record(sar_entry, "FILED", samir, FILED)
    columns: dict[str, Any] = {"payload": {}, "now": NOON, "entry": sar_entry, "by": samir}
    with pytest.raises(IntegrityError), transaction.atomic():
        FilingEvent.write(action="FILED", number=2, corrects=filed, **columns)
    for number, corrects in ((2, filed), (3, None)):
        FilingEvent.write(action=CORRECTED, number=number, corrects=corrects, **columns)
        with pytest.raises(IntegrityError), transaction.atomic():
            FilingEvent.write(action=CORRECTED, number=9, corrects=corrects, **columns)


def test_a_correction_of_what_is_not_the_matters_is_found(samir: User) -> None:
    one, other = matter("1", ago=40, sanctions=False), matter("2", ago=40, sanctions=False)
    filed = record(other, "FILED", samir, FILED)
    columns = {"entry": one, "number": 1, "action": CORRECTED, "by": samir, "corrects": filed}
    made = FilingEvent.write(payload={}, now=NOON, **columns)
    fault = f"entry {one.pk}: record {made.pk} corrects a record of another matter"
    assert list(verify_matters(lambda done: None)) == [fault]


def test_a_release_that_was_corrected_keeps_its_records_for_ten_years_more(samir: User) -> None:
    sar_entry = matter()
    record(
        sar_entry,
        "OFAC_BLOCKED",
        samir,
        StepInput(on="2026-11-20", reference="R-1", amount="1 USD"),
    )
    step_input = StepInput(on="2030-11-20", reference="L-1")
    released = record(sar_entry, "RELEASED", samir, step_input, now=NOON.replace(year=2030))
    corrected = NOON.replace(year=2032)
    correct(sar_entry, released, samir, replace(step_input, on="2032-11-01"), now=corrected)
    sealer.seal_all_ledgers(now=corrected)
    for year, gone in ((2041, False), (2043, True)):
        expired_records = list(
            retention.find_expired_records(ledger="sar", now=NOON.replace(year=year))
        )
        assert bool(expired_records) is gone


@pytest.mark.django_db(transaction=True)
def test_one_correction_is_recorded_of_many_at_once() -> None:
    sar_entry = matter(ago=5)
    officers = [person(f"senior{number}", SENIOR) for number in range(4)]

    def work(number: int) -> None:
        step_input = StepInput(on=f"2026-11-1{number}")
        given = {"corrects": DETECTION, "seen": 0, "said": step_input, "why": WHY, "now": NOON}
        correct_filing_step(entry_id=sar_entry.pk, by=officers[number], **given)

    assert sum(at_once(work, MatterChanged)) == 1
    assert FilingEvent.objects.count() == 1 and sound()
