"""Health of the ledgers: cheap, and silent about what is confidential."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.oversight.models import ReadEvent
from apps.platform.health.ledgers import check_ledgers, describe_ledger_health
from apps.platform.jobs.models import Job, JobState
from apps.platform.ledger import sealer

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def reader(db: Any) -> User:
    return User.objects.create(username="rita")


def read(by: User, at: datetime) -> None:
    ReadEvent.write(payload={}, now=at, by=by, what="review.case")


def export(at: datetime) -> None:
    Job.objects.create(
        name="core.export_heads", state=JobState.DONE, eta=at, created_at=at, finished_at=at
    )


@pytest.fixture(autouse=True)
def sealed(db: Any, noon: datetime) -> None:
    sealer.seal_all_ledgers(now=noon)


@pytest.mark.parametrize(("minutes", "status"), [(180, "ok"), (181, "degraded")])
def test_heads_that_were_not_exported_for_hours_degrade(
    noon: datetime, minutes: int, status: str
) -> None:
    # none yet: since the first seal
    assert check_ledgers(noon + minutes * MINUTE)["status"] == status
    export(noon + MINUTE)
    ledgers = check_ledgers(noon + (minutes + 1) * MINUTE)
    assert (ledgers["status"], ledgers["headsSeconds"]) == (status, minutes * 60)
    assert describe_ledger_health(ledgers)[0] == f"The heads were exported {minutes} min ago."


@pytest.mark.parametrize(("minutes", "status"), [(15, "ok"), (16, "degraded")])
def test_a_record_that_waits_too_long_for_its_seal_degrades(
    reader: User, noon: datetime, minutes: int, status: str
) -> None:
    read(reader, noon)
    sealer.seal_all_ledgers(now=noon)
    export(noon)
    assert check_ledgers(noon)["oldestUnsealedSeconds"] == 0
    for later in (0, 5):
        read(reader, noon + later * MINUTE)
    ledgers = check_ledgers(noon + minutes * MINUTE)
    assert (ledgers["status"], ledgers["oldestUnsealedSeconds"]) == (status, minutes * 60)
    assert len(describe_ledger_health(ledgers)) == (1 if status == "ok" else 2)


def test_confidential_records_are_not_counted(write: Any, noon: datetime) -> None:
    export(noon + 60 * MINUTE)
    write(3)
    assert check_ledgers(noon + 60 * MINUTE) == {
        "status": "ok",
        "headsSeconds": 0,
        "oldestUnsealedSeconds": 0,
        "sealing": "NOT_YET",
        "verification": "NOT_YET",
    }


def test_a_sealing_that_failed_degrades_until_one_succeeds(noon: datetime) -> None:
    export(noon)
    for minute, state in enumerate((JobState.FAILED, JobState.DONE)):
        at = noon + minute * MINUTE
        Job.objects.create(name="core.seal", state=state, key=state, eta=at, created_at=at)
        ledgers = check_ledgers(noon)
        failed = state == JobState.FAILED
        assert ledgers["status"] == ("degraded" if failed else "ok")
        assert ledgers["sealing"] == ("FAILED" if failed else "PASSED")
        assert any("refused records" in said for said in describe_ledger_health(ledgers)) == failed


def test_it_takes_seven_queries_at_most(
    reader: User, noon: datetime, django_assert_max_num_queries: Any
) -> None:
    for later in range(20):
        read(reader, noon + later * MINUTE)
    with django_assert_max_num_queries(7):
        check_ledgers(noon)


@pytest.mark.parametrize(
    ("ended", "said", "status"),
    [(JobState.DONE, "PASSED", "ok"), (JobState.FAILED, "FAILED", "degraded")],
)
def test_a_verification_that_failed_degrades_until_one_passes(
    noon: datetime, ended: JobState, said: str, status: str
) -> None:
    export(noon)
    Job.objects.create(name="core.verify", state=JobState.FAILED, eta=noon, created_at=noon)
    Job.objects.create(name="core.verify", state=ended, eta=noon, created_at=noon + MINUTE)
    Job.objects.create(
        name="core.verify", state=JobState.PENDING, eta=noon, created_at=noon + 2 * MINUTE
    )
    ledgers = check_ledgers(noon + MINUTE)
    assert (ledgers["verification"], ledgers["status"]) == (said, status)
    assert (
        "The last verification of all ledgers failed: run verify_ledger."
        in describe_ledger_health(ledgers)
    ) is (ended == JobState.FAILED)


@pytest.mark.parametrize("name", ["core.verify", "core.seal"])
def test_what_a_clock_wrote_that_was_set_back_hides_no_failure(noon: datetime, name: str) -> None:
    export(noon)
    ahead = noon + timedelta(days=30)
    for state, at in ((JobState.DONE, ahead), (JobState.FAILED, noon)):
        Job.objects.create(name=name, state=state, eta=at, created_at=at, finished_at=at)
    assert check_ledgers(noon + MINUTE)["status"] == "degraded"
    assert Job.objects.failing().count() == 1


def test_heads_that_were_exported_by_a_clock_that_was_set_back_are_none(noon: datetime) -> None:
    export(noon + timedelta(days=30))
    ledgers = check_ledgers(noon + 181 * MINUTE)
    assert (ledgers["status"], ledgers["headsSeconds"]) == ("degraded", None)
