"""Operators' pages of jobs, schedules and upstreams; examiners' page of ledgers."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django_q.models import OrmQ

from apps.backoffice.review.models import DecisionEvent
from apps.backoffice.sar.models import SarEntry
from apps.platform.desk import site
from apps.platform.desk.admin import jobs
from apps.platform.jobs.models import Job, JobAttempt, JobState
from apps.platform.ledger import sealer
from apps.platform.upstreams.models import UpstreamState
from tests.review.people import NOON, SENIOR, at_desk, case, check_page, person

JOBS, SCHEDULES, LEDGERS = "/admin/core/job/", "/admin/core/periodic/", "/admin/core/ledgerhead/"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (jobs, site):
        monkeypatch.setattr(module, "now", lambda: NOON)


@pytest.fixture
def otto(db: Any) -> Client:
    return at_desk(person("otto", "Operator"))


def job(state: str = JobState.FAILED, **given: Any) -> Job:
    values = {"name": "core.seal", "state": state, "eta": NOON, "created_at": NOON} | given
    return Job.objects.create(**values)


def test_failed_and_overdue_jobs_are_found(otto: Client) -> None:
    job(key="broken", last_error="ValueError: no")
    job(JobState.PENDING, key="forgotten", eta=NOON - timedelta(minutes=5))
    job(JobState.PENDING, key="punctual", eta=NOON - timedelta(minutes=4))
    job(JobState.DONE, key="finished", name="core.tidy")
    shown = {
        name: check_page(otto.get(f"{JOBS}?standing={name}")) for name in ("failed", "overdue")
    }
    assert "broken" in shown["failed"] and "ValueError: no" in shown["failed"]
    assert "forgotten" in shown["overdue"] and "punctual" not in shown["overdue"]
    assert all("finished" not in html for html in shown.values())
    assert all(key in check_page(otto.get(JOBS)) for key in ("broken", "punctual", "finished"))
    html = check_page(otto.get("/admin/"))
    assert "<b>1</b> Failed jobs" in html and "<b>1</b> Overdue jobs" in html


def test_a_failed_job_starts_anew_and_its_attempts_are_shown(otto: Client) -> None:
    broken = job(attempts=1)
    JobAttempt.objects.create(job=broken, number=1, started_at=NOON, error="KeyError: 'lei'")
    html = check_page(otto.get(f"{JOBS}{broken.pk}/change/"))
    assert "Retry" in html and "KeyError: &#x27;lei&#x27;" in html
    assert 'name="_save"' not in html
    otto.post(f"{JOBS}{broken.pk}/retry/")
    broken.refresh_from_db()
    assert (broken.state, broken.eta) == ("PENDING", NOON)
    assert OrmQ.objects.count() == 1
    assert "Retry" not in check_page(otto.get(f"{JOBS}{broken.pk}/change/"))


def test_what_is_not_failed_is_not_started_twice(otto: Client) -> None:
    waiting = job(JobState.PENDING)
    otto.post(f"{JOBS}{waiting.pk}/retry/")
    assert OrmQ.objects.count() == 0
    assert "no longer failed" in check_page(otto.get(JOBS))


def test_failed_jobs_start_anew_by_the_list_action_too(otto: Client) -> None:
    broken, done = job(key="1"), job(JobState.DONE, key="2")
    chosen = {"action": "retry_selected", "_selected_action": [broken.pk, done.pk]}
    otto.post(JOBS, chosen)
    assert OrmQ.objects.count() == 1
    assert "1 failed jobs will be retried" in check_page(otto.get(JOBS))


def test_an_open_breaker_shows(otto: Client) -> None:
    UpstreamState.objects.create(
        name="gleif", failures=5, open_until=NOON + timedelta(days=9999), last_error="timeout"
    )
    html = check_page(otto.get("/admin/upstreams/upstreamstate/"))
    assert "gleif" in html and "timeout" in html and "icon-no" not in html
    assert 'field-called">no<' in html or ">no</td>" in html


def test_the_ledgers_page_counts_what_waits_for_the_sealer(db: Any) -> None:
    edgar = at_desk(person("edgar", "Examiner"))
    case("1"), case("2")
    sealer.seal_ledger(ledger="decisions", now=NOON)
    case("3")
    html = check_page(edgar.get(LEDGERS))
    row = html.split("Decision events</th>")[1].split("</tr>")[0]
    assert [text.split("<")[0] for text in row.split('class="num">')[1:]] == ["2", "1", "0"]
    assert ">Decision events</th>" in html and ">decisions" not in html  # in words, not by its slug


def test_records_that_the_platform_did_not_write_are_refused_and_do_not_wait(db: Any) -> None:
    edgar = at_desk(person("edgar", "Examiner"))
    case("1"), case("2")
    forged = DecisionEvent.objects.latest("pk")
    forged.pk, forged.action, forged.mac = None, "ESCALATED", "0" * 64
    DecisionEvent.objects.bulk_create([forged])
    row = check_page(edgar.get(LEDGERS)).split("Decision events</th>")[1].split("</tr>")[0]
    figures = [text.split("</td>")[0] for text in row.split('class="num">')[1:]]
    assert figures[:2] == ["0", "2"] and "1, not written by this platform" in figures[2]


def test_the_sar_ledger_is_not_even_named_to_others(db: Any) -> None:
    SarEntry.write(payload={}, now=NOON, kind="screen", ref="1")
    sealer.seal_all_ledgers(now=NOON)
    for group in ("Examiner", "Operator", "Compliance officer"):
        reader = at_desk(person(group, group))
        for address in ("/admin/", LEDGERS, JOBS):
            answer = reader.get(address)
            words = (
                answer.content.decode().lower().replace("compliance", "").replace("necessary", "")
            )
            assert "sar " not in words and "suspicious" not in words and ">sar<" not in words
    assert "decisions" in check_page(at_desk(person("root", superuser=True)).get(LEDGERS))
    assert at_desk(person("samir", SENIOR)).get(LEDGERS).status_code == 403


def test_lists_take_as_many_queries_for_many_rows_as_for_few(
    otto: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(40):
        job(JobState.DONE, key=str(number))
    with django_assert_max_num_queries(9):
        otto.get(JOBS)
    with django_assert_max_num_queries(7):
        otto.get(SCHEDULES)
