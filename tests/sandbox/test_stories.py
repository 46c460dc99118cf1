"""What a seeded desk shows besides its month: one of everything, done as people would do it."""

import io
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from apps.access.keys import usage_integrity
from apps.access.keys.models import Account, UsageCount
from apps.backoffice.review.models import BulkClear, Case, KnownFalsePositive, KnownState, Status
from apps.backoffice.review.rules.note_templates import GAP
from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import FilingEvent, SarMatter
from apps.backoffice.sar.rules import list_running_clocks
from apps.entry.sandbox import sample_usage, stories
from apps.entry.sandbox.seed import seed_desk
from apps.platform.common.country_names import country_name
from apps.platform.jobs.models import Job, JobAttempt, JobState
from apps.platform.ledger.verification import verifier
from apps.reference.countries.models import CountryChange
from apps.reference.watchlists.models import SourceChange
from config.prices import UNITS
from tests.review.people import NOON, OFFICER, SENIOR, person
from tests.screening.conftest import sample  # noqa: F401

OPERATOR = "Operator"


@pytest.fixture
def staff(db: Any) -> None:
    person("olivia", OFFICER)
    person("otto", OPERATOR)
    for name in ("samir", "sofia"):
        person(name, SENIOR)


@pytest.fixture
def told(staff: None, sample: None) -> Counter[str]:  # noqa: F811
    call_command("load_sample_lei", stdout=io.StringIO())
    return seed_desk(now=NOON, cases=8, seed=5, stories=stories.plan_stories)


def stands(party: str) -> list[tuple[str, list[str]]]:
    """Return the clocks and the steps of a party's matters, the oldest first."""
    found = []
    for matter in SarMatter.objects.select_related("entry").order_by("pk"):
        events = list(FilingEvent.objects.filter(entry=matter.entry).order_by("number"))
        if matter.entry.data["party"] == party and matter.entry.data["facts"]["reference"]:
            running = ",".join(clock.ref for clock in list_running_clocks(matter.after(events)))
            found.append((running, [event.action for event in events]))
    return found


def test_there_is_a_matter_in_each_state(told: Counter[str]) -> None:
    assert stands("Hiden Cobra Ltd") == [("OFAC-1,SAR-1", [])]
    assert stands("Guardians of Peece Ltd") == [("SAR-2", ["TO_FILE", "OFAC_NONE", "FILED"])]
    assert stands("Thistledown Timber GmbH") == [("", ["NOT_FILED"])]
    assert stands("Korea Kwangsong Banking Corp") == [("SAR-1,OFAC-2", ["TO_FILE", "OFAC_BLOCKED"])]
    review, fresh = stands("World Islamik Front")
    assert review == ("SAR-2", ["OFAC_NONE", "FILED"]) and fresh[1] == []
    assert stands("Wagner Groupe") == [("", ["OFAC_REJECTED", "FILED", "ENDED"])]
    [past_due] = SarMatter.objects.late(NOON.date())
    assert past_due.entry.data["party"] == "Quillan Instruments AB"
    assert told["left out"] == 0 and list(verify_matters(lambda done: None)) == []


def test_filings_name_an_earlier_day_than_that_of_their_record(told: Counter[str]) -> None:
    event = FilingEvent.objects.get(action="OFAC_BLOCKED")
    assert event.on == (NOON - timedelta(days=10)).date() < event.recorded_at.date()


def test_owners_wait_in_the_queue_and_others_for_a_second_person(told: Counter[str]) -> None:
    opened = set(Case.objects.filter(status=Status.OPEN).values_list("party", flat=True))
    assert {"PUMA SE", "NFA INTERNATIONAL"} <= opened
    assert Case.objects.filter(bulk=BulkClear.objects.get(), status="AWAITING_SECOND").count() == 3
    assert Case.objects.filter(party="Haverlund Marine Parts AB").get().escalation == "OFFICER"
    assert Case.objects.get(party="Ottilie Brackwell", reference="PAY-5").snoozed_until > NOON
    assert CountryChange.objects.get().state == CountryChange.State.PROPOSED
    assert SourceChange.objects.get().state == SourceChange.State.PROPOSED
    states = dict(KnownFalsePositive.objects.values_list("party", "state"))
    assert states["Wagner Group Travel"] == KnownState.IN_FORCE
    assert states["Garantex Optics"] == KnownState.PROPOSED


def test_notes_say_what_the_case_shows_and_are_finished(told: Counter[str]) -> None:
    notes = [
        (case, event.data["note"])
        for case in Case.objects.exclude(status=Status.OPEN)
        for event in case.events.filter(action__in=("DECIDED", "PROPOSED"))
    ]
    assert notes and not any(note.endswith(GAP) for _, note in notes)
    country = [(c, n) for c, n in notes if "Enhanced due diligence done:" in n]
    assert all(country_name(case.country) in note for case, note in country)


def test_every_ledger_of_it_verifies(told: Counter[str]) -> None:
    for ledger in ("sar", "sar_filings", "decisions", "screens"):
        assert verifier.verify_ledger(ledger=ledger).faults == []


def test_a_year_of_usage_and_a_failed_job_are_made_once(staff: None) -> None:
    Account.objects.create(name="Demo Treasury", created_at=NOON)
    for again in (False, True):
        assert bool(sample_usage.seed_usage(now=NOON)) is not again
        assert sample_usage.seed_failed_job(now=NOON) is not again
    assert UsageCount.objects.values("month").distinct().count() == sample_usage.MONTHS
    assert not UsageCount.objects.filter(month__gte="2026-11").exists()
    assert list(usage_integrity.verify_usage_counts(lambda _: None)) == []
    UsageCount.objects.filter(month="2026-10").delete()
    assert len(list(usage_integrity.verify_usage_counts(lambda _: None))) == len(UNITS)
    job = Job.objects.get()
    assert job.state == JobState.FAILED and "deadline" in job.last_error
    assert JobAttempt.objects.filter(job=job).count() == job.failures > 1
    assert job.created_at < job.finished_at < NOON
