"""The list of jobs: what needs somebody first, routine folded away, quick however long it is."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.platform.desk.admin import jobs
from apps.platform.jobs.models import Job, JobState
from tests.review.people import NOON, at_desk, check_page, person

JOBS = "/admin/core/job/"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "now", lambda: NOON)


@pytest.fixture
def otto(db: Any) -> Client:
    return at_desk(person("otto", "Operator"))


def job(key: str, state: str = JobState.DONE, **given: Any) -> Job:
    values = {"name": "core.seal", "attempts": 1, "eta": NOON, "created_at": NOON} | given
    return Job.objects.create(key=key, state=state, **values)


def test_routine_that_went_well_is_folded_away_and_can_be_shown(otto: Client) -> None:
    job("minutely"), job("minutely-too")
    job("hourly", name="core.tidy")
    job("second-try", attempts=2)
    job("with-error", last_error="ValueError: x")
    job("minutely-failed", JobState.FAILED)
    html = check_page(otto.get(JOBS))
    for shown in ("hourly", "second-try", "with-error", "minutely-failed"):
        assert f">{shown}<" in html, shown
    assert ">minutely<" not in html and "Of the last 2,000, 2 routine jobs succeeded" in html
    assert ">minutely<" in check_page(otto.get(f"{JOBS}?standing=all"))
    assert ">minutely<" in check_page(otto.get(f"{JOBS}?q=minutely"))
    assert ">minutely<" in check_page(otto.get(f"{JOBS}?standing=done"))


def test_failed_ones_come_first_then_overdue_ones(otto: Client) -> None:
    job("failed", JobState.FAILED)
    job("late", JobState.PENDING, name="core.verify", eta=NOON - timedelta(minutes=5))
    job("dead", JobState.RUNNING, lease_until=NOON - timedelta(hours=1))
    job("waiting", JobState.PENDING, name="core.tidy", eta=NOON + timedelta(hours=1))
    html = check_page(otto.get(JOBS))
    order = sorted(("waiting", "dead", "late", "failed"), key=lambda key: html.index(f">{key}<"))
    assert order == ["failed", "dead", "late", "waiting"]


@pytest.mark.parametrize("standing", ["", "?standing=done"])
def test_a_long_history_is_neither_read_nor_sorted_for_a_page(otto: Client, standing: str) -> None:
    """Every step that the database takes goes by an index: none reads the table."""
    done = {"state": JobState.DONE, "eta": NOON, "created_at": NOON}
    old = [Job(name="lei.complete_chain", key=str(number), **done) for number in range(3000)]
    Job.objects.bulk_create(old)
    job("failed", JobState.FAILED)
    with CaptureQueriesContext(connection) as caught:
        html = check_page(otto.get(JOBS + standing))
    assert (">failed<" in html) is (standing == "") and ">2999<" in html
    assert len(caught) <= 9
    if connection.vendor != "sqlite":
        return
    for query in caught.captured_queries:
        if 'FROM "core_job"' in query["sql"]:
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN QUERY PLAN " + query["sql"])
                plan = [row[3] for row in cursor.fetchall()]
            slow = [step for step in plan if step.startswith("SCAN core_job")]
            slow += [step for step in plan if standing and "TEMP B-TREE" in step]
            assert not slow, (query["sql"], plan)
