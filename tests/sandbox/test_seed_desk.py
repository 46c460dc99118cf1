"""A seeded sandbox: believable work in every state, the same for the same seed, never for real."""

import io
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.core import sealing
from apps.core.ledger import ledgers
from apps.oversight.models import Sample
from apps.review.models import Case
from apps.sandbox import people
from apps.sandbox.actions import NotASandbox
from apps.sandbox.seed import seed_desk
from apps.sar.models import SarEntry
from apps.screening.kinds import SCREEN
from apps.watchlists import engine
from tests.review.people import NOON, OFFICER, SENIOR, person
from tests.screening.conftest import sample  # noqa: F401

CASES = 50


@pytest.fixture
def staff(db: Any) -> None:
    person("olivia", OFFICER)
    for name in ("samir", "sofia"):
        person(name, SENIOR)


def work() -> list[tuple[Any, ...]]:
    names = ("party", "country", "amount", "opened_at", "status", "outcome", "first_by__username")
    return list(Case.objects.order_by("pk").values_list(*names))


@pytest.fixture
def month(staff: None, sample: None) -> Counter[str]:  # noqa: F811
    return seed_desk(now=NOON, cases=CASES, seed=5)


def test_a_month_of_work_has_every_state(month: Counter[str]) -> None:
    assert Case.objects.count() == month["cases"] == CASES
    states = Counter(Case.objects.values_list("status", flat=True))
    assert states["DECIDED"] > states["OPEN"] > 0
    assert states["DECIDED"] == month["decided"]
    assert Case.objects.late(NOON).exists()
    assert {"HIGH", "MEDIUM"} <= set(Case.objects.values_list("risk", flat=True))
    assert SarEntry.objects.count() == month["blocked"] > 0
    assert Sample.objects.filter(month="2026-10").count() == month["samples"] > 0
    assert not Case.objects.exclude(opened_at__range=(NOON - timedelta(days=30), NOON)).exists()


def test_every_ledger_of_it_verifies(month: Counter[str]) -> None:
    for ledger in ledgers():
        report = sealing.verify(ledger=ledger)
        assert (report.faults, report.unsealed) == ([], 0), ledger


def test_the_same_seed_makes_the_same_work(staff: None, sample: None) -> None:  # noqa: F811
    runs = []
    for seed in (3, 3, 4):
        before = Case.objects.count()
        seed_desk(now=NOON, cases=15, seed=seed)
        runs.append([row[:4] for row in work()[before:]])
    assert runs[0] == runs[1] != runs[2]


def test_steps_are_recorded_in_the_order_of_their_moments(month: Counter[str]) -> None:
    from apps.review.models import DecisionEvent

    moments = list(
        DecisionEvent.objects.exclude(by=None).order_by("pk").values_list("recorded_at", flat=True)
    )
    assert moments == sorted(moments) and moments[-1] <= NOON


def test_production_gets_no_work_made_up(staff: None, settings: Any) -> None:
    settings.PRODUCTION = True
    with pytest.raises(NotASandbox):
        seed_desk(now=NOON, cases=1, seed=1)
    with pytest.raises(CommandError, match="production"):
        call_command("seed_desk")
    assert not Case.objects.exists()


def test_the_command_shows_progress_and_does_not_add_unasked(
    staff: None,
    sample: None,  # noqa: F811
) -> None:
    out, progress = io.StringIO(), io.StringIO()
    call_command("seed_desk", cases=3, stdout=out, stderr=progress)
    assert "3 of 3 cases" in progress.getvalue() and "3 cases" in out.getvalue()
    with pytest.raises(CommandError, match="--more"):
        call_command("seed_desk")
    call_command("seed_desk", cases=2, more=True, stdout=out, stderr=progress)
    assert Case.objects.count() == 5
    assert Case.objects.filter(opened_at__lte=timezone.now()).count() == 5


def test_a_sandbox_without_people_is_told_what_to_run(sample: None) -> None:  # noqa: F811
    with pytest.raises(CommandError, match="setup_sandbox"):
        call_command("seed_desk", stderr=io.StringIO())


def test_a_sandbox_without_lists_is_told_what_to_run(staff: None) -> None:
    engine.forget()
    with pytest.raises(CommandError, match="build_index"):
        call_command("seed_desk", stderr=io.StringIO())
    assert not Case.objects.exists()


@pytest.mark.parametrize("outcome", people.NOTES)
def test_what_officers_write_fits_the_reasons_that_there_are(outcome: str) -> None:
    codes = {reason.code for reason in SCREEN.reasons[outcome]}
    assert {code for code, _ in people.NOTES[outcome]} <= codes
    assert all(len(note) >= 10 for _, note in people.NOTES[outcome])
