"""Completing ownership chains and refreshing the LEIs in use, against a GLEIF on loopback."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from apps.reference.lei import tasks
from apps.reference.lei.clients import gleif as client
from apps.reference.lei.models import LeiRecord, LeiUse, Relationship
from apps.reference.lei.services import lookups
from tests.lei import fake_gleif, golden_copy_files

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
A, B, C = (golden_copy_files.lei(number) for number in range(1, 4))


def owned(gleif, child, parent, kind="direct"):
    code = golden_copy_files.DIRECT if kind == "direct" else golden_copy_files.ULTIMATE
    path = f"lei-records/{child}/{kind}-parent-relationship"
    gleif.answers[path] = fake_gleif.relationship(child, parent, code)


def exempt(gleif, lei, reason="NO_KNOWN_PERSON"):
    for kind, category in (
        ("direct", golden_copy_files.NO_DIRECT),
        ("ultimate", golden_copy_files.NO_ULTIMATE),
    ):
        path = f"lei-records/{lei}/{kind}-parent-reporting-exception"
        gleif.answers[path] = fake_gleif.exception(lei, category, reason)


def run_all():
    """Run the planned jobs until none is left, as a worker would."""
    done = []
    while (job := Job.objects.order_by("pk").first()) is not None:
        done.append(job.key)
        job.delete()
        tasks.complete_chain(done[-1], NOON)
    return done


def test_a_chain_is_completed_up_to_its_top(gleif):
    gleif.add(fake_gleif.record(A, "A Ltd", direct="relationship", ultimate="relationship"))
    gleif.add(fake_gleif.record(B, "B Ltd", direct="relationship"))
    gleif.add(fake_gleif.record(C, "C Ltd", direct="exception", ultimate="exception"))
    owned(gleif, A, B)
    owned(gleif, A, C, "ultimate")
    owned(gleif, B, C)
    exempt(gleif, C)
    lookups.look_up_lei(lei=A, now=NOON)
    assert sorted(run_all()) == sorted([A, B, C])
    owner_chain = lookups.load_owner_chain(lei=A, now=NOON, deep=True)
    assert [(node.role, node.name) for node in owner_chain.nodes] == [
        ("SUBJECT", "A Ltd"),
        ("DIRECT_PARENT", "B Ltd"),
        ("ULTIMATE_PARENT", "C Ltd"),
    ]
    assert owner_chain.gaps == ()
    assert Job.objects.count() == 0


def test_running_it_twice_keeps_one_statement(gleif):
    gleif.add(fake_gleif.record(A, direct="relationship"))
    owned(gleif, A, B)
    tasks.complete_chain(A, NOON)
    tasks.complete_chain(A, NOON)
    assert Relationship.objects.count() == 1


def test_owners_in_a_circle_are_asked_once_each(gleif):
    for child, parent in ((A, B), (B, A)):
        gleif.add(fake_gleif.record(child, direct="relationship"))
        owned(gleif, child, parent)
    tasks.complete_chain(A, NOON)
    assert run_all() == [B]


def test_a_failing_gleif_fails_the_job_so_that_it_is_retried(gleif):
    gleif.status = 500
    with pytest.raises(client.NoAnswer):
        tasks.complete_chain(A, NOON)


def test_an_lei_that_is_gone_is_noted(gleif):
    tasks.complete_chain(A, NOON)
    assert LeiUse.objects.get(lei=A).missing_at == NOON


def test_without_gleif_jobs_do_nothing(settings):
    settings.GLEIF_URL = ""
    tasks.complete_chain(A, NOON)
    tasks.refresh_in_use("", NOON)
    assert LeiUse.objects.count() == 0


def use(lei, hours=None, days=0):
    refreshed = NOON - timedelta(hours=hours) if hours is not None else None
    used = (NOON - timedelta(days=days)).date()
    LeiUse.objects.create(lei=lei, used_on=used, refreshed_at=refreshed)


def test_leis_in_use_are_refreshed_by_one_call_per_hundred(gleif):
    leis = [golden_copy_files.lei(number) for number in range(150)]
    for lei in leis[:149]:
        gleif.add(fake_gleif.record(lei))
    for lei in leis:
        use(lei)
    tasks.refresh_in_use("", NOON)
    assert gleif.asked == ["lei-records", "lei-records"]
    assert LeiRecord.objects.count() == 149
    assert LeiUse.objects.get(lei=leis[149]).missing_at == NOON
    tasks.refresh_in_use("", NOON)
    assert len(gleif.asked) == 2


@pytest.mark.parametrize(
    ("hours", "days", "asked"), [(21, 0, 1), (20, 0, 1), (19, 0, 0), (None, 365, 1), (None, 366, 0)]
)
def test_only_what_is_used_and_a_day_old_is_refreshed(gleif, hours, days, asked):
    use(A, hours, days)
    tasks.refresh_in_use("", NOON)
    assert len(gleif.asked) == asked


def test_many_leis_are_refreshed_in_slices(gleif, monkeypatch):
    monkeypatch.setattr(tasks, "SLICE", 2)
    for number in range(3):
        use(golden_copy_files.lei(number))
    with pytest.raises(RetryLater) as again:
        tasks.refresh_in_use("", NOON)
    assert again.value.eta == NOON + tasks.PAUSE
    assert LeiUse.objects.exclude(refreshed_at=None).count() == 2
    tasks.refresh_in_use("", NOON)
    assert LeiUse.objects.filter(refreshed_at=None).count() == 0


def test_a_slow_gleif_ends_the_slice_and_the_rest_comes_later(gleif, monkeypatch):
    for lei in (A, B, C):
        gleif.add(fake_gleif.record(lei))
        LeiUse.objects.create(lei=lei, used_on=NOON.date())
    clock = iter([0.0, 0.0, 180.0, 180.1])
    monkeypatch.setattr(tasks, "monotonic", lambda: next(clock))
    monkeypatch.setattr(tasks.gleif, "LEIS_A_CALL", 1)
    with pytest.raises(RetryLater) as later:
        tasks.refresh_in_use("", NOON)
    assert len(gleif.asked) == 2 and later.value.eta == NOON + timedelta(seconds=240)
