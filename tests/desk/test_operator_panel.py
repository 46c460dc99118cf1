"""The operator's Today: health as the address says it, jobs that need somebody, what is off."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from apps.entry.sandbox import sample_usage
from apps.platform.desk import health, operator_panel, site
from apps.platform.jobs.models import Heartbeat, Job, JobState, Periodic
from apps.platform.jobs.registry import JOBS
from apps.reference.watchlists.catalog import ensure_sources
from tests.review.people import NOON, OFFICER, at_desk, check_page, person


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "now", lambda: NOON)


@pytest.fixture
def otto(db: Any) -> Client:
    return at_desk(person("otto", "Operator"))


def job(key: str, state: str = JobState.FAILED, **given: Any) -> Job:
    values = {"name": "core.verify", "eta": NOON, "created_at": NOON} | given
    return Job.objects.create(key=key, state=state, **values)


def today(desk: Client) -> str:
    return check_page(desk.get("/admin/"))


def test_failed_and_overdue_jobs_are_listed_and_start_anew(otto: Client) -> None:
    assert "No failed or overdue jobs." in today(otto)
    broken = job("broken", last_error="ValueError: <no>", finished_at=NOON - timedelta(hours=2))
    late = job("late", JobState.PENDING, eta=NOON - timedelta(minutes=6))
    job("soon", JobState.PENDING, name="core.tidy", eta=NOON - timedelta(minutes=4))
    job("done", JobState.DONE)
    html = today(otto)
    assert html.index("Verify all ledgers broken") < html.index("Verify all ledgers late")
    assert "ValueError: &lt;no&gt;" in html and "2 hours ago" in html
    assert f'action="/admin/core/job/{broken.pk}/retry/"' in html
    assert f"/admin/core/job/{late.pk}/retry/" not in html
    assert "ledgers soon" not in html and "ledgers done" not in html
    otto.post(f"/admin/core/job/{broken.pk}/retry/")
    assert Job.objects.get(pk=broken.pk).state == JobState.PENDING


def test_many_are_cut_and_counted(otto: Client) -> None:
    for number in range(operator_panel.SHOWN + 3):
        job(str(number))
    html = today(otto)
    assert html.count("Retry") == operator_panel.SHOWN
    assert "3 more:" in html


def test_health_is_what_the_health_page_says(otto: Client, monkeypatch: Any) -> None:
    Heartbeat.objects.create(name="jobs", at=NOON)
    checks = [one for _, found in health.describe_service_health(NOON) for one in found]
    html = today(otto).split(">Health ")[1].split("</section>")[0]
    for check in checks:
        assert f"</span> <b>{check.title}</b>" in html
        told = all(sentence in html for sentence in check.sentences)
        assert told is (check.state != "ok"), check
    assert html.count('class="badge ok"') == sum(check.state == "ok" for check in checks)
    assert html.count('class="badge bad"') == sum(check.state == "down" for check in checks)


@pytest.mark.parametrize(("production", "tone"), [(True, "bad"), (False, "")])
def test_lists_that_nothing_refreshes_are_red_in_production_and_calm_in_a_sandbox(
    otto: Client, settings: Any, production: bool, tone: str
) -> None:
    Periodic.objects.update(enabled=True)
    Periodic.objects.filter(pk="watchlists.refresh").update(enabled=False)
    settings.PRODUCTION = production
    html = today(otto)
    assert ("Disabled schedules" in html) is production
    assert (JOBS["watchlists.refresh"].stops in html) is production
    assert ("Off by default in a sandbox:" in html) is not production
    assert (
        operator_panel.describe_disabled_schedule(
            Periodic.objects.get(pk="watchlists.refresh")
        ).tone
        == tone
    )


@pytest.mark.parametrize("name", ["core.seal", "core.verify", "review.escalate_overdue"])
def test_what_must_not_be_off_is_red_everywhere(otto: Client, name: str) -> None:
    Periodic.objects.filter(pk=name).update(enabled=False)
    html = today(otto).split("Disabled schedules")[1]
    assert '<span class="badge bad">Off</span>' in html and JOBS[name].stops in html


def test_each_part_is_for_who_may_see_it(db: Any) -> None:
    job("broken")
    Periodic.objects.filter(pk="core.seal").update(enabled=False)
    assert "Jobs that need" not in today(at_desk(person("olivia", OFFICER)))
    reader = person("reader")
    reader.user_permissions.set(Permission.objects.filter(codename="view_job"))
    html = today(at_desk(reader))
    assert "Verify all ledgers broken" in html
    assert "Retry" not in html and "Schedules that are" not in html and ">Health " not in html


def jobs_check() -> health.DescribedCheck:
    (_, checks), *_ = health.describe_service_health(NOON)
    return next(check for check in checks if check.title == "Background jobs")


def test_health_needs_somebody_while_a_failed_job_stands_and_says_so_alone(otto: Client) -> None:
    Heartbeat.objects.create(name="jobs", at=NOON - timedelta(seconds=5))
    assert jobs_check().state == "ok"
    job("x", last_error="ValueError", finished_at=NOON)
    check = jobs_check()
    assert check.state == "degraded"
    assert check.sentences == ["A worker ran 5 s ago.", "1 failed job needs attention."]
    assert "1 failed job needs attention." in today(otto)


def test_a_failed_job_that_a_later_one_made_good_needs_nobody(otto: Client) -> None:
    Heartbeat.objects.create(name="jobs", at=NOON)
    job("x", JobState.DONE, created_at=NOON - timedelta(hours=2))
    job("x", finished_at=NOON, created_at=NOON - timedelta(hours=1))
    job("y", JobState.DONE)
    assert jobs_check().state == "degraded"
    job("x", JobState.DONE)
    assert jobs_check().state == "ok" and "No failed or overdue jobs" in today(otto)


def test_the_failed_refresh_of_a_sandbox_is_said_by_its_list_and_by_health(otto: Client) -> None:
    ensure_sources()
    sample_usage.seed_failed_job(now=NOON)
    Heartbeat.objects.create(name="jobs", at=NOON)
    row = today(otto).split(">UN Security Council consolidated list</a></th>")[1].split("</tr>")[0]
    assert "Last refresh failed" in row and "the deadline passed" in row
    assert "never refreshed" not in row and jobs_check().state == "degraded"


def test_health_names_the_lists_that_are_on_and_not_loaded(otto: Client) -> None:
    ensure_sources()
    html = check_page(otto.get("/admin/oversight/health/"))
    said = html.split("Switched on but nothing loaded: ")[1].split("</")[0]
    assert "UN Security Council consolidated list" in said and "OpenSanctions" not in said
    assert "Sample" not in said
