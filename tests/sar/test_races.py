"""Several officers at the same entry, at once: one step is recorded."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from apps.backoffice.oversight.models import Sample, SecondLook
from apps.backoffice.oversight.services import second_looks
from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarMatter, SarParty
from apps.backoffice.sar.services import filing_steps
from tests.review.people import NOON, NOTE, OFFICER, SENIOR, approve, case, person
from tests.sar.matters import matter

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 4


def at_once(work: Any, refusal: type[Exception]) -> list[bool]:
    """Run `work(number)` in several threads; True for each that was not refused."""

    def run(number: int) -> bool:
        try:
            work(number)
        except refusal:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(MANY) as pool:
        return list(pool.map(run, range(MANY)))


def test_one_filing_decision_is_recorded_of_many_at_once() -> None:
    entry = SarEntry.write(payload={}, now=NOON, kind="screen", ref="1")
    officers = [person(f"senior{number}", SENIOR) for number in range(MANY)]

    def record(number: int) -> None:
        filing_steps.record_filing_step(
            entry_id=entry.pk, action="NOT_FILED", seen=0, by=officers[number], now=NOON,
            said=filing_steps.StepInput(rationale=NOTE),
        )  # fmt: skip

    assert sum(at_once(record, filing_steps.MatterChanged)) == 1
    assert FilingEvent.objects.count() == SarMatter.objects.get().steps == 1


def test_matters_of_one_party_at_once_leave_one_row_that_is_as_they_are() -> None:
    first = matter("first", ago=40, sanctions=False)
    by = person("senior", SENIOR)

    def work(number: int) -> None:
        if number:
            matter(str(number), ago=number)
        else:
            step_input = filing_steps.StepInput(rationale=NOTE)
            given = {"action": "NOT_FILED", "seen": 0, "said": step_input, "by": by, "now": NOON}
            filing_steps.record_filing_step(entry_id=first.pk, **given)

    assert sum(at_once(work, filing_steps.MatterChanged)) == MANY
    assert list(verify_matters(lambda done: None)) == []
    assert SarParty.objects.count() == 1 and SarMatter.objects.count() == MANY


def test_one_second_look_is_recorded_of_many_at_once() -> None:
    first = person("first", SENIOR)
    sample = Sample.objects.create(
        case=approve(case(evidence={}), first), month="2026-10", risk="MEDIUM", first_by=first,
        sampled_at=NOON,
    )  # fmt: skip
    officers = [person(f"officer{number}", OFFICER) for number in range(MANY)]

    own = {"sample": sample, "outcome": "APPROVE", "reason_code": "NAME_ONLY", "note": NOTE}
    for officer in officers:
        second_looks.record_blind_verdict(by=officer, now=NOON, **own)

    def look(number: int) -> None:
        second_looks.record_second_look(
            sample=sample, by=officers[number], verdict="AGREE", note=NOTE, now=NOON
        )

    assert sum(at_once(look, second_looks.AlreadyReviewed)) == 1
    assert SecondLook.objects.exclude(verdict="BLIND").count() == 1
